"""Numbers that stand in place of a style, where compiled code has seats played."""

RANDOM = -1  # every legal action is equally likely
OPEN = -2  # the seat is answered for from outside
