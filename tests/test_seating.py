"""Who plays for people: the strongest of the levels that the server offers."""

import pytest

from bloodrage_env.serve.seating import FALLBACK, strongest


@pytest.mark.parametrize(
    ("offered", "agent"),
    [
        (["weak", "strong"], "strong"),
        (["strong", "weak", "other"], "strong"),
        (["weak"], "weak"),
        (["other"], FALLBACK),
    ],
)
def test_the_strongest_level_on_offer_plays_for_people(offered: list[str], agent: str) -> None:
    assert strongest(offered, ["weak", "middle", "strong"]) == agent
