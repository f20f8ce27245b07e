# SPDX-License-Identifier: GPL-2.0-or-later
"""Exports for d3-flame-graph, drawn by it in headless Chromium: a box for each node that is wide enough,
as wide as its share, the self times of the report, a click and a search."""
import html
import json
import os
import common
from browser import Browser, SIZE

WIDTH = 1180
MODULES = ('d3-dispatch', 'd3-array', 'd3-color', 'd3-interpolate', 'd3-ease', 'd3-timer', 'd3-selection',
           'd3-transition', 'd3-format', 'd3-hierarchy', 'd3-time', 'd3-time-format', 'd3-scale')
FRAMES = '''[...document.querySelectorAll('g.frame')].map(g => {
  const r = g.querySelector('rect'), d = g.__data__;
  return {name: d.data.name, value: d.data.value, w: r.getBoundingClientRect().width, found: !!d.highlight,
          x: r.getBoundingClientRect().x, y: r.getBoundingClientRect().y} })'''

FULL = f"[...document.querySelectorAll('g.frame rect')].some(r => r.getBoundingClientRect().width > {WIDTH} - 2)"


def page(path, data):
    modules = os.path.dirname(common.package('d3-flame-graph'))
    scripts = [f'{modules}/{name}/dist/{name}.min.js' for name in MODULES]
    scripts.append(f'{modules}/d3-flame-graph/dist/d3-flamegraph.umd.js')
    with open(path, 'w', encoding='utf-8') as file:
        file.write('<!doctype html><meta charset="utf-8"><body style="margin:0"><div id="chart"></div>'
                   + ''.join(f'<script src="file://{html.escape(one)}"></script>' for one in scripts)
                   + '<script>var chart = flamegraph.flamegraph ? flamegraph.flamegraph() : flamegraph.default();'
                   f'chart.width({WIDTH}).cellHeight(17).minFrameSize(2).transitionDuration(0);'
                   f"d3.select('#chart').datum({data.replace('</', '<' + chr(92) + '/')}).call(chart)</script>")


def self_times(document):
    times, todo = {}, [document]
    while todo:
        node = todo.pop()
        key = node['name'], node.get('url')
        times[key] = times.get(key, 0) + node['self']
        todo += node['children']
    return {key: time for key, time in times.items() if time}


def look(browser, path, document):
    browser.open(path)
    # It draws with transitions, also where they have no length.
    browser.wait(FULL)
    frames = browser.value(FRAMES)
    if browser.errors:
        return '; '.join(browser.errors)[:300]
    if not frames:
        return 'no boxes'
    for frame in frames:
        if abs(frame['w'] - WIDTH * frame['value'] / document['value']) > 2:
            return f'{ascii(frame["name"])} is {frame["w"]} wide of {WIDTH}, {frame["value"]} of {document["value"]}'
    browser.value(f'chart.search({json.dumps(frames[-1]["name"])})')
    if not any(frame['found'] for frame in browser.value(FRAMES) if frame['name'] == frames[-1]['name']):
        return f'a search for {ascii(frames[-1]["name"])} finds nothing'
    frame = min((one for one in frames if one['w'] > 8 and 0 <= one['y'] < SIZE[1] - 17), key=lambda one: one['w'])
    browser.click(frame['x'] + frame['w'] / 2, frame['y'] + 8)
    if not browser.wait(f"{FRAMES}.some(one => one.name === {json.dumps(frame['name'])} && one.w > {WIDTH} - 2)"):
        return f'a click on {ascii(frame["name"])} does not show it in full width'
    return None


def test(program, files, folder, tally):
    with Browser() as browser:
        for number, path in enumerate(files):
            report = common.report_of(program, path)
            out = os.path.join(folder, f'{number}.json')
            if not report or not common.export(program, path, out, 'd3'):
                continue
            with open(out, encoding='utf-8') as file:
                data = file.read()
            document = json.loads(data)
            tally.add(f'{path} self times', common.difference(common.by_function(
                report, lambda row: (row['name'], row['url']), ('samples', 'slices'), {'(idle)', '(root)'}),
                self_times(document)))
            if document['value']:
                page(os.path.join(folder, 'page.html'), data)
                tally.add(path, look(browser, os.path.join(folder, 'page.html'), document))


common.package('d3-flame-graph', *MODULES)
common.in_folder(test, common.FEW)
