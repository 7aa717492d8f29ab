"""The rules, a file a chapter. Each decision has two functions side by side: `mask_x` says what is allowed, `apply_x`
does it; each routine falls through its named steps (`stack.py`).
"""
