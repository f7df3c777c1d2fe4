#!/usr/bin/env bash
# Throughput with another question each time, 32 connections, as a share of a bare axum handler that returns an answer of
# the median size; both measured in turns in one run with wrk. Needs a data directory of the demo: news and markets.
#
# usage: varied.sh ASSAY BARE DATA [SECONDS [KIND...]]
#   ASSAY  the release binary; BARE  the example `bare` of crate api; DATA  a demo directory; KIND  of questions, else all
set -euo pipefail
assay=$1 bare=$2 data=$3 seconds=${4:-5}
kinds=("${@:5}")
[ ${#kinds[@]} -gt 0 ] || kinds=(brief feed search context technicals screener)
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
python3 "$here/questions.py" "$work" http://127.0.0.1:9471 "${kinds[@]}"
run() { wrk -t1 -c32 -d"${seconds}s" "$@"; }
for kind in "${kinds[@]}"; do
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
