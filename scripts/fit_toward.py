"""Fits the weights of crates/text/data/sentiment/toward.tsv: the tone of a sentence towards one whom it names.

Fitted on SEntFiN (MIT) alone, without its held-out fifth, which is only read for the printed evaluation. What a sentence
shows from the place of a name is told by the crate itself, so the fit sees exactly what the crate will see:
    cargo build --release -p text --example sentiment
Each thing seen is scaled by how much more often it stands with a class than without it (naive Bayes), then weighed by
logistic regression, one class against the others.

Usage: fit_toward.py DATA_FOLDER TONE_BINARY OUTPUT   (needs numpy, scipy and scikit-learn)
"""

import collections
import gzip
import json
import subprocess
import sys

import numpy as np
from scipy.sparse import diags
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score

from held_out import held_out

CLASSES = ["negative", "neutral", "positive"]
RAREST = 3
SMALLEST = 12


def locate(title, name):
    """Where a name stands. In some rows of the collection the letters `hold` of a name were replaced by `neutral`."""
    for spelling in (name, name.replace("neutral", "hold"), name.replace("neutral", "Hold")):
        at = title.lower().find(spelling.lower())
        if at >= 0 and len(title.lower()) == len(title):
            return len(title[:at].encode()), len(title[: at + len(spelling)].encode())
    return None


def load(folder):
    with gzip.open(f"{folder}/sentiment/sentfin_entity_sentiment.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            for name, label in row["entities"].items():
                span = locate(row["title"], name)
                if span:
                    yield row["title"], span, CLASSES.index(label), len(row["entities"])


def views(binary, items):
    lines = "".join(f"{start}\t{end}\t{' '.join(title.split())}\n" for title, (start, end), _, _ in items)
    out = subprocess.run([binary, "--toward"], input=lines, capture_output=True, text=True, check=True).stdout
    return [dict.fromkeys(line.split("\t")[1:], 1) for line in out.splitlines()]


def fit(matrix, labels):
    weights, bases = [], []
    for label in range(3):
        inside = 1 + np.asarray(matrix[labels == label].sum(0)).ravel()
        outside = 1 + np.asarray(matrix[labels != label].sum(0)).ravel()
        ratio = np.log((inside / inside.sum()) / (outside / outside.sum()))
        model = LogisticRegression(C=0.1, max_iter=300, solver="liblinear")
        model.fit(matrix @ diags(ratio), labels == label)
        weights.append(model.coef_[0] * ratio)
        bases.append(model.intercept_[0])
    return np.array(weights), np.array(bases)


def main(folder, binary, output):
    items = list(load(folder))
    train = [item for item in items if not held_out(item[0])]
    test = [item for item in items if held_out(item[0])]
    seen = views(binary, train)
    counts = collections.Counter(view for shown in seen for view in shown)
    vectors = DictVectorizer()
    matrix = vectors.fit_transform([{v: 1 for v in shown if counts[v] >= RAREST} for shown in seen]).tocsr()
    labels = np.array([item[2] for item in train])
    weights, bases = fit(matrix, labels)
    pulls = np.round(100 * np.stack([weights[2] - weights[1], weights[0] - weights[1]]))
    base = np.round(100 * np.array([bases[2] - bases[1], bases[0] - bases[1]]))
    pulls[:, np.abs(pulls).max(axis=0) < SMALLEST] = 0
    expected = np.array([item[2] for item in test])
    several = np.array([item[3] > 1 for item in test])
    odds = vectors.transform(views(binary, test)) @ pulls.T + base
    found = np.argmax(np.stack([odds[:, 1], np.zeros(len(test)), odds[:, 0]]), axis=0)
    print("held out", len(test), "accuracy", round(accuracy_score(expected, found), 4),
          "macro F1", round(f1_score(expected, found, average="macro"), 4),
          "several named", round(accuracy_score(expected[several], found[several]), 4))
    kept = 0
    with open(output, "w", encoding="utf-8") as out:
        out.write("# Weights of what a sentence shows from the place of a name, in hundredths, towards positive and towards\n")
        out.write("# negative. Fitted by scripts/fit_toward.py on SEntFiN (MIT) without its held-out fifth.\n")
        out.write(f"\t{base[0]:.0f}\t{base[1]:.0f}\n")
        for view, up, down in zip(vectors.get_feature_names_out(), *pulls):
            if up or down:
                kept += 1
                out.write(f"{view}\t{up:.0f}\t{down:.0f}\n")
    print("weights", kept, "of", len(pulls[0]))


if __name__ == "__main__":
    main(*sys.argv[1:])
