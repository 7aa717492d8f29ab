"""Converts a network of Stable-Baselines3 to a `Policy`, which `learn/export.py` writes as a file for agents."""

from collections.abc import Iterable

import torch
from stable_baselines3.common.policies import ActorCriticPolicy
from stable_baselines3.common.torch_layers import FlattenExtractor
from torch import nn

from bloodrage_env import games

from .learn.policy import Policy


def policy_of(network: ActorCriticPolicy, game: str = games.FIRST) -> Policy:
    """Return a policy with the outputs of a network of Stable-Baselines3.

    Each hidden unit becomes a unit of the policy. Units of the first layers are in its input layer. A residual layer
    adds the units of a further layer to units that are 0 before.

    Parameters
    ----------
    network : ActorCriticPolicy
        The `policy` of a PPO or MaskablePPO: an "MlpPolicy" with `activation_fn=torch.nn.ReLU` and at least one hidden
        layer.
    game : str
        The name of the game.

    Returns
    -------
    Policy
        The policy, for `export`. Raises ValueError for another network.

    Examples
    --------
    >>> import torch
    >>> from sb3_contrib import MaskablePPO
    >>> from bloodrage_training.sb3_policy import policy_of
    >>> from bloodrage_training.sb3_vec_env import SelfPlayVecEnv
    >>> env = SelfPlayVecEnv(2, num_players=2, opponents="random")
    >>> small = {"activation_fn": torch.nn.ReLU, "net_arch": [8]}
    >>> learner = MaskablePPO("MlpPolicy", env, n_steps=8, policy_kwargs=small)
    >>> policy_of(learner.policy).game
    'bloodrage'
    """
    actor = _linears(network.mlp_extractor.policy_net), network.action_net
    critic = _linears(network.mlp_extractor.value_net), network.value_net
    if not isinstance(network.features_extractor, FlattenExtractor) or not (actor[0] and critic[0]):
        raise ValueError("only an MlpPolicy with hidden layers for both actor and critic can be exported")
    policy = Policy(
        sum(layer.out_features for layers, _ in (actor, critic) for layer in layers),
        max(len(layers) for layers, _ in (actor, critic)) - 1,
        game,
    )
    with torch.no_grad():
        for weights in policy.parameters():
            weights.zero_()
        at = 0
        for (layers, head), to in ((actor, policy.actions), (critic, policy.value)):
            before = slice(0)
            for number, layer in enumerate(layers):
                units = slice(at, at + layer.out_features)
                if number == 0:
                    policy.first_weight[: layer.in_features, units] = layer.weight.T
                    policy.first_bias[units] = layer.bias
                else:
                    policy.linears[number - 1].weight[units, before] = layer.weight
                    policy.linears[number - 1].bias[units] = layer.bias
                before, at = units, units.stop
            to.weight[: head.out_features, before] = head.weight
            to.bias[: head.out_features] = head.bias
    return policy


def _linears(layers: Iterable[nn.Module]) -> list[nn.Linear]:
    """Return the linear layers, each followed by a ReLU. Raise ValueError for other layers."""
    listed = list(layers)
    linears = [layer for layer in listed[::2] if isinstance(layer, nn.Linear)]
    if 2 * len(linears) != len(listed) or not all(isinstance(layer, nn.ReLU) for layer in listed[1::2]):
        raise ValueError("only an MlpPolicy with activation_fn=torch.nn.ReLU can be exported")
    return linears
