"""What holds for all tests."""

import signal

# A shell that starts the tests in the background has them, and all that they start, ignore Ctrl-C, which some are about.
signal.signal(signal.SIGINT, signal.default_int_handler)
