"""Makes crates/verify/data/stance.tsv: small trees that turn measured features of a claim and a passage into shares.

Reads what `evals --stance-features FILE` wrote: class, source, group, texts and the features of each pair of the training folder,
of the claims written for it and of the simulated newswire (never of the folder that is evaluated). Every source counts by the square root of its rows and its labels equally, so that the
model learns the relation and not the source. Groups, which share evidence, stay on one side of the split. Two sources are kept
out altogether to choose the number of trees; then one temperature is fitted on the groups that were kept out.

Usage: fit_stance.py FEATURES.tsv OUT.tsv   (needs numpy, pandas and lightgbm)
"""

import sys
import zlib

import lightgbm
import numpy as np
import pandas

from tree_table import nodes

LEAVES, TREES, RATE = 14, 240, 0.06
# Stance of opinions, and arithmetic that no reader of words can do.
LEFT_OUT = {"perspectrum_stance", "tatqa_arithmetic_derived"}
# Our own pairs, of which an eighth is kept out for joining both models (fit_encoder.py).
WRITTEN = {"stance_pairs", "stance_twins"}
# Pairs that look like news: headlines with one or two sentences below them.
NEWS = {"simulated_newswire"} | WRITTEN
HELPERS = {"cad_snli", "breaking_nli", "med_monotonicity", "begin_wow", "summedits_sales", "evidence_inference_derived"}


def weights(frame):
    """Rows of one source and label weigh alike; helpers weigh a third, news three times."""
    sizes = frame.groupby(["source", "class"])["class"].transform("size")
    of_source = frame.groupby("source")["class"].transform("size")
    share = frame["source"].map(lambda source: 1 / 3 if source in HELPERS else 3.0 if source in NEWS else 1.0)
    return (np.sqrt(of_source) / sizes * share).to_numpy()


def main(features_file, out_file):
    frame = pandas.read_csv(features_file, sep="\t", quoting=3, dtype={"group": str, "source": str})
    # The file that a pair is from; a group begins with it.
    frame["source"] = frame["group"].str.split("/").str[0]
    kept_out = frame["source"].isin(WRITTEN) & frame["group"].map(lambda group: zlib.crc32(group.encode()) % 8 == 0)
    frame = frame[~frame["source"].isin(LEFT_OUT) & ~kept_out].reset_index(drop=True)
    others = {"class", "source", "group", "claim", "passage", "supports", "contradicts", "neutral"}
    names = [name for name in frame.columns if name not in others]
    held_out = frame["group"].map(lambda group: zlib.crc32(str(group).encode()) % 10 == 0).to_numpy()
    x, y, w = frame[names].to_numpy(np.float32), frame["class"].to_numpy(), weights(frame)
    w = w / w.mean()
    train = lightgbm.Dataset(x[~held_out], y[~held_out], weight=w[~held_out], feature_name=names)
    test = lightgbm.Dataset(x[held_out], y[held_out], weight=w[held_out], reference=train)
    settings = {
        "objective": "multiclass", "num_class": 3, "num_leaves": LEAVES, "learning_rate": RATE, "min_data_in_leaf": 200,
        "feature_fraction": 0.6, "bagging_fraction": 0.8, "bagging_freq": 1, "lambda_l2": 5.0, "seed": 1, "verbose": -1,
        "num_threads": 2, "deterministic": True, "force_row_wise": True,
    }
    model = lightgbm.train(settings, train, TREES, valid_sets=[test], callbacks=[lightgbm.log_evaluation(40)])
    logits = model.predict(x[held_out], raw_score=True)
    best = min(np.arange(0.6, 2.5, 0.05), key=lambda t: log_loss(logits / t, y[held_out], w[held_out]))
    found = logits.argmax(1)
    for source in sorted(set(frame["source"])):
        of = (frame["source"] == source).to_numpy()[held_out]
        if of.sum():
            recalls = [(found[of & (y[held_out] == c)] == c).mean() for c in range(3) if (of & (y[held_out] == c)).any()]
            print(f"{source:30} {of.sum():6} balanced {np.mean(recalls):.3f}")
    print(f"temperature {best:.2f}, log loss {log_loss(logits / best, y[held_out], w[held_out]):.4f}")
    with open(out_file, "w") as out:
        out.write("# Fitted by scripts/fit_stance.py from measured pairs of claim and evidence; the layout stands in trees.rs of the crate text.\n")
        out.write(f"base 0 0 0\ntemperature {best:.2f}\n")
        for number, tree in enumerate(model.dump_model()["tree_info"]):
            out.write(f"tree {number % 3}\n")
            for line in nodes(tree["tree_structure"]):
                out.write(line + "\n")


def log_loss(logits, labels, weight):
    logits = logits - logits.max(1, keepdims=True)
    losses = np.log(np.exp(logits).sum(1)) - logits[np.arange(len(labels)), labels]
    return float((losses * weight).sum() / weight.sum())


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
