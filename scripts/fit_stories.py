"""Makes crates/text/data/stories/pairs.tsv and line.tsv: small trees and a weighted sum that turn what two articles have in common
into a probability.

Reads what `evals --story-features FOLDER` wrote of the streams, and crates/evals/labels/story_pairs.tsv: pairs of items that were
labelled by reading them. Each pair is fitted on three times: with all that is known, of the headlines alone, and without times.
One stream is never fitted on; the others are fitted on in turn to choose the number of trees and to measure on what was not fitted
on, then together. What speaks for one event may only raise the probability and what speaks against it only lower it, so that the
model holds on other news. Trees and sum are fitted each by itself; the probability is that of the mean of both on the scale of
logits.

Usage: fit_stories.py FOLDER OUT_FOLDER   (needs numpy, scipy and lightgbm)
"""

import pathlib
import sys

import lightgbm
import numpy as np
from scipy.optimize import minimize

from tree_table import nodes

HELD_OUT = "2022"
LABELS = pathlib.Path(__file__).parent.parent / "crates/evals/labels/story_pairs.tsv"
WEIGHTS = {"whole": 1.0, "headline": 0.5, "timeless": 0.5}
FOR = {"cosine", "cosine_common", "cosine_outlet", "evidence", "rare_first", "rare_second", "rare_third", "headline_least", "headline_most",
       "headline_both", "names", "numbers_shared", "opening_least", "opening_most", "wording", "meaning", "same_numbers", "supported",
       "log_evidence", "root_supported", "report_least"}
AGAINST = {"numbers_missing_least", "numbers_missing_most", "same_outlet", "same_pattern", "pattern_count", "templates",
           "gap_hours", "log_gap_hours", "exchanged"}
# What the trees may use either way.
EITHER = {"gap_hours"}
SETTINGS = {
    "objective": "binary", "num_leaves": 6, "learning_rate": 0.04, "min_data_in_leaf": 30, "feature_fraction": 0.4,
    "bagging_fraction": 0.7, "bagging_freq": 1, "lambda_l2": 5.0, "seed": 5, "verbose": -1, "num_threads": 2, "deterministic": True,
    "force_row_wise": True, "monotone_constraints_method": "intermediate",
}
MOST = 400
# The seed is that of five with which the streams are told best by what was fitted without them; the stream that is never fitted on has no say.
# How strongly the weights of the sum are held to zero, and what a logit of one part comes to at most.
RIDGE = 20.0
MOST_LOGIT = 9.0


def labelled():
    """For each stream the labels and bands of its pairs."""
    found = {}
    for line in LABELS.read_text().splitlines():
        if not line.startswith("#"):
            stream, left, right, relation, _, _, band, _, draw = line.split("\t")
            found.setdefault(stream, {})[frozenset((left, right))] = (relation == "same", band, draw)
    return found


def rows(folder, names, stream, variant, labels):
    items = (folder / f"{stream}-{variant}.names").read_text().split("\n")
    pairs = np.fromfile(folder / f"{stream}-{variant}.pairs", np.float32).reshape(-1, len(names) + 2)
    place = {item: number for number, item in enumerate(items)}
    wanted = {}
    for pair, label in labels.items():
        if len(pair) == 2 and all(item in place for item in pair):
            first, second = sorted(place[item] for item in pair)
            wanted[second * len(items) + first] = label
    codes = pairs[:, 0].astype(np.int64) * len(items) + pairs[:, 1].astype(np.int64)
    for at in np.nonzero(np.isin(codes, np.array(list(wanted))))[0]:
        same, band, draw = wanted[codes[at]]
        yield pairs[at, 2:], same, band, variant, stream, draw


def matrix(found):
    return np.array([row[0] for row in found], np.float64), np.array([int(row[1]) for row in found])


def weights(found):
    return np.array([WEIGHTS[row[3]] for row in found])


def dataset(found, names):
    values, same = matrix(found)
    return lightgbm.Dataset(values, same, weight=weights(found), feature_name=names)


def widened(values, names):
    """What the sum weighs: everything measured, and some of it on another scale; its order is that of `widened` in chance.rs."""
    of = {name: values[:, at] for at, name in enumerate(names)}
    more = {
        "log_gap_hours": np.log1p(np.maximum(of["gap_hours"], 0)),
        "timeless": (of["gap_hours"] < 0).astype(float),
        "log_evidence": np.log1p(np.maximum(of["evidence"], 0)),
        "root_supported": np.sqrt(np.maximum(of["supported"], 0)),
        "nameless": (of["names"] < 0).astype(float),
    }
    return np.column_stack([values, *more.values()]), names + list(more)


def fit_line(found, names):
    """Weights and a constant for what is measured, by logistic regression of limited weights."""
    values, same = matrix(found)
    values, wide = widened(values, names)
    mean, scale = values.mean(0), np.maximum(values.std(0), 1e-9)
    scaled, weight, sign = (values - mean) / scale, weights(found), 2 * same - 1

    def loss(line):
        margin = sign * (scaled @ line[1:] + line[0])
        slope = -weight * sign / (1 + np.exp(margin))
        value = (weight * np.logaddexp(0, -margin)).sum() + RIDGE / 2 * (line[1:] ** 2).sum()
        return value, np.concatenate([[slope.sum()], scaled.T @ slope + RIDGE * line[1:]])

    bounds = [(None, None)] + [(0, None) if name in FOR else (None, 0) if name in AGAINST else (None, None) for name in wide]
    line = minimize(loss, np.zeros(len(wide) + 1), jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 2000}).x
    weighed = line[1:] / scale
    return dict(zip(wide, weighed)), line[0] - (weighed * mean).sum()


def shares(model, line, values, names):
    """The probabilities of trees and sum together."""
    by_name, constant = line
    wide, order = widened(values, names)
    trees = model.predict(values, raw_score=True)
    total = wide @ np.array([by_name[name] for name in order]) + constant
    logit = (np.clip(trees, -MOST_LOGIT, MOST_LOGIT) + np.clip(total, -MOST_LOGIT, MOST_LOGIT)) / 2
    return 1 / (1 + np.exp(-logit))


def main(folder, out_folder):
    folder, out_folder = pathlib.Path(folder), pathlib.Path(out_folder)
    names = (folder / "features").read_text().split("\n")
    settings = SETTINGS | {"monotone_constraints": [1 if name in FOR else -1 if name in AGAINST - EITHER else 0 for name in names]}
    found = [row for stream, labels in labelled().items() for variant in WEIGHTS for row in rows(folder, names, stream, variant, labels)]
    fitted = [row for row in found if row[4] != HELD_OUT]
    rounds = []
    for stream in sorted({row[4] for row in fitted}):
        train, test = [row for row in fitted if row[4] != stream], [row for row in fitted if row[4] == stream]
        losses = {}
        watched = [lightgbm.record_evaluation(losses)]
        model = lightgbm.train(settings, dataset(train, names), MOST, valid_sets=[dataset(test, names)], callbacks=watched)
        curve = losses["valid_0"]["binary_logloss"]
        rounds.append(int(np.argmin(curve)) + 1)
        print(f"fitted without {stream}: best after {rounds[-1]} trees, log loss {min(curve):.4f}")
        model = lightgbm.train(settings, dataset(train, names), rounds[-1])
        tell(f"{stream}, fitted without it,", test, model, fit_line(train, names), names)
    model = lightgbm.train(settings, dataset(fitted, names), int(np.mean(rounds)))
    line = fit_line(fitted, names)
    for stream in sorted({row[4] for row in found}):
        of = [row for row in found if row[4] == stream]
        tell(f"{stream}, {'held out' if stream == HELD_OUT else 'fitted'},", of, model, line, names)
    with open(out_folder / "pairs.tsv", "w") as out:
        out.write("# Fitted by scripts/fit_stories.py on labelled pairs of real items; the layout stands in trees.rs.\n")
        out.write("base 0\ntemperature 1\n")
        for tree in model.dump_model()["tree_info"]:
            out.write("tree 0\n")
            for node in nodes(tree["tree_structure"]):
                out.write(node + "\n")
    with open(out_folder / "line.tsv", "w") as out:
        out.write("# Fitted by scripts/fit_stories.py on labelled pairs of real items: what is measured, and the weight of one of it.\n")
        out.write(f"constant\t{line[1]:.6g}\n")
        for name, weight in line[0].items():
            out.write(f"{name}\t{weight:.6g}\n")
    gains = sorted(zip(model.feature_importance("gain"), names), reverse=True)
    print(f"{model.num_trees()} trees;", ", ".join(f"{name} {gain:.0f}" for gain, name in gains))


def tell(what, found, model, line, names):
    """The figures of the pairs of all bands alike, of both parts and of each."""
    found = [row for row in found if row[3] == "whole" and row[5] == "all"]
    values, same = matrix(found)
    both = shares(model, line, values, names)
    loss = -np.log(np.clip(np.where(same, both, 1 - both), 1e-6, 1)).mean()
    trees = -np.log(np.clip(np.where(same, model.predict(values), 1 - model.predict(values)), 1e-6, 1)).mean()
    print(f"{what} log loss {loss:.4f} (trees alone {trees:.4f})")
    for band in ("one", "two", ""):
        of = np.array([row[2].startswith(band) for row in found])
        print(f"{what} {band or 'all'}: {report(both[of], same[of])}")


def report(shares, same):
    joined = shares >= 0.5
    right = (joined & (same == 1)).sum()
    precision, recall = right / max(joined.sum(), 1), right / max(same.sum(), 1)
    return f"precision {precision:.3f} recall {recall:.3f} F1 {2 * precision * recall / max(precision + recall, 1e-9):.3f}"


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
