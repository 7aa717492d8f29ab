"""The report of a tournament, as a page and as tables. See docs/report.md."""
