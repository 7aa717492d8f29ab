"""The networks that `networks.py` compares: the present one, and one with shared encoders."""

from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from bloodrage_agents.games.bloodrage.compiled.inputs import AT_SCORES, INPUTS, NUM_INPUTS
from bloodrage_agents.scores import LEAST, NUM_FORMS, WORST
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.observation import UPGRADE_CARDS
from bloodrage_training.learn.policy import FIRST_GAINS, ILLEGAL, SparseRows, Trunk

SIZES: Final = {"pooled": 64, "attention": 32}  # of a token; attention between larger ones takes too long
CARD_SIZE, LINK, HEADS = 32, 16, 4  # sizes: a card, what a march compares; heads of attention
Whole = npt.NDArray[np.int64]
AT: Final = {section.name: section.start + np.arange(section.size).reshape(section.shape) for section in INPUTS}


def dense(rows: SparseRows) -> Tensor:
    """float32[N, NUM_INPUTS + 1]; the last column is zero."""
    result = np.zeros((len(rows), NUM_INPUTS + 1), np.float32)
    result[np.repeat(np.arange(len(rows)), np.diff(rows.offsets)), rows.index] = rows.values
    return torch.from_numpy(result)


class Tokens(nn.Module):
    """Shared encoders: a row for each province and clan, and for each set of cards a sum of the rows of its cards.

    What is known of a province, its fjord and the clans there goes through the same layers whichever province it is.
    """

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.size = size = SIZES[kind]
        places, clans, cards = province_inputs(), clan_inputs(), card_inputs()
        for name, index in (("places", places), ("clans", clans), ("cards", cards)):
            self.register_buffer(name, torch.from_numpy(index.ravel()), persistent=False)
        self.shapes = places.shape, clans.shape, cards.shape
        self.card = nn.Parameter(torch.empty(engine.CARD_CAPACITY, CARD_SIZE).normal_(std=0.5))
        self.place = nn.Linear(places.shape[1], size)
        self.clan = nn.Linear(clans.shape[1] + 4 * CARD_SIZE, size)
        self.deck = nn.Linear(8 * CARD_SIZE, size)
        self.where = nn.Parameter(torch.zeros(engine.NUM_PROVINCES + engine.MAX_SEATS + 1, size))
        self.inner = nn.Linear(size, size)
        self.attention = None
        if kind == "attention":
            self.attention = nn.TransformerEncoderLayer(size, HEADS, 2 * size, 0.0, batch_first=True, norm_first=True)

    def forward(self, inputs: Tensor) -> Tensor:
        """float32[N, provinces + seats + 1, size] of float32[N, NUM_INPUTS + 1]."""
        n = len(inputs)
        places, clans, cards = (
            inputs.index_select(1, index).view(n, *shape)
            for index, shape in zip((self.places, self.clans, self.cards), self.shapes, strict=True)
        )
        sums = cards @ self.card  # four of each clan, then eight more
        of_clans = sums[:, : 4 * engine.MAX_SEATS].reshape(n, engine.MAX_SEATS, -1)
        clan = self.clan(torch.cat([clans, of_clans], 2))
        deck = self.deck(sums[:, 4 * engine.MAX_SEATS :].reshape(n, 1, -1))
        tokens = (torch.cat([self.place(places), clan, deck], 1) + self.where).relu()
        tokens = tokens + self.inner(tokens).relu()
        return tokens if self.attention is None else self.attention(tokens)


def province_inputs() -> Whole:
    """int64[NUM_PROVINCES, F]: the inputs of each province; NUM_INPUTS for nothing."""
    found = []
    for place in range(engine.NUM_PROVINCES):
        outer = place < engine.NUM_OUTER
        parts = [AT[name][..., place] for name in ("figures", "strength", "barred", "ragnarok", "god_in")]
        parts += [AT[name][..., [place]] for name in ("destroyed", "pillaged", "march_from", "about_place", "battle")]
        parts += [
            AT[name][[place]] for name in ("worth", "token_worth", "control", "contested", "win_chance", "threat")
        ]
        parts += [AT["tokens"][place], AT["room"][[place]] if outer else np.array([NUM_INPUTS])]
        fjord = np.append(AT["figures"][..., engine.FJORD_OF[place]], AT["about_place"][engine.FJORD_OF[place]])
        parts.append(fjord if outer else np.full_like(fjord, NUM_INPUTS))
        found.append(np.concatenate([part.ravel() for part in parts]))
    return np.array(found)


def clan_inputs() -> Whole:
    """int64[MAX_SEATS, F]: the inputs of each clan, without cards."""
    names = [
        name for name, index in AT.items() if index.shape[0] == engine.MAX_SEATS and name not in ("upgrades", "table")
    ]
    return np.array([np.concatenate([AT[name][seat].ravel() for name in names]) for seat in range(engine.MAX_SEATS)])


def card_inputs() -> Whole:
    """int64[4 * MAX_SEATS + 8, CARD_CAPACITY]: of each clan hand, quests, table and upgrades, and eight more."""
    found = []
    for seat in range(engine.MAX_SEATS):
        quests, upgrades = np.full((2, engine.CARD_CAPACITY), NUM_INPUTS)
        quests[engine.QUESTS] = (AT["sure_quests"][seat - 1] if seat else AT["quests"])[: len(engine.QUESTS)]
        upgrades[UPGRADE_CARDS] = AT["upgrades"][seat][: len(UPGRADE_CARDS)]
        found += [AT["known"][seat - 1] if seat else AT["hand"], quests, AT["table"][seat], upgrades]
    more = ("about_card", "pack", "discards", "gone")
    return np.array([*found, *(AT[name] for name in more), *AT["packs_seen"]])


class Net(nn.Module):
    """The present network, or what takes its place: all of them have its first layer and its two heads.

    `tokens`: none, "pooled" or "attention"; with `apart` the first layer has no inputs of the tokens.
    """

    def __init__(self, width: int = 256, tokens: str = "", apart: bool = False, extra: bool = False) -> None:
        super().__init__()
        self.first = Trunk(width, 0, game="bloodrage")
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(2))
        self.actions, self.gains = nn.Linear(width, engine.NUM_ACTIONS), nn.Linear(width, NUM_FORMS)
        self.value = nn.Linear(width, engine.MAX_SEATS)
        nn.init.orthogonal_(self.actions.weight, 0.01)
        for part in (self.actions.bias, self.gains.weight, self.value.bias):
            nn.init.zeros_(part)
        self.gains.bias.data.copy_(torch.tensor(FIRST_GAINS))
        self.tokens = Tokens(tokens) if tokens else None
        self.shown = np.ones(NUM_INPUTS + 1, np.float32)
        if self.tokens:
            self.pooled = nn.Linear(6 * self.tokens.size, width)
            self.of_place = nn.Linear(self.tokens.size, 1 + engine.KIND_CAPACITY + 2 * LINK)
            self.of_clan, self.of_card = nn.Linear(self.tokens.size, 1), nn.Linear(width, CARD_SIZE)
            for head in (self.of_place, self.of_card):
                nn.init.normal_(head.weight, std=0.02)
            for index in (province_inputs(), clan_inputs(), card_inputs()) if apart else ():
                self.shown[index.ravel()] = 0.0
        sizes = (
            engine.MAX_SEATS * engine.NUM_SOURCES,
            engine.NUM_PROVINCES * (1 + engine.MAX_SEATS),
            (engine.MAX_SEATS - 1) * engine.CARD_CAPACITY,
            engine.MAX_SEATS,
        )
        self.extra = nn.ModuleList(nn.Linear(width, size) for size in sizes) if extra else None

    def forward(self, rows: SparseRows) -> tuple[Tensor, Tensor, Tensor]:
        """float32[N, NUM_ACTIONS] the logarithm of the probability of each action; float32[N, MAX_SEATS] the values;
        float32[N, width].
        """
        inputs = dense(rows)
        known = SparseRows(rows.offsets, rows.index, rows.values * self.shown[rows.index]) if self.tokens else rows
        hidden: Tensor = self.first(known)
        tokens = None if self.tokens is None else self.tokens(inputs)
        if tokens is not None:
            place, clan = tokens[:, : engine.NUM_PROVINCES], tokens[:, engine.NUM_PROVINCES : -1]
            pools = place.mean(1), place.amax(1), clan[:, 0], clan[:, 1:].mean(1), clan[:, 1:].amax(1), tokens[:, -1]
            hidden = hidden + self.pooled(torch.cat(pools, 1)).relu()
        for layer in self.layers:
            hidden = hidden + layer(hidden).relu()
        scores = inputs[:, AT_SCORES:NUM_INPUTS]
        worse = (1 - scores) * (WORST / (1 - LEAST))
        logits, gains = self.actions(hidden), self.gains(hidden)
        forms = (-worse * 0.25, -worse.sqrt() * 0.5, (worse < 1e-3).float())
        for number, form in enumerate(forms):
            logits = logits + gains[:, number, None] * form
        values = self.value(hidden)
        if tokens is not None:
            logits, values = logits + self.by_tokens(hidden, place), values + self.of_clan(clan)[..., 0]
        return logits.masked_fill(scores == 0, ILLEGAL).log_softmax(1), values, hidden

    def by_tokens(self, hidden: Tensor, place: Tensor) -> Tensor:
        """float32[N, NUM_ACTIONS]: what actions get from the tokens of their provinces and from their cards."""
        assert self.tokens is not None
        n, found = len(hidden), self.of_place(place)
        marches = found[..., 1 + engine.KIND_CAPACITY : -LINK] @ found[..., -LINK:].transpose(1, 2)
        figures = functional.pad(
            found[..., 1 : 1 + engine.KIND_CAPACITY].transpose(1, 2), (0, engine.NUM_BOARD - engine.NUM_PROVINCES)
        )
        march = marches.reshape(n, -1)[:, torch.from_numpy(engine.MARCH_FROM * engine.NUM_PROVINCES + engine.MARCH_TO)]
        none = hidden.new_zeros(n, engine.PROVINCE)
        assert engine.PROVINCE + engine.NUM_PROVINCES == engine.CARD
        assert engine.MARCH == engine.FIGURE_AT + engine.KIND_CAPACITY * engine.NUM_BOARD
        return torch.cat([none, found[..., 0], self.of_card(hidden) @ self.tokens.card.T, figures.flatten(1), march], 1)
