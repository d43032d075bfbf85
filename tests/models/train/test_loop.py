"""The training by steps that all networks share."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra train is not installed")
import torch

from models.train.loop import Recipe, train_steps, update_average

RECIPE = Recipe(0.1, weight_decay=0.0, max_gradient_norm=1.0, ema_decay=0.9, steady=1)


def test_a_rate_warms_up_stays_and_falls_at_last() -> None:
    rates = [Recipe(1.0, 0.0, 1.0, 0.9, 800).rate(number, 1000) for number in (0, 49, 99, 500, 799, 900, 999)]
    assert rates == pytest.approx([0.01, 0.5, 1.0, 1.0, 1.0, 0.51, 0.02], abs=0.01)
    assert [Recipe(1.0, 0.0, 1.0, 0.9, 10).rate(number, 100) for number in (0, 9, 10)] == [0.1, 1.0, 1.0]


def test_average_moves_towards_the_trained_weights() -> None:
    net, average = torch.nn.Linear(1, 1), torch.nn.Linear(1, 1)
    with torch.no_grad():
        net.weight.fill_(1.0)
        average.weight.fill_(0.0)
    update_average(average, net, 0.75)
    assert float(average.weight.detach()) == pytest.approx(0.25)


def test_training_lowers_the_loss_logs_means_and_returns_the_average(tmp_path: Path) -> None:
    torch.manual_seed(0)
    net = torch.nn.Linear(2, 1)
    inputs = torch.randn(64, 2)
    logged: list[tuple[int, float]] = []

    def step(net: torch.nn.Module, device: torch.device, number: int) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        loss = (net(inputs.to(device)) - inputs.sum(1, keepdim=True).to(device)).square().mean()
        return loss, {"loss": loss}

    def log(number: int, figures: dict[str, float]) -> None:
        logged.append((number, figures["loss"]))

    average = train_steps(net, step, RECIPE, 60, tmp_path / "state.pt", log_every=20, log=log)
    assert [number for number, _ in logged] == [20, 40, 60]
    assert logged[0][1] > 10 * logged[-1][1]
    assert average.state_dict()["weight"].cpu() == pytest.approx(torch.ones(1, 2), abs=0.1)


def test_biases_decay_only_where_the_recipe_says_so() -> None:
    net = torch.nn.Linear(2, 1)
    groups = Recipe(0.1, 0.5, 1.0, 0.9, 1, decay_vectors=False).optimizer(net).param_groups
    assert [group["weight_decay"] for group in groups] == [0.5, 0.0]
    assert [len(group["params"]) for group in groups] == [1, 1]
    assert len(Recipe(0.1, 0.5, 1.0, 0.9, 1).optimizer(net).param_groups) == 1


def test_a_killed_training_goes_on_exactly_where_it_was(tmp_path: Path) -> None:
    def fresh() -> torch.nn.Module:
        torch.manual_seed(1)
        return torch.nn.Sequential(torch.nn.Linear(3, 8), torch.nn.Dropout(0.5), torch.nn.Linear(8, 1))

    def step(net: torch.nn.Module, device: torch.device, number: int) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        loss = net(torch.randn(16, 3)).square().mean()
        return loss, {"loss": loss}

    def killed(net: torch.nn.Module, device: torch.device, number: int) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        if number == 7:
            raise KeyboardInterrupt
        return step(net, device, number)

    logged: list[int] = []
    whole = train_steps(fresh(), step, RECIPE, 12, tmp_path / "whole.pt", save_every=5, log_every=4)
    with pytest.raises(KeyboardInterrupt):
        train_steps(fresh(), killed, RECIPE, 12, tmp_path / "part.pt", save_every=5)
    assert torch.load(tmp_path / "part.pt", weights_only=True)["step"] == 5
    resumed = train_steps(
        fresh(), step, RECIPE, 12, tmp_path / "part.pt", save_every=5, log_every=4, log=lambda n, f: logged.append(n)
    )
    assert logged == [8, 12]
    one, two = (torch.load(tmp_path / name, weights_only=True) for name in ("whole.pt", "part.pt"))
    for part in ("net", "average"):
        assert all(torch.equal(value, two[part][name]) for name, value in one[part].items())
    assert torch.equal(one["random"]["cpu"], two["random"]["cpu"])
    for given in (0, 1):
        moments = [state["optimizer"]["state"][given]["exp_avg_sq"] for state in (one, two)]
        assert torch.equal(*moments)
    assert all(torch.equal(a, b) for a, b in zip(whole.parameters(), resumed.parameters(), strict=True))
