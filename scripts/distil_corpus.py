"""The sentences on which the static embeddings are fitted: openly licensed collections only.

SEntFiN (MIT), Twitter financial news (MIT), FoolMeTwice (Apache-2.0, sentences of Wikipedia), LIAR-PLUS (CC0) and WNUT-17
(CC BY 4.0). Used by distil_embeddings.py only; none of the text becomes part of the repository.
"""

import gzip
import json
import re
import zlib
from pathlib import Path

LONGEST = 400  # characters; longer text is several sentences that were not divided
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'])")


def sentences(folder: Path) -> list[str]:
    """All sentences, each once, in an order that does not follow the files."""
    found = set()
    for row in rows(folder / "sentiment/sentfin_entity_sentiment.jsonl.gz"):
        found.add(row["title"])
    for row in rows(folder / "sentiment/twitter_financial_news_train.jsonl.gz"):
        found.add(re.sub(r"https?://\S+", "", row["text"]))
    for row in rows(folder / "claims/fool_me_twice_dev.jsonl.gz"):
        found.add(row["claim"])
        evidence = row["gold_evidence"] + row["retrieved_evidence"]
        found.update(part["text"] for part in evidence if checksum(part["text"]) % 10 < 7)
    for row in rows(folder / "claims/liar_plus_val2.jsonl.gz"):
        found.add(row["claim"])
        found.update(SENTENCE_END.split(row["justification"]))
    for name in ("train", "dev"):
        found.update(tweets(folder / f"ner/wnut17_{name}.conll.gz"))
    cleaned = {" ".join(text.split()) for text in found}
    kept = [text for text in cleaned if 12 <= len(text) <= LONGEST and text.count(" ") >= 2]
    return sorted(kept, key=lambda text: (checksum(text), text))


def checksum(text: str) -> int:
    return zlib.crc32(text.encode())


def rows(path: Path) -> list[dict]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def tweets(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        blocks = re.split(r"\n\s*\n", lines.read())
    return [" ".join(line.split("\t")[0] for line in block.splitlines()) for block in blocks]
