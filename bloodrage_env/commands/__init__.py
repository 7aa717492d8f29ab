"""The commands that come with the environment, one a module; nothing else imports them. `registered.py` lists them."""
