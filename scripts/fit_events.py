"""Makes crates/text/data/events/kinds.bin: which event a sentence reports.

Reads what `evals --event-features FILE` wrote of the sentences that were labelled by reading them (crates/evals/labels/events.tsv) and of
what was written for fitting (event_headlines.tsv, event_sentences.tsv). The stream of 2022, a fifth of the other items and the headlines of event_roles.tsv and event_roles_more.tsv
are not fitted on (the shipped weights are of before that, and of before the later labels; fitted on all of them, they are no better: docs/decisions/0073). Settings were chosen by fitting on two thirds of what is fitted and measuring on the rest. Where FEATURES were written with what a larger model says of
sentences that nobody has labelled (teach_events.py), these are fitted on too, and count less.

A multinomial logistic regression with a ridge; rows that fewer than two sentences have weigh nothing; written headlines count less.
Layout: the scale as a 32-bit number, then for each row a signed byte for each class (linear.rs).

Usage: fit_events.py FEATURES OUT_FOLDER [check]   (needs numpy and scipy)
"""

import pathlib
import struct
import sys

import multinomial
import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

KINDS = ["none", "acquisition", "funding", "launch", "partnership", "regulation", "lawsuit", "ipo", "bankruptcy"]
KIND_ROWS = 128 + 1 + (1 << 16)
LEAST_SEEN = 2
RIDGE = 0.05
WRITTEN = 0.7
TAUGHT = 0.5


def read(path):
    """The sentences (part, source, how probable each kind is, state) and their rows."""
    sentences, data, columns, starts = [], [], [], [0]
    for line in pathlib.Path(path).read_text().splitlines():
        part, source, kind, state, rows = line.split("\t")
        shares = [float(kind == known) for known in KINDS] if part != "taught" else [float(share) for share in kind.split(",")]
        sentences.append((part, source, shares, state))
        for row in rows.split(" "):
            at, amount = row.split(":")
            columns.append(int(at))
            data.append(float(amount))
        starts.append(len(data))
    return sentences, csr_matrix((data, columns, starts), (len(sentences), KIND_ROWS))


def fit_kinds(values, kinds, weights):
    """Weights of rows and kinds (or other classes), for the rows that are seen at least twice."""
    seen = np.flatnonzero(np.asarray((values != 0).sum(0)).ravel() >= LEAST_SEEN)
    few = values[:, seen].tocsr()
    shape = (len(seen), kinds.shape[1])
    held = np.where(seen == 128, 0.001, RIDGE)[:, None]

    def held_loss(flat):
        fitted = flat.reshape(shape)
        value, slope = multinomial.loss(few, kinds, weights, fitted)
        return value + (held * fitted * fitted).sum() / 2, (slope + held * fitted).ravel()

    fitted = minimize(held_loss, np.zeros(shape).ravel(), jac=True, method="L-BFGS-B", options={"maxiter": 300}).x.reshape(shape)
    whole = np.zeros((KIND_ROWS, kinds.shape[1]))
    whole[seen] = fitted
    return whole


def as_bytes(weights, most):
    return np.clip(np.rint(weights / most * 127), -127, 127).astype(np.int8)


def tell(what, fitted, values, kinds):
    logits = values @ fitted
    shares = np.exp(logits - logits.max(1, keepdims=True))
    shares /= shares.sum(1, keepdims=True)
    best = shares[:, 1:].argmax(1) + 1
    sure = shares[np.arange(len(best)), best]
    places = kinds.argmax(1)
    events = (places > 0).sum()
    shown = []
    for least in (0.3, 0.4, 0.5, 0.6, 0.7):
        found = sure >= least
        right = (found & (best == places)).sum()
        shown.append(f"{least}: {right / max(found.sum(), 1):.3f} {right / max(events, 1):.3f}")
    print(f"{what}: {events} events in {len(kinds)}; least share: precision, recall  " + ", ".join(shown), flush=True)


def main(features, out_folder, *what):
    sentences, values = read(features)
    parts = np.array([part for part, _, _, _ in sentences])
    sources = np.array([source for _, source, _, _ in sentences])
    kinds = np.array([shares for _, _, shares, _ in sentences])
    counts = np.where(sources == "written", WRITTEN, np.where(parts == "taught", TAUGHT, 1.0))
    fitted, kept_back = np.isin(parts, ["fit", "taught"]), (parts == "kept back") & (sources != "roles")
    if what:
        # Neighbours may be sentences of one article.
        apart = (np.arange(len(sentences)) // 50 % 3 == 0) & (parts == "fit") & (sources != "written")
        fitted &= ~apart
        weights = fit_kinds(values[fitted], kinds[fitted], counts[fitted])
        tell("a third", weights, values[apart], kinds[apart])
        return
    weights = fit_kinds(values[fitted], kinds[fitted], counts[fitted])
    for source in sorted(set(sources[kept_back])):
        test = kept_back & (sources == source)
        tell(f"{source} kept back", weights, values[test], kinds[test])
    tell("kept back", weights, values[kept_back], kinds[kept_back])
    most = np.abs(weights).max()
    out = pathlib.Path(out_folder)
    (out / "kinds.bin").write_bytes(struct.pack("<f", most / 127) + as_bytes(weights, most).tobytes())


if __name__ == "__main__":
    main(*sys.argv[1:])
