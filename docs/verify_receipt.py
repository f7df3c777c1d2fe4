#!/usr/bin/env python3
"""Verify a receipt of Assay without the program that made it, and without a network.

    verify_receipt.py RECEIPT.json --key KEY

KEY is the signer's public key, as base64 or as a PEM file, or its fingerprint `sha256:...`, and must not come from the
receipt. Prints a line for each step; exits with 0 only for a valid receipt. Needs the package `cryptography`.
"""
import argparse
import base64
import hashlib
import json
import pathlib
import re
import sys
from contextlib import contextmanager
from decimal import Decimal

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

VERSION = "assay-receipt-1"
UNSIGNED = {"hash", "signature", "key_id", "public_key", "log", "disclosures"}
LOG = {"index", "size", "root", "proof", "checkpoint"}
NOTE = re.compile("(([^\\s+]+)\n(0|[1-9][0-9]*)\n(\\S+)\n)\n\u2014 \\2 (\\S+)\n")

def need(condition, problem):
    if not condition:
        raise ValueError(problem)

def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()

def from_hex(text):
    need((data := bytes.fromhex(text)).hex() == text, f"{text!r} is not lower-case hexadecimal")
    return data

def from_base64(text, length):
    data = base64.b64decode(text, validate=True)
    # Unused bits of the last digit could hide a change, so the text must be the one that the bytes have.
    need(len(data) == length and base64.b64encode(data).decode() == text, f"{text!r} is not {length} bytes in base64")
    return data

def unique(pairs):
    need(len(dict(pairs)) == len(pairs), "a name is repeated")
    return dict(pairs)

def number(value):
    """A double as ECMAScript writes it: the shortest digits that read back as the same double."""
    sign, digits, exponent = Decimal(repr(float(value))).normalize().as_tuple()
    need(isinstance(exponent, int), "a number is not finite")
    digits, sign = "".join(map(str, digits)), "-" if sign and value else ""
    point = len(digits) + exponent  # where the decimal point stands, counted from the first digit
    if not -6 < point <= 21:
        return f"{sign}{digits[0]}{'.' + digits[1:] if len(digits) > 1 else ''}e{point - 1:+d}"
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    return sign + digits[:point].ljust(point, "0") + ("." + digits[point:] if len(digits) > point else "")

def canonical(value):
    """The text of RFC 8785."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return number(value) if type(value) in (int, float) else json.dumps(value, ensure_ascii=False)

def tree_root(leaf, index, size, proof):
    """The root to which the proof leads, by the definition of RFC 6962."""
    need(0 <= index < size and (size > 1) == bool(proof), "the proof does not fit the size of the log")
    if size == 1:
        return leaf
    left = 1 << (size - 1).bit_length() - 1
    if index < left:
        return sha256(b"\1", tree_root(leaf, index, left, proof[:-1]), proof[-1])
    return sha256(b"\1", proof[-1], tree_root(leaf, index - left, size - left, proof[:-1]))

def trusted_key(text):
    """The key and its fingerprint. Of a fingerprint alone the key is not known."""
    if text is None or text.startswith("sha256:"):
        return None, text and from_hex(text[len("sha256:"):])
    file = pathlib.Path(text)
    key = load_pem_public_key(file.read_bytes()).public_bytes_raw() if file.exists() else from_base64(text, 32)
    return key, sha256(key)

def check(data, key_text=None):
    """The outcome, and each step with its problem, which is None where it passed."""
    (trusted, fingerprint), steps, key = trusted_key(key_text), [], None

    @contextmanager
    def step(name):
        try:
            yield steps.append([name, None])
        except Exception as error:  # whatever goes wrong, the receipt is not accepted
            steps[-1][1] = str(error) or type(error).__name__

    with step("format"):
        need(len(data) <= 1 << 20, "the file is larger than a megabyte")
        receipt = json.loads(data.decode("utf-8"), object_pairs_hook=unique)
        need(receipt["version"] == VERSION, f"the version is not {VERSION}")
        body = canonical({name: receipt[name] for name in receipt if name not in UNSIGNED}).encode("utf-8")
        log = receipt["log"]
        need(set(log) == LOG and type(log["index"]) is type(log["size"]) is int, "the log entry is malformed")
        need(type(opened := receipt.get("disclosures", [])) is list, "the disclosures are malformed")
    if steps[0][1]:
        return "invalid: format", steps
    with step("key"):
        carried = receipt.get("public_key") and from_base64(receipt["public_key"], 32)
        fits = lambda key: key and sha256(key).hex()[:16] == receipt["key_id"] and carried in (None, key)
        key = trusted if fits(trusted) else carried if fits(carried) else None
        need(key, "there is no key with the id that the receipt names")
    with step("hash"):
        need(sha256(body).hex() == receipt["hash"], "the hash is not that of what the receipt says")
    with step("signature"):
        signature = from_base64(receipt["signature"], 64)
        Ed25519PublicKey.from_public_bytes(key).verify(signature, f"{VERSION}\n".encode() + body)
    with step("inclusion"):
        top = tree_root(sha256(b"\0", body), log["index"], log["size"], [from_hex(text) for text in log["proof"]])
        need(top.hex() == log["root"], "the proof does not lead to the root of the log")
    with step("checkpoint"):
        text, name, size, root, signature = NOTE.fullmatch(log["checkpoint"]).groups()
        signature, key_hash = from_base64(signature, 68), sha256(name.encode(), b"\n\1", key)[:4]
        need(name == "assay.log/" + receipt["key_id"] and signature[:4] == key_hash, "the checkpoint has another key")
        Ed25519PublicKey.from_public_bytes(key).verify(signature[4:], text.encode())
    with step("root"):
        need((size, from_base64(root, 32).hex()) == (str(log["size"]), log["root"]), "the checkpoint differs")
    if opened:
        with step("disclosures"):
            hashes = [item["content_hash"] for item in receipt["evidence"]]
            for each in opened:
                salt, name = from_hex(each.pop("salt")), sha256(each.pop("name").encode())
                known = sha256(salt, name, each.pop("content").encode()).hex() in hashes
                need(known and len(salt) == 16 and not each, "what is disclosed is not the private evidence")
    with step("signer"):
        need(key and sha256(key) == fingerprint, "no key that you trust signed this receipt: anyone could have made it")
    failed, unknown = [name for name, problem in steps if problem], "self-consistent, signer unknown"
    return ("valid" if not failed else unknown if failed == ["signer"] else "invalid: " + failed[0]), steps

def main():
    arguments = argparse.ArgumentParser(description="Verify a receipt of Assay.")
    arguments.add_argument("receipt")
    arguments.add_argument("--key", type=lambda text: trusted_key(text) and text, help="public key (base64 or PEM file) or sha256:fingerprint")
    given = arguments.parse_args()
    outcome, steps = check(pathlib.Path(given.receipt).read_bytes(), given.key)
    print("".join(f"FAIL  {name}: {problem}\n" if problem else f"ok    {name}\n" for name, problem in steps) + outcome)
    sys.exit(outcome != "valid")

if __name__ == "__main__":
    main()
