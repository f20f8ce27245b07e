#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What a person waits for: wall time from the start of a process to its last byte, medians and quartiles,
# all programs in turn in one run, and how many times as long other readers take that only parse the file.
#
# usage: answers.sh [FILE...]      without files: one of 10 million samples, and a trace, by tests/bench/bench
# A folder stands for all profiles in it.
# RUNS (5), BENCH (./tests/bench/bench), FLAMETTY (./flametty; several, with blanks: builds to compare).
# RUN_BY: a command that runs the programs, as "chrt -f 10": on a busy machine nothing else gets in between.
# Others, where they are installed: NODE (node) for JSON.parse; a python3 (PYTHON) with simdjson, as
# pysimdjson is; READERS, a folder whose node_modules have the engine of DevTools.
set -u
here=$(cd "$(dirname "$0")" && pwd)
RUNS=${RUNS:-5} NODE=${NODE:-node} PYTHON=${PYTHON:-python3}
export RUNS NODE PYTHON
work=$(mktemp -d "${TMPDIR:-/tmp}/flametty-answers.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

if [ $# -eq 0 ]; then
	bench=${BENCH:-./tests/bench/bench}
	"$bench" make-long "$work/samples.cpuprofile" && "$bench" make-trace "$work/trace.json" || exit 99
	set -- "$work/samples.cpuprofile" "$work/trace.json"
fi
cat >"$work/parse.mjs" <<'END'
import fs from 'node:fs';
const path = process.argv[2];
const files = fs.statSync(path).isDirectory() ? fs.readdirSync(path).map(name => `${path}/${name}`) : [path];
for (const file of files) JSON.parse(fs.readFileSync(file, 'utf8'));
END
cat >"$work/parse.py" <<'END'
import os, sys, simdjson
path = sys.argv[1]
for file in [f'{path}/{name}' for name in os.listdir(path)] if os.path.isdir(path) else [path]:
    simdjson.Parser().load(file)
END

FLAMETTY=${FLAMETTY:-./flametty} WORK=$work HERE=$here python3 -B - "$@" <<'END'
import json, os, statistics, subprocess, sys, time

env = os.environ
RUNS, NODE = int(env['RUNS']), env['NODE']
ANSWERS = {
    'report': ['report', '--top=10'], 'first screen': ['--render=120x40'], 'report -f json': ['report', '-f', 'json'],
    'report -f csv': ['report', '-f', 'csv'], 'report -f md': ['report', '-f', 'md'],
    'export -f html': ['export', '-f', 'html'], 'export -f folded': ['export', '-f', 'folded']}


def run(command):
    """Seconds of wall time, of CPU time, and MB of memory; None: it fails."""
    begun = time.monotonic()
    try:
        child = subprocess.Popen([*env.get('RUN_BY', '').split(), *command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
    except OSError:
        return None
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = status
    return None if status else (time.monotonic() - begun, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def others(path):
    """Command by name: only parsing, without any answer."""
    found = {'JSON.parse': [NODE, '--max-old-space-size=8192', f'{env["WORK"]}/parse.mjs', path],
             'simdjson': [env['PYTHON'], f'{env["WORK"]}/parse.py', path]}
    if env.get('READERS') and not os.path.isdir(path):
        jobs = f'{env["WORK"]}/jobs.json'
        with open(jobs, 'w', encoding='utf-8') as file:
            json.dump({path: 'cpuprofile' if path.endswith('.cpuprofile') else 'trace'}, file)
        found['DevTools engine'] = [NODE, '--max-old-space-size=8192', f'{env["HERE"]}/../readers/devtools.mjs', jobs]
    return found


def measure(path):
    commands = {}
    for name, arguments in ANSWERS.items():
        for program in env['FLAMETTY'].split():
            label = name if ' ' not in env['FLAMETTY'] else f'{name}, {program}'
            commands[label] = [program, *arguments, *(['-r'] if os.path.isdir(path) else []), path]
    readers = others(path)
    commands.update(readers)
    times = {name: [] for name in commands}
    for _ in range(RUNS):
        for name, command in commands.items():
            times[name].append(run(command))
    times = {name: got for name, got in times.items() if None not in got}
    known = [name for name in readers if name in times]
    size = sum(os.path.getsize(f'{path}/{name}') for name in os.listdir(path)) if os.path.isdir(path) \
        else os.path.getsize(path)
    print(f'\n{os.path.basename(path)}, {size / 1e6:.0f} MB\n{"":34}{"s":>7}  {"quartiles":13}{"CPU":>7}'
          f'{"MB":>7}  ' + ''.join(f'{"x " + name:>18}' for name in known))
    medians = {name: statistics.median(t[0] for t in got) for name, got in times.items()}
    for name, got in times.items():
        low, _, high = statistics.quantiles((t[0] for t in got), method='inclusive') if RUNS > 1 else [got[0][0]] * 3
        print(f'{name[-34:]:34}{medians[name]:7.3f}  {low:.3f}-{high:.3f} '
              f'{statistics.median(t[1] for t in got):8.3f}{max(t[2] for t in got):7.0f}  ' +
              ''.join(f'{medians[reader] / medians[name]:18.1f}' for reader in known))
    lacking = [name for name in commands if name not in times]
    if lacking:
        print('not installed, or failed: ' + ', '.join(lacking))
    return all(name in times or name in readers for name in commands)


sys.exit(not all([measure(path) for path in sys.argv[1:]]))
END
