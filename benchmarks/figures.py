#!/usr/bin/env python3
"""Compares the figures of a server with a calculation of their own from the imported files.

    python3 benchmarks/figures.py http://127.0.0.1:8080 KEY FOLDER [OTHER_SERVER]

FOLDER holds the files of candles that were imported, with the columns symbol, date, open, high, low, close, volume. The
newest close, the change to the session before, RSI(14), the range of 52 weeks and the return of 20 sessions of forty symbols are
computed here from the rows and compared with every endpoint that shows them. Where two files differ by a constant ratio, the
scale of the one that ends later counts. With a second server, whose files were imported in another order, all answers must be
the same.
"""

import csv
import datetime
import gzip
import json
import math
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

SHARES = (
    "NVDA WMT AAPL AMZN GOOGL TSLA MSFT JNJ JPM UNH "  # ten that were split, or are in two files
    "PYPL BBY GM MA AMGN TM MMM KO PEP XOM "
    "V DIS GOOG FOX FOXA NWS NWSA EPAM A ZTS"  # class shares and the first and last of the alphabet
).split()
COINS = "BTC ETH ATOM DOGE XRP LTC DOT LINK SOL AAVE".split()
TOLERANCE = 2e-3
# Days on which the exchanges of New York were closed; some sources repeat the bar before.
CLOSED = set(
    "2020-09-07 2020-11-26 2020-12-25 2021-01-01 2021-01-18 2021-02-15 2021-04-02 2021-05-31 2021-07-05 2021-09-06 "
    "2021-11-25 2021-12-24 2022-01-17 2022-02-21 2022-04-15 2022-05-30 2022-06-20 2022-07-04 2022-09-05 2022-11-24 "
    "2022-12-26 2023-01-02 2023-01-16 2023-02-20 2023-04-07 2023-05-29 2023-06-19 2023-07-04".split()
)


def rows(folder):
    """Of each symbol the bars of every file, the file that ends last first."""
    files = []
    for name in sorted(os.listdir(folder)):
        if not name.startswith(("equities", "crypto")):
            continue
        opened = gzip.open if name.endswith(".gz") else open
        of_file = {}
        with opened(os.path.join(folder, name), "rt") as lines:
            for row in csv.DictReader(lines):
                key = (name.startswith("crypto"), row["symbol"].replace("-", "."))
                of_file.setdefault(key, {})[row["date"]] = [
                    float(row[column] or 0) for column in ("open", "high", "low", "close", "volume")
                ]
        files.append(of_file)
    return files


def series(files, key):
    """The bars of a symbol in the scale of the file that ends last."""
    held = [bars[key] for bars in files if key in bars]
    held.sort(key=max, reverse=True)
    if not held:
        return {}
    found = dict(held[0])
    for older in held[1:]:
        shared = sorted(set(older) & set(found))
        ratio = 1.0
        if shared:
            ratios = sorted(older[day][3] / found[day][3] for day in shared)
            ratio = ratios[len(ratios) // 2]
            ratio = round(ratio) if ratio > 1.15 else ratio if ratio < 0.87 else 1.0
        for day, bar in older.items():
            if day not in found:
                found[day] = [price / ratio for price in bar[:4]] + [bar[4] * ratio]
    if not key[0]:
        found = {day: bar for day, bar in found.items() if day not in CLOSED}
    return found


def rsi(closes, period=14):
    """Wilder's relative strength index."""
    changes = [after - before for before, after in zip(closes, closes[1:])]
    if len(changes) < period:
        return None
    gain = sum(max(change, 0) for change in changes[:period]) / period
    loss = sum(max(-change, 0) for change in changes[:period]) / period
    for change in changes[period:]:
        gain = (gain * (period - 1) + max(change, 0)) / period
        loss = (loss * (period - 1) + max(-change, 0)) / period
    return 100 * gain / (gain + loss) if gain + loss else None


def calculated(bars):
    days = sorted(bars)
    closes = [bars[day][3] for day in days]
    newest = datetime.date.fromisoformat(days[-1])
    year = [day for day in days if datetime.date.fromisoformat(day) > newest - datetime.timedelta(days=365)]
    return {
        "date": days[-1],
        "price": closes[-1],
        "change_pct": (closes[-1] / closes[-2] - 1) * 100,
        "rsi_14": rsi(closes[-1460:]),
        "high": max(bars[day][1] for day in year),
        "low": min(bars[day][2] for day in year),
        "return_20": closes[-1] / closes[-21] - 1,
    }


class Server:
    def __init__(self, address, key):
        self.address, self.key = address.rstrip("/"), key

    def ask(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": "Bearer " + self.key, "Content-Type": "application/json"}
        request = urllib.request.Request(self.address + "/api/v1" + path, data, headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                return json.load(reply)
        except urllib.error.HTTPError as error:
            return {"error": error.code}


def shown(server, symbol):
    """What every endpoint says of a symbol, by the figure and the endpoint."""
    quoted = urllib.parse.quote(symbol)
    found = {}

    def note(figure, endpoint, value):
        if value is not None:
            found[figure, endpoint] = value

    price = server.ask(f"/ticker/{quoted}/price")
    note("price", "price", price.get("price"))
    note("change_pct", "price", price.get("change_pct"))
    record = (server.ask(f"/ticker/{quoted}").get("price") or {})
    note("price", "record", record.get("current"))
    latest = server.ask(f"/ticker/{quoted}/technicals").get("latest") or {}
    note("price", "technicals", latest.get("price"))
    note("rsi_14", "technicals", latest.get("rsi_14"))
    full = server.ask(f"/ticker/{quoted}/full")
    note("price", "full", (full.get("price") or {}).get("current"))
    note("rsi_14", "full", (full.get("technicals") or {}).get("rsi"))
    candles = server.ask(f"/ticker/{quoted}/candles?range=2y").get("candles", [])
    if candles:
        note("date", "candles", candles[-1]["date"])
        note("price", "candles", candles[-1]["close"])
        if len(candles) > 20:
            note("return_20", "candles", candles[-1]["close"] / candles[-21]["close"] - 1)
    figures = server.ask(f"/ticker/{quoted}/financials")
    note("high", "financials", figures.get("fifty_two_week_high"))
    note("low", "financials", figures.get("fifty_two_week_low"))
    for figure in ("market_cap", "pe_ratio", "eps"):
        note(figure, "financials", figures.get(figure))
    note("market_cap", "full", (full.get("price") or {}).get("market_cap"))
    return found


def same(one, other):
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def main():
    address, key, folder = sys.argv[1:4]
    server = Server(address, key)
    other = Server(sys.argv[4], sys.argv[5]) if len(sys.argv) > 5 else None
    files = rows(folder)
    compared = faults = 0
    for symbol in SHARES + COINS:
        is_coin = symbol in COINS
        name = f"{symbol}-USD" if is_coin else symbol
        bars = series(files, (is_coin, symbol))
        found = shown(server, name)
        expected = calculated(bars) if len(bars) > 21 else {}
        by_figure = {}
        for (figure, endpoint), value in found.items():
            compared += 1
            wanted = expected.get(figure, by_figure.setdefault(figure, value))
            if wanted is not None and not same(value, wanted):
                faults += 1
                print(f"{symbol} {figure} {endpoint}: {value}, calculated {wanted}")
        if not found:
            faults += 1
            print(f"{symbol}: nothing is shown")
        if other is not None:
            for (figure, endpoint), value in shown(other, name).items():
                compared += 1
                if not same(value, found.get((figure, endpoint), value)):
                    faults += 1
                    print(f"{symbol} {figure} {endpoint}: {value} in the other order, {found[figure, endpoint]} here")
    movers = server.ask("/market/movers")
    for row in movers.get("gainers", []) + movers.get("losers", []):
        compared += 1
        if abs(row["change_pct"]) > 60:
            faults += 1
            print(f"{row['symbol']} moved {row['change_pct']:.1f} % in a session")
    print(f"{compared} figures compared, {faults} differ")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
