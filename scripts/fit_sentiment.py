"""Fits the word weights of crates/text/data/sentiment/model.tsv.

Fitted on two openly licensed (MIT) collections only: SEntFiN (Indian market headlines with a tone per entity), without
its held-out fifth, and the Twitter financial news set (market tweets, bearish, bullish or neutral). Nothing of other collections goes in; Financial
PhraseBank is read for the printed evaluation alone.

The score that the rules of the crate give is one more input of the fit, so that words and rules share the work:
    cargo run --release -p text --example sentiment -- --rules < texts > scores

Usage: fit_sentiment.py DATA_FOLDER TONE_BINARY OUTPUT   (needs numpy, scipy and scikit-learn)
"""

import collections
import gzip
import json
import re
import subprocess
import sys

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score

from held_out import held_out

CLASSES = ["neutral", "positive", "negative"]
WORD = re.compile(r"[a-z][a-z0-9]*(?:[.'&][a-z0-9]+)*|\d[\d.,]*[a-z]*")


def rows(path):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def words(text):
    """The words as the lexer of the crate cuts them, near enough."""
    text = re.sub(r"https?://\S+", " ", text).lower().replace("’", "'")
    found = []
    for word in WORD.findall(text):
        word = re.sub(r"'s$", "", word).replace(".", "") if word[0].isalpha() else "#"
        found.append(word)
    return found


def grams(text):
    found = words(text)
    return set(found) | {f"{a} {b}" for a, b in zip(found, found[1:])}


def load(folder):
    texts, labels, weights = [], [], []
    for row in rows(f"{folder}/sentiment/sentfin_entity_sentiment.jsonl.gz"):
        tones = set(row["entities"].values())
        if len(tones) == 1 and not held_out(row["title"]):
            texts.append(row["title"])
            labels.append(tones.pop())
            weights.append(1.0)
    side = {"bullish": "positive", "bearish": "negative", "neutral": "neutral"}
    for row in rows(f"{folder}/sentiment/twitter_financial_news_train.jsonl.gz"):
        texts.append(re.sub(r"https?://\S+", "", row["text"]).strip())
        labels.append(side[row["label"]])
        weights.append(1.0)
    return texts, labels, np.array(weights)


def names(texts):
    """Words that are mostly written with a capital inside a sentence: names, which must have no tone of their own."""
    low, high = collections.Counter(), collections.Counter()
    for text in texts:
        for at, word in enumerate(re.findall(r"[A-Za-z][A-Za-z&']*", text)):
            (low if word[0].islower() else high)[word.lower()] += at > 0 or word[0].islower()
    return {word for word, count in high.items() if count > 3 * low[word] and not low[word] >= 5}


def scores(binary, texts):
    joined = "\n".join(text.replace("\n", " ") for text in texts) + "\n"
    out = subprocess.run([binary, "--rules"], input=joined, capture_output=True, text=True, check=True).stdout
    raw = np.clip(np.array([float(line) for line in out.split()]), -4, 4)
    return csr_matrix(np.stack([np.maximum(raw, 0), np.maximum(-raw, 0)], axis=1))


def main(folder, binary, output):
    texts, labels, weights = load(folder)
    named = names(texts)
    vectors = CountVectorizer(analyzer=lambda text: [g for g in grams(text) if not any(w in named for w in g.split())], min_df=3)
    x = vectors.fit_transform(texts)
    if binary:
        x = hstack([x, scores(binary, texts) * 1.0]).tocsr()
    model = LogisticRegression(C=0.1, max_iter=200)
    model.fit(x, labels, sample_weight=weights)
    order = [list(model.classes_).index(name) for name in CLASSES]
    coefficients, intercept = model.coef_[order], model.intercept_[order]
    positive, negative = coefficients[1] - coefficients[0], coefficients[2] - coefficients[0]
    bank = rows(f"{folder}/sentiment/financial_phrasebank_50agree.jsonl.gz")
    test = vectors.transform([row["text"] for row in bank])
    if binary:
        test = hstack([test, scores(binary, [row["text"] for row in bank])]).tocsr()
    for name, x, y in (("fitted", x, labels), ("PhraseBank", test, [row["label"] for row in bank])):
        guess = model.predict(x)
        print(name, "accuracy", round(accuracy_score(y, guess), 4), "macro F1", round(f1_score(y, guess, average="macro"), 4))
    vocabulary = vectors.get_feature_names_out()
    with open(output, "w", encoding="utf-8") as out:
        out.write("# Weights of words and pairs of words, in hundredths, towards positive and towards negative. Fitted by\n")
        out.write("# scripts/fit_sentiment.py on SEntFiN and the Twitter financial news set (both MIT).\n")
        out.write(f"\t{round(100 * (intercept[1] - intercept[0]))}\t{round(100 * (intercept[2] - intercept[0]))}\n")
        if binary:
            at = len(vocabulary)
            for name, column in (("+", at), ("-", at + 1)):
                out.write(f"{name}\t{round(100 * positive[column])}\t{round(100 * negative[column])}\n")
        for word, up, down in zip(vocabulary, positive, negative):
            if max(abs(up), abs(down)) >= 0.12:
                out.write(f"{word}\t{round(100 * up)}\t{round(100 * down)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
