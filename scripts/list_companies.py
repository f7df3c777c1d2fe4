"""Writes crates/text/data/entities/listed.tsv: companies that file with the US Securities and Exchange Commission.

The list of filers (company_tickers.json) is a work of the US government and in the public domain. A name is taken where
it can hardly mean anything else:

- one row for each filer, with its plainest symbol; funds, trusts and blank-cheque companies are left out, and so is what
  the other tables of the folder already name;
- a name of several words counts on its own unless all of them are ordinary words or the first is a given name: then it
  counts like an ambiguous one (mark ?);
- a name of one word counts by its capital (mark ?) where it has six letters or more and is no given name, else only beside
  a symbol or a company cue (mark !); where it is an ordinary word, a place or a surname of the tables, only the name with
  its legal form counts.

Usage: list_companies.py company_tickers.json.gz FOLDER_OF_TABLES [FILE_OF_ORDINARY_TEXT …]
Files of ordinary text (plain or gzip) add to the ordinary words every word that they write in lower case.
"""

import gzip
import json
import re
import sys

LEGAL = {
    "inc", "incorporated", "corp", "corporation", "co", "company", "ltd", "limited", "plc", "ag", "se", "sa", "nv", "asa",
    "ab", "oyj", "spa", "llc", "lp", "group", "holdings", "holding", "de", "cv", "sab", "adr", "new", "s.a", "n.v", "l.p", "the",
    "p.l.c", "&", "a/s", "as", "cl", "class", "trust", "bancorp",
}
CUT = {"inc", "incorporated", "corp", "corporation", "co", "company", "ltd", "limited", "plc", "ag", "se", "sa", "nv", "asa",
       "ab", "oyj", "spa", "llc", "lp", "group", "holdings", "holding", "s.a", "n.v", "l.p", "p.l.c", "&", "a/s"}
LEFT_OUT = re.compile(
    r"\b(acquisition|acquisitions|fund|funds|etf|etfs|trust|municipal|income|warrants?|notes|portfolio|spac|merger|term|"
    r"opportunit\w+|strategies|ishares|proshares|depositary|royalty|futures|capital corp(?: [ivx]+)?|sponsor|index)\b",
    re.I,
)


def table(path):
    with open(path, encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t") for line in lines if line.strip() and not line.startswith("#")]


def words_of(path):
    with open(path, encoding="utf-8") as lines:
        return {word for line in lines if not line.startswith("#") for word in line.split()}


def spelled(title):
    """`EDWARDS LIFESCIENCES CORP /DE/` as newspapers write it."""
    title = re.sub(r"\s*[/\\][A-Za-z. ]{2,12}[/\\]?\s*$", "", title.strip())
    title = re.sub(r"\s+", " ", title).strip(" ,/\\")
    letters = [c for c in title if c.isalpha()]
    if sum(c.isupper() for c in letters) < 0.7 * len(letters):
        return title
    out = []
    for word in title.split(" "):
        bare = word.strip(".,").lower()
        if len(bare) <= 3 and bare not in CUT and not re.search(r"[aeiouy]", bare) or bare in {"ag", "se", "sa", "nv", "plc", "llc", "lp"}:
            out.append(word.upper())
        elif bare in {"of", "and", "the", "for", "de"} and out:
            out.append(word.lower())
        else:
            out.append("-".join(part[:1].upper() + part[1:].lower() for part in word.split("-")))
    return " ".join(out)


def stem(name):
    words = name.split(" ")
    while len(words) > 1 and words[-1].strip(".,").lower() in CUT:
        words.pop()
    words[-1] = words[-1].rstrip(",")
    return " ".join(words)


def main():
    source, folder, *texts = sys.argv[1:]
    ordinary = words_of(f"{folder}/common_words.txt")
    for row in table(f"{folder}/cues.tsv"):
        ordinary.update(row[1].split())
    given = words_of(f"{folder}/first_names.txt")
    for path in texts:
        opened = gzip.open if path.endswith(".gz") else open
        with opened(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                ordinary.update(re.findall(r"(?<![\w.@/-])[a-z]{3,}(?![\w@/]|\.\w)", line))
    known, symbols, parts = set(), set(), set()
    for file in ("companies", "coins", "organizations", "people", "locations", "events", "products"):
        for row in table(f"{folder}/{file}.tsv"):
            names = [row[0], stem(row[0])]
            column = 1 if file in ("people", "locations", "events", "products") else 2
            if len(row) > column:
                names += row[column].split("|")
            if file in ("companies", "coins") and row[1]:
                symbols.add(row[1])
            for name in names:
                name = name.lstrip("?!").lower()
                known.add(name)
                if file in ("people", "locations"):
                    parts.update(name.split())
    with gzip.open(source, "rt", encoding="utf-8") as file:
        filers = list(json.load(file).values())
    by_filer = {}
    for filer in filers:
        by_filer.setdefault(filer["cik_str"], []).append((filer["ticker"], filer["title"]))
    rows = {}
    for listed in by_filer.values():
        title = listed[0][1]
        symbol = min((symbol for symbol, _ in listed), key=lambda symbol: ("-" in symbol, len(symbol) > 4))
        if LEFT_OUT.search(title) or any(other in symbols for other, _ in listed) or re.search(r"-(W|U|R|P)", symbol):
            continue
        symbol = symbol.replace("-", ".")
        name = spelled(title)
        short = stem(name)
        if name.lower() in known or short.lower() in known or len(short) < 4 or not re.match(r"[A-Z]", short):
            continue
        words = [word.lower().strip(".,'") for word in re.split(r"[ -]", short)]
        plain = all(word in ordinary or word in LEGAL or len(word) < 3 or word.isdigit() for word in words)
        if len(words) > 1:
            mark = "?" if plain or words[0] in given else ""
            # Two first names or a name of words alone is too often something else.
            if words[0] in given and len(words) == 2:
                mark = "!"
        elif plain or words[0] in parts:
            mark = None
        elif len(short) >= 6 and words[0] not in given:
            mark = "?"
        else:
            mark = "!"
        # Where the name has a legal form that newspapers print, the whole name stays sure.
        rows.setdefault(short.lower(), (name.strip(" ,"), symbol, name.strip(" ,") if mark is None else mark + short))
    seen = set()
    print("# Companies that file with the US Securities and Exchange Commission, written by scripts/list_companies.py from its list")
    print("# of filers (public domain). Columns as in companies.tsv.")
    for name, symbol, short in sorted(rows.values()):
        if name.lower() in seen or name.lower() in known:
            continue
        seen.add(name.lower())
        print(f"{name}\t{symbol}\t{short}")


if __name__ == "__main__":
    main()
