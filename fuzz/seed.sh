#!/usr/bin/env bash
# Fills fuzz/corpus with small files of the data folder: fuzz/seed.sh DATA_DIR
# They are read by path and stay out of the repository.
set -euo pipefail
data="$(cd "${1:?usage: fuzz/seed.sh DATA_DIR}" && pwd)"
cd "$(dirname "$0")"
largest="${FUZZ_SEED_BYTES:-16384}"

# seed TARGET FILE…: each file, unpacked, its first bytes where it is larger.
seed() {
  local target="$1" file name
  shift
  mkdir -p "corpus/$target"
  for file in "$@"; do
    [ -f "$file" ] || continue
    name="$(basename "$(dirname "$file")")-$(basename "$file" .gz)"
    if [ "${file%.gz}" != "$file" ]; then
      # The end of the pipe closes early on purpose.
      { gzip -dc "$file" 2>/dev/null || true; } | head -c "$largest" >"corpus/$target/$name"
    else
      head -c "$largest" "$file" >"corpus/$target/$name"
    fi
  done
}

wire="$data/wire"
shopt -s nullglob globstar
seed feed "$wire"/feeds/*/*.xml "$wire"/feeds/*/*.rss "$wire"/feeds/*/*.json "$wire"/sec/getcurrent_atom.xml.gz
seed page "$wire"/html/**/*.html.gz "$wire"/html/**/*.html
seed page_bytes "$wire"/html/**/*.html.gz "$wire"/feeds/feedparser_illformed/*
seed markup "$wire"/html/article_extraction/*.html.gz
seed form4 "$wire"/sec/form[34]_*.xml "$wire"/sec/submission_*.txt
seed holdings "$wire"/sec/13f*
seed filings "$wire"/sec/efts_* "$wire"/sec/filing_index.json "$wire"/sec/submissions/* "$wire"/sec/form.*.idx.gz \
  "$wire"/sec/getcurrent_atom.xml.gz
seed xbrl "$wire"/sec/companyfacts_* "$data"/market/sp500_constituents_financials.csv
seed congress "$wire"/congress/*transactions*
seed legislators "$wire"/congress/legislators_current.json
seed candles "$wire"/stooq/* "$data"/market/*daily*.csv*
seed chart "$wire"/yahoo/*chart*
seed crypto "$wire"/coingecko/*.json* "$wire"/defillama/*
seed fx "$wire"/ecb/*.xml "$data"/market/fx_*
seed indicators "$wire"/fred/* "$wire"/treasury/*
seed commodities "$data"/market/commodity_* "$data"/market/commodities_*
seed listings "$data"/market/*listed*.csv "$data"/market/sp500_constituents.csv
seed articles "$data"/news/stream_*.jsonl.gz
seed annotate "$data"/news/clusters_gold_*.jsonl.gz
seed clean "$wire"/feeds/rss_parser/*
du -sh corpus/* 2>/dev/null
