"""What holds for all tests."""

import os
import signal

# Tests run side by side, and PyTorch's threads would wait for each other's processors.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# A shell that starts the tests in the background has them ignore Ctrl-C, and all that they start; some are about it.
signal.signal(signal.SIGINT, signal.default_int_handler)
