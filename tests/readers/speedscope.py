# SPDX-License-Identifier: GPL-2.0-or-later
"""Exports as speedscope, trace, .cpuprofile and folded, read by the importer of speedscope.

Of V8's formats it leaves out idle time and the last sample, which it takes for the end. Slices that
a trace gives overlapping it cuts in its own way: a trace made of a trace must be read as that one.
"""
import json
import os
import re
import common

FORMATS = [('speedscope', 'json'), ('trace', 'json'), ('cpuprofile', 'cpuprofile'), ('folded', 'folded')]
NO_CALLS = {'(root)', '(idle)'}


def anonymous(name):
    """It adds the place to the name, as does the export of folded stacks; of slices, their args."""
    return re.sub(r' \{.*\}$', '', re.sub(r'^\(anonymous.*', '(anonymous)', name, flags=re.DOTALL), flags=re.DOTALL)


def frame_key(row):
    return anonymous(row['name']), row['url'], row['line'] if row['url'] else None


def folded_key(row):
    """Without what the format cannot hold, or writes in another way."""
    return common.plain_name(anonymous(row['name']))


def read_times(profiles, key):
    times = {}
    for profile in profiles:
        for name, url, line, weight in profile['self']:
            where = key({'name': name, 'url': url or None, 'line': line or None})
            times[where] = times.get(where, 0) + weight
    return times


def last_samples(path, report):
    """The functions of the last samples of an export in a format of V8, and how long these are."""
    with open(path, encoding='utf-8') as file:
        document = json.load(file)
    profiles = {}
    if 'nodes' in document:
        samples, deltas = document.get('samples', []), document.get('timeDeltas', [])
        left = document.get('endTime', 0) - document['startTime'] - sum(deltas[:len(samples)])
        average = sum(deltas[1:]) / (len(samples) - 1) if len(samples) > 1 else left
        length = deltas[-1] if len(deltas) > len(samples) else min(average, left) if left > 0 else average
        profiles[0] = {'nodes': document['nodes'], 'samples': samples, 'length': length}
    for event in document.get('traceEvents', []):
        if event.get('name') == 'ProfileChunk':
            data = (event.get('args') or {}).get('data') or {}
            of = profiles.setdefault((event.get('pid'), event.get('id')), {'nodes': [], 'samples': [], 'length': 0})
            for member in ('nodes', 'samples'):
                of[member] += data.get('cpuProfile', {}).get(member, [])
            of['length'] = data.get('lastDelta', 0)
    for profile in profiles.values():
        if profile['samples']:
            frame, = (node['callFrame'] for node in profile['nodes'] if node['id'] == profile['samples'][-1])
            line = frame.get('lineNumber', -1) + 1
            if frame['functionName'] not in NO_CALLS:
                yield frame_key({'name': frame['functionName'] or '(anonymous)', 'url': frame.get('url') or None,
                                 'line': line if line > 0 else None}), profile['length']


def wanted_is_input(name, report):
    return name == 'trace' and common.is_trace(report)


def wanted(out, name, report):
    if name == 'folded':
        return common.by_function(report, folded_key, ('samples', 'slices'))
    if name == 'speedscope':
        return common.by_function(report, frame_key, ('samples', 'slices', 'async', 'objects'))
    kinds = ('samples',) if name == 'cpuprofile' else ('samples', 'slices', 'async', 'objects')
    times = common.by_function(report, frame_key, kinds, NO_CALLS)
    for key, length in last_samples(out, report):
        times[key] = times.get(key, 0) - length
    return times


def is_read(name, report, out):
    """It needs two samples of each thread in the formats of V8, and a line of folded stacks."""
    if name == 'folded':
        return os.path.getsize(out) > 0
    return name == 'speedscope' or not any(
        lane['kind'] == 'samples' and (not lane['timeline'] or lane['samples'] < 2) for lane in report['lanes'])


def test(program, files, folder, tally):
    jobs, want = {}, {}
    for number, path in enumerate(files):
        report = common.report_of(program, path)
        if not report:
            continue
        for name, extension in FORMATS:
            out = os.path.join(folder, f'{number}.{name}.{extension}')
            if common.export(program, path, out, name) and is_read(name, report, out):
                jobs[out] = None
                want[out] = path, name, report
                if wanted_is_input(name, report):
                    common.unpacked(path, out + '.in.json')
                    jobs[out + '.in.json'] = None
    said = common.read_by_node('speedscope.mjs', folder, jobs)
    for out, (path, name, report) in want.items():
        got, key = said[out], folded_key if name == 'folded' else frame_key
        before = said.get(out + '.in.json')
        if isinstance(got, str):
            tally.add(f'{path} as {name}', None if got == before else got)
            continue
        # Folded stacks are in whole microseconds: each is off by half of one at most.
        each = 0.002
        if name == 'folded':
            with open(out, encoding='utf-8') as file:
                each = 0.5 * sum(1 for _ in file) + 0.001
        found = common.difference(wanted(out, name, report), read_times(got, key), each)
        if found and isinstance(before, list):
            found = common.difference(read_times(before, key), read_times(got, key))
        tally.add(f'{path} as {name}', found)


common.need('node')
common.package('speedscope')
common.in_folder(test)
