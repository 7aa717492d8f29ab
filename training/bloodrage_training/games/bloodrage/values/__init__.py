"""How well a function knows who will win: positions that were played out many times, and the error on them."""
