"""What the commands of `cli.py` do, a module each with a function `run(args) -> int`."""
