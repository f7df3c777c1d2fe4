"""Trains the shipped encoder further, so that it pays attention to who did what to whom. Its weights are not shipped (docs/decisions/0023).

Training starts from weights written by `fit_encoder.py` or `distil_encoder.py`. One pass mixes three kinds of pairs:

- told: the relations in RELATIONS.tsv, each of which has several wordings with two parties. Claim and passage name the parties in the same order or
  in opposite order;
- exchanged: pairs from the training folder and from the written claims in which the passage supports the claim and both have two names. The names are
  swapped in the claim, in the passage and in both;
- kept: unchanged pairs. Here the output of the original weights is a target in addition to the labels, so that nothing is forgotten.

In the first two kinds each claim has as many supporting as contradicting passages, and each passage as many supported as contradicted claims, so neither
predicts the label on its own. An eighth of the relations and of the written items is held out. The weights written are an average of the original
and the trained weights.

Usage: fit_encoder_order.py PAIRS.tsv RELATIONS.tsv FROM.bin OUT.bin SHARE   (PAIRS.tsv and requirements as for `fit_encoder.py`; SHARE is the share of
the trained weights in the average; 36 minutes on two cores, and a few more for the report. The trained weights are saved next to OUT.bin, so that
another SHARE needs no training.)
"""

import pathlib
import random
import re
import sys
import time

import numpy as np
import pandas
import torch
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional

import fit_encoder
from fit_encoder import WRITTEN, Encoder, batch, encoded, is_kept_out

TOLD, KEPT, SECONDS = 52, 26_000, 2_160
RATE = 8e-5
# Share of the given weights' answer in the loss of pairs that are kept, and its temperature.
SHARE, TEMPERATURE = 0.7, 1.5
SUPPORTS, CONTRADICTS, NEUTRAL = range(3)

NAMES = dict(
    company="""Apple Microsoft Siemens Toyota Nestlé Pfizer Boeing Airbus Intel Nvidia Samsung Sony Volkswagen Ford BP Shell Walmart Target Netflix Disney
    Oracle SAP Bayer Roche Novartis Unilever Danone Adidas Nike Tesla BYD Alibaba Tencent Visa Mastercard Citigroup UBS Barclays HSBC AXA Allianz FedEx UPS
    Uber Lyft Spotify Zoom Adobe Dell HP Kroger Albertsons General_Electric Rio_Tinto Warner_Bros. Goldman_Sachs Deutsche_Bank Philip_Morris Eli_Lilly""",
    country="""France Germany Italy Spain Poland Hungary Russia Ukraine Turkey Iran Iraq Israel Egypt Sudan Kenya Nigeria Ghana Brazil Argentina Chile Peru
    Mexico Canada China Japan Vietnam India Pakistan Bangladesh Indonesia Australia Sweden Norway Finland Denmark Austria Greece Serbia Armenia Azerbaijan
    Georgia Kazakhstan Qatar Yemen Lebanon Syria Jordan Morocco Algeria South_Africa South_Korea North_Korea New_Zealand Saudi_Arabia""",
    person="""Keller Okafor Lindqvist Moreau Tanaka Silva Novak Brandt Haddad O'Brien Petrov Fischer Rossi Nguyen Kowalski Jensen Costa Weber Ahmed Singh
    Park Sato Lopez Murphy Hughes Carter Bennett Foster Hayes Turner Walsh Bauer Ivanov Dubois Marino Larsen Andersson Horvath Yilmaz Rahman""",
    team="""Arsenal Chelsea Liverpool Everton Barcelona Sevilla Valencia Juventus Roma Napoli Ajax Feyenoord Porto Benfica Celtic Rangers Dortmund Leipzig
    Bayern_Munich Real_Madrid Manchester_City Paris_Saint-Germain the_Lakers the_Celtics the_Yankees the_Dodgers the_Packers the_Cowboys""",
    body="""the_Senate the_House the_Supreme_Court the_European_Commission the_Bundestag Congress Parliament the_White_House the_Treasury the_Pentagon the_FBI
    the_CIA the_UN the_WHO NATO the_Red_Cross the_city_council the_governor the_mayor the_teachers'_union the_university the_central_bank the_police
    the_army the_church the_regional_court the_prosecutor the_ministry the_regulator the_General_Assembly the_hospital the_farmers the_students""",
    thing="""coffee tea copper gold silver wheat rice stress insomnia fever exercise obesity milk butter steel concrete inflation unemployment wages rents
    oil coal solar_power wind_power electric_cars trains the_Nile the_Amazon vitamin_D asthma sugar salt poverty crime the_euro the_dollar""",
)
NAMES = {kind: [name.replace("_", " ") for name in names.split()] for kind, names in NAMES.items()}
FIRST_NAMES = "Anna Maria Peter Thomas Laura Daniel Elena Omar Julia Martin Sofia Paul".split()
FIRST_NAME_SHARE, FILLED_SHARE = 0.4, 0.6

CAPITAL = re.compile(r"[A-Z][\w.'’-]*\w(?: [A-Z][\w.'’-]*\w)*")
# What both are or do together, or what nobody can tell apart.
TOGETHER = re.compile(
    r"\b(both|between|meets?|met|marr\w+|merge[rds]*|each other|tie[ds]?|drew|together|neighbou?r\w*|border\w*|alongside|versus|vs|like|same|also known|called)\b"
)
COMMON = set("""The A An In On At It He She They We This That There His Her Its Their After Before While When As But And Or If For From By With No Not One
Two Many Some Most All New More I You What Who How Why""".split())


def relations(path):
    for line in pathlib.Path(path).read_text().splitlines():
        if line and not line.startswith("#"):
            kind, forms = line.split("\t")
            yield kind, forms.split(" / ")


def told(path, fillers, kept_out):
    """Pairs of relations, four or six at a time."""
    chance, rows = random.Random(3), []
    all_relations = list(relations(path))
    for kind, forms in all_relations:
        if is_kept_out(forms[0]) != kept_out:
            continue
        others = [own for of, own in all_relations if of == kind and own is not forms and not is_kept_out(own[0])]
        for _ in range(TOLD):
            claimed, said = chance.choice(forms), chance.choice(forms)
            one, other, third = chance.sample(NAMES[kind], 3)
            full = lambda name: name
            if kind == "person" and chance.random() < FIRST_NAME_SHARE:
                first = dict(zip((one, other, third), chance.sample(FIRST_NAMES, 3)))
                full = lambda name: f"{first[name]} {name}"
            filler = chance.sample(fillers, 2) if chance.random() < FILLED_SHARE else []
            filled = filler[: chance.randint(1, 2)] if filler else []
            place = chance.randint(0, len(filled))

            def passage(form, first, second):
                sentences = [*filled[:place], sentence(form, full(first), full(second)), *filled[place:]]
                return " ".join(sentences)

            for of_claim in ((one, other), (other, one)):
                claim = sentence(claimed, *of_claim)
                for of_passage in ((one, other), (other, one)):
                    rows.append((int(of_claim != of_passage), claim, passage(said, *of_passage)))
                if chance.random() < 0.2:
                    rows.append((NEUTRAL, claim, passage(chance.choice(chance.choice(others)), *chance.sample(of_claim, 2))))
                if chance.random() < 0.2:
                    rows.append((NEUTRAL, claim, passage(said, *chance.sample([of_claim[0], third], 2))))
    return pandas.DataFrame(rows, columns=["class", "claim", "passage"])


def sentence(form, one, other):
    text = form.format(A=one, B=other) + "."
    return text[0].upper() + text[1:]


def names(claim, passage):
    """Two names of the claim that the passage has, neither within the other, with what stands between them."""
    found = []
    for match in CAPITAL.finditer(claim):
        name, start = match.group(), match.start()
        if start == 0:
            first, _, rest = name.partition(" ")
            if first in COMMON:
                name, start = rest, len(first) + 1
            elif first.lower() in passage.split():
                continue
        name = name.removesuffix("'s").removesuffix("’s")
        if len(name) > 2 and name not in COMMON and re.search(rf"\b{re.escape(name)}\b", passage):
            found.append((start, name))
    if len(found) != 2 or found[0][1] in found[1][1] or found[1][1] in found[0][1]:
        return None
    (start, one), (end, other) = found
    between = claim[start + len(one) : end]
    words = [word for word in re.findall(r"[a-z]+", between) if word not in {"and", "or", "the", "of", "in", "s", "a", "at", "on"}]
    if not words or TOGETHER.search(claim):
        return None
    return one, other


def exchange(text, one, other):
    """The text with two names exchanged; the last word of a name by itself stands for it."""
    pairs = [(one, other)]
    last = one.split()[-1], other.split()[-1]
    if last != (one, other):
        pairs.append(last)
    marks = {}
    for first, second in pairs:
        for name, instead in ((first, second), (second, first)):
            mark = chr(0xE000 + len(marks))
            marks[mark] = instead
            text = re.sub(rf"\b{re.escape(name)}\b", mark, text)
    for mark, instead in marks.items():
        text = text.replace(mark, instead)
    return text


def exchanged(frame):
    """Each supporting pair with two names, with them exchanged in the claim, in the passage and in both."""
    rows = []
    for claim, passage, group in frame.loc[frame["class"] == SUPPORTS, ["claim", "passage", "group"]].itertuples(index=False):
        found = names(claim, passage)
        if found is None:
            continue
        claims, passages = ([text, exchange(text, *found)] for text in (claim, passage))
        if claims[0] == claims[1] or passages[0] == passages[1]:
            continue
        for first, own in enumerate(claims):
            for second, said in enumerate(passages):
                rows.append((int(first != second), own, said, group))
    return pandas.DataFrame(rows, columns=["class", "claim", "passage", "group"])


def pairs(frame, path):
    """The pairs of one pass, with whether they are kept as they are."""
    core = fit_encoder.of_training(frame)
    is_written = frame["file"].isin(WRITTEN)
    written = frame[is_written & ~frame["group"].map(is_kept_out)]
    fillers = list(dict.fromkeys(written.loc[(written["class"] == NEUTRAL), "passage"]))
    fillers = [text.split(". ")[0].removesuffix(".") + "." for text in fillers if 30 < len(text.split(". ")[0]) < 160]
    turned = exchanged(pandas.concat([core[core["file"].isin(fit_encoder.BESIDE)], written]))
    own = [told(path, fillers, False), turned]
    once = fit_encoder.one_pass(frame, core, 1)
    kept = once.sample(min(KEPT, len(once)), random_state=5)
    print("told", len(own[0]), "exchanged", len(turned), "kept", len(kept), flush=True)
    of_order = pandas.concat(own).assign(is_kept=False)
    rows = pandas.concat([of_order, kept.assign(is_kept=True)])[["class", "claim", "passage", "is_kept"]]
    tests = dict(told=told(path, fillers, True), exchanged=exchanged(frame[is_written & frame["group"].map(is_kept_out)]))
    tests["kept out"] = frame[is_written & frame["group"].map(is_kept_out)].reset_index(drop=True)
    return rows.sample(frac=1, random_state=6).reset_index(drop=True), tests


def train(model, given, tokenizer, frame):
    """One pass, or as much of it as there is time for."""
    inputs, labels = encoded(tokenizer, frame), torch.tensor(frame["class"].to_numpy())
    is_kept = torch.tensor(frame["is_kept"].to_numpy())
    batches = fit_encoder.batches_of(inputs)
    fitted = [weight for weight in model.parameters() if weight.requires_grad]
    steps = torch.optim.AdamW(fitted, lr=RATE, weight_decay=0.01, fused=True)
    warm = lambda logarithms: functional.log_softmax(logarithms / TEMPERATURE, 1)
    model.train()
    given.eval()
    started, losses = time.monotonic(), []
    for number, rows in enumerate(batches):
        done = max(number / len(batches), (time.monotonic() - started) / SECONDS)
        if done >= 1:
            break
        for group in steps.param_groups:
            group["lr"] = RATE * min((number + 1) / 150, max(0.02, (1 - done) / 0.9), 1.0)
        scores = model(*batch([inputs[row] for row in rows]))
        loss = functional.cross_entropy(scores, labels[rows], label_smoothing=0.05, reduction="none")
        kept = is_kept[rows].nonzero()[:, 0]
        if len(kept):
            with torch.no_grad():
                shares = given(*batch([inputs[rows[place]] for place in kept]))
            apart = functional.kl_div(warm(scores[kept]), warm(shares), reduction="none", log_target=True).sum(1)
            loss = loss.index_put((kept,), SHARE * TEMPERATURE**2 * apart + (1 - SHARE) * loss[kept])
        loss = loss.mean()
        steps.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(fitted, 1.0)
        steps.step()
        losses.append(loss.item())
        if number % 50 == 49:
            print(f"{number + 1} of {len(batches)}: {np.mean(losses[-50:]):.3f}, {time.monotonic() - started:.0f} s", flush=True)


def report(model, tokenizer, tests):
    for name, frame in tests.items():
        answers, labels = fit_encoder.read(model, tokenizer, frame).argmax(1).numpy(), frame["class"].to_numpy()
        found = [np.mean(answers[labels == kind] == kind) for kind in range(3) if (labels == kind).any()]
        alone = fit_encoder.read(model, tokenizer, frame.assign(passage="")).argmax(1).numpy()
        print(f"{name}: {len(frame)}, right {['%.3f' % share for share in found]}, the claim alone {np.mean(alone == labels):.3f}", flush=True)


def main(pairs_file, relations_file, from_file, out_file, share):
    frame = pandas.read_csv(pairs_file, sep="\t", quoting=3, usecols=["class", "group", "claim", "passage"], keep_default_na=False)
    frame["file"] = frame["group"].str.split("/").str[0]
    folder, tokenizer = fit_encoder.published()
    torch.manual_seed(1)
    given, model = (Encoder(load_file(folder / "model.safetensors")) for _ in range(2))
    fit_encoder.load(given, from_file)
    fit_encoder.load(model, from_file)
    rows, tests = pairs(frame, relations_file)
    fitted = pathlib.Path(f"{out_file}.fitted")
    if fitted.exists():
        model.load_state_dict(torch.load(fitted))
    else:
        train(model, given, tokenizer, rows)
        torch.save(model.state_dict(), fitted)
    with torch.no_grad():
        for own, first in zip(model.parameters(), given.parameters()):
            own.copy_(float(share) * own + (1 - float(share)) * first)
    fit_encoder.write(model, out_file)
    report(model, tokenizer, tests)
    golden = pandas.DataFrame(fit_encoder.GOLDEN, columns=["claim", "passage"])
    print(fit_encoder.read(model, tokenizer, golden))


if __name__ == "__main__":
    main(*sys.argv[1:])
