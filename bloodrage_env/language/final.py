r"""Finds the final answer in what a model says: the last mark of an answer, and nothing after it.

    text    = thoughts, lines and marks; the last mark begins the final answer, and nothing before it counts
    mark    = a line that begins with a label, with `=` for `:` too:
              [`My`|`The`] [`Final`] `Answer`|`Action`|`Decision` [`is`] `:`
            | a heading that is a label, also without `:`
            | `<answer>`, `<action>` or `<final_answer>`, also as `<|ACTION|>`, or `\boxed{`: with its content a whole
              line, except for `The answer is` before it
            | JSON that begins a line and ends the text, fenced or not; a list only without another mark
    final   = the one line after the mark, or JSON to the end
            | without any mark: the last line, if it alone is an action and the line before it ends a sentence
    ignored = `<think>...</think>`, a part that begins with `Summary:` and ends at the next label or tag, `<|im_end|>`
              and other control tokens, fences, lines without words, quotes and emphasis around the answer

Answers before and after a summary must be the same, and no line with a negation and `:` introduces the final answer.

`answers.py` describes what the final answer can contain. The text is read once, character by character.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from enum import Enum, StrEnum, auto
from typing import Final, NamedTuple

MAX_ANSWER: Final = 20_000  # characters that are looked at, the last ones
FORM: Final = "end with one line `Answer: ACTION`"
MAX_QUOTED: Final = 60  # characters of an answer that a reason repeats

_MAX_TAG: Final = 24  # characters of the name of a tag
_MAX_LABEL: Final = 24
_NAMES: Final = {"answer", "action", "final_answer", "final_action"}
_THOUGHTS: Final = {"think", "thinking", "thought", "thoughts", "reasoning"}
_ENDS: Final = {"/s", "eos", "bos", "end_of_turn", "eot"}  # `<s>` strikes text out
_LABELS: Final = {
    f"{whose}{final}{name}{verb}"
    for whose in ("", "my ", "the ")
    for final in ("", "final ")
    for name in ("answer", "action", "decision")
    for verb in ("", " is")
}
_LEADS: Final = {f"{lead}{label}" for lead in ("", "so ", "thus ", "therefore ", "hence ") for label in _LABELS}
_NEGATIONS: Final = {"not", "cannot", "never", "no", "reject", "rejected", "avoid", "against", "wrong", "bad"}
_SUMMARY: Final = "summary"
_BOXED: Final = "\\boxed{"
_EMPHASIS: Final = "*_`"
_AROUND: Final = _EMPHASIS + "\"'“”„‘’«»「」$"  # of an answer
_WORDLESS: Final = frozenset(_AROUND + "~-=#>.,;:!|")
_BEFORE_LABEL: Final = _EMPHASIS + "#>-+•("
_BRACES: Final = ("\\text{", "\\textbf{", "\\mathrm{", "\\mathbf{")
_MATH: Final = ("\\[", "\\]", "\\(", "\\)")
# Full-width forms of ASCII, other spaces, and characters without a width.
_WIDE: Final[dict[int, int | None]] = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_WIDE.update({0x3000: 0x20, 0xA0: 0x20, 0x3002: ord("."), 0xFEFF: None, 0x200B: None})


class Refusal(StrEnum):
    """The classes of refused answers: no action can be read, or the action is not legal now."""

    UNREADABLE = auto()
    ILLEGAL = auto()


class RefusedError(ValueError):
    """An answer is refused. The text is the reason, a line that can be shown to the model.

    `said` is the part of the answer that it is about. It is cut only when the reason is shown, so that no name in it is
    cut before other words replace it.
    """

    def __init__(self, refusal: Refusal, reason: str, said: str = "") -> None:
        self.refusal, self.reason, self.said = refusal, reason, said
        super().__init__(f"{said[:MAX_QUOTED]!r} {reason}" if said else reason)

    def reworded(self, words: Callable[[str], str]) -> "RefusedError":
        """Return the refusal with other words."""
        return RefusedError(self.refusal, words(self.reason), words(self.said))


def unreadable(reason: str, said: str = "") -> RefusedError:
    """Return a refusal of an answer in which no action can be read."""
    return RefusedError(Refusal.UNREADABLE, reason, said)


class FinalAnswer(NamedTuple):
    """A final answer: one line, or JSON. `others` are the lines before it if no mark says that it is the answer."""

    text: str
    others: tuple[str, ...] = ()


class _Kind(Enum):
    LINE = auto()
    MARK = auto()
    SUMMARY = auto()
    THOUGHT = auto()
    THOUGHT_ENDS = auto()
    NOTHING = auto()  # a tag without a meaning


class _Token(NamedTuple):
    kind: _Kind
    text: str = ""


def final_answer(text: str) -> FinalAnswer:
    """Return the final answer of a text. Raise RefusedError if it has none."""
    tokens, _ = _spoken(text)
    marks = [place for place, token in enumerate(tokens) if token.kind is _Kind.MARK]
    after = tokens[marks[-1] + 1 :] if marks else tokens
    lines = [token.text for token in after if token.kind is _Kind.LINE]
    _check_summaries(tokens, marks)
    if not lines:
        raise unreadable(f"no action follows the last `Answer:`: {FORM}" if marks else f"the answer is empty: {FORM}")
    before = [token.text for token in tokens[: marks[-1]] if token.kind is _Kind.LINE] if marks else []
    start = _json_start(lines)
    found = "" if start is None else "\n".join(lines[start:]).strip(_EMPHASIS + ". ")
    if found and (not start or not marks or (found[0] == "{" and _is_json(found))):
        before += lines[:start]
        if before[len(before) - 1 :] and before[-1].rstrip(_EMPHASIS + ".,; ").endswith(("}", "]")) and start:
            raise unreadable(f"is before other JSON: {FORM}", before[-1])
        _check_introduction(before)
        return FinalAnswer(found)
    _check_introduction(before)
    if not marks:
        return _unmarked(lines)
    if len(lines) > 1:
        raise unreadable(f"follows the answer: {FORM} and nothing after it", lines[1])
    return FinalAnswer(lines[0])


def summary_of(text: str) -> str:
    """Return the last part of a text that begins with `Summary:`, "" if there is none."""
    return _spoken(text)[1]


def trimmed(text: str) -> str:
    """Return a text without quotes and emphasis around it, and without a full stop at the end."""
    before = ""
    while text != before:
        before, text = text, text.strip().strip(_AROUND).rstrip(".!")
        if text.startswith(_BRACES) and text.endswith("}"):
            text = text[text.index("{") + 1 : -1]
    return text


def kept_part(text: str) -> str:
    """Return the last part of a text, which is read. A thought that begins before it and does not end is one there."""
    if len(text) <= MAX_ANSWER:
        return text
    before = text[: _MAX_TAG - MAX_ANSWER].casefold()
    opened, closed = (
        max(before.rfind(form) for name in _THOUGHTS for form in (f"<{slash}{name}>", f"<{slash}|{name}|>"))
        for slash in ("", "/")
    )
    return ("<think>" if opened > closed else "") + text[-MAX_ANSWER:]


def _check_introduction(before: Sequence[str]) -> None:
    """Raise RefusedError if the last line before the final answer says that it is none."""
    said = before[-1].rstrip(_EMPHASIS) if before else ""
    words = said[:-1].casefold().replace("’", "'").replace(",", " ").split()
    if said.endswith(":") and any(word in _NEGATIONS or word.endswith("n't") for word in words):
        raise unreadable(f"is before the answer: {FORM}", said)


def _check_summaries(tokens: Sequence["_Token"], marks: Sequence[int]) -> None:
    """Raise RefusedError if a summary is between two marks that begin different answers."""
    summaries = [place for place, token in enumerate(tokens) if token.kind is _Kind.SUMMARY]
    earlier = [mark for mark in marks if summaries and mark < summaries[-1] < marks[-1]]
    if earlier and tokens[earlier[-1] + 1 : earlier[-1] + 2] != tokens[marks[-1] + 1 : marks[-1] + 2]:
        raise unreadable(f"different answers are before and after the summary: {FORM}")


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _unmarked(lines: Sequence[str]) -> FinalAnswer:
    """The last line, which is to be an action by itself."""
    if len(lines) > 1 and not lines[-2].rstrip(_AROUND).endswith((".", "!", "?")):
        raise unreadable(f"follows a line that ends no sentence: {FORM}", lines[-1])
    return FinalAnswer(lines[-1], tuple(lines[:-1]))


# ---- tokens


def _spoken(text: str) -> tuple[list[_Token], str]:
    """The tokens of a text without thoughts and summaries, and the last summary."""
    said: list[_Token] = []
    thinks = summing = False
    summary: list[str] = []
    text = kept_part(text).translate(_WIDE)
    for sign in _MATH:
        text = text.replace(sign, "$")
    for token in _tokens(text):
        if token.kind is _Kind.THOUGHT_ENDS:  # also without a beginning, which may be in the prompt
            said, summary, thinks, summing = [], [], False, False
        elif token.kind is _Kind.THOUGHT:
            thinks = True
        elif thinks:
            continue
        elif token.kind is _Kind.SUMMARY:
            summary, summing = [], True
            said.append(_Token(_Kind.SUMMARY))
        else:
            summing = summing and token.kind is not _Kind.MARK
            if not summing:
                said.append(token)
            elif token.text:
                summary.append(token.text)
    return said, "\n".join(summary)


def _tokens(text: str) -> Iterator[_Token]:
    for line in text.splitlines():
        start = at = 0
        while (at := line.find("<", at)) >= 0:
            kind, end = _tag_at(line, at) or (None, at + 1)
            if kind in (_Kind.THOUGHT, _Kind.THOUGHT_ENDS):
                yield from (*_parts(line[start:at]), _Token(kind))
                start = end
            at = end
        yield from _parts(line[start:])


def _parts(line: str) -> Sequence[_Token]:
    """The tokens of a line. If a tag in it is one part among others, an answer begins, which is the whole line."""
    whole = list(_piece(line))
    if whole and whole[0].kind is _Kind.SUMMARY:
        return whole
    found = list(_tagged(line))
    lead = trimmed(found[0].text).casefold().replace(",", " ").rstrip(": ") if found else ""
    if len(found) > 1 and " ".join(lead.split()) in _LEADS:
        found = found[1:]
    kinds = [token.kind for token in found]
    if _Kind.MARK in kinds and _Kind.LINE in kinds[:-1]:
        return [_Token(_Kind.MARK), _Token(_Kind.LINE, line.strip())]
    return found


def _tagged(line: str) -> Iterator[_Token]:
    """The tags of a line, and what is between them."""
    start = at = 0
    while at < len(line):
        found = _tag_at(line, at) if line[at] in "<\\" else None
        if found is None:
            at += 1
            continue
        kind, end = found
        yield from _piece(line[start:at])
        if kind is not _Kind.NOTHING:
            yield _Token(kind)
        at = start = end
        if line.startswith(_BOXED, end - len(_BOXED)):
            close = _closing_brace(line, end)
            yield from _piece(line[end:close])
            at = start = close + 1
    yield from _piece(line[start:])


def _tag_at(line: str, at: int) -> tuple[_Kind, int] | None:
    """The kind of the tag at a place of a line, and where it ends; None for other text."""
    if line.startswith(_BOXED, at):
        return _Kind.MARK, at + len(_BOXED)
    end = line.find(">", at, at + _MAX_TAG + 4)
    if line[at] != "<" or end < 0:
        return None
    name = line[at + 1 : end]
    closes = name.startswith("/")
    bare = name.strip("/|").casefold()
    if bare in _THOUGHTS:
        return (_Kind.THOUGHT_ENDS if closes else _Kind.THOUGHT), end + 1
    if bare in _NAMES:
        return (_Kind.NOTHING if closes else _Kind.MARK), end + 1
    control = (name.startswith("|") and name.endswith("|")) or name.casefold() in _ENDS
    return (_Kind.NOTHING, end + 1) if control else None


def _closing_brace(line: str, start: int) -> int:
    """The place of the brace that closes one before `start`; the end of the line without one."""
    depth = 1
    for at in range(start, len(line)):
        depth += (line[at] == "{") - (line[at] == "}")
        if depth == 0:
            return at
    return len(line)


def _piece(text: str) -> Iterator[_Token]:
    """A line, or a part of one between tags: a label and what follows it, a line, or nothing."""
    text = text.strip()
    if (text.startswith("```") and text[3:].replace("-", "").isalnum()) or _is_wordless(text):
        return  # a fence, also with the name of a language
    label = _label(text)
    if label is None:
        yield _Token(_Kind.LINE, text)
        return
    kind, rest = label
    yield _Token(kind)
    again = _label(rest)
    if again and again[0] is _Kind.MARK:
        rest = again[1]
    if not _is_wordless(rest):
        yield _Token(_Kind.LINE, rest)


def _is_wordless(text: str) -> bool:
    return all(each in _WORDLESS or each.isspace() for each in text)


def _label(line: str) -> tuple[_Kind, str] | None:
    """The kind of label that begins a line, and what follows it; None for another line."""
    start = 0
    while start < len(line) and (line[start] in _BEFORE_LABEL or line[start].isspace()):
        start += 1
    end = start
    while end < len(line) and end - start <= _MAX_LABEL and (line[end].isalpha() or line[end] == " "):
        end += 1
    name = " ".join(line[start:end].casefold().split())
    while end < len(line) and line[end] in _EMPHASIS + " )":
        end += 1
    heading = line.startswith("#") and end == len(line) and name in _LABELS
    if line[end : end + 1] not in (":", "=") and not heading:
        return None
    rest = line[end + 1 :].strip()
    rest = rest.lstrip(_EMPHASIS).strip() if rest.startswith(tuple(_EMPHASIS)) else rest
    if name in _LABELS:
        return _Kind.MARK, rest
    return (_Kind.SUMMARY, rest) if name == _SUMMARY else None


def _json_start(lines: Sequence[str]) -> int | None:
    """The line that begins with JSON which ends with the last line, None if there is none.

    Brackets are matched in one pass. A string ends within its line.
    """
    last = len(lines) - 1
    final = lines[last].rstrip("`*. ") if lines else ""
    opened: list[tuple[int, int, str]] = []
    found: int | None = None
    for number, line in enumerate(lines):
        first = len(line) - len(line.lstrip(_EMPHASIS))
        quoted = escaped = False
        for at, each in enumerate(final if number == last else line):
            if escaped:
                escaped = False
            elif each == "\\" and quoted:
                escaped = True
            elif each == '"':
                quoted = not quoted
            elif quoted:
                continue
            elif each in "{[":
                opened.append((number, at - first, each))
            elif each in "}]":
                if not opened or opened[-1][2] != ("{" if each == "}" else "["):
                    opened.clear()
                    continue
                begin, place, _ = opened.pop()
                if number == last and at == len(final) - 1 and place == 0:
                    found = begin
        if quoted:
            opened.clear()
    return found
