#!/usr/bin/env bash
# How the cost grows: stores of 520, 10,000, 100,000 and 1,000,000 headlines, each imported, indexed and asked. Prints for each
# the rate and peak memory of the import, bytes on disk, how long starts take, and rate and latency of four kinds of questions
# at 32 connections, each beside a bare axum handler in the same run. A million takes about half an hour and 10 GB.
#
# usage: scale.sh ASSAY BARE NEWS DIR [SIZE...]
#   ASSAY  the release binary; BARE  the example `bare` of crate api; NEWS  a directory of real headlines (headlines.py)
#   DIR    takes the stores, which are kept for further runs; SIZE  how many headlines
set -euo pipefail
assay=$1 bare=$2 news=$3 place=$4
sizes=("${@:5}")
[ ${#sizes[@]} -gt 0 ] || sizes=(520 10000 100000 1000000)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT
mkdir -p "$place"

serve() { # tells after how many milliseconds it listens
  local begun; begun=$(date +%s%N)
  "$assay" serve --data "$1" --listen 127.0.0.1:9471 >"$work/out" 2>"$work/log" & pids+=($!)
  until grep -q listening "$work/out"; do kill -0 "${pids[-1]}"; sleep 0.01; done
  echo $((($(date +%s%N) - begun) / 1000000)) >"$work/listens"
}
stop() { kill "${pids[-1]}"; wait "${pids[-1]}" 2>/dev/null || true; unset 'pids[-1]'; }
run() { wrk -t1 -c32 -d5s "$@"; }

for size in "${sizes[@]}"; do
  data=$place/$size
  printf '\n%s headlines\n' "$size"
  if [ ! -d "$data" ]; then
    python3 "$here/headlines.py" "$size" "$news" >"$work/headlines.jsonl"
    /usr/bin/time -f '%M %e' -o "$work/time" "$assay" import articles "$work/headlines.jsonl" --backfill --data "$data" >"$work/import" 2>/dev/null
    awk -v n="$size" '{printf "  import %.0f/s, peak %.0f MB\n", n / $2, $1 / 1024}' "$work/time"
    grep briefs "$work/import" | sed 's/^/  /'
    serve "$data"
    printf '  first start listens after %s ms' "$(cat "$work/listens")"
    until curl -sS http://127.0.0.1:9471/ready | python3 -c 'import json,sys; sys.exit(json.load(sys.stdin)["index"]["lag"] != 0)'; do sleep 0.5; done
    printf ', has caught up after %s s\n' $((($(date +%s%N) / 1000000 - $(stat -c %Y "$work/out") * 1000) / 1000))
    sleep 5
    stop
  fi
  printf '  on disk %s MB, of them index %s MB\n' "$(du -sm "$data" | cut -f1)" "$(du -sm "$data/index" | cut -f1)"
  serve "$data"
  printf '  a restart listens after %s ms\n' "$(cat "$work/listens")"
  email="scale-$$-$size@assay.example"
  printf 'a password for the bench' | "$assay" user add --data "$data" --email "$email" --password-stdin --plan unlimited 2>/dev/null
  KEY=$("$assay" key create --data "$data" --email "$email" --name bench)
  export KEY
  for _ in $(seq 100); do
    curl -sS --fail -o /dev/null -H "Authorization: Bearer $KEY" 'http://127.0.0.1:9471/api/v1/search?q=the+market' && break
    sleep 0.2
  done 2>/dev/null
  python3 "$here/questions.py" "$work" http://127.0.0.1:9471 brief feed search context
  for kind in brief feed search context; do
    "$bare" "$work/$kind.body" 127.0.0.1:9472 & pids+=($!)
    sleep 0.5
    for seed in 1 2 3; do
      ours=$(SEED=$seed QUESTIONS=$work/$kind.questions run -s "$here/varied.lua" http://127.0.0.1:9471)
      theirs=$(run http://127.0.0.1:9472/ | awk '/Requests\/sec/ {print $2}')
      echo "$(awk '/Requests\/sec/ {print $2}' <<<"$ours") $theirs $(awk '/^p99/ {print $2, $4}' <<<"$ours")"
    done | sort -n | awk -v kind="$kind" 'NR == 2 {printf "  %-8s %8.0f/s   bare %8.0f/s   ratio %.3f   p99 %s ms, %s failed\n", kind, $1, $2, $1 / $2, $3, $4}'
    stop
  done
  printf '  resident after that %s MB\n' "$(awk '/VmRSS/ {printf "%.0f", $2 / 1024}' "/proc/${pids[-1]}/status")"
  stop
done
