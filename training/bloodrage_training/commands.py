"""The commands of this package; see `bloodrage_env.commands`."""

from bloodrage_env.cli import Command

benchmark = Command(
    "measure an agent by a fixed protocol",
    "bloodrage_training.benchmark.command",
    of_any_game=True,
    example="bloodrage benchmark balanced --track duel --games 100",
)
dataset = Command(
    "record games between agents as rows for learning",
    "bloodrage_training.dataset.command",
    of_any_game=True,
    example="bloodrage dataset --agents balanced --games 100 --out runs/games",
)
tournament = Command(
    "play agents against each other, and rate them",
    "bloodrage_training.tournament.command",
    of_any_game=True,
    example="bloodrage tournament run --agents random,balanced --deals 10 --store runs/first.sqlite",
)
train = Command(
    "train a policy by self-play and against other agents",
    "bloodrage_training.learn.command",
    of_any_game=True,
    example="bloodrage train --minutes 10 --out runs/train",
)
examples = Command(
    "copy the examples and recipes of the documents into a folder",
    "bloodrage_training.examples",
    example="bloodrage examples mine",
)
evaluate = Command(
    "measure a trained policy against baseline agents",
    "bloodrage_training.learn.evaluate",
    of_any_game=True,
    example="bloodrage evaluate runs/train --against random,balanced",
)
ladder = Command(
    "measure how an agent's strength grows with its budget",
    "bloodrage_training.ladder",
    of_any_game=True,
    example="bloodrage ladder flat --opponent balanced --budgets 10 100 --deals 20 --store runs/ladder.sqlite",
)
exploit = Command(
    "measure how much a best response gains against an agent",
    "bloodrage_training.learn.exploit",
    of_any_game=True,
    example="bloodrage exploit balanced --responder random --games 200",
)
leaderboard = Command(
    "measure all agents at fixed budgets, in one table",
    "bloodrage_training.leaderboard",
    of_any_game=True,
    example="bloodrage leaderboard --agents random,balanced --deals 10 --store runs/leaders.sqlite",
)
