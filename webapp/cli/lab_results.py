"""Results of a simulation as lines of text."""

from collections.abc import Mapping, Sequence
from typing import Any

import click


def print_results(payload: dict[str, Any]) -> None:
    """Print the results of one scenario, or of two and their difference; then those of ramps, if the player counts."""
    low, high = payload["interval95"]
    click.echo(f"{payload['rounds']:,} rounds at {payload['rounds_per_second']:,.0f} a second")
    click.echo(f"mean of a round          {payload['mean']:+.6f} bets, with 95 % between {low:+.6f} and {high:+.6f}")
    click.echo(f"standard deviation       {payload['standard_deviation']:.4f}")
    for name, rate in payload["rates"].items():
        click.echo(f"{name:24} {100 * rate:7.3f} in a hundred rounds")
    if "difference" in payload:
        other, difference = payload["other"], payload["difference"]
        click.echo(f"the other                {other['mean']:+.6f} bets")
        low, high = difference["interval95"]
        click.echo(f"the first less the other {difference['mean']:+.6f}, give or take {(high - low) / 2:.6f}")
    if "ramps" in payload:
        _print_counts(payload["counts"])
        for prospects in payload["ramps"]:
            _print_prospects(prospects, payload["bankroll"], payload["trip"])
    if "gain" in payload:
        gain, (low, high) = payload["gain"]["mean"], payload["gain"]["interval95"]
        between = f"with 95 % between {low:+.4f} and {high:+.4f}"
        click.echo(f"\nthe first ramp wins      {gain:+.4f} units more in a hundred rounds, {between}")


def _print_counts(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print the rounds by the count before their deal."""
    click.echo("\n   count   share %  give or take    edge %  give or take   units")
    for row in rows:
        edge, width = 100 * row["mean"], 100 * row["give_or_take"]
        around = row["share_give_or_take"]
        spread = " " * 13 if around is None else f"{100 * around:13.3f}"
        units = " ".join(f"{units:7d}" for units in row["units"])
        click.echo(f"{row['count']:+8d} {100 * row['share']:9.3f} {spread} {edge:+9.3f} {width:13.3f} {units}")


def _print_prospects(prospects: Mapping[str, Any], bankroll: int, trip: int) -> None:
    """Print what a ramp earns and risks. Figures that only a winner has are left out for others."""
    low, high = prospects["interval95"]
    click.echo(f"\nunits by the count       {prospects['ramp']}")
    click.echo(f"a hundred rounds         {prospects['mean']:+.4f} units, with 95 % between {low:+.4f} and {high:+.4f}")
    around = prospects["deviation_give_or_take"]
    between = "" if around is None else f", give or take {around:.2f}"
    click.echo(f"standard deviation       {prospects['standard_deviation']:.2f} units{between}")
    click.echo(
        f"mean bet                 {prospects['bet']:.3f} units, on {100 * prospects['played']:.1f} % of the rounds"
    )
    if prospects["n0"] is not None:
        low, high = prospects["score_interval95"]
        click.echo(f"SCORE                    {prospects['score']:.2f}, with 95 % between {low:.2f} and {high:.2f}")
        click.echo(f"N0                       {prospects['n0']:,.0f} rounds{_between(*prospects['n0_interval95'])}")
    for what, chance in ((f"ruin of {bankroll:,} units", "ruin"), (f"within {trip:,} rounds", "trip_ruin")):
        low, high = prospects[f"{chance}_interval95"]
        click.echo(f"{what:24} {100 * prospects[chance]:.2f} %, with 95 % between {100 * low:.2f} and {100 * high:.2f}")
    if trips := prospects["trips"]:
        click.echo(f"trips that were played   {len(trips)}, of which {sum(not trip[-1] for trip in trips)} lost all")
    if prospects["n0"] is not None:
        units = prospects["bankroll_for_1_percent"]
        click.echo(f"bankroll for 1 % ruin    {units:,.0f} units{_between(*prospects['bankroll_interval95'])}")
        growth, (low, high) = 100 * prospects["half_kelly_growth"], prospects["growth_interval95"]
        click.echo(
            f"growth at half Kelly     {growth:.4f} % of the bankroll in a hundred rounds, "
            f"with 95 % between {100 * low:.4f} and {100 * high:.4f}"
        )


def _between(low: float, high: float | None) -> str:
    """Return the end of a line: a 95 % interval. ``high``: None where it has no bound."""
    return f", with 95 % {f'above {low:,.0f}' if high is None else f'between {low:,.0f} and {high:,.0f}'}"
