"""benchmarks/grounded.py BASE KEY FILE...: every number of the answers to the questions of these files, looked for in their data.

The files are those of `crates/evals/labels/questions*.tsv`, a question in the first column. A number of a summary counts as found if a number of
`data` has it, rounded to the places in which it is written, or scaled: in percent, millions, billions or trillions. Periods of indicators, scales
and small counts name rules and lists. Prints what is not found, and how many answers and numbers were read.
"""

import json
import re
import sys
import urllib.request

NUMBER = re.compile(r"(?<![\w.,-])[-+]?\$?(\d[\d,]*(?:\.\d+)?)")
# Scales, periods of indicators, windows.
RULES = {100.0, 0.5, 14.0, 20.0, 50.0, 200.0, 52.0, 7.0, 30.0, 70.0, 365.0, 90.0, 500.0}
FACTORS = (1.0, 100.0, 1e-6, 1e-9, 1e-12)


def numbers(text: str):
    for match in NUMBER.finditer(text):
        written = match.group(1).replace(",", "")
        yield float(written), len(written.partition(".")[2])


def known(value, into: list) -> None:
    if isinstance(value, bool):
        return
    if isinstance(value, (int, float)):
        into.append(float(value))
    elif isinstance(value, str):
        into.extend(number for number, _ in numbers(value.replace("-", " ").replace("T", " ")))
    elif isinstance(value, list):
        for item in value:
            known(item, into)
    elif isinstance(value, dict):
        for item in value.values():
            known(item, into)


def ask(base: str, key: str, question: str) -> dict:
    request = urllib.request.Request(
        f"{base}/api/v1/ask",
        data=json.dumps({"question": question}).encode(),
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def main(base: str, key: str, files: list) -> None:
    answers = read = lost = 0
    for file in files:
        with open(file, encoding="utf-8") as lines:
            questions = [line.split("\t")[0] for line in lines if line.strip() and not line.startswith("#")]
        for question in questions:
            body = ask(base, key, question)
            answers += 1
            held: list = []
            known(body["data"], held)
            known(question, held)
            for value, places in numbers(body["summary"]):
                read += 1
                half = 0.500001 * 10.0 ** -places
                is_held = any(abs(abs(one) * factor - value) <= half for one in held for factor in FACTORS)
                is_count = places == 0 and value <= 60
                if not (is_held or value in RULES or is_count):
                    lost += 1
                    print(f"{value} of {question!r}: {body['summary'][:300]!r}")
    print(f"{answers} answers, {read} numbers, {lost} not found")


main(sys.argv[1], sys.argv[2], sys.argv[3:])
