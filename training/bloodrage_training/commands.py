"""The commands of this package; see `bloodrage_env.commands`."""

from bloodrage_env.cli import Command

benchmark = Command("measure an agent by a fixed protocol", "bloodrage_training.benchmark.command", True)
dataset = Command("record games between agents as rows for learning", "bloodrage_training.dataset.command", True)
tournament = Command("play agents against each other, and rate them", "bloodrage_training.tournament.command", True)
train = Command("train a policy by self-play and against other agents", "bloodrage_training.learn.command", True)
evaluate = Command("measure a trained policy against baseline agents", "bloodrage_training.learn.evaluate", True)
ladder = Command("measure how an agent's strength grows with its budget", "bloodrage_training.ladder", True)
exploit = Command("measure how much a best response gains against an agent", "bloodrage_training.learn.exploit", True)
leaderboard = Command("measure all agents at fixed budgets, in one table", "bloodrage_training.leaderboard", True)
