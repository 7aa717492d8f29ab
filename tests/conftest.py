"""What holds for all tests."""

import signal

# A shell that starts the tests in the background has them ignore Ctrl-C, and all that they start; some are about it.
signal.signal(signal.SIGINT, signal.default_int_handler)
