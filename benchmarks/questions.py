#!/usr/bin/env python3
"""Writes questions about what a running server holds, one on each line, and for each kind an answer of the median size.

usage: questions.py DIR BASE KIND... with the API key in KEY
  DIR   gets KIND.questions and KIND.body; BASE  such as http://127.0.0.1:9471; KIND  a key of `kinds` below
"""
import itertools
import json
import os
import random
import sys
import urllib.parse
import urllib.request

work, base, *wanted = sys.argv[1:]
key = os.environ["KEY"]
random.seed(1)


def ask(question):
    method, path, *body = question.split(" ", 2)
    request = urllib.request.Request(
        base + path,
        method=method,
        data=body[0].encode() if body else None,
        headers={"Authorization": "Bearer " + key, "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        return answer.read()


def screens():
    for n in range(160):
        yield "POST /api/v1/screener " + json.dumps({"filters": {"rsi_below": 30 + n / 4, "above_sma_200": n % 2 == 0}})


def technicals():
    rows = json.loads(ask('POST /api/v1/screener {"filters": {}, "limit": 50, "sort": "volume"}'))["matches"]
    for row, span in itertools.product(rows, ("1mo", "3mo", "6mo", "1y")):
        yield f"GET /api/v1/ticker/{row['ticker']}/technicals?range={span}"


briefs = []
for page in range(1, 11):
    briefs += json.loads(ask(f"GET /api/v1/feed?per_page=50&page={page}"))["briefs"]
words = {word.strip('.,:;"') for brief in briefs for word in brief["headline"].lower().split() if len(word) > 4}
words = sorted(words)
pairs = random.sample(list(itertools.combinations(words, 2)), 400)
topics = random.sample(words, min(300, len(words)))
quote = urllib.parse.quote_plus
kinds = {
    "brief": lambda: [f"GET /api/v1/brief/{brief['id']}" for brief in briefs],
    "feed": lambda: [f"GET /api/v1/feed?page={page}" for page in range(1, 26)],
    "search": lambda: [f"GET /api/v1/search?q={quote(' '.join(pair))}" for pair in pairs],
    "context": lambda: [f"GET /api/v1/context?topic={quote(topic)}" for topic in topics],
    "technicals": lambda: list(technicals()),
    "screener": lambda: list(screens()),
}
for kind in wanted:
    questions = kinds[kind]()
    random.shuffle(questions)
    sample = sorted((ask(question) for question in questions[:40]), key=len)
    with open(f"{work}/{kind}.body", "wb") as body:
        body.write(sample[len(sample) // 2])
    with open(f"{work}/{kind}.questions", "w", encoding="utf-8") as lines:
        lines.write("\n".join(questions) + "\n")
