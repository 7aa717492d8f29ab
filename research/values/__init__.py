"""The error of value functions, measured at positions that were played out many times."""
