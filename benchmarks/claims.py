#!/usr/bin/env python3
"""Times `/verify` and `/verify/output` over one connection, a different claim each time.

The claims are made of the headlines in FILE (JSON lines with a title, as headlines.py writes them): whole, the beginning of one, its words in another
order, or the beginning of one with the end of another.

usage: claims.py BASE KEY FILE [--count N]
"""
import argparse
import http.client
import json
import random
import statistics
import time
import urllib.parse

parser = argparse.ArgumentParser()
parser.add_argument("base")
parser.add_argument("key")
parser.add_argument("file")
parser.add_argument("--count", type=int, default=550)
arguments = parser.parse_args()

with open(arguments.file, encoding="utf-8") as lines:
    titles = [title for line in lines if len((title := json.loads(line)["title"]).split()) >= 6]
chance = random.Random(2)
base = urllib.parse.urlsplit(arguments.base)
connection = http.client.HTTPConnection(base.hostname, base.port, timeout=60)


def claim(kind):
    words, others = (chance.choice(titles).split() for _ in range(2))
    if kind == 1:
        words = words[: max(5, len(words) * 2 // 3)]
    elif kind == 2:
        chance.shuffle(words)
    elif kind == 3:
        words = words[: len(words) // 2] + others[len(others) // 2 :]
    return " ".join(words)[:900]


def asked(path, body):
    start = time.perf_counter()
    headers = {"Authorization": f"Bearer {arguments.key}", "Content-Type": "application/json"}
    connection.request("POST", path, json.dumps(body), headers)
    answer = connection.getresponse()
    text = answer.read()
    took = (time.perf_counter() - start) * 1000
    if answer.status != 200:
        raise SystemExit(f"{path}: {answer.status} {text[:200]!r}")
    return took, json.loads(text)


def told(name, times):
    times = sorted(times)
    share = lambda part: times[min(len(times) - 1, int(part * len(times)))]
    print(f"{name}: {len(times)}, p50 {statistics.median(times):.1f} ms, p90 {share(0.9):.1f}, p99 {share(0.99):.1f}, largest {times[-1]:.1f}")


verdicts = {}
times = []
for number in range(arguments.count):
    took, answer = asked("/api/v1/verify", {"claim": claim(number % 4)})
    times.append(took)
    verdict = answer["verdict"]
    verdicts[verdict] = verdicts.get(verdict, 0) + 1
told("/verify", times)
print(verdicts)
times = []
for _ in range(30):
    text = ""
    while len(text) < 4900:
        text += claim(0).rstrip(".") + ". "
    times.append(asked("/api/v1/verify/output", {"text": text[:5000]})[0])
told("/verify/output", times)
