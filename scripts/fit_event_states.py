"""Makes crates/text/data/events/states.bin: whether the event that a sentence reports is stated, still expected, or denied.

Reads what `evals --event-features FILE` wrote of the sentences that were labelled by reading them and of what was written for fitting, the headlines for
roles among them (crates/evals/labels/events.tsv, event_headlines.tsv, event_sentences.tsv, event_role_headlines.tsv). Sentences that report no event are left
out. What is kept back in `fit_events.py` is kept back here.

Usage: fit_event_states.py FEATURES OUT_FOLDER [check]   (needs numpy and scipy; `check` fits two thirds and measures on the rest)
"""

import pathlib
import struct
import sys

import fit_events
import numpy as np

STATES = ["stated", "expected", "denied"]
WRITTEN = 0.7


def tell(what, weights, values, places):
    logits = values @ weights
    shares = np.exp(logits - logits.max(1, keepdims=True))
    shares /= shares.sum(1, keepdims=True)
    print(f"{what}: {len(places)} events, {np.bincount(places, minlength=3)} as labelled")
    for least in (0.3, 0.4, 0.5, 0.6, 0.7):
        shown = []
        for state in (1, 2):
            found = shares[:, state] >= least
            right = (found & (places == state)).sum()
            shown.append(f"{STATES[state]} {right / max(found.sum(), 1):.3f} {right / max((places == state).sum(), 1):.3f}")
        print(f"  least share {least}: precision, recall of " + ", ".join(shown), flush=True)


def main(features, out_folder, *what):
    sentences, values = fit_events.read(features)
    of_event = np.array([state in STATES for _, _, _, state in sentences])
    chosen = np.flatnonzero(of_event)
    values, sentences = values[chosen], [sentences[at] for at in chosen]
    parts = np.array([part for part, _, _, _ in sentences])
    sources = np.array([source for _, source, _, _ in sentences])
    places = np.array([STATES.index(state) for _, _, _, state in sentences])
    states = np.eye(3)[places]
    counts = np.where(sources == "written", WRITTEN, 1.0)
    fitted = parts != "kept back"
    if what:
        apart = (chosen // 50 % 3 == 0) & (parts == "fit") & (sources != "written")
        fitted &= ~apart
        weights = fit_events.fit_kinds(values[fitted], states[fitted], counts[fitted])
        tell("a third", weights, values[apart], places[apart])
        return
    weights = fit_events.fit_kinds(values[fitted], states[fitted], counts[fitted])
    tell("kept back", weights, values[~fitted], places[~fitted])
    most = np.abs(weights).max()
    out = pathlib.Path(out_folder)
    (out / "states.bin").write_bytes(struct.pack("<f", most / 127) + fit_events.as_bytes(weights, most).tobytes())


if __name__ == "__main__":
    main(*sys.argv[1:])
