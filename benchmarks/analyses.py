#!/usr/bin/env python3
"""How long analyses take: swarm runs, research, forecasts, each time another question, one after the other and fifty at once.

usage: benchmarks/analyses.py BASE KEY [PID]    (PID of the server: its resident memory is printed)
"""

import concurrent.futures
import json
import sys
import time
import urllib.request

BASE, KEY = sys.argv[1].rstrip("/"), sys.argv[2]
PID = sys.argv[3] if len(sys.argv) > 3 else None
TICKERS = "AAPL MSFT NVDA GOOGL AMZN META TSLA JPM V JNJ WMT XOM UNH KO DIS AMD INTC CSCO ORCL PEP".split()
QUESTIONS = ["How is {} doing?", "Is {} overvalued?", "What are the risks of {}?", "News on {}"]


def post(path, body):
    request = urllib.request.Request(
        f"{BASE}/api/v1/{path}",
        data=json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"},
    )
    begun = time.perf_counter()
    with urllib.request.urlopen(request, timeout=120) as answer:
        answer.read()
    return (time.perf_counter() - begun) * 1000


def resident():
    if PID is None:
        return "-"
    for line in open(f"/proc/{PID}/status"):
        if line.startswith("VmRSS"):
            return f"{int(line.split()[1]) // 1024} MB"


def told(name, times):
    times = sorted(times)
    at = lambda share: times[min(len(times) - 1, int(share * len(times)))]
    print(f"{name:34} n={len(times):3}  median {at(0.5):7.1f} ms   p99 {at(0.99):7.1f} ms   {resident()}")


def main():
    asked = [question.format(ticker) for question in QUESTIONS for ticker in TICKERS]
    post("swarm/run", {"query": "How is IBM doing?"})
    told("swarm, one after the other", [post("swarm/run", {"query": one}) for one in asked[:40]])
    with concurrent.futures.ThreadPoolExecutor(50) as pool:
        begun = time.perf_counter()
        times = list(pool.map(lambda one: post("swarm/run", {"query": one}), asked[:50]))
        told("swarm, fifty at once", times)
        print(f"{'':34} all fifty in {(time.perf_counter() - begun) * 1000:.0f} ms")
    told("research", [post("research", {"query": f"{one} earnings"}) for one in TICKERS])
    told("research, deep", [post("research", {"query": f"{one} outlook", "depth": "deep"}) for one in TICKERS])
    told("forecast", [post("forecast", {"topic": one}) for one in TICKERS])
    told("forecast, deep", [post("forecast", {"topic": one, "depth": "deep"}) for one in TICKERS])


main()
