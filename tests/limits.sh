#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# flametty-limits(7) states every limit, and each is held.
#
# 1. Each macro of src/ with MAX in its name is an item of the page, with its value; but not those of `tuning`, which
#    cut nothing that a user looks for (NAME, or NAME=VALUE where others have the name, too), nor those of `looks`,
#    by which pictures and sentences are short. Each item of the page is a macro of src/ with that value.
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
tuning |= set("""ANCESTORS_MAX ACTIVITY_MAX AMOUNT_WORDS_MAX ASKED_MAX BYTES_MAX=96 CELLS_MAX CODE_MAX COMMAND_MAX
COMPARED_MAX COMPARE_SPLITS_MAX COPY_MAX COUNTER_MAX DELAY_MAX_US DESCRIBED_MAX DIFF_COUNT_MAX DIFF_REPORT_P_MAX
ENDS_MAX ERASED_MAX ERROR_PATH_MAX FDS_MAX FILES_MAX FILE_BYTES_MAX FILE_MAX FRAMES_CONTROL_MAX GAP_MAX
HASH_TABLE_INDEX_MAX HEAP_MAX HEAP_MAX_BYTES HELPER_PATH_MAX HTTP_BODY_MAX HTTP_HEAD_MAX INSPECTOR_UNREAD_MAX
LINE_BYTES_MAX LINKS_MAX LISTENERS_MAX LOOKED_MAX=20000 MARKS_MAX=52 MARK_MAX MAX_COUNT MAX_DROPPED MAX_OPEN
MAX_RELIEFS MAX_ROWS MAX_SAMPLES MAX_TRIES MOVES_MAX MOVE_MAX NAMES_MAX=1000 NAME_BYTES_MAX NEAR_MAX NEAR_WORD_MAX
NOTE_MAX=65536 NUMBER_MAX OPENED_MAX OPEN_MAX=1000 PAIRS_MAX PART_MAX PEERS_MAX PROGRESS_TEXT_MAX RANKSUM_EXACT_MAX
READS_MAX READ_MAX RECORDING_MAX RESERVE_MAX SCHEME_MAX SCORE_UNITS_MAX SCREEN_MAX_HINTS SECTIONS_MAX SETS_MAX
SETTINGS_MAX SGR_MAX SHIFT_MAX SHRINKS_MAX SIGNAL_MAX START_MAX TEXT_CELLS_MAX THREADS_MAX=4 TIMES_MAX TIME_MAX
TRIES_MAX UNANSWERED_MAX UNDO_MAX VARIABLES_MAX VERSION_MAX WAITING_MAX WAIT_MAX WATCHED_MAX WEBSOCKET_HEAD_MAX
WORD_MAX CALLS_MAX=10000000 PACKAGE_MAX MATCH_NAME_MAX""".split())
looks = set("""BEATS_MAX BEGINNING_MAX BOXES_CUT_MAX CALLERS_MAX CALLOUT_MAX CALLS_MAX=2 CHAIN_MAX CHARS_MAX
ELEMENTS_MAX EVEN_MAX FILE_MAX=22 FUNCTIONS_MAX FUNCTION_MAX HINT_NAME_MAX HOSTS_MAX=2 HOTTEST_MAX JOINED_MAX LEAD_MAX
LEFT_MAX LINES_MAX LOOKED_MAX=256 LOOKS_MAX=8 MAX_ABOVE MAX_BYTES MAX_KEYS MAX_THROUGH NAMED_MAX=3 NAMES_MAX=2
NOTE_MAX=40 ORIGINS_MAX OWNERS_MAX PAGES_MAX=4 REPORT_LEAD_MAX ROUTES_MAX SAID_MAX SHARES_MAX SHORT_LINE_MAX
SIDE_NAME_MAX SPENT_MAX STACK_MAX=10 STACK_MAX=12 STEPS_MAX STRETCHES_MAX TEXT_MAX TICKS_MAX VALUES_MAX WHOLE_NAME_MAX
WINDOW_NAME_MAX""".split())
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
            if re.search(r"(^|_)MAX(_|$)", macro[1]):
                found[macro[1], number] = path
units = {"": 1, " KiB": 1 << 10, " MiB": 1 << 20, " GiB": 1 << 30}
page = set()
for line in open(os.path.join(top, "man/flametty-limits.7"), encoding="utf-8"):
    item = re.fullmatch(r"\.It Li (\w+) , ([\d,]+)( [KMG]iB)?\n", line)
    if item:
        page.add((item[1], int(item[2].replace(",", "")) * units[item[3] or ""]))
bad = ["%s: %s %d is not in flametty-limits(7)" % (found[key], *key)
       for key in sorted(found) if key not in page and not (tuning | looks) & {key[0], "%s=%d" % key}]
bad += ["flametty-limits(7): no macro %s of the value %d" % key for key in sorted(page) if key not in all_of]
# Why a limit is not tried here; NAME=VALUE where others have the name, too.
untried = dict.fromkeys("""JSON_READ_TEXT_MAX CPU_VALUE_MAX MEMBER_MAX RAW_MAX BYTES_MAX GIVEN_BYTES_MAX
TRACE_EVENT_MAX MAPPINGS_TEXT_MAX CPU_NODES_MAX NODES_MAX SLOT_SPARSE_MAX TRACE_PAIRS_MAX PAIR_NAME_MAX
SLICE_LANE_MAX FLOW_BIND_MAX LABELS_SETS_MAX SCOPES_MAX EVENT_HITS_MAX VIEW_NODES_MAX
NAMES_MAX=8000000 VALUE_MAX=268435456 SNIFF_MAX""".split(), "needs hundreds of megabytes, or more")
untried.update(dict.fromkeys("""PROFILE_TIME_MAX LABEL_LANES_MAX CALLTREE_MAX_ROWS BOXES_MAX BOXES_ROWS_MAX
SVG_BYTES_MAX CHART_BYTES_MAX HISTORY_FILE_MAX USER_FILE_MAX FIELD_MAX ROWS_MAX MAX_FOLDERS
MAX_FILES EVENT_MAX JSON_REPAIR_DEPTH""".split(), "a unit test or another test has it"))
untried.update(dict.fromkeys("""PROMPT_MAX COUNT_MAX HISTORY_MAX REACH_MAX CLIPBOARD_BYTES_MAX COPY_FOLDED_LINES_MAX
RING_BYTES RING_US PORTS_MAX RECORDER_CHUNK_MAX GROWTH_MAX_KB UNREAD_MAX WATCH_LIMIT_LINES WATCH_LIST_MAX
TOLD_MAX=10 OPEN_MAX=300000000 TTY_COLS_MAX TTY_ROWS_MAX""".split(), "a unit test or another test has it"))
untried.update(dict.fromkeys("""MANY_MAX CONNECTIONS_MAX TOLD_MAX=4000000 BYTES_MAX=33554432 BLAME_MAX_US
WEBSOCKET_MESSAGE_MAX""".split(), "a unit test or another test has it"))
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
