# SPDX-License-Identifier: GPL-2.0-or-later
"""What an agent reads until it knows the culprit, its caller and its hottest line.

usage: tokens.py PROGRAM DIRECTORY      recordings, and index.json with what is planted in each

Prints a row for each recording. Of the culprit, the caller with most time and the line with most
ticks are found here, from the nodes of the file. Fails below what was reached once.

With $PROFILER_CLI, the program of @firefox-devtools/profiler-cli, what that one prints until culprit
and caller are known stands beside it: load, and the shortest tree of callers that has both, as if
its length were known before; and load with the tree as it is printed by default. Nothing in the tree
says which of its functions is to blame. 0.10.0: culprit and caller in 23 of 24, 293 tokens by the
shortest tree (167 to 1,460), 2,279 by default; flametty names both in 24 of 24, by 359.
"""
import collections
import json
import os
import re
import signal
import subprocess
import sys
import time

program, directory = sys.argv[1:]
LEAST = {"culprit": 22, "caller": 22, "line": 20}


def report(path, *args):
    return subprocess.run([program, "report", *args, path], capture_output=True, text=True,
                          check=True).stdout


def profiler_cli(path, pattern, callers):
    """The bytes of the two calls; 0: no tree has culprit and caller. Its default tree, too."""
    def call(*args):
        return subprocess.run([os.environ["PROFILER_CLI"], *args], capture_output=True, text=True,
                              check=True).stdout

    def is_known(tree):
        rows = tree.split("\n")
        return any(re.search(pattern, row) and
                   (not callers or any(c in below for c in callers))
                   for row, below in zip(rows, rows[1:]))

    for tries_left in range(20, -1, -1):
        try:
            load = call("load", path)
            break
        except subprocess.CalledProcessError as e:  # on a busy machine: not ready within 500 ms
            daemon = re.search(r"running as pid (\d+)", e.stderr)
            if not tries_left or not daemon:
                raise
            os.kill(int(daemon[1]), signal.SIGTERM)
            time.sleep(1)
    try:
        tree = "thread", "samples-bottom-up"
        lengths = 3, 6, 12, 25, 50, 100, 200, 400, 800
        trees = (call(*tree, f"--max-lines={n}") for n in lengths)
        least = next((t for t in trees if is_known(t)), "")
        return least and len((load + least).encode()), len((load + call(*tree)).encode())
    finally:
        call("stop", "--all")


def truth(path, pattern):
    """The function with most time whose name matches: its name, callers by time, hottest line."""
    with open(path) as file:
        profile = json.load(file)
    nodes = {n["id"]: n for n in profile["nodes"]}
    parent = {c: n["id"] for n in profile["nodes"] for c in n.get("children", [])}
    hits = collections.Counter(profile["samples"])
    key = lambda i: (nodes[i]["callFrame"]["functionName"], nodes[i]["callFrame"]["url"],
                     nodes[i]["callFrame"]["lineNumber"])
    total, callers, lines = (collections.Counter(), collections.defaultdict(collections.Counter),
                             collections.defaultdict(collections.Counter))
    for leaf, n in hits.items():
        seen, at = set(), leaf
        while at is not None:
            if key(at) not in seen:
                total[key(at)] += n
            seen.add(key(at))
            up = parent.get(at)
            if up is not None and key(up) != key(at):
                callers[key(at)][key(up)] += n
            at = up
    for n in nodes.values():
        for tick in n.get("positionTicks", []):
            lines[key(n["id"])][tick["line"]] += tick["ticks"]
    names = [k for k in total if re.search(pattern, k[0])]
    if not names:
        return None, set(), None
    culprit = max(names, key=lambda k: total[k])
    # An anonymous function is named by its file.
    callers = {k[0] or os.path.basename(k[1]) for k, _ in callers[culprit].most_common(1)}
    line = lines[culprit].most_common(1)
    return culprit[0], callers - {"(root)"}, line[0][0] if line else None


def main():
    with open(os.path.join(directory, "index.json")) as file:
        files = json.load(file)["files"]
    score, tokens, others, defaults, first = collections.Counter(), [], [], [], []
    print(f"{'recording':28} {'--size=1600':>11} {'whole':>7} {'raw':>7}  culprit caller line" +
          ("   profiler-cli: least, default" if "PROFILER_CLI" in os.environ else ""))
    for name, patterns in files.items():
        path = os.path.join(directory, name)
        text = report(path, "-f", "md", "--size=1600")
        assert len(text.encode()) <= 1600, name
        first.append(len(text.encode()))
        whole = report(path, "-f", "md")
        culprit, callers, line = truth(path, patterns[0])
        row = next((t for t in text.split("\n") if culprit and
                    re.match(rf"- `[^`]*{re.escape(culprit)}`", t)), "")
        found = {"culprit": bool(re.search(patterns[0], text)),
                 # Without a function, such as module loading, there is no caller to name.
                 "caller": not callers or any(f"`{c}" in row.partition("called by")[2]
                                            for c in callers),
                 "line": line is None}
        if row and line is not None:
            id_of = re.search(r"`(f:\w{8})`", row).group(1)
            second = report(path, f"--source={id_of}", "--top=1")
            tokens.append((len(text.encode()) + len(second.encode())) // 4)
            found["line"] = bool(re.search(rf":{line}\b", second.split("hottest lines")[-1]))
        for what, ok in found.items():
            score[what] += ok
        print(f"{name:28} {len(text.encode()) // 4:11} {len(whole.encode()) // 4:7} "
              f"{os.path.getsize(path) // 4:7}  " +
              " ".join(f"{'yes' if ok else 'NO':>7}" for ok in found.values()) +
              ("" if callers else "  (no caller to name)"), end="")
        if "PROFILER_CLI" in os.environ:
            least, default = profiler_cli(path, patterns[0], callers)
            others.append(least)
            defaults.append(default)
            print(f" {least // 4 if least else 'not known':>10} {default // 4:7}", end="")
        print()
    print(f"of {len(files)}: " + ", ".join(f"{k} {score[k]}" for k in LEAST) +
          f"; both calls {sum(tokens) // max(1, len(tokens))} tokens on average")
    if others:
        known = [n for n in others if n]
        print(f"profiler-cli: culprit and caller in {len(known)} of {len(others)}, "
              f"{sum(known) // 4 // max(1, len(known))} tokens on average, by default "
              f"{sum(defaults) // 4 // len(defaults)}; flametty, one call: "
              f"{sum(first) // 4 // len(first)}")
    return any(score[k] < LEAST[k] for k in LEAST)


sys.exit(main())
