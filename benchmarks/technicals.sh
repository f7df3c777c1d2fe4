#!/usr/bin/env bash
# benchmarks/technicals.sh BASE KEY: /technicals of many symbols with 64 connections for ten seconds. Needs wrk and jq.
# Each request has a query of its own, so that no kept answer is measured.
set -euo pipefail
base=$1 key=$2
script=$(mktemp)
trap 'rm -f "$script"' EXIT
symbols=$(curl -sS -H "Authorization: Bearer $key" -H 'content-type: application/json' \
  -d '{"filters":{},"limit":50,"sort":"volume"}' "$base/api/v1/screener" | jq -r '[.matches[].ticker] | map("\"" + . + "\"") | join(",")')
cat >"$script" <<LUA
local symbols = { $symbols }
local count = 0
request = function()
  count = count + 1
  local symbol = symbols[count % #symbols + 1]
  return wrk.format("GET", "/api/v1/ticker/" .. symbol .. "/technicals?fresh=" .. count)
end
LUA
wrk -t1 -c64 -d10s --latency -s "$script" -H "Authorization: Bearer $key" "$base"
