#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""After each `!` the call of what the finding names is selected.

usage: walk.py [-v] PROGRAM FILE|FOLDER...

For each finding of a file, in the order of the walk, the line about the selection names the function, a function
of the file, module or package, or the kind of time. Findings of these kinds name nothing that can be selected:

    even      many functions have about as much each
    stretch   busy time without a function that has much of it: any call in it
    block     the same, of a task
    input     the same, of the reaction of a page
"""
import glob
import json
import os
import re
import subprocess
import sys


def run(program, *args):
    return subprocess.run([program, *args], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()


def wanted(finding):
    """A pattern for the line about the selection; None: nothing can be selected."""
    kind, text, function = finding['kind'], finding['text'], finding['function']
    if kind == 'idle':
        return r'\(idle\)'
    if kind == 'gc':
        return r'\(garbage collector\)'
    if kind == 'program':
        return r'\(program\)'
    if kind == 'load':
        return r'.*node:internal/modules/'
    if kind == 'node' and text.startswith('start of Node.js'):
        return r'.*node:'
    if kind == 'node':
        return rf'.*node:(internal/)?{re.escape(text.split(" ")[0][5:])}\b'
    if kind == 'file':
        return r'.*' + re.escape(re.match(r'file (.+?) <?\d+ %', text).group(1)) + r'\b'
    if kind == 'pkg':
        return r'.*' + re.escape(re.match(r'package (.+?) <?\d+ %', text).group(1)) + r'\b'
    if kind in ('even', 'stretch', 'block', 'input') and not function:
        return None
    if not function:
        return None if kind == 'even' else r'-'
    if function['name'] == '(anonymous)':
        return r'.*' + re.escape((function.get('url') or '').split('/')[-1]) + rf':{function.get("line")}\b'
    return re.escape(function['name']) + r'(?= )'


def main():
    verbose = '-v' in sys.argv
    args = [a for a in sys.argv[1:] if a != '-v']
    program, files = args[0], []
    for arg in args[1:]:
        inside = sorted(glob.glob(os.path.join(arg, '**/*.cpuprofile'), recursive=True))
        files += inside if os.path.isdir(arg) else [arg]
    n = wrong = 0
    for path in files:
        try:
            findings = json.loads(run(program, 'report', '--format=json', '--no-config', path))['findings']
        except (ValueError, KeyError):
            continue
        by_text = {f['text']: f for f in findings}
        for i in range(1, len(findings) + 1):
            rows = run(program, '--no-config', '--render=300x30', f'--keys={"!" * i}', path).split('\n')
            said = re.match(r' (\d+) of (\d+)  (.*)', rows[1])
            if not said:
                continue
            finding = next((f for t, f in by_text.items() if said.group(3).startswith(t)), None)
            pattern = finding and wanted(finding)
            if not pattern:
                continue
            n += 1
            line = next(r for r in reversed(rows[:29]) if re.search(r'  self [\d ]', r) or r == rows[-3]).strip(' |')
            # A row of a whole package has its name.
            is_right = re.match(pattern, line) and (finding['kind'] == 'pkg' or '(folded' not in line)
            wrong += not is_right
            if verbose or not is_right:
                print(f'{path.split("/")[-1]}: {"" if is_right else "WRONG "}{said.group(1)} of {said.group(2)}: '
                      f'{finding["kind"]} {finding["text"]}: selected is {line}')
    print(f'{n} findings, {wrong} with something else selected')
    return wrong > 0 or n == 0


if __name__ == '__main__':
    sys.exit(main())
