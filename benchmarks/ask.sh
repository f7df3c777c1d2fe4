#!/usr/bin/env bash
# benchmarks/ask.sh BASE KEY: /ask about one of fifty symbols with 32 connections for ten seconds. Needs wrk and jq.
# No two questions are the same, and every plan has five sources or so.
set -euo pipefail
base=$1 key=$2
script=$(mktemp)
trap 'rm -f "$script"' EXIT
symbols=$(curl -sS -H "Authorization: Bearer $key" -H 'content-type: application/json' \
  -d '{"filters":{},"limit":50,"sort":"volume"}' "$base/api/v1/screener" | jq -r '[.matches[].ticker] | map("\"" + . + "\"") | join(",")')
cat >"$script" <<LUA
local symbols = { $symbols }
local forms = { "How+is+%s+doing", "should+I+buy+%s", "tell+me+about+%s", "%s+outlook", "is+%s+a+good+buy" }
local count = 0
request = function()
  count = count + 1
  local question = string.format(forms[count % #forms + 1], symbols[count % #symbols + 1])
  return wrk.format("GET", "/api/v1/ask?q=" .. question .. "+" .. count)
end
LUA
wrk -t1 -c32 -d10s --latency -s "$script" -H "Authorization: Bearer $key" "$base"
