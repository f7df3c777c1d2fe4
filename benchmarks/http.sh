#!/usr/bin/env bash
# Throughput of /feed and /brief behind authentication, limits and metering against a bare axum handler that returns the
# same bytes; both measured in turns in one run with wrk. Then the latency of /search.
#
# usage: http.sh ASSAY BARE DATA [SECONDS]
#   ASSAY  the release binary; BARE  the example `bare` of crate api; DATA  a data directory with an indexed corpus
set -euo pipefail
assay=$1 bare=$2 data=$3 seconds=${4:-8}
work=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT
email="bench-$$@assay.example"
printf 'a password for the bench' | "$assay" user add --data "$data" --email "$email" --password-stdin --plan unlimited 2>/dev/null
key=$("$assay" key create --data "$data" --email "$email" --name bench)
"$assay" serve --data "$data" --listen 127.0.0.1:9471 >"$work/out" 2>"$work/log" & pids+=($!)
until grep -q listening "$work/out"; do sleep 0.1; done
get() { curl -sS --fail -H "Authorization: Bearer $key" "http://127.0.0.1:9471$1"; }
for _ in $(seq 600); do get '/api/v1/search?q=the+market' >/dev/null && break; sleep 0.2; done
brief=$(get '/api/v1/feed?per_page=1' | python3 -c 'import json,sys; print(json.load(sys.stdin)["briefs"][0]["id"])')
rate() { wrk -t1 -c32 -d"${seconds}s" "$@" | awk '/Requests\/sec/ {print $2}'; }
for path in '/api/v1/feed' "/api/v1/brief/$brief"; do
  get "$path" >"$work/body"
  "$bare" "$work/body" 127.0.0.1:9472 & pids+=($!)
  sleep 0.5
  echo "$path: $(stat -c %s "$work/body") bytes"
  for _ in 1 2 3; do
    ours=$(rate -H "Authorization: Bearer $key" "http://127.0.0.1:9471$path")
    theirs=$(rate http://127.0.0.1:9472/)
    awk -v a="$ours" -v b="$theirs" 'BEGIN {printf "  assay %8.0f/s   bare %8.0f/s   ratio %.2f\n", a, b, a/b}'
  done
  kill "${pids[-1]}"; unset 'pids[-1]'; sleep 0.3
done
