"""Makes crates/text/data/stories/pairs.tsv: small trees that turn what two articles have in common into a probability.

Reads what `evals --story-features FOLDER` wrote of the streams, and crates/evals/labels/story_pairs.tsv: pairs of items that were
labelled by reading them. Each pair is fitted on three times: with all that is known, of the headlines alone, and without times.
One stream is never fitted on; the others are fitted on in turn to choose the number of trees, then together. What speaks for
one event may only raise the probability and what speaks against it only lower it, so that the model holds on other news.

Usage: fit_stories.py FOLDER OUT.tsv   (needs numpy and lightgbm)
"""

import pathlib
import sys

import lightgbm
import numpy as np

from tree_table import nodes

HELD_OUT = "2022"
LABELS = pathlib.Path(__file__).parent.parent / "crates/evals/labels/story_pairs.tsv"
WEIGHTS = {"whole": 1.0, "headline": 0.5, "timeless": 0.5}
FOR = {"cosine", "cosine_common", "cosine_outlet", "evidence", "rare_first", "rare_second", "rare_third", "headline_least", "headline_most",
       "headline_both", "names", "numbers_shared", "opening_least", "opening_most", "wording", "meaning", "same_numbers", "supported"}
AGAINST = {"numbers_missing_least", "numbers_missing_most", "same_outlet", "same_pattern", "pattern_count", "templates"}
SETTINGS = {
    "objective": "binary", "num_leaves": 6, "learning_rate": 0.04, "min_data_in_leaf": 30, "feature_fraction": 0.4,
    "bagging_fraction": 0.7, "bagging_freq": 1, "lambda_l2": 5.0, "seed": 1, "verbose": -1, "num_threads": 2, "deterministic": True,
    "force_row_wise": True, "monotone_constraints_method": "intermediate",
}
MOST = 400


def labelled():
    """For each stream the labels and bands of its pairs."""
    found = {}
    for line in LABELS.read_text().splitlines():
        if not line.startswith("#"):
            stream, left, right, relation, _, _, band, _, _ = line.split("\t")
            found.setdefault(stream, {})[frozenset((left, right))] = (relation == "same", band)
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
        same, band = wanted[codes[at]]
        yield pairs[at, 2:], same, band, variant, stream


def dataset(found, names):
    weights = [WEIGHTS[variant] for _, _, _, variant, _ in found]
    return lightgbm.Dataset(np.array([row[0] for row in found]), [int(row[1]) for row in found], weight=weights, feature_name=names)


def main(folder, out_file):
    folder = pathlib.Path(folder)
    names = (folder / "features").read_text().split("\n")
    settings = SETTINGS | {"monotone_constraints": [1 if name in FOR else -1 if name in AGAINST else 0 for name in names]}
    found = [row for stream, labels in labelled().items() for variant in WEIGHTS for row in rows(folder, names, stream, variant, labels)]
    fitted = [row for row in found if row[4] != HELD_OUT]
    rounds = []
    for stream in sorted({row[4] for row in fitted}):
        train, test = [row for row in fitted if row[4] != stream], [row for row in fitted if row[4] == stream]
        losses = {}
        watched = [lightgbm.record_evaluation(losses)]
        lightgbm.train(settings, dataset(train, names), MOST, valid_sets=[dataset(test, names)], callbacks=watched)
        curve = losses["valid_0"]["binary_logloss"]
        rounds.append(int(np.argmin(curve)) + 1)
        print(f"fitted without {stream}: best after {rounds[-1]} trees, log loss {min(curve):.4f}")
    model = lightgbm.train(settings, dataset(fitted, names), int(np.mean(rounds)))
    for stream in sorted({row[4] for row in found}):
        for band in ("one", "two", ""):
            of = [row for row in found if row[4] == stream and row[3] == "whole" and row[2].startswith(band)]
            shares = model.predict(np.array([row[0] for row in of]))
            print(stream, "held out" if stream == HELD_OUT else "fitted", band or "all", report(shares, np.array([row[1] for row in of])))
    with open(out_file, "w") as out:
        out.write("# Fitted by scripts/fit_stories.py on labelled pairs of real items; the layout stands in trees.rs.\n")
        out.write("base 0\ntemperature 1\n")
        for tree in model.dump_model()["tree_info"]:
            out.write("tree 0\n")
            for line in nodes(tree["tree_structure"]):
                out.write(line + "\n")
    gains = sorted(zip(model.feature_importance("gain"), names), reverse=True)
    print(f"{model.num_trees()} trees;", ", ".join(f"{name} {gain:.0f}" for gain, name in gains))


def report(shares, same):
    joined = shares >= 0.5
    right = (joined & same).sum()
    precision, recall = right / max(joined.sum(), 1), right / max(same.sum(), 1)
    return f"precision {precision:.3f} recall {recall:.3f} F1 {2 * precision * recall / max(precision + recall, 1e-9):.3f}"


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
