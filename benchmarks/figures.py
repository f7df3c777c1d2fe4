#!/usr/bin/env python3
"""Compares the figures of a server with a calculation of their own from the imported files.

    python3 benchmarks/figures.py http://127.0.0.1:8080 KEY FOLDER [OTHER_SERVER]

FOLDER holds the files of candles that were imported, with the columns symbol, date, open, high, low, close, volume. The
newest close, the change to the session before, RSI(14), the range of 52 weeks and the return of 20 sessions of forty symbols are
computed here from the rows and compared with every endpoint that shows them: of one symbol, of several, the screener, the
competitors, a watchlist. Where two files differ by a constant ratio, the scale of the one that ends later counts.

Earnings per share, P/E and market value are computed from the table of members of the S&P 500 in the same folder, where it is
there (`*financials.csv`, with the columns Symbol, Price, Price/Earnings, Earnings/Share, Market Cap): P/E is the newest price over the earnings per
share; the market value is that of the table, moved from its price to the newest one in the same scale; where the price has doubled or
halved since, both are those of the table. Companies of which the server
has filings instead are left to the comparison between endpoints. With a second server, whose files were imported in another order, all
answers must be the same.
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


def table(folder):
    """Price, earnings per share, market value and P/E by symbol, from a table of companies."""
    found = {}
    for name in sorted(os.listdir(folder)):
        if not name.endswith("financials.csv"):
            continue
        with open(os.path.join(folder, name), newline="") as lines:
            for row in csv.DictReader(lines):
                number = lambda column: float(row.get(column) or "nan")
                symbol = row["Symbol"].replace("-", ".")
                found[symbol] = tuple(map(number, ("Price", "Earnings/Share", "Market Cap", "Price/Earnings")))
    return found


def valued(row, price):
    """Earnings per share, P/E and market value of a row of the table at a price."""
    then, eps, market_cap, ratio = row
    found = {}
    if not math.isnan(eps):
        found["eps"] = eps
    if then > 0 and not 0.5 <= price / then <= 2:
        # A price of another time or with other splits: what the table says.
        if ratio > 0:
            found["pe_ratio"] = ratio
        if market_cap > 0 and 0.05 <= price / then <= 20:
            found["market_cap"] = market_cap
        return found
    if not math.isnan(eps) and eps > 0:
        found["pe_ratio"] = price / eps
    if then > 0 and market_cap > 0:
        found["market_cap"] = market_cap * price / then
    return found


class Server:
    def __init__(self, address, key):
        self.address, self.key = address.rstrip("/"), key

    def ask(self, path, body=None, method=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": "Bearer " + self.key, "Content-Type": "application/json"}
        request = urllib.request.Request(self.address + "/api/v1" + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                return json.load(reply)
        except urllib.error.HTTPError as error:
            return {"error": error.code}


def lists(server, names):
    """What the endpoints of many symbols say, by symbol: rows of the screener, competitors of anybody, prices of several, a
    watchlist."""
    found = {name: {} for name in names}

    def note(name, endpoint, row, renamed=()):
        for column, figure in (("price", "price"), ("change_pct", "change_pct"), ("rsi_14", "rsi_14"), ("date", "date")):
            if row.get(column) is not None:
                found[name][figure, endpoint] = row[column]
        for column, figure in renamed:
            if row.get(column) is not None:
                found[name][figure, endpoint] = row[column] * (1e9 if column.endswith("_b") else 1)

    for start in range(0, len(names), 20):
        some = names[start : start + 20]
        answer = server.ask("/ticker/prices?symbols=" + urllib.parse.quote(",".join(some)))
        for name, row in zip(some, answer.get("prices", [])):
            note(name, "prices", row)
    of_ticker = {name.removesuffix("-USD"): name for name in names}
    of_ticker.update({name: name for name in names})
    for asset_type in ("equity", "crypto"):
        for order in ("market_cap", "volume", "pe_ratio", "rsi", "sentiment"):
            body = {"filters": {}, "asset_type": asset_type, "sort": order, "limit": 50, "max_age": 2500}
            for row in server.ask("/screener", body).get("matches", []):
                name = of_ticker.get(row["ticker"])
                # A share and a coin of the same letters are two.
                if name and name.endswith("-USD") == (asset_type == "crypto"):
                    note(name, "screener", row, (("pe_ratio", "pe_ratio"), ("market_cap_b", "market_cap")))
    for name in names:
        answer = server.ask(f"/ticker/{urllib.parse.quote(name)}/competitors?max_age=2500")
        for row in answer.get("competitors", []):
            if row["ticker"] in found:
                note(row["ticker"], "competitors", row, (("market_cap_b", "market_cap"),))
    created = server.ask("/watchlists", {"name": "figures", "tickers": names[:50]})
    watchlist = (created.get("watchlist") or created).get("id")
    if watchlist:
        answer = server.ask(f"/watchlist/{watchlist}/technicals?max_age=2500")
        for row in answer.get("technicals", []):
            name = of_ticker.get(row["ticker"])
            if name:
                note(name, "watchlist", row)
        server.ask(f"/watchlists/{watchlist}", method="DELETE")
    return found


def shown(server, symbol):
    """What every endpoint of one symbol says of it, by the figure and the endpoint."""
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
    # The basis is named where the figures are from filings.
    note("filings", "financials", True if figures.get("basis") else None)
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
    companies = table(folder)
    names = SHARES + [f"{symbol}-USD" for symbol in COINS]
    of_lists = lists(server, names)
    of_other = lists(other, names) if other else {}
    compared = faults = 0
    by_endpoint = {}
    for symbol in SHARES + COINS:
        is_coin = symbol in COINS
        name = f"{symbol}-USD" if is_coin else symbol
        bars = series(files, (is_coin, symbol))
        found = shown(server, name)
        has_filings = found.pop(("filings", "financials"), False)
        found.update(of_lists[name])
        expected = calculated(bars) if len(bars) > 21 else {}
        if not is_coin and expected and symbol in companies and not has_filings:
            expected.update(valued(companies[symbol], expected["price"]))
        by_figure = {}
        for (figure, endpoint), value in found.items():
            compared += 1
            by_endpoint[endpoint] = by_endpoint.get(endpoint, 0) + 1
            wanted = expected.get(figure, by_figure.setdefault(figure, value))
            if wanted is not None and not same(value, wanted):
                faults += 1
                print(f"{symbol} {figure} {endpoint}: {value}, calculated {wanted}")
        if not found:
            faults += 1
            print(f"{symbol}: nothing is shown")
        if other is not None:
            there = {**shown(other, name), **of_other[name]}
            there.pop(("filings", "financials"), None)
            for (figure, endpoint), value in there.items():
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
    print(", ".join(f"{endpoint} {count}" for endpoint, count in sorted(by_endpoint.items())))
    print(f"{compared} figures compared, {faults} differ")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
