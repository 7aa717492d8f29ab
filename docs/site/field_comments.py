"""An extension of griffe: the comment beside a field of a class is its description on the API pages."""

import griffe


class FieldComments(griffe.Extension):
    """The comment beside a field is its description."""

    def on_class(self, *, cls: griffe.Class, **_: object) -> None:
        """Describe the fields of a class that have no docstring."""
        for field in cls.attributes.values():
            _, mark, comment = field.source.partition("  # ")
            if mark and field.docstring is None and not field.is_private and "noqa" not in comment:
                field.docstring = griffe.Docstring(comment, parent=field)
