#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# flametty-limits(7) states every limit, and each is held.
#
# 1. Each macro of src/read, src/source, src/model, src/base/stream and src/base/json with MAX in
#    its name is an item of the page, with its value; but not those of `tuning`, which limit nothing
#    that a file has (NAME, or NAME=VALUE where others have the name, too). Each item of the page is a macro of src/ with that value.
# 2. Inputs just below and just above limits: limits.py. What it does not try is in `untried`, with
#    the reason: a limit that is in neither fails.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
flametty=${FLAMETTY:-$PWD/flametty}
[ -x "$flametty" ] || { echo "no program: $flametty"; exit 99; }
python3 -c '' 2>/dev/null || { echo "no python3"; exit 77; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
LC_ALL=C.UTF-8 TZ=UTC HOME=$work XDG_CONFIG_HOME=$work XDG_STATE_HOME=$work
export LC_ALL TZ HOME XDG_CONFIG_HOME XDG_STATE_HOME
unset NO_COLOR COLUMNS LINES FLAMETTY_SECURE
failed=0

python3 - "$top" <<'END' || failed=1
import os, re, sys

top = sys.argv[1]
tuning = set("""PREFETCH_MAX LINE_END_MAX LIST_WALK_MAX YIELDS_MAX BLOCK_MAX NUMBER_MAX CHUNKS_MAX
SUM_MAX SLICE_ARENA_MAX SLICE_QUEUE_MAX LABELS_MAX UNITS_MAX DATE_MAX MAX_BACK LISTED_MAX TEXTS_KEPT_MAX
BYTES_MAX=262144 THREADS_MAX=16""".split())
rooms = ("src/read", "src/source", "src/model", "src/base/stream", "src/base/json")
constants = {"UINT32_MAX": 2**32 - 1, "INT32_MAX": 2**31 - 1, "PAIR_OFFSET_BITS": 36}


def value(text):
    text = re.sub(r"/\*.*", "", text)
    text = re.sub(r"\((size_t|int64_t|uint32_t|uint64_t|int)\)", "", text)
    text = re.sub(r"U?INT(32|64)_C\((\w+)\)", r"\2", text)
    text = re.sub(r"\b(0x[0-9A-Fa-f]+|\d+)[uUlL]+", r"\1", text)
    for name, number in constants.items():
        text = text.replace(name, str(number))
    text = re.sub(r"\b0+(?=\d)", "", text.replace("/", "//"))
    return eval(text) if re.fullmatch(r"[\s\d()<>+*/xA-Fa-f-]+", text) else None


found, all_of = {}, {}
for folder, _, files in os.walk(os.path.join(top, "src")):
    for file in files:
        if not file.endswith((".c", ".h")):
            continue
        path = os.path.relpath(os.path.join(folder, file), top)
        for line in open(os.path.join(top, path), encoding="utf-8"):
            macro = re.match(r"#define (\w+)\s+(\S.*)", line)
            number = value(macro[2]) if macro else None
            if number is None:
                continue
            all_of.setdefault((macro[1], number), path)
            if re.search(r"(^|_)MAX(_|$)", macro[1]) and path.startswith(rooms):
                found[macro[1], number] = path
units = {"": 1, " KiB": 1 << 10, " MiB": 1 << 20, " GiB": 1 << 30}
page = set()
for line in open(os.path.join(top, "man/flametty-limits.7"), encoding="utf-8"):
    item = re.fullmatch(r"\.It Li (\w+) , ([\d,]+)( [KMG]iB)?\n", line)
    if item:
        page.add((item[1], int(item[2].replace(",", "")) * units[item[3] or ""]))
bad = ["%s: %s %d is not in flametty-limits(7)" % (found[key], *key)
       for key in sorted(found) if key not in page and not tuning & {key[0], "%s=%d" % key}]
bad += ["flametty-limits(7): no macro %s of the value %d" % key for key in sorted(page) if key not in all_of]
# Why a limit is not tried here; NAME=VALUE where others have the name, too.
untried = dict.fromkeys("""JSON_READ_TEXT_MAX CPU_VALUE_MAX MEMBER_MAX RAW_MAX BYTES_MAX GIVEN_BYTES_MAX
TRACE_EVENT_MAX MAPPINGS_TEXT_MAX CPU_NODES_MAX NODES_MAX SLOT_SPARSE_MAX TRACE_PAIRS_MAX PAIR_NAME_MAX
SLICE_LANE_MAX FLOW_BIND_MAX LABELS_SETS_MAX SCOPES_MAX EVENT_HITS_MAX VIEW_NODES_MAX
NAMES_MAX=8000000 VALUE_MAX=268435456 SNIFF_MAX""".split(), "needs hundreds of megabytes, or more")
untried.update(dict.fromkeys("""PROFILE_TIME_MAX LABEL_LANES_MAX CALLTREE_MAX_ROWS BOXES_MAX BOXES_ROWS_MAX
SVG_BYTES_MAX CHART_BYTES_MAX HISTORY_FILE_MAX USER_FILE_MAX FIELD_MAX ROWS_MAX MAX_FOLDERS
MAX_FILES EVENT_MAX JSON_REPAIR_DEPTH""".split(), "a unit test or another test has it"))
untried.update(dict.fromkeys("""ESCAPE_MAX SOURCE_LEX_MAX PAIR_WAITING_MAX""".split(), "nothing can be seen beyond it"))
untried.update(dict.fromkeys("""THREADS_MAX""".split(), "needs as many processors"))
cases = open(os.path.join(top, "tests/limits.py"), encoding="utf-8").read()
for name in sorted({name for name, number in page if not untried.keys() & {name, "%s=%d" % (name, number)}}):
    n_wanted = sum(key[0] == name and "%s=%d" % key not in untried for key in page)
    if cases.count('("%s", ' % name) < n_wanted:
        bad.append("flametty-limits(7): %s is tried by too few cases of limits.py" % name)
print("\n".join(bad) if bad else "limits: %d in the manual" % len(page))
sys.exit(1 if bad else 0)
END
[ $failed = 0 ] || exit 1
python3 "$top/tests/limits.py" "$flametty" "$work"
