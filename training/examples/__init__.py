"""The environment from other libraries; docs/libraries.md tells how to run each example."""
