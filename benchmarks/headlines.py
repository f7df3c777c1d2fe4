#!/usr/bin/env python3
"""Writes N headline-only items as JSON lines, the same for the same seed: each is the beginning of one real headline with the
end of another, so that words and names are as frequent and as often together as in the news, and few items are one story.

usage: headlines.py N NEWS [--seed S] [--day D] [--start DATE] > headlines.jsonl
  NEWS   a directory of `*.jsonl.gz` and `headlines_*.csv.gz` whose records have a title

`--day` items come on a day (2,740: a million in a year). NEWS is only read; what is written stands under invented outlets.
"""
import argparse
import csv
import datetime
import glob
import gzip
import json
import random
import re
import sys

parser = argparse.ArgumentParser()
parser.add_argument("count", type=int)
parser.add_argument("news")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--day", type=int, default=2740)
parser.add_argument("--start", default="2025-06-01")
arguments = parser.parse_args()

titles = set()
for path in sorted(glob.glob(f"{arguments.news}/*.jsonl.gz")):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        titles.update(json.loads(line).get("title") or "" for line in lines)
for path in sorted(glob.glob(f"{arguments.news}/headlines_*.csv.gz")):
    with gzip.open(path, "rt", encoding="utf-8", newline="") as rows:
        titles.update(row.get("Headlines") or "" for row in csv.DictReader(rows))
# The outlet's name at the end would make everything of one outlet alike.
titles = (re.sub(r"\s+[-|–—]\s+[^-|–—]{2,40}$", "", title).split() for title in sorted(titles))
titles = [title for title in titles if 6 <= len(title) <= 24]

rng = random.Random(arguments.seed)
start = datetime.datetime.fromisoformat(arguments.start).replace(tzinfo=datetime.timezone.utc)
for number in range(arguments.count):
    first, second = rng.choice(titles), rng.choice(titles)
    title = " ".join(first[: len(first) // 2] + second[len(second) // 2 :])
    moment = start + datetime.timedelta(seconds=number * 86_400 / arguments.day)
    moment = moment.isoformat(timespec="seconds").replace("+00:00", "Z")
    outlet = rng.randrange(400)
    sys.stdout.write(
        json.dumps(
            {
                "url": f"https://outlet{outlet}.example/{moment[:10]}/{number}",
                "title": title,
                "source": f"Outlet {outlet}",
                "published_at": moment,
                "first_seen": moment,
            },
            ensure_ascii=False,
        )
        + "\n"
    )
