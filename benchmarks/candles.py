#!/usr/bin/env python3
"""Writes synthetic daily candles as CSV to standard output: candles.py SYMBOLS SESSIONS [LAST_DAY]

Random walks with a fixed seed on weekdays without the holidays that move little; `assay import candles` refuses the few
days on which the exchange was closed. For memory and load tests, never for judging answers.
"""
import datetime
import random
import sys

symbols, sessions = int(sys.argv[1]), int(sys.argv[2])
last = datetime.date.fromisoformat(sys.argv[3]) if len(sys.argv) > 3 else datetime.date(2026, 11, 19)
days = []
day = last
while len(days) < sessions:
    if day.weekday() < 5:
        days.append(day.isoformat())
    day -= datetime.timedelta(days=1)
days.reverse()
chance = random.Random(7)
write = sys.stdout.write
write("symbol,date,open,high,low,close,volume\n")
letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
for number in range(symbols):
    name, rest = "", number
    for _ in range(4):
        name += letters[rest % 26]
        rest //= 26
    price = chance.uniform(5, 500)
    for day in days:
        opened = price * (1 + chance.gauss(0, 0.004))
        price = max(0.5, opened * (1 + chance.gauss(0.0003, 0.015)))
        high, low = max(opened, price) * 1.004, min(opened, price) * 0.996
        write(f"{name},{day},{opened:.4f},{high:.4f},{low:.4f},{price:.4f},{chance.randrange(10000, 5000000)}\n")
