#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compare the JSON report of each CPU profile with that of its exports as a trace, as a .cpuprofile and as a
profile of pprof.

usage: round_trip.py PROGRAM FILE|FOLDER...
Files that are no CPU profiles, and those that cannot be loaded, are passed over. Everything about
samples must be equal except for these:
1. what names the file, and names and numbers of lanes: a trace gives a process and a thread to all
2. warnings and notes: what was repaired is written repaired
3. lanes of other kinds: the export adds marks for DevTools
4. the number of nodes: one of garbage collection is on the stack and below the root
5. the order of rows with equal times, and of two functions that a finding names with one share
6. the number of spans if the only sample has no length
7. the number of spans and their lengths if sibling nodes are one function: the export makes one
   node of them
8. of a .cpuprofile, which is made of files with one lane of samples: the rest of the numbers in 2,
   and a file with samples of no length at all
For the .cpuprofile, also the functions of a range: the report of that range of the file, and of an
export of the range.
For pprof, busy time and the times of functions (see sums_of).
The last line is `N passed, N failed`; the exit status is 0 only if nothing failed.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

FORMATS = {'cpuprofile', 'selfprofile'}
CALLEES = re.compile(r'(?<= with all it calls: )(.*) (\d+ %), (.*) (\d+ %)$')
LANE_NUMBER = re.compile(r'(in lane )\d+ \([^)]*\)')


def files_of(arguments):
    for argument in arguments:
        if not os.path.isdir(argument):
            yield argument
        for folder, _, names in sorted(os.walk(argument)):
            for name in sorted(names):
                yield os.path.join(folder, name)


def report_of(program, path, *options):
    text = subprocess.run([program, 'report', '--format=json', '--with=tree', '--top=1000000', *options, path],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return json.loads(text) if text else None


def without(record, *names):
    return {key: value for key, value in record.items() if key not in names}


def in_one_order(callees):
    """The names of two callees in the order of the alphabet if their shares are equal."""
    one, share, other, other_share = callees.groups()
    if share == other_share and other < one:
        return f'{other} {share}, {one} {share}'
    return callees.group()


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
    for finding in report['findings']:
        finding['notes'] = [CALLEES.sub(in_one_order, note) for note in finding.get('notes', [])]
        finding['text'] = CALLEES.sub(in_one_order, finding['text'])
        figures.append(('finding', without(finding, 'lane')))
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


def difference(was, back):
    for one, other in zip(was, back):
        if one != other:
            return f'{one[0]}: {str(one[1])[:300]}, read back {other[0]}: {str(other[1])[:300]}'
    return None if len(was) == len(back) else f'{len(was)} figures, read back {len(back)}'


def functions_of(report):
    """Self and total times, which do not depend on where spans are cut. The id of an anonymous function has the
    name of the one that begins before it, which may not be in the range."""
    lane, = [lane for lane in report['lanes'] if lane['kind'] == 'samples']
    return [(key, lane[key]) for key in ('busy_us', 'idle_us', 'program_us', 'gc_us')] + [
        ('function', row) for row in in_any_order(
            without(row, 'id', 'self_samples', 'spans', 'longest_us', 'mean_us', 'shortest_us')
            for row in lane['functions'] if row['total_us'] > 0)]


def compare_cpuprofile(program, path, copy, before, has_spans):
    lanes = [lane for lane in before['lanes'] if lane['kind'] == 'samples']
    if len(lanes) != 1 or lanes[0]['samples'] == 0:
        return None
    exported = [program, 'export', '--format=cpuprofile', '--force', '-o', copy, path]
    if lanes[0]['end_us'] == lanes[0]['start_us']:
        return None
    subprocess.run(exported, check=True, stderr=subprocess.DEVNULL)
    after = report_of(program, copy)
    if not after:
        return 'the .cpuprofile has no report'
    found = difference(figures_of(before, has_spans), figures_of(after, has_spans))
    if found:
        return '.cpuprofile: ' + found
    if not lanes[0]['timeline']:
        return None
    ends = [f'--from={before["duration_us"] * 3 // 10}us', f'--to={before["duration_us"] * 7 // 10}us']
    if subprocess.run(exported + ends, stderr=subprocess.DEVNULL).returncode:
        return None
    part, after = report_of(program, path, *ends), report_of(program, copy)
    if not part or not after:
        return 'a range has no report'
    found = difference(functions_of(part), functions_of(after))
    return found and '.cpuprofile of a range: ' + found


def sums_of(report):
    """Times of all lanes of samples, and self and total times of their functions, without idle time. pprof has
    paths instead of urls of files, no columns without lines, and no ids of scripts: functions without a url may be one there, so that
    only their self times are compared."""
    sums = {}
    for lane in report['lanes']:
        if lane['kind'] != 'samples':
            continue
        for key in ('busy_us', 'program_us', 'gc_us'):
            sums[key] = sums.get(key, 0) + lane[key]
        for row in lane['functions']:
            url = (row['url'] or '').removeprefix('file://')
            key = (row['name'], url, row['line'], row['column'] if row['line'] else None)
            for time in ('self_us', 'total_us') if url else ('self_us',):
                if row['category'] != 'idle' and row[time]:
                    sums[key + (time,)] = round(sums.get(key + (time,), 0) + row[time], 3)
    return sorted(([str(key), value] for key, value in sums.items()), key=lambda item: item[0])


def compare_pprof(program, path, copy, before):
    """A profile of pprof has no times, and no idle time."""
    was = sums_of(before)
    if not any(value for _, value in was):
        return None
    subprocess.run([program, 'export', '--format=pprof', '--force', '-o', copy, path], check=True,
                   stderr=subprocess.DEVNULL)
    after = report_of(program, copy)
    found = difference(was, sums_of(after)) if after else 'the profile has no report'
    return found and 'pprof: ' + found


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
    return (difference(figures_of(before, has_spans), figures_of(after, has_spans))
            or compare_cpuprofile(program, path, copy, before, has_spans)
            or compare_pprof(program, path, copy, before))


def main():
    program, passed, failed = sys.argv[1], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for path in files_of(sys.argv[2:]):
            found = compare(program, path, os.path.join(folder, 'copy.json'))
            if found:
                print(f'{path}: {found}')
                failed += 1
            elif found is None:
                passed += 1
    print(f'{passed} passed, {failed} failed')
    return failed > 0 or passed == 0


sys.exit(main())
