#!/usr/bin/env python3
"""Checks the licences, sources and bans of deny.toml over the locked dependencies, offline.

`cargo deny` does the same and more where it is installed; this needs only cargo and Python.
"""
import json
import pathlib
import re
import subprocess
import sys
import tomllib

root = pathlib.Path(__file__).resolve().parent.parent
rules = tomllib.loads((root / "deny.toml").read_text())
allowed = set(rules["licenses"]["allow"])
exceptions = {(row["crate"]): set(row["allow"]) for row in rules["licenses"].get("exceptions", [])}
banned = {row["crate"] for row in rules["bans"].get("deny", [])}
metadata = json.loads(
    subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--locked"], cwd=root, check=True, capture_output=True
    ).stdout
)


def permitted(expression, also):
    """Whether an SPDX expression can be satisfied with the allowed licences."""
    tokens = re.findall(r"\(|\)|[^\s()]+", expression.replace("/", " OR "))
    python = []
    for token in tokens:
        if token in "()":
            python.append(token)
        elif token in ("OR", "AND"):
            python.append(token.lower())
        elif token == "WITH":
            python[-1] = "WITH"
        elif python and python[-1] == "WITH":
            python[-1] = "True"
        else:
            python.append(str(token in allowed or token in also))
    return eval(" ".join(python), {"__builtins__": {}})  # only words of this list: True, False, and, or, brackets


problems = []
for package in metadata["packages"]:
    name, licence, source = package["name"], package["license"], package["source"]
    if source is None:
        continue
    if not (source.startswith("registry+") or source.startswith("sparse+")):
        problems.append(f"{name}: comes from {source.split('?')[0]}, not from a registry")
    if name in banned:
        problems.append(f"{name}: banned")
    if not licence or not permitted(licence, exceptions.get(name, set())):
        problems.append(f"{name}: licence {licence or 'unknown'} is not allowed")
print(f"{len(metadata['packages'])} packages, {len(problems)} problems")
for problem in problems:
    print(problem)
sys.exit(bool(problems))
