#!/usr/bin/env python3
"""Draws docs/chart.svg, the picture of the README, from the table of Claude Code's sessions in docs/benchmark.md.

    python3 benches/public/draw.py
"""

import re
from html import escape
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"
# Strategy, its label for readers who are new to strategies, its colour, and the position of the label.
POINTS = [
    ("trim", "keep the last 3 turns only", "#c2410c", "right"),
    ("trim-step-10", "drop old turns, ten at a time", "#7f1d1d", "above"),
    ("observation-masking", "hide old tool results", "#047857", "right"),
    ("fold", "hide them in batches, when it pays (fold)", "#9d3c8c", "right"),
    ("anthropic-compaction", "a summary at 150,000 tokens", "#b45309", "below"),
    ("clear-tool-results", "clear tool results at 100,000 tokens", "#8a6d00", "above right"),
    ("as-recorded", "what Claude Code sent", "#111827", "left"),
    ("full-history", "the whole history", "#0369a1", "above"),
]
WIDTH, HEIGHT = 1000, 520
LEFT, RIGHT, TOP, BOTTOM = 90, 970, 80, 440
CHEAPEST, DEAREST, MOST = -35, 30, 50


def x(cost):
    return LEFT + (cost - CHEAPEST) / (DEAREST - CHEAPEST) * (RIGHT - LEFT)


def y(share):
    return BOTTOM - share / MOST * (BOTTOM - TOP)


def text(at_x, at_y, words, size=16, anchor="start", colour="#374151", weight="normal"):
    style = f'font-size="{size}" text-anchor="{anchor}" fill="{colour}" font-weight="{weight}"'
    return f'<text x="{at_x:.0f}" y="{at_y:.0f}" {style}>{escape(words)}</text>'


def measured():
    """The cost in percent and the least and greatest share of answers that lack a fact, by strategy."""
    page = (DOCS / "benchmark.md").read_text()
    section = page.split("### Claude Code", 1)[1].split("\n### ", 1)[0]
    answers = int(re.search(r"lack a fact, of ([\d,]+)", section)[1].replace(",", ""))
    rows = {}
    for line in section.splitlines():
        cells = [cell.strip(" *") for cell in line.strip("|").split("|")]
        if len(cells) < 4 or not re.match(r"[-+]\d|–", cells[1]):
            continue
        cost = 0.0 if cells[1] == "–" else float(cells[1].rstrip("%"))
        least, _, most = cells[3].partition(" to ")
        shares = [100 * int(number.replace(",", "")) / answers for number in (least, most or least)]
        for name in cells[0].split(", "):
            rows[name] = (cost, *shares)
    return rows


def drawn(point, row):
    _, words, colour, place = point
    cost, least, most = row
    weight = "bold" if cost == 0 else "normal"
    if least != most:
        yield f'<line x1="{x(cost):.0f}" y1="{y(least):.0f}" x2="{x(cost):.0f}" y2="{y(most):.0f}" stroke="{colour}" stroke-width="9" stroke-linecap="round"/>'
        yield text(x(cost) + 14, y(least + 7.5), words, colour=colour)
        yield text(x(cost) + 14, y(least + 4.4), "(perfect to empty text)", size=13, colour=colour)
        return
    yield f'<circle cx="{x(cost):.0f}" cy="{y(least):.0f}" r="8" fill="{colour}"/>'
    at_x, at_y, anchor = {
        "right": (x(cost) + 15, y(least) + 5, "start"),
        "left": (x(cost) - 15, y(least) + 5, "end"),
        "above": (x(cost), y(least) - 16, "middle"),
        "above right": (x(cost) - 8, y(least) - 18, "start"),
    }[place]
    yield text(at_x, at_y, words, anchor=anchor, colour=colour, weight=weight)


def picture():
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="system-ui, sans-serif">'
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>'
    yield text(LEFT, 32, "What a shorter history saves, and what it forgets", size=22, colour="#111827", weight="bold")
    yield text(LEFT, 58, "Answers that would lack a fact they used", size=15)
    for share in range(0, MOST, 10):
        yield f'<line x1="{LEFT}" y1="{y(share):.0f}" x2="{RIGHT}" y2="{y(share):.0f}" stroke="#e5e7eb"/>'
        yield text(LEFT - 10, y(share) + 5, f"{share}%", anchor="end", size=15)
    for cost in range(-30, 30, 10):
        words = f"{cost:+d}%".replace("-", "−") if cost else "same cost"
        yield text(x(cost), BOTTOM + 28, words, anchor="middle", size=15)
    yield f'<line x1="{x(0):.0f}" y1="{TOP}" x2="{x(0):.0f}" y2="{BOTTOM}" stroke="#9ca3af"/>'
    yield text(LEFT, BOTTOM + 60, "← cheaper", size=15)
    yield text(RIGHT, BOTTOM + 60, "cost, compared with what Claude Code sent →", anchor="end", size=15)
    rows = measured()
    for point in POINTS:
        yield from drawn(point, rows[point[0]])
    yield "</svg>"


if __name__ == "__main__":
    (DOCS / "chart.svg").write_text("\n".join(picture()) + "\n")
