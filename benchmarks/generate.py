#!/usr/bin/env python3
"""Writes N synthetic articles as JSON lines, the same for the same seed: input for the benchmarks.

usage: generate.py N [--words W] [--seed S] [--start DATE] > articles.jsonl

Words follow a Zipf distribution over an invented vocabulary with some real topic words mixed in; every article is a
story of its own apart from one in ten, which repeats an earlier headline with other words around it. `--words 0` makes
headline-only items.
"""
import argparse
import datetime
import itertools
import json
import random
import sys

parser = argparse.ArgumentParser()
parser.add_argument("count", type=int)
parser.add_argument("--words", type=int, default=250)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--start", default="2026-01-01")
arguments = parser.parse_args()

rng = random.Random(arguments.seed)
syllables = [a + b for a in "b d f g k l m n p r s t v z br tr st pl".split() for b in "a e i o u ai ea on er".split()]
vocabulary = ["".join(rng.choices(syllables, k=rng.choice((2, 2, 3)))) for _ in range(40_000)]
topics = """rates inflation election merger drought satellite vaccine tariff shipping battery copper wheat storm budget
strike treaty earnings chip court harbour railway bond budget climate reactor museum league festival budget pension
housing telescope glacier fibre drone quantum robotics insulin desalination lithium""".split()
names = ["Norvale", "Kestrel Industries", "Port Almeria", "Lake Ostrow", "Harlan Systems", "Vega Motors", "Tamsin Bank"]
zipf = list(itertools.accumulate(1 / (rank + 1) for rank in range(len(vocabulary))))


local = []


def words(count):
    """Half from the words of this article, half from everybody's."""
    return [rng.choice(local) if rng.random() < 0.5 else rng.choices(vocabulary, cum_weights=zipf)[0] for _ in range(count)]


def sentence(count):
    text = words(count)
    if rng.random() < 0.3:
        text.insert(rng.randrange(len(text)), rng.choice(topics))
    if rng.random() < 0.1:
        text.insert(rng.randrange(len(text)), rng.choice(names))
    if rng.random() < 0.2:
        text.append(f"{rng.randrange(1, 900)}.{rng.randrange(10)} percent")
    return " ".join(text).capitalize() + "."


start = datetime.datetime.fromisoformat(arguments.start).replace(tzinfo=datetime.timezone.utc)
recent = []
for number in range(arguments.count):
    local = rng.sample(vocabulary, 60)
    moment = start + datetime.timedelta(seconds=number * 78)
    if recent and rng.random() < 0.1:
        title = rng.choice(recent)[:-1] + " " + rng.choice(topics)
    else:
        title = sentence(8)[:-1]
    recent = (recent + [title])[-200:]
    article = {
        "url": f"https://outlet{number % 97}.example/{moment:%Y/%m/%d}/{number}",
        "title": title,
        "description": sentence(16),
        "source": f"Outlet {number % 97}",
        "published_at": moment.isoformat().replace("+00:00", "Z"),
        "first_seen": moment.isoformat().replace("+00:00", "Z"),
    }
    if arguments.words:
        sentences = [sentence(15) for _ in range(max(1, arguments.words // 16))]
        paragraphs = [" ".join(sentences[at : at + 3]) for at in range(0, len(sentences), 3)]
        article["text"] = "\n\n".join(paragraphs)
    sys.stdout.write(json.dumps(article) + "\n")
