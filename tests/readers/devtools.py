# SPDX-License-Identifier: GPL-2.0-or-later
"""Exports as .cpuprofile and trace, read by the engine of DevTools' Performance panel.

A trace that is made of a trace must be read as that one: the engine needs more of it than samples,
and refuses some traces.
"""
import os
import common


def place(row):
    return row['name'], row['url'], row['line'] if row['url'] else None


def read_times(profiles):
    times = {}
    for profile in profiles:
        for name, url, line, time in profile['self']:
            key = place({'name': name or '(anonymous)', 'url': url, 'line': line})
            if key[0] != '(root)':
                times[key] = times.get(key, 0) + time
    return times


def begins_before_zero(report):
    """The engine leaves out samples before 0 on its clock."""
    return report['start_us'] < 0


def routes_differ(report, requests):
    """The counts and longest times of routes, of the requests that the engine pairs events of."""
    want = {row['route']: (row['count'] - row['partial'], row['max_us']) for row in report['summary'].get('routes', [])}
    got = {}
    for name, time, is_whole in requests:
        if is_whole and name in want:
            count, longest = got.get(name, (0, 0))
            got[name] = count + 1, max(longest, time)
    want = {name: row for name, row in want.items() if row[0]}
    return None if want == got else f'routes {want} in the report, {got} in the reader'


def test(program, files, folder, tally):
    jobs, want = {}, {}
    for number, path in enumerate(files):
        report = common.report_of(program, path)
        if not report or not any(lane['kind'] == 'samples' and lane['timeline'] for lane in report['lanes']):
            continue
        for kind in ('trace', 'cpuprofile'):
            out = os.path.join(folder, f'{number}.{kind}')
            if (kind == 'cpuprofile' and begins_before_zero(report)) or not common.export(program, path, out, kind):
                continue
            jobs[out] = kind
            want[out] = f'{path} as {kind}', report
            if kind == 'trace' and common.is_trace(report):
                common.unpacked(path, out + '.in')
                jobs[out + '.in'] = kind
        if report['summary'].get('routes'):
            out = os.path.join(folder, f'{number}.part')
            part = f'--from={report["duration_us"] * 0.1}us', f'--to={report["duration_us"] * 0.9}us'
            if common.export(program, path, out, 'trace', *part):
                jobs[out] = 'trace'
                want[out] = f'{path} {" ".join(part)}', common.report_of(program, path, *part)
    said = common.read_by_node('devtools.mjs', folder, jobs)
    for out, (what, report) in want.items():
        got, before = said[out], said.get(out + '.in')
        if isinstance(got, str):
            tally.add(what, None if got == before else got)
            continue
        found = '; '.join(got['odd'])[:300] or common.difference(
            common.by_function(report, place, without={'(root)'}), read_times(got['profiles']), 0.01)
        if found and isinstance(before, dict):
            found = common.difference(read_times(before['profiles']), read_times(got['profiles']))
        tally.add(what, found or ('requests' in got and routes_differ(report, got['requests'])) or None)


common.need('node')
common.package('@paulirish/trace_engine')
common.in_folder(test, common.SOME + ['tests/input/served.json'])
