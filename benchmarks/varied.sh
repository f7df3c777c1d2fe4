#!/usr/bin/env bash
# Throughput with another question each time, 32 connections, as a share of a bare axum handler that returns an answer of
# the median size; both measured in turns in one run with wrk. Needs a data directory of the demo: news and markets.
#
# usage: varied.sh ASSAY BARE DATA [SECONDS]
#   ASSAY  the release binary; BARE  the example `bare` of crate api; DATA  a demo directory
set -euo pipefail
assay=$1 bare=$2 data=$3 seconds=${4:-5}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT
"$assay" serve --demo --data "$data" --listen 127.0.0.1:9471 >"$work/out" 2>"$work/log" & pids+=($!)
until grep -q listening "$work/out"; do sleep 0.1; done
email="varied-$$@assay.example"
printf 'a password for the bench' | "$assay" user add --data "$data" --email "$email" --password-stdin --plan unlimited 2>/dev/null
KEY=$("$assay" key create --data "$data" --email "$email" --name bench)
export KEY
for _ in $(seq 100); do
  curl -sS --fail -o /dev/null -H "Authorization: Bearer $KEY" 'http://127.0.0.1:9471/api/v1/search?q=the+market' && break
  sleep 0.2
done
python3 - "$work" <<'PY'
import itertools, json, os, random, sys, urllib.parse, urllib.request
work, base, key = sys.argv[1], "http://127.0.0.1:9471", os.environ["KEY"]
random.seed(1)
def ask(question):
    method, path, *body = question.split(" ", 2)
    request = urllib.request.Request(base + path, method=method, data=body[0].encode() if body else None,
        headers={"Authorization": "Bearer " + key, "Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return answer.read()
briefs = []
for page in range(1, 11):
    briefs += json.loads(ask(f"GET /api/v1/feed?per_page=50&page={page}"))["briefs"]
words = sorted({word.strip('.,:;"') for brief in briefs for word in brief["headline"].lower().split() if len(word) > 4})
pairs = random.sample(list(itertools.combinations(words, 2)), 400)
topics = random.sample(words, min(300, len(words)))
rows = json.loads(ask('POST /api/v1/screener {"filters": {}, "limit": 50, "sort": "volume"}'))["matches"]
quote = urllib.parse.quote_plus
kinds = {
    "brief": [f"GET /api/v1/brief/{brief['id']}" for brief in briefs],
    "feed": [f"GET /api/v1/feed?page={page}" for page in range(1, 26)],
    "search": [f"GET /api/v1/search?q={quote(' '.join(pair))}" for pair in pairs],
    "context": [f"GET /api/v1/context?topic={quote(topic)}" for topic in topics],
    "technicals": [f"GET /api/v1/ticker/{row['ticker']}/technicals?range={span}" for row in rows for span in ("1mo", "3mo", "6mo", "1y")],
    "screener": ["POST /api/v1/screener " + json.dumps({"filters": {"rsi_below": 30 + n / 4, "above_sma_200": n % 2 == 0}}) for n in range(160)],
}
for kind, questions in kinds.items():
    random.shuffle(questions)
    sample = sorted((ask(question) for question in questions[:40]), key=len)
    open(f"{work}/{kind}.body", "wb").write(sample[len(sample) // 2])
    open(f"{work}/{kind}.questions", "w").write("\n".join(questions) + "\n")
PY
run() { wrk -t1 -c32 -d"${seconds}s" "$@"; }
for kind in brief feed search context technicals screener; do
  "$bare" "$work/$kind.body" 127.0.0.1:9472 & pids+=($!)
  sleep 0.5
  printf '%s: %d questions, median answer %d bytes\n' "$kind" "$(wc -l <"$work/$kind.questions")" "$(stat -c %s "$work/$kind.body")"
  for seed in 1 2 3; do
    ours=$(SEED=$seed QUESTIONS=$work/$kind.questions run -s "$here/varied.lua" http://127.0.0.1:9471)
    theirs=$(run http://127.0.0.1:9472/ | awk '/Requests\/sec/ {print $2}')
    awk -v a="$(awk '/Requests\/sec/ {print $2}' <<<"$ours")" -v b="$theirs" -v tail="$(grep '^p99' <<<"$ours")" \
      'BEGIN {printf "  assay %8.0f/s   bare %8.0f/s   ratio %.3f   %s\n", a, b, a/b, tail}'
  done
  kill "${pids[-1]}"; unset 'pids[-1]'; sleep 0.3
done
