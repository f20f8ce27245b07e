#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""How many names the first picture shows.

Counts, in the rows of the chart: labels that are the whole name of a function of the profile, or
the file and line of a function without a name; and labels without the sign of a cut, whole names
and beginnings. Rows of the trunk (analyse/trunk.h), folded or not, do not count; SKIP is the
number of such rows of a program that does not fold them.

usage: labels.py PROFILE PROGRAM[:SKIP]...

Several programs are compared with the first one. PROFILE: a .cpuprofile, which may be packed
with gzip; compile.cpuprofile.gz beside this script is a run of Babel over 36 modules.
"""
import gzip
import json
import re
import subprocess
import sys


def names_of(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as f:
        nodes = json.load(f)["nodes"]
    names = set()
    for node in nodes:
        frame = node["callFrame"]
        names.add(frame["functionName"] or "(anonymous)")
        if not frame["functionName"] and frame["url"]:
            names.add("%s:%d" % (frame["url"].rsplit("/", 1)[-1], frame["lineNumber"] + 1))
    return names


def chart_rows(picture, skip):
    """The rows between the title of the lane and the pane."""
    rows = [line[:-1] for line in picture.split("\n") if line.endswith("|")]
    first = next(i for i, row in enumerate(rows) if "samples" in row and "thread" in row) + 1
    last = next((i for i, row in enumerate(rows) if i > first and "Bottom-up" in row), len(rows) - 2)
    return [row for row in rows[first + skip:last] if "frames" not in row[:14]]


def count(path, program, skip, names):
    picture = subprocess.run([program, "--render=160x48", path], check=True,
                             stdout=subprocess.PIPE, text=True).stdout
    labels = [label for row in chart_rows(picture, skip)
              for label in re.split("[\u2502-\u2595\u25c6\u2248 ]+", row)
              if any(c.isalpha() for c in label)]
    return (sum(label in names for label in labels),
            sum("\u2026" not in label for label in labels))


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__.strip())
    names = names_of(arguments[0])
    first = None
    for argument in arguments[1:]:
        program, _, skip = argument.partition(":")
        whole, unmarked = count(arguments[0], program, int(skip or 0), names)
        first = first or (whole, unmarked)
        print("%4d whole names, %.2f times; %4d without the sign of a cut, %.2f times  %s"
              % (whole, whole / first[0], unmarked, unmarked / first[1], program))


if __name__ == "__main__":
    main(sys.argv[1:])
