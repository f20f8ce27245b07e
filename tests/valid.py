#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Parse all outputs of the program, of hostile inputs, by rules of the formats and not of the program.

usage: valid.py PROGRAM [FILE|FOLDER...]
Without files: tests/input, and the inputs that hostile_inputs() makes. The last line is
`N passed, N failed`, an output being one; the exit status is 0 only if nothing failed.

Rules that hold for an output of any input:
1. It is UTF-8 without control characters, bidirectional ones among them; only line ends are in it.
2. JSON: RFC 8259, no member twice, no half of a surrogate pair.
3. CSV: RFC 4180, all rows as long as the headings, numbers in the columns of numbers. No cell
   begins like a formula, except for numbers and names of packages; --raw-csv gives the same rows.
4. Folded stacks: each line is frames and a whole number above 0.
5. Markdown: outside of code there is nothing but our own markup, and no table is broken.
6. speedscope: events close what they open, in order, and refer to frames that there are. All spans
   are in it. The other formats: tests/export_rules.py.
7. Exports as JSON, CSV and Markdown are what the report prints.
8. All outputs have the same total of self time; folded stacks are rounded line by line. It is the
   busy time, plus what slices of a trace that overlap or outlast another add to it: Overlaps has
   that from the events of the input.
"""
import concurrent.futures
import csv
import decimal
import gzip
import io
import json
import os
import re
import subprocess
import sys
import tempfile

import export_rules

TABLES = 'functions bottomup topdown packages files categories lanes gaps busy stack lines stacks'.split()
PANES = ['1', '3', '4', '5l', '6E', '7', '8G', '9j8', 'c', '?', '/e<Enter>', 'G9j8G']
TEXT_COLUMNS = {'name', 'url', 'script', 'category', 'package', 'thread', 'file', 'kind',
                'outermost', 'leaf', 'text', 'time', 'process', 'stack'}
CONTROL = re.compile('[\0-\t\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]')
PACKAGE = re.compile(r'@[a-z0-9-][a-z0-9._-]*/[a-z0-9-][a-z0-9._-]*\Z')
ROW = re.compile(r'("([^"]|"")*"|[^",]*)(,("([^"]|"")*"|[^",]*))*\Z')
NUMBER = re.compile(r'-?[0-9]+(\.[0-9]{3})?\Z')


# ---- hostile inputs ----

NAMES = ['"', '"",""', '\\', "'", '\n', '\r\n', '\t', '\ttab first', '\rreturn first', '\0', '\x1b[31mred\x1b[0m',
         '\x1b]0;title\x07', '\x9b31m', '\x85', '\x7f', '\u202eevil\u202c', '\u2066iso\u2069', '\u200e', '\u200f',
         '\u061c', '\u2028', '\u2029', '\ufeff', '\uffff', '\U000e0001', '\ud800', '\udc00\ud800', '\u0301\u0302',
         '=1+1', '=cmd|\' /C calc\'!A0', '+1', '-1', '-2+3', '@SUM(1)', '@scope/name', '@Scope/name', '@a/b/c', '@/b',
         '@a/', '@a/b"c', '@a/=b', "'=1", "''@a/b", ',', ';', 'a;b', 'a b 12', ' 12', '# comment', '#private', '',
         ' ', '  two  ', '[', '{}', 'NaN', 'x' * 65536, '\x1b' * 65536, '\U0001f525', '%n%s', '</script>', '<lt>']
# Bytes that are not UTF-8, to be put where a name has `<<n>>`.
BYTES = [b'\xff', b'\xc0\x80', b'\xed\xa0\x80', b'\xf4\x90\x80\x80', b'\xe2\x82', b'\x80', b'\x9b31m', b'\xf0\x9f\x94']


def raw(document):
    text = json.dumps(document).encode()
    return re.sub(rb'<<(\d+)>>', lambda m: BYTES[int(m.group(1))], text)


def all_names():
    return NAMES + ['<<%d>>' % i for i in range(len(BYTES))]


def cpuprofile():
    nodes = [{'id': 1, 'callFrame': {'functionName': '(root)', 'scriptId': '0', 'url': '', 'lineNumber': -1,
                                     'columnNumber': -1}, 'children': []}]
    samples, deltas = [], []
    for i, name in enumerate(all_names()):
        url = ['file:///app/node_modules/' + name + '/x.js', name, ''][i % 3]
        nodes.append({'id': i + 2, 'callFrame': {'functionName': name, 'scriptId': name, 'url': url, 'lineNumber': i,
                                                 'columnNumber': i}, 'children': [],
                      'positionTicks': [{'line': i + 1, 'ticks': 1}], 'deoptReason': name})
        nodes[0 if i % 4 == 0 else i]['children'].append(i + 2)
        samples += [i + 2]
        deltas += [1000 + i]
    return raw({'nodes': nodes, 'startTime': 0, 'endTime': sum(deltas) + 500, 'samples': samples,
                'timeDeltas': deltas, 'title': NAMES[10]})


def trace():
    events = []

    def event(ph, name, ts, **more):
        events.append(dict({'ph': ph, 'name': name, 'cat': name, 'pid': 1, 'tid': 1, 'ts': ts}, **more))

    event('M', 'process_name', 0, args={'name': '=\x1b\u202eprocess;1\n'})
    event('M', 'thread_name', 0, args={'name': '@thread\t;\x9b'})
    for i, name in enumerate(all_names()):
        t = i * 10 + i / 7
        event('X', name, t, dur=7.0 + i / 9, args={name: name, 'data': {'url': name}})
        event('X', name, t + 1, dur=1 / 3, tid=2)
        event('b', name, t, id=name, scope=name)
        event('e', name, t + 5, id=name, scope=name)
        event('i', name, t, s='t')
        event('C', name, t, args={name: i, 'nan': '1e999'})
        event('B', name, t, tid=3)
        event('E', name, t + 3, tid=3)
        event('s' if i % 2 else 'f', name, t, id=name)
        event('M', 'thread_name', 0, tid=i + 10, args={'name': name})
        event('X', 'f', t, dur=3, tid=i + 10)
        event(name[:1], name, t)
    return raw({'traceEvents': events, 'otherData': {name: name for name in NAMES}})


def damaged_trace():
    """Events that are no valid JSON, which V8 and others have written."""
    events = [b'{"ph":"X","pid":1,"tid":1,"ts":%d,"dur":5,"name":"n","args":{"v":%s}}' % (i * 10, value)
              for i, value in enumerate([b'NaN', b'Infinity', b'-Infinity', b'"\x1b\x9b"', b'"\xff"', b'01', b'+1', b'.5',
                                         b'"\\x"', b'"\\ud800"', b"'a'", b'undefined', b'1.', b'"\n"', b'1e999'])]
    return b'[' + b',\n'.join(events) + b']'


def counters():
    values = ['1', '-1', '1e308', '-1e308', '1e309', '-1e309', 'NaN', 'Infinity', '-Infinity', '"NaN"', '"inf"', '"0x10"',
              'null', '1e-400', '123456789012345678901234567890', '"1e999"', '"-nan"']
    return ('[%s]' % ','.join('{"ph":"C","pid":1,"tid":1,"ts":%d,"name":"c%d","args":{"v":%s}}' % (i, i % 3, v)
                              for i, v in enumerate(values * 3))).encode()


def tiny_slices():
    """Self times of less than a microsecond."""
    events = [{'ph': 'X', 'pid': 1, 'tid': 1, 'ts': i * 0.5, 'dur': 0.4, 'name': 'f%d' % i} for i in range(1000)]
    return raw(events)


def self_profile():
    names = [n for n in all_names()]
    return raw({'resources': names, 'frames': [{'name': n, 'resourceId': i, 'line': 1, 'column': 1}
                                               for i, n in enumerate(names)],
                'stacks': [dict({'frameId': i}, **({'parentId': i - 1} if i % 5 else {})) for i in range(len(names))],
                'samples': [dict({'timestamp': i * 10.25, 'stackId': i}, **({'marker': n} if i % 7 == 0 else {}))
                            for i, n in enumerate(names)]})


def folded():
    lines = [n.encode('utf-8', 'surrogatepass') for n in NAMES] + BYTES
    lines = [b'root;' + n.replace(b'\n', b' ') + b';leaf ' + str(i + 1).encode() for i, n in enumerate(lines)]
    return b'\n'.join(lines) + b'\n=a;-b 3\n@a/b;+c 4\n#p;q 5\n'


def speedscope():
    names = all_names()
    events = []
    for i, _ in enumerate(names):
        events += [{'type': 'O', 'frame': i, 'at': i * 10 + i / 3}, {'type': 'C', 'frame': i, 'at': i * 10 + 7}]
    return raw({'$schema': 'https://www.speedscope.app/file-format-schema.json',
                'shared': {'frames': [{'name': n, 'file': n, 'line': i, 'col': 1} for i, n in enumerate(names)]},
                'profiles': [{'type': 'evented', 'name': n, 'unit': 'microseconds', 'startValue': 0,
                              'endValue': len(names) * 10, 'events': events} for n in NAMES[:4] + NAMES[27:36]]})


def hostile_inputs(folder):
    """Write the inputs; returns their paths."""
    plain = b'{"nodes":[{"id":1,"callFrame":{"functionName":"f","url":"","lineNumber":1}}],"startTime":0,"endTime":10,"samples":[1,1],"timeDeltas":[1,4]}'
    inputs = {b'names.cpuprofile': cpuprofile(), b'names.json': trace(), b'damaged.json': damaged_trace(),
              b'counters.json': counters(), b'tiny.json': tiny_slices(), b'names.self.json': self_profile(),
              b'names.folded': folded(), b'names.speedscope.json': speedscope(),
              b'\x1b[31m\n\t\x9b\xff.json': b'{"nodes": "\x1b\x9b\xff' + '\u202e'.encode(),
              b'not\x1b[31m.json': b'\x1b]0;x\x07\x9b'}
    for name in [b'=cmd', b'+1', b'-1', b'@a', b'a;b c', b'\x1b[31m\n\x9b\xff', '\u202e\u2066,"\''.encode()]:
        inputs[name + b'.cpuprofile'] = plain
    for name, data in inputs.items():
        with open(os.path.join(os.fsencode(folder), name), 'wb') as file:
            file.write(data)
    return [os.path.join(os.fsencode(folder), name) for name in inputs]


# ---- rules ----

class Broken(Exception):
    """A rule that does not hold."""


def expect(condition, text, *values):
    if not condition:
        raise Broken(text % values if values else text)


def text_of(data):
    try:
        text = data.decode('utf-8')
    except UnicodeDecodeError as e:
        raise Broken('no UTF-8: %s' % e) from None
    found = CONTROL.search(text)
    expect(not found, 'control character %s', found and ascii(text[max(0, found.start() - 20):found.start() + 20]))
    return text


def lines_of(data, end='\n'):
    lines = text_of(data).split(end)
    expect(lines.pop() == '', 'the last line is not complete')
    return lines


def no_word(word):
    raise Broken('JSON has no %s' % word)


def whole_object(pairs):
    members = dict(pairs)
    expect(len(members) == len(pairs), 'a member twice: %s', ascii([k for k, _ in pairs])[:200])
    return members


def json_of(data, is_copy=False):
    """A document. is_copy: of values of the input, which keep their escapes and may have members twice."""
    text = text_of(data)
    try:
        value = json.loads(text, parse_constant=no_word, object_pairs_hook=None if is_copy else whole_object)
    except ValueError as e:
        raise Broken('no JSON: %s' % e) from None
    expect(is_copy or '\\ud' not in text.lower() or not re.search('[\ud800-\udfff]', json.dumps(value, ensure_ascii=False)),
           'half of a surrogate pair')
    return value


def csv_rows(data):
    text = text_of(data.replace(b'\r\n', b'\n'))
    expect(data.count(b'\r\n') == data.count(b'\n') == data.count(b'\r'), 'lines end with CR LF')
    expect(text.endswith('\n'), 'the last line is not complete')
    wrong = [line for line in text.splitlines() if not ROW.match(line)]
    expect(not wrong, 'no row: %s', ascii(wrong)[:200])
    rows = list(csv.reader(io.StringIO(data.decode(), newline=''), strict=True))
    for row in rows:
        expect(len(row) == len(rows[0]), 'a row of %d cells: %s', len(row), ascii(row)[:300])
    return rows


def check_csv(rows):
    for row in rows[1:]:
        for heading, cell in zip(rows[0], row):
            if heading == 'id' and cell.startswith('f:'):
                expect(re.match('f:[0-9a-z]{8}$', cell), 'no id of a function: %s', ascii(cell)[:80])
            elif heading in TEXT_COLUMNS:
                expect(not re.match('[=+\\-@\t\r]', cell) or PACKAGE.match(cell), 'a formula: %s', ascii(cell)[:80])
            else:
                expect(cell == '' or NUMBER.match(cell), 'no number in %s: %s', heading, ascii(cell)[:80])


def without_guard(cell):
    return re.sub("^'('*[=+\\-@])", r'\1', cell)


def column_sum(rows, name, depth=None):
    at = rows[0].index(name)
    return sum(float(row[at] or 0) for row in rows[1:] if depth is None or row[0] == depth)


def folded_total(data):
    total = 0
    for line in lines_of(data):
        found = re.match(r'(.+) ([1-9][0-9]*)\Z', line)
        expect(found, 'no stack and count: %s', ascii(line)[-200:])
        total += int(found.group(2))
    return total


def speedscope_total(document, n_spans):
    """The time with a frame open, of all profiles, in microseconds."""
    n_frames, total = len(document['shared']['frames']), 0
    n_opened = sum(event['type'] == 'O' for profile in document['profiles'] for event in profile['events'])
    expect(n_spans in (None, n_opened), '%s spans, not %s', n_opened, n_spans)
    for profile in document['profiles']:
        stack, at, begin = [], profile['startValue'], 0
        for event in profile['events']:
            expect(0 <= event['frame'] < n_frames, 'no such frame: %s', event)
            expect(at <= event['at'] <= profile['endValue'], 'time runs back at %s', event)
            at = event['at']
            if event['type'] == 'O':
                begin = begin if stack else at
                stack.append(event['frame'])
            else:
                expect(stack and stack.pop() == event['frame'], 'closes what is not open: %s', event)
                total += 0 if stack else at - begin
        expect(not stack, 'frames that are left open')
    return total / 1000


def rounding_of(lanes):
    """What the whole microseconds of folded stacks may differ from the sum in all, in microseconds."""
    is_whole = all(function['self_us'] == int(function['self_us']) for lane in lanes for function in lane['functions'])
    return 0 if is_whole else sum(lane['spans'] or lane['nodes'] for lane in lanes) * 0.5


class Overlaps:
    """Slices of one thread, in nanoseconds. A slice is inside another if it ends at most 1 us after it.

    self_us: how much the self times, by length minus the time that the slices directly inside cover,
    are in all more than the time with a slice. outer_us: the same of the lengths of the outermost
    slices, each slice being on the last layer where it is inside the innermost slice that is open.
    """
    def __init__(self, slices):
        # By begin; the longer one first, then the one that is written first.
        slices = sorted((t0, -t1, i) for i, (t0, t1) in enumerate(slices))
        slices, kids = [(t0, -t1) for t0, t1, _ in slices], [[] for _ in slices]
        opened, layers, outer = [], [], 0
        for i, (t0, t1) in enumerate(slices):
            opened = [k for k in opened if slices[k][1] > t0]
            around = [k for k in opened if t1 <= slices[k][1] + 1000]
            if around:
                kids[around[-1]].append((t0, min(t1, slices[around[-1]][1])))
            opened.append(i)
            for layer in layers:
                layer[:] = [end for end in layer if end > t0]
            # From the deepest layer with an open slice on; else an empty one.
            order = [layer for layer in reversed(layers) if layer] + [layer for layer in layers if not layer] + [[]]
            layer = next(layer for layer in order if not layer or t1 <= layer[-1] + 1000)
            if not any(layer is other for other in layers):
                layers.append(layer)
            outer += 0 if layer else t1 - t0
            layer.append(min([t1] + layer[-1:]))
        busy = covered(slices)
        self_ns = sum(t1 - t0 - covered(inside) for (t0, t1), inside in zip(slices, kids))
        self.self_us, self.outer_us = (self_ns - busy) / 1000, (outer - busy) / 1000


def covered(stretches):
    total, until = 0, float('-inf')
    for t0, t1 in sorted(stretches):
        total += max(0, t1 - max(t0, until))
        until = max(until, t1)
    return total


def ns_of(us):
    return round(decimal.Decimal(us) * 1000)


class Begins:
    """From `B` and `E` of a thread to slices; a later begin or end at the same instant may fit, too."""
    def __init__(self):
        self.opened, self.waiting, self.t, self.slices = [], [], None, []

    def add(self, t, phase, name):
        if t != self.t:
            self.end_instant()
            self.t = t
        if phase == 'B':
            self.opened.append((name, t))
        else:
            self.waiting.append(name)
        while any(self.close(name) for name in self.waiting):
            pass

    def close(self, name):
        if not self.opened or name not in ('', self.opened[-1][0]):
            return False
        self.slices.append((self.opened.pop()[1], self.t))
        self.waiting.remove(name)
        return True

    def end_instant(self):
        """What waits closes the next one of its name outwards, and those inside that began before."""
        for name in self.waiting:
            found = [i for i, (other, _) in enumerate(self.opened) if name in ('', other)]
            if found:
                inside = self.opened[found[-1] + 1:]
                closed = [self.opened[found[-1]][1]] + [t for _, t in inside if t != self.t]
                self.slices += [(t, self.t) for t in closed]
                self.opened[found[-1]:] = [begun for begun in inside if begun[1] == self.t]
        self.waiting = []

    def finish(self, end):
        self.end_instant()
        return self.slices + [(t, end) for _, t in self.opened]


def overlaps_of(path):
    """By process and thread; nothing for a file that is no trace in valid JSON."""
    try:
        with open(path, 'rb') as file:
            data = file.read()
        data = gzip.decompress(data) if data[:2] == b'\x1f\x8b' else data
        document = json.loads(data.decode('utf-8', 'replace'), parse_float=decimal.Decimal)
        slices, begins, end = {}, {}, 0
        events = document if isinstance(document, list) else document['traceEvents']
        events = [event for event in events if 'ts' in event and event.get('ph') != 'M']
        for event in sorted(events, key=lambda event: ns_of(event['ts'])):
            thread, t = (event.get('pid'), event.get('tid')), ns_of(event['ts'])
            end = max(end, t)
            if event['ph'] == 'X':
                slices.setdefault(thread, []).append((t, t + ns_of(event.get('dur', 0))))
                end = max(end, slices[thread][-1][1])
            elif event['ph'] in ('B', 'E'):
                begins.setdefault(thread, Begins()).add(t, event['ph'], event.get('name', ''))
        for thread, of_thread in begins.items():
            slices[thread] = slices.get(thread, []) + of_thread.finish(end)
        return {thread: Overlaps(of_thread) for thread, of_thread in slices.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, decimal.InvalidOperation):
        return {}


def check_trace(document):
    for event in document['traceEvents']:
        expect(isinstance(event, dict), 'an event that is no object: %s', ascii(event)[:100])


# ---- the outputs of one input ----

class Checker:
    def __init__(self, program, path):
        self.program, self.path = program, path
        self.passed, self.failures = 0, []
        self.overlaps = {}  # by path

    def run(self, *arguments):
        done = subprocess.run([self.program, *arguments, '--', self.path], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, check=False)
        expect(done.returncode in (0, 1), 'exit status %d: %s', done.returncode, ascii(done.stderr[-500:]))
        messages = text_of(done.stderr)
        expect('Sanitizer' not in messages and 'runtime error' not in messages, '%s', messages[:500])
        return done.stdout

    def check(self, name, function):
        try:
            result = function()
            self.passed += 1
            return result
        except (Broken, csv.Error, subprocess.TimeoutExpired, KeyError, TypeError, ValueError) as e:
            self.failures.append('%s: %s: %s %s' % (ascii(self.path), name, type(e).__name__, e))
            return None

    def same(self, name, total, expected, slack=0.0):
        def compare():
            expect(abs(total - expected) <= slack + 1e-9 * abs(expected) + 0.0011, 'total %.3f, not %.3f', total, expected)
        if total is not None:
            self.check('total of ' + name, compare)

    def check_report(self):
        self.check('md', lambda: export_rules.markdown_check(text_of(self.run('report', '--format=md'))))
        report = self.check('json', lambda: json_of(
            self.run('report', '--format=json', '--with=tree,bottomup,spans', '--max-rows=20000')))
        for form in ['json', 'csv', 'md']:
            self.check('export as ' + form, lambda f=form: expect(
                self.run('export', '--format=' + f) == self.run('report', '--format=' + f), 'not what report prints'))
        for table in TABLES:
            rows = self.check('csv ' + table, lambda t=table: self.check_table(t))
            if report and rows:
                self.compare_table(report, table, rows)
        return report

    def check_table(self, table):
        arguments = ['report', '--format=csv', '--table=' + table, '--max-rows=20000']
        rows = csv_rows(self.run(*arguments))
        check_csv(rows)
        raw_rows = csv_rows(self.run(*arguments, '--raw-csv'))
        expect(raw_rows == [[without_guard(cell) for cell in row] for row in rows], '--raw-csv has other rows')
        return rows

    def more_of(self, report, lanes, is_outer):
        """What overlaps add to the busy time of lanes, in microseconds."""
        more = 0
        for lane in lanes:
            path = report['inputs'][lane['input']]['path']
            if lane['kind'] == 'slices' and path not in self.overlaps:
                self.overlaps[path] = overlaps_of(path)
            if lane['kind'] in ('async', 'objects'):
                # Operations overlap; the busy time has what they cover together.
                more += sum(length for depth, _, _, length in lane['spans_list'] if depth == 0) - lane['busy_us']
                continue
            if report['inputs'][lane['input']]['format'] == 'spans':
                # Children of one parent overlap, and a child may end after its parent.
                outer = [total for depth, _, _, total in lane['tree'] if depth == 0]
                more += sum(outer if is_outer else [f['self_us'] for f in lane['functions']]) - lane['busy_us']
                continue
            thread = lane['process']['pid'], lane['thread']['tid']
            found = self.overlaps[path].get(thread) if lane['kind'] == 'slices' else None
            more += (found.outer_us if is_outer else found.self_us) if found else 0
        return more

    def compare_table(self, report, table, rows):
        sampled = report['summary'].get('sampled_us')
        if sampled is None:
            return
        if table == 'stacks':
            lanes = [lane for lane in report['lanes'] if lane['id'] in report['summary']['lanes']]
            self.same('csv stacks', column_sum(rows, 'value_ns', None) / 1000, sampled + self.more_of(report, lanes, False))
        columns = {'functions': ('self_us', None), 'bottomup': ('self_us', '0'), 'topdown': ('total_us', '0'),
                   'packages': ('self_us', None), 'files': ('self_us', None), 'categories': ('self_us', None)}
        if table in columns and not (rows[-1][1].endswith('left out by --max-rows=20000)')):
            lanes = [lane for lane in report['lanes'] if lane['id'] in report['summary']['lanes']]
            more = self.more_of(report, lanes, table == 'topdown')
            self.same('csv ' + table, column_sum(rows, *columns[table]), sampled + more)

    def check_exports(self, report):
        if 'unit' in report:
            # Bytes and counts are no times; export refuses them where a format has only times.
            self.check('svg', lambda: export_rules.svg_check(self.run('export', '--format=svg')))
            self.check('html', lambda: export_rules.html_check(self.run('export', '--format=html')))
            return
        document = self.check('trace', lambda: json_of(self.run('export', '--format=trace'), True))
        if document:
            self.check('trace events', lambda: check_trace(document))
        document = self.check('trace --slices', lambda: json_of(self.run('export', '--format=trace', '--slices'), True))
        if document:
            self.check('trace events of slices', lambda: check_trace(document))
        total = self.check('folded', lambda: folded_total(self.run('export', '--format=folded')))
        lanes = [lane for lane in report['lanes'] if lane['kind'] in ('samples', 'slices')]
        sampled = sum(lane['busy_us'] + lane['idle_us'] + lane['program_us'] + lane['gc_us'] for lane in lanes)
        self.same('folded', total, sampled + self.more_of(report, lanes, False), rounding_of(lanes))
        total = self.check('pprof', lambda: export_rules.pprof_total(self.run('export', '--format=pprof', '--idle')))
        self.same('pprof', total, sampled + self.more_of(report, lanes, False))
        # The parser of Python does not nest deeper.
        if all(lane['max_depth'] < 300 for lane in lanes):
            total = self.check('d3', lambda: export_rules.d3_total(json_of(self.run('export', '--format=d3', '--idle'))))
            self.same('d3', total, sampled + self.more_of(report, lanes, False))
        self.check_cpuprofile(lanes)
        self.check('svg', lambda: export_rules.svg_check(self.run('export', '--format=svg')))
        self.check('html', lambda: export_rules.html_check(self.run('export', '--format=html')))
        self.check('svg merged', lambda: export_rules.svg_check(self.run('export', '--format=svg', '--merged', '--idle')))
        lanes = [lane for lane in report['lanes'] if lane['kind'] in ('samples', 'slices', 'async', 'objects')]
        sampled = sum(lane['busy_us'] + lane['idle_us'] + lane['program_us'] + lane['gc_us'] for lane in lanes)
        n_spans = sum(lane['spans'] for lane in lanes)
        # The span of a single sample is drawn and exported, but not counted.
        if any(warning['kind'] == 'one-sample' for file in report['inputs'] for warning in file['warnings']):
            n_spans = None
        total = self.check('speedscope', lambda: speedscope_total(json_of(self.run('export', '--format=speedscope')), n_spans))
        self.same('speedscope', total, sampled + self.more_of(report, lanes, True))

    def check_cpuprofile(self, lanes):
        """A file has one lane of samples."""
        samples = [lane for lane in lanes if lane['kind'] == 'samples']
        for lane in samples[:3] if len(samples) < 20 else samples[:1]:
            data = self.check('cpuprofile', lambda n=lane['id']: self.run('export', '--format=cpuprofile', '--lane=%d' % n))
            if data:
                document = self.check('cpuprofile', lambda d=data: json_of(d))
                total = document and self.check('nodes of cpuprofile', lambda d=document: export_rules.cpuprofile_total(d))
                self.same('cpuprofile', total, sum(lane[key] for key in ('busy_us', 'idle_us', 'program_us', 'gc_us')))

    def check_screens(self):
        for keys in PANES:
            self.check('--keys=' + keys, lambda k=keys: self.check_screen(k))

    def check_screen(self, keys):
        lines = lines_of(self.run('--render=120x40', '--keys=' + keys))
        expect(len(lines) in (0, 40) and all(line.endswith('|') for line in lines), '%d lines of a screen', len(lines))

    def check_all(self):
        """All outputs; of a file that cannot be used, only what is said about it."""
        if self.check('text', lambda: lines_of(self.run('report')) if self.run('report') else []) == []:
            self.check('error of export', lambda: expect(self.run('export') == b'', 'an export of nothing'))
            self.check('error of screen', lambda: expect(self.run('--render=80x24') == b'', 'a screen of nothing'))
            return self
        report = self.check_report()
        if report:
            self.check_exports(report)
        self.check_screens()
        return self


def files_of(paths):
    for path in paths:
        if os.path.isdir(path):
            for folder, _, names in os.walk(path):
                yield from (os.path.join(folder, name) for name in sorted(names))
        else:
            yield path


def main():
    csv.field_size_limit(1 << 30)
    program = os.path.abspath(sys.argv[1])
    passed = failed = 0
    top = os.path.join(os.path.dirname(os.path.abspath(__file__)))
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.fsencode(path) for path in sys.argv[2:]]
        inputs = list(files_of(paths or [os.fsencode(os.path.join(top, 'input'))]))
        if not paths:
            # Each alone, and all of them as one profile.
            inputs += hostile_inputs(folder) + [os.fsencode(folder)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for checker in pool.map(lambda path: Checker(program, path).check_all(), inputs):
                passed += checker.passed
                failed += len(checker.failures)
                for failure in checker.failures:
                    print('FAILED:', failure)
    print('%d passed, %d failed' % (passed, failed))
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
