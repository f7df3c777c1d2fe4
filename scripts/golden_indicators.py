"""Writes what crates/market's indicators are compared with: the values of Python's TA-Lib.

    pip install TA-Lib==0.8.2 numpy==2.4.6
    golden_indicators.py generated crates/market/tests/golden
    golden_indicators.py real MARKET_DATA_FOLDER OUTPUT_FOLDER
    golden_indicators.py sample MARKET_DATA_FOLDER crates/market/tests/golden

`generated` makes series by a seeded generator and writes per series `NAME.csv.gz`: the bars, and a column per output, empty
before its first value. The files are kept in the repository.

`real` reads the daily equities, coins and futures by path and writes per file `NAME.f64`: for each symbol (ascending) and each
output (the order of OUTPUTS) one value per bar, NaN before the first, as little-endian doubles. Rows that
`Candles` would refuse are left out in the same way. These files are large and bear the licence of their source, so they are
not kept; crates/market/tests/it/golden_real.rs reads them from the folder named by ASSAY_MARKET_GOLDEN.

`sample` keeps of these only three values per output of the coins, the futures and fifteen shares, at a third, two thirds and the
end of each series, as `real_sample.csv.gz`. What is smoothed recursively depends on every bar before, so these hold the whole.
"""

import csv
import gzip
import io
import math
import pathlib
import sys

import numpy
import talib

assert talib.__version__ == "0.8.2", talib.__version__

BARS = 260


def outputs(o, h, l, c, v):
    """Every output that TA-Lib defines, by the name that crates/market/tests/it/oracle.rs uses."""
    macd = talib.MACD(c, 12, 26, 9)
    bands = talib.BBANDS(c, 20, 2.0, 2.0, 0)
    stochastic = talib.STOCH(h, l, c, 14, 3, 0, 3, 0)
    ppo = talib.PPO(c, 12, 26, 1)
    # The signal is TA-Lib's mean of the values that exist.
    signal = numpy.full(len(c), math.nan)
    defined = numpy.flatnonzero(~numpy.isnan(ppo))
    if len(defined):
        signal[defined[0] :] = talib.EMA(ppo[defined[0] :], 9)
    return {
        "sma_20": talib.SMA(c, 20),
        "sma_50": talib.SMA(c, 50),
        "sma_200": talib.SMA(c, 200),
        "ema_12": talib.EMA(c, 12),
        "ema_26": talib.EMA(c, 26),
        "rsi_14": talib.RSI(c, 14),
        "macd": macd[0],
        "macd_signal": macd[1],
        "macd_histogram": macd[2],
        "bollinger_upper": bands[0],
        "bollinger_middle": bands[1],
        "bollinger_lower": bands[2],
        "stochastic_k": stochastic[0],
        "stochastic_d": stochastic[1],
        "atr_14": talib.ATR(h, l, c, 14),
        "adx_14": talib.ADX(h, l, c, 14),
        "plus_di_14": talib.PLUS_DI(h, l, c, 14),
        "minus_di_14": talib.MINUS_DI(h, l, c, 14),
        "obv": talib.OBV(c, v),
        "williams_r_14": talib.WILLR(h, l, c, 14),
        "cci_20": talib.CCI(h, l, c, 20),
        "mfi_14": talib.MFI(h, l, c, v, 14),
        "roc_12": talib.ROC(c, 12),
        "parabolic_sar": talib.SAR(h, l, 0.02, 0.2),
        "ppo": ppo,
        "ppo_signal": signal,
        "trix": talib.TRIX(c, 15),
        "donchian_upper": talib.MAX(h, 20),
        "donchian_lower": talib.MIN(l, 20),
    }


def bars(random, closes, spread, gap=0.0):
    """Bars around given closes: opens near the close before, wicks of up to `spread` of the price."""
    rows = []
    before = closes[0]
    for close in closes:
        opened = before * (1 + gap * random.standard_normal())
        high = max(opened, close) * (1 + spread * random.random())
        low = min(opened, close) * (1 - spread * random.random())
        rows.append((opened, high, low, close))
        before = close
    return rows


def walk(random, start, step, drift=0.0):
    return list(start * numpy.exp(numpy.cumsum(drift + step * random.standard_normal(BARS))))


def generated():
    """Name → (rows of open, high, low, close; volumes)."""
    random = numpy.random.Generator(numpy.random.PCG64(20))
    volume = lambda: [float(int(value)) for value in random.lognormal(13, 0.6, BARS)]
    cents = lambda rows: [tuple(round(price, 2) for price in row) for row in rows]
    series = {}
    series["walk"] = (cents(bars(random, walk(random, 100, 0.02), 0.01)), volume())
    series["flat"] = ([(42.1, 42.1, 42.1, 42.1)] * BARS, volume())
    halted = walk(random, 30, 0.02)
    halted[80:140] = [halted[79]] * 60
    rows = bars(random, halted, 0.01)
    rows[81:140] = [(halted[79],) * 4] * 59
    series["halted"] = (rows, [0.0 if 80 <= bar < 140 else value for bar, value in enumerate(volume())])
    jumps = walk(random, 60, 0.01)
    for bar in (50, 110, 170, 220):
        factor = random.choice([0.4, 0.6, 1.7, 2.5])
        jumps[bar:] = [price * factor for price in jumps[bar:]]
    series["gapped"] = (bars(random, jumps, 0.01, gap=0.03), volume())
    series["tiny"] = (bars(random, walk(random, 3e-9, 0.05), 0.03), [value * 1e9 for value in volume()])
    series["huge"] = (bars(random, walk(random, 4e11, 0.03), 0.02), volume())
    series["trend"] = (bars(random, walk(random, 10, 0.004, drift=0.01), 0.004), volume())
    wave = [50 + 10 * math.sin(bar / 9) for bar in range(BARS)]
    series["wave_without_volume"] = (bars(random, wave, 0.005), [0.0] * BARS)
    return series


def write_generated(folder):
    for name, (rows, volumes) in generated().items():
        o, h, l, c = (numpy.array(column) for column in zip(*rows))
        v = numpy.array(volumes)
        columns = {"open": o, "high": h, "low": l, "close": c, "volume": v, **outputs(o, h, l, c, v)}
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(columns)
        for row in zip(*columns.values()):
            writer.writerow("" if math.isnan(value) else repr(float(value)) for value in row)
        # No time stamp, so that the same values are the same bytes.
        packed = gzip.compress(text.getvalue().encode(), mtime=0)
        (folder / f"{name}.csv.gz").write_bytes(packed)
        print(name, len(packed))


def sound(o, h, l, c, v):
    prices = all(1e-12 <= price <= 1e15 for price in (o, h, l, c))
    return prices and 0 <= v <= 1e18 and h >= max(o, c, l) and l <= min(o, c)


FILES = {
    "equities_sp500_daily_2020-09_2023-06": "symbol",
    "equities_nasdaqcom_daily_2020-07_2025-07": "symbol",
    "crypto_daily_2017_2021": "symbol",
    "commodities_futures_daily_2015_2021": "slug",
}


def real(data, name):
    """Symbol (ascending) → columns of the sound bars, and their number."""
    symbols = {}
    with gzip.open(data / f"{name}.csv.gz", "rt") as lines:
        for row in csv.DictReader(lines):
            bar = [float(row[field] or "nan") for field in ("open", "high", "low", "close", "volume")]
            kept = symbols.setdefault(row[FILES[name]], [])
            if sound(*bar) and (not kept or row["date"] > kept[-1][0]):
                kept.append((row["date"], *bar))
    for symbol in sorted(symbols):
        if symbols[symbol]:
            yield symbol, [numpy.array(column) for column in list(zip(*symbols[symbol]))[1:]]


def write_real(data, folder):
    for name in FILES:
        with open(folder / f"{name}.f64", "wb") as target:
            for _, columns in real(data, name):
                for values in outputs(*columns).values():
                    target.write(values.astype("<f8").tobytes())
        print(name)


def write_sample(data, folder):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["file", "symbol", "output", "bar", "value"])
    for name in list(FILES)[1:]:
        for symbol, columns in real(data, name):
            bars = len(columns[0])
            for output, values in outputs(*columns).items():
                for bar in sorted({bars // 3, 2 * bars // 3, bars - 1}):
                    value = float(values[bar])
                    writer.writerow([name, symbol, output, bar, "" if math.isnan(value) else repr(value)])
    (folder / "real_sample.csv.gz").write_bytes(gzip.compress(text.getvalue().encode(), mtime=0))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["generated", folder]:
            write_generated(pathlib.Path(folder))
        case ["real", data, folder]:
            write_real(pathlib.Path(data), pathlib.Path(folder))
        case ["sample", data, folder]:
            write_sample(pathlib.Path(data), pathlib.Path(folder))
        case _:
            sys.exit(__doc__)
