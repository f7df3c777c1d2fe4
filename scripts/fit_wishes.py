"""Makes crates/query/data/wishes.tsv: what the words of a question, its pairs of words, its subjects and its phrases say of what is
wanted.

Reads what `evals --wish-features FILE` wrote of the labelled questions: those written for fitting (crates/evals/labels/wishes.tsv)
and those for development. Every wish is a logistic regression of its own over the same things seen, held to zero by a ridge that
was chosen by cross-validation over the questions for fitting. Where a label allows several wishes, the first is wanted and the
others count for nothing. Things seen once are left out, and so are weights close to zero.

Usage: fit_wishes.py FEATURES OUT   (needs numpy and scipy)
"""

import collections
import pathlib
import sys

import numpy as np
from scipy.optimize import minimize

RIDGE = 1.0
LEAST_SEEN = 2
# Weights nearer to zero than this are not kept.
LEAST_WEIGHT = 0.07
FOLDS = 5
HEADER = "# Weights of wishes by what a question shows, made by scripts/fit_wishes.py. Columns: what is seen, weights.\n"


def read(path):
    rows = []
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        group, _, label, _, seen, meaning = line.split("\t")
        rows.append((group, label, seen.split("|"), np.array(meaning.split(" "), dtype=np.float32)))
    return rows


def matrix(rows, places):
    out = np.zeros((len(rows), len(places) + len(rows[0][3])), dtype=np.float32)
    for row, (_, _, seen, meaning) in enumerate(rows):
        for one in seen:
            if one in places:
                out[row, places[one]] = 1.0
        out[row, len(places):] = meaning
    return out


def targets(rows, wishes):
    wanted = np.zeros((len(rows), len(wishes)), dtype=np.float32)
    counts = np.ones_like(wanted)
    for row, (_, label, _, _) in enumerate(rows):
        for group in label.split(","):
            first, *others = group.split("|")
            wanted[row, wishes.index(first)] = 1.0
            for other in others:
                counts[row, wishes.index(other)] = 0.0
    counts[wanted > 0.0] = 1.0
    return wanted, counts


def fit(seen, wanted, counts):
    shape = (seen.shape[1], wanted.shape[1])

    def loss(flat):
        weights = flat.reshape(shape).astype(np.float32)
        odds = 1.0 / (1.0 + np.exp(-(seen @ weights)))
        likely = wanted * np.log(odds + 1e-9) + (1.0 - wanted) * np.log(1.0 - odds + 1e-9)
        slope = seen.T @ ((odds - wanted) * counts) + RIDGE * weights
        value = -(likely * counts).sum() + RIDGE * (weights * weights).sum() / 2.0
        return float(value), slope.ravel().astype(np.float64)

    found = minimize(loss, np.zeros(shape).ravel(), jac=True, method="L-BFGS-B", options={"maxiter": 150})
    return found.x.reshape(shape).astype(np.float32)


def vocabulary(rows):
    count = collections.Counter(one for _, _, seen, _ in rows for one in seen)
    return {one: place for place, one in enumerate(sorted(one for one, times in count.items() if times >= LEAST_SEEN))}


def is_right(label, found):
    return all(any(one in found for one in group.split("|")) for group in label.split(","))


def chosen(odds, wishes, beside):
    order = np.argsort(-odds)
    return [wishes[order[0]]] + [wishes[place] for place in order[1:] if odds[place] >= beside]


def cross_validate(rows, wishes):
    """Of the questions for fitting and of the others, each fitted without its fold: the share whose wishes are found."""
    fold = np.random.RandomState(0).permutation(len(rows)) % FOLDS
    right = collections.defaultdict(list)
    for number in range(FOLDS):
        train = [row for row, at in zip(rows, fold) if at != number]
        test = [row for row, at in zip(rows, fold) if at == number]
        places = vocabulary(train)
        weights = fit(matrix(train, places), *targets(train, wishes))
        odds = 1.0 / (1.0 + np.exp(-(matrix(test, places) @ weights)))
        for row, each in zip(test, odds):
            found = chosen(each, wishes, 0.35)
            right[row[0]].append((is_right(row[1], found), len(found)))
    for group, found in sorted(right.items()):
        print(f"{group}: {len(found)} questions, {np.mean([one for one, _ in found]):.3f} right, {np.mean([many for _, many in found]):.2f} wishes")


def main(features, out):
    rows = read(features)
    wishes = sorted({one for _, label, _, _ in rows for group in label.split(",") for one in group.split("|")})
    cross_validate(rows, wishes)
    places = vocabulary(rows)
    weights = fit(matrix(rows, places), *targets(rows, wishes))
    names = sorted(places, key=places.get) + [f"meaning {place}" for place in range(len(rows[0][3]))]
    lines = [HEADER]
    for name, row in zip(names, weights):
        kept = [f"{wish}={weight:.2f}" for wish, weight in zip(wishes, row) if abs(weight) >= LEAST_WEIGHT]
        if kept:
            lines.append(f"{name}\t{' '.join(kept)}\n")
    pathlib.Path(out).write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
