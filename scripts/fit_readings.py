"""Makes crates/text/data/readings: which category and which form an article has, by what its words and its meaning show.

Reads what `evals --reading-features FILE` wrote of the articles that were labelled by reading (crates/evals/labels/categories.tsv and
forms.tsv). Each model is a multinomial logistic regression. The stream of 2022 and a fifth of the other two are never fitted on; its
settings were chosen by fitting on one of the two streams and measuring on the other. Rare classes count more. Rows that fewer than two
articles have weigh nothing. Weights are held to zero by a ridge, except that what the tables of topic words say of a category is
held to speaking for that category: a subject that no labelled article has is known by them alone.

The layout of a file: the scale as a 32-bit number, then for each row a signed byte for each class (readings.rs).

Usage: fit_readings.py FEATURES OUT_FOLDER   (needs numpy and scipy)
"""

import pathlib
import struct
import sys

import multinomial
import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

CATEGORIES = ["ai_ml", "tech", "markets", "crypto", "economy", "policy", "world", "business", "science", "health", "energy", "climate",
              "security", "sports", "culture"]
FORMS = ["report", "series", "roundup", "live", "opinion", "other"]
PLAIN = 2 * 128 + len(CATEGORIES) + 1
ROWS = PLAIN + (1 << 15)
LEAST_SEEN = 2
# How strongly weights are held, to which power a class is made as frequent as the others, and what topic words are taken to say.
SETTINGS = {"category": (0.5, 1.0, 12.0), "form": (1.0, 0.5, 0.0)}


def read(path, kind):
    parts, streams, labels, others = [], [], [], []
    data, columns, starts = [], [], [0]
    for line in pathlib.Path(path).read_text().splitlines():
        of, part, stream, label, other, rows, *_ = line.split("\t")
        if of != kind:
            continue
        parts.append(part)
        streams.append(stream)
        labels.append(label)
        others.append(other.split("|"))
        for row in rows.split():
            at, amount = row.split(":")
            columns.append(int(at))
            data.append(float(amount))
        starts.append(len(data))
    return np.array(parts), np.array(streams), np.array(labels), others, csr_matrix((data, columns, starts), (len(labels), ROWS))


def prior(classes, topics):
    weights = np.zeros((ROWS, len(classes)))
    for at, category in enumerate(CATEGORIES):
        if category in classes:
            weights[2 * 128 + at, classes.index(category)] = topics
    return weights


def fit(values, labels, classes, settings):
    ridge, power, topics = settings
    places = np.array([classes.index(label) for label in labels])
    count = np.bincount(places, minlength=len(classes))
    present = (count > 0).sum()
    each = (len(labels) / present / np.maximum(count, 1)) ** power
    each = each[places] / each[places].mean()
    wanted = np.zeros((len(labels), len(classes)))
    wanted[np.arange(len(labels)), places] = 1
    before = prior(classes, topics)
    shape = before.shape
    # The constant is held a tenth as strongly.
    held = np.full((shape[0], 1), ridge)
    held[PLAIN - 1] = ridge / 10

    def held_loss(flat):
        weights = flat.reshape(shape)
        value, slope = multinomial.loss(values, wanted, each, weights)
        away = weights - before
        return value + (held * away * away).sum() / 2, (slope + held * away).ravel()

    return minimize(held_loss, before.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": 300}).x.reshape(shape)


def macro(labels, found):
    scores = []
    for label in sorted(set(labels)):
        right = ((labels == label) & (found == label)).sum()
        scores.append(2 * right / max((labels == label).sum() + (found == label).sum(), 1))
    return np.mean(scores)


def tell(what, weights, values, labels, others, classes):
    found = np.array(classes)[(values @ weights).argmax(1)]
    kind = np.array([label if one in other else one for one, label, other in zip(found, labels, others)])
    print(f"{what}: {len(labels)} articles, {np.mean(found == labels):.3f} right, {np.mean(kind == labels):.3f} defensible, macro-F1 "
          f"{macro(labels, found):.3f} and {macro(labels, kind):.3f}", flush=True)


def write(weights, path):
    scale = np.abs(weights).max() / 127
    path.write_bytes(struct.pack("<f", scale) + np.rint(weights / scale).astype(np.int8).tobytes())


def main(features, out_folder, *tried):
    for kind, classes, name in (("category", CATEGORIES, "categories"), ("form", FORMS, "forms")):
        parts, streams, labels, others, values = read(features, kind)
        fitted = parts == "fit"
        seen = np.asarray((values[fitted] != 0).sum(0)).ravel()
        keep = csr_matrix(np.where(seen >= LEAST_SEEN, 1.0, 0.0))
        values = values.multiply(keep).tocsr()
        settings = [tuple(float(part) for part in one.split(",")) for one in tried] or [SETTINGS[kind]]
        for setting in settings:
            for stream in sorted(set(streams[fitted])):
                train, test = fitted & (streams != stream), fitted & (streams == stream)
                weights = fit(values[train], labels[train], classes, setting)
                tell(f"{kind} {setting}, {stream} fitted without it", weights, values[test], labels[test],
                     [others[at] for at in np.nonzero(test)[0]], classes)
            weights = fit(values[fitted], labels[fitted], classes, setting)
            for stream in sorted(set(streams)):
                test = ~fitted & (streams == stream)
                tell(f"{kind} {setting}, {stream} kept back", weights, values[test], labels[test],
                     [others[at] for at in np.nonzero(test)[0]], classes)
        if not tried:
            write(weights, pathlib.Path(out_folder) / f"{name}.bin")


if __name__ == "__main__":
    main(*sys.argv[1:])
