#!/usr/bin/env bash
# Runs fuzz targets one after the other, each for so many seconds: fuzz/run.sh SECONDS [target…]
# FUZZ_RUNS ends each earlier, after so many executions; FUZZ_MAX_LEN is the largest input in bytes.
# On stable, without the address sanitizer: libFuzzer is built with the coverage that rustc has anyway. What breaks a
# target lies in fuzz/artifacts/TARGET; what reaches new code is kept in fuzz/corpus/TARGET.
set -euo pipefail
cd "$(dirname "$0")"
seconds="${1:?usage: fuzz/run.sh SECONDS [target…]}"
shift
host="$(rustc -vV | sed -n 's/host: //p')"
export RUSTFLAGS="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 -Cdebug-assertions --cfg fuzzing"
CARGO_INCREMENTAL=0 cargo build --quiet --release --target "$host" --bin fuzz
program="target/$host/release/fuzz"
FUZZ_EXAMPLES=corpus "$program" -runs=1 >/dev/null 2>&1
if [ $# -eq 0 ]; then
  # The page reader is by far the slowest, so it comes last.
  mapfile -t names < <(sed -n 's/^        name: "\(.*\)",$/\1/p' src/targets.rs | grep -vx page; echo page)
  set -- "${names[@]}"
fi
failed=()
for target in "$@"; do
  mkdir -p "corpus/$target" "artifacts/$target"
  printf '== %s\n' "$target"
  FUZZ_TARGET="$target" "$program" "corpus/$target" -artifact_prefix="artifacts/$target/" -max_total_time="$seconds" \
    -runs="${FUZZ_RUNS:--1}" -max_len="${FUZZ_MAX_LEN:-4096}" -rss_limit_mb=2048 -timeout=20 -print_final_stats=1 2>"artifacts/$target.log" \
    || failed+=("$target")
  grep -aE 'stat::number_of_executed_units|stat::new_units_added|SUMMARY|panicked' "artifacts/$target.log" || true
  grep -aE 'cov: ' "artifacts/$target.log" | tail -1 || true
done
[ ${#failed[@]} -eq 0 ] || { printf 'broken: %s\n' "${failed[*]}"; exit 1; }
