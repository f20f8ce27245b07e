#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compare the JSON report of each CPU profile with that of its export as a trace.

usage: round_trip.py PROGRAM FILE|FOLDER...
Files that are no CPU profiles, and those that cannot be loaded, are passed over. Everything about
samples must be equal except for these:
1. what names the file, and names and numbers of lanes: a trace gives a process and a thread to all
2. warnings and notes: what was repaired is written repaired
3. lanes of other kinds: the export adds marks for DevTools
4. the number of nodes: one of garbage collection is on the stack and below the root
5. the order of rows with equal times
6. the number of spans if the only sample has no length
7. the number of spans and their lengths if sibling nodes are one function: the export makes one
   node of them
The last line is `N passed, N failed`; the exit status is 0 only if nothing failed.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

FORMATS = {'cpuprofile', 'selfprofile'}
LANE_NUMBER = re.compile(r'(in lane )\d+ \([^)]*\)')


def files_of(arguments):
    for argument in arguments:
        if not os.path.isdir(argument):
            yield argument
        for folder, _, names in sorted(os.walk(argument)):
            for name in sorted(names):
                yield os.path.join(folder, name)


def report_of(program, path):
    text = subprocess.run([program, 'report', '--format=json', '--with=tree', '--top=1000000', path],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return json.loads(text) if text else None


def without(record, *names):
    return {key: value for key, value in record.items() if key not in names}


def in_any_order(rows):
    return sorted(json.dumps(row, sort_keys=True) for row in rows)


def figures_of(report, has_spans):
    """What must be equal, as a flat list of (place, value). has_spans: spans are compared, too."""
    lanes = [lane for lane in report['lanes'] if lane['kind'] == 'samples']
    summary = without(report['summary'], 'lanes')
    figures = [('duration_us', report['duration_us'])]
    for n, lane in enumerate(lanes):
        if lane['samples'] == 1 or not has_spans:
            lane = without(lane, 'spans')
        if not has_spans:
            lane['functions'] = [without(row, 'spans', 'longest_us', 'mean_us', 'shortest_us')
                                 for row in lane['functions']]
        for key, value in without(lane, 'id', 'process', 'thread', 'title', 'input', 'start_us', 'end_us', 'nodes',
                                  'functions', 'tree').items():
            figures.append((f'lane {n} {key}', value))
        figures.append((f'lane {n} length', lane['end_us'] - lane['start_us']))
        figures += [(f'lane {n} function', row) for row in in_any_order(lane['functions'])]
        figures.append((f'lane {n} rows of the tree', len(lane.get('tree', []))))
    for key in ('longest_busy', 'longest_pauses'):
        # Of equal stretches, and of equal leaves in one, any may be named.
        summary[key] = [stretch['duration_us'] for stretch in summary[key]]
    summary['standouts'] = [LANE_NUMBER.sub(r'\1', item['text']) for item in summary['standouts']]
    for key in ('categories', 'packages', 'files'):
        summary[key] = in_any_order(summary[key])
    figures += [('summary ' + key, value) for key, value in summary.items()]
    figures += [('finding', without(finding, 'lane')) for finding in report['findings']]
    return figures


def has_twins(path):
    """Whether a CPU profile has sibling nodes of one function."""
    try:
        with open(path, 'rb') as file:
            nodes = {node['id']: node for node in json.loads(file.read().decode('utf-8', 'replace'))['nodes']}
        for node in nodes.values():
            frames = [json.dumps(nodes[child].get('callFrame'), sort_keys=True) for child in node.get('children', [])]
            if len(set(frames)) < len(frames):
                return True
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    return False


def compare(program, path, copy):
    """The first difference, or None; False if the file is passed over."""
    before = report_of(program, path)
    if not before or not before['inputs'] or {i['format'] for i in before['inputs']} - FORMATS:
        return False
    subprocess.run([program, 'export', '--format=trace', '--force', '-o', copy, path], check=True,
                   stderr=subprocess.DEVNULL)
    after = report_of(program, copy)
    if not after:
        return 'the export has no report'
    has_spans = not has_twins(path)
    was, back = figures_of(before, has_spans), figures_of(after, has_spans)
    for one, other in zip(was, back):
        if one != other:
            return f'{one[0]}: {str(one[1])[:300]}, read back {other[0]}: {str(other[1])[:300]}'
    return None if len(was) == len(back) else f'{len(was)} figures, read back {len(back)}'


def main():
    program, passed, failed = sys.argv[1], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for path in files_of(sys.argv[2:]):
            difference = compare(program, path, os.path.join(folder, 'copy.json'))
            if difference:
                print(f'{path}: {difference}')
                failed += 1
            elif difference is None:
                passed += 1
    print(f'{passed} passed, {failed} failed')
    return failed > 0 or passed == 0


sys.exit(main())
