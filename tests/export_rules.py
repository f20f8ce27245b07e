# SPDX-License-Identifier: GPL-2.0-or-later
"""Rules of export formats that tests/valid.py checks, one function a format. They raise ValueError."""
import base64
import gzip
import hashlib
import html.parser
import re
import xml.etree.ElementTree


def check(condition, text, *values):
    if not condition:
        raise ValueError(text % values if values else text)


# ---- pprof: https://github.com/google/pprof, proto/profile.proto ----

def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
        check(shift < 70, 'a number of more than ten bytes')


def members(data):
    """The members of a message: (field, value), a value being a number or bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            check(key & 7 == 2, 'wire type %d', key & 7)
            length, at = varint(data, at)
            value = data[at:at + length]
            check(len(value) == length, 'a member is cut off')
            at += length
        yield key >> 3, value


def packed(data):
    at, values = 0, []
    while at < len(data):
        value, at = varint(data, at)
        values.append(value)
    return values


def one(message, field, default=0):
    found = [value for key, value in message if key == field]
    check(len(found) <= 1, 'field %d is there %d times', field, len(found))
    return found[0] if found else default


def check_labels(sample, strings):
    for key, value in sample:
        if key == 3:
            label = list(members(value))
            check(0 < one(label, 1) < len(strings), 'a label without a name')
            check((one(label, 2) != 0) != (one(label, 3) != 0), 'a label needs a text or a number')
            check(one(label, 2) < len(strings), 'a label without its text')


def pprof_total(data):
    """The sum of the times of all samples, in microseconds."""
    message = list(members(gzip.decompress(data)))
    strings = [value.decode('utf-8') for key, value in message if key == 6]
    check(strings and strings[0] == '', 'the first text is not empty')
    types = [[strings[one(list(members(value)), field)] for field in (1, 2)] for key, value in message if key == 1]
    # The name of the time is that of the input, if the input names it.
    check(types in ([['samples', 'count'], [name, 'nanoseconds']] for name in ('cpu', 'wall')),
          'sample types %s', types)
    functions = [list(members(value)) for key, value in message if key == 5]
    function_ids = {one(function, 1) for function in functions}
    check(len(function_ids) == len(functions) and 0 not in function_ids, 'ids of functions are not unique')
    for function in functions:
        check(all(one(function, field) < len(strings) for field in (2, 3, 4)), 'a function without its text')
    locations = {}
    for key, value in message:
        if key == 4:
            location = list(members(value))
            line = list(members(one(location, 4, b'')))
            check(one(line, 1) in function_ids, 'a location without a function')
            check(one(location, 1) not in locations, 'ids of locations are not unique')
            locations[one(location, 1)] = line
    total = 0
    for key, value in message:
        if key == 2:
            sample = list(members(value))
            values = packed(one(sample, 2, b''))
            check(len(values) == 2, 'a sample of %d values', len(values))
            check(all(where in locations for where in packed(one(sample, 1, b''))), 'a sample without a location')
            check_labels(sample, strings)
            total += values[1]
    return total / 1000


# ---- V8 profiles ----

def cpuprofile_total(document):
    """The time of all samples except those of the root, in microseconds."""
    nodes = {node['id']: node for node in document['nodes']}
    check(len(nodes) == len(document['nodes']) and 0 not in nodes, 'ids of nodes are not unique')
    children = [child for node in nodes.values() for child in node.get('children', [])]
    check(len(set(children)) == len(children), 'a node with two parents')
    root = document['nodes'][0]['id']
    check(set(children) == set(nodes) - {root}, 'nodes that are not below the root')
    for node in nodes.values():
        frame = node['callFrame']
        check(set(frame) == {'functionName', 'scriptId', 'url', 'lineNumber', 'columnNumber'}, 'a call frame of %s', frame)
    samples, deltas = document.get('samples', []), document.get('timeDeltas', [])
    check(set(samples) <= set(nodes), 'samples of no node')
    check(len(deltas) - len(samples) in (0, 1), '%d samples and %d deltas', len(samples), len(deltas))
    check(all(delta >= 0 for delta in deltas), 'time that runs back')
    if not samples:
        return None
    times = [document['startTime']]
    for delta in deltas:
        times.append(times[-1] + delta)
    times = times[1:]
    if len(deltas) == len(samples):
        end = document.get('endTime', 0)
        if len(samples) == 1:
            times.append(max(end, times[0]))
        else:
            average = round((times[-1] - times[0]) * 1000 / (len(samples) - 1)) / 1000
            times.append(times[-1] + (min(average, end - times[-1]) if end > times[-1] else average))
    return sum(times[i + 1] - times[i] for i, node in enumerate(samples) if node != root)


# ---- Markdown ----

CODE = re.compile('`[^`|]*`|<code>(?:&#[0-9]+;|[^!-/:-@\\[-`{-~])*</code>')


def markdown_check(text):
    """Headings, items, tables; their text has no markup outside of code."""
    lines, cells = text.split('\n'), 0
    check(lines.pop() == '', 'the last line is not complete')
    for line in lines:
        plain = CODE.sub('', line)
        if line.startswith('|'):
            if not cells:
                cells = plain.count('|')
            check(plain.count('|') == cells and plain.endswith('|'), 'a table with the row %s', ascii(line))
            plain = plain.replace('|', '')
        else:
            cells = 0
        plain = re.sub(r'^(#+|  - |- ) ?|\*\*Top 10:\*\*', '', plain)
        check(not re.search(r'[`*_\[\]<>|\\~#@$&{}^!]|://', plain), 'markup in %s', ascii(line))
        check(not re.match(r'[-+=>]|[0-9]+[.)]', plain) or line.startswith('|'), 'the line %s', ascii(line))


# ---- SVG ----

SVG = '{http://www.w3.org/2000/svg}'


def svg_check(data):
    """Boxes stand inside the picture, have a title each, and are not too many."""
    check(len(data) <= 10_000_000, '%d bytes', len(data))
    picture = xml.etree.ElementTree.fromstring(data)
    left, width = float(picture.get('data-left')), float(picture.get('data-width'))
    boxes = [group for group in picture.iter(SVG + 'g') if (group.get('class') or '').split()[:1] == ['b']]
    check(len(boxes) <= 50000, '%d boxes', len(boxes))
    for box in boxes:
        title, rect = box.find(SVG + 'title').text, box.find(SVG + 'rect')
        check(len(title.split('\n')) in (2, 3), 'the title %s', ascii(title))
        x, w, y = (float(rect.get(name)) for name in ('x', 'width', 'y'))
        check(left - 0.01 <= x and x + w <= left + width + 0.22, 'a box from %s, %s wide', x, w)
        check(0 < y and y + 16 <= float(picture.get('height')), 'a box at %s', y)


# ---- HTML ----

ATTRIBUTES = {'class', 'data-v', 'style', 'colspan', 'open', 'id'}
EMPTY = {'meta'}


class Page(html.parser.HTMLParser):
    """Elements are closed as they were opened, and name nothing elsewhere."""
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.opened, self.scripts, self.policy, self.names = [], [], '', []

    def handle_starttag(self, tag, attrs):
        is_head = tag in ('html', 'meta')
        if 'svg' not in self.opened and tag != 'svg':
            strange = [name for name, _ in attrs if name not in ATTRIBUTES]
            check(is_head or not strange, 'the element %s has %s', tag, strange)
        check(tag not in ('img', 'link', 'iframe', 'object', 'form', 'a', 'base'), 'an element %s', tag)
        check(not any(name.startswith('on') or name in ('src', 'href', 'xlink:href') for name, _ in attrs), 'a link')
        if ('http-equiv', 'Content-Security-Policy') in attrs:
            self.policy = dict(attrs)['content']
        if tag not in EMPTY:
            self.opened.append(tag)
        check(len(self.opened) < 400, 'elements nested too deep')

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.opened.pop()

    def handle_endtag(self, tag):
        check(self.opened and self.opened.pop() == tag, 'the end of %s', tag)

    def handle_data(self, data):
        if self.opened and self.opened[-1] == 'script':
            self.scripts.append(data)


def html_check(data):
    """A page that needs nothing else, whose policy permits its own scripts only; with the picture."""
    check(len(data) <= 10_000_000, '%d bytes', len(data))
    text = data.decode('utf-8')
    page = Page()
    page.feed(text)
    page.close()
    check(not page.opened, 'open at the end: %s', page.opened)
    hashes = ['sha256-' + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in page.scripts]
    check(page.policy.startswith("default-src 'none'"), 'the policy %s', page.policy)
    for value in hashes:
        check("'%s'" % value in page.policy, "the policy lacks '%s'", value)
    picture = re.search('<svg.*?</svg>', text, re.S)
    check(len(hashes) == (2 if picture else 1), '%d scripts', len(hashes))
    if picture:
        svg_check(picture.group(0).encode())


# ---- d3-flame-graph ----

def d3_total(document):
    """The sum of self times, in microseconds. A node has its self time and that of its children, but
    slices that overlap have more than their caller."""
    total, todo = 0, [document]
    while todo:
        node = todo.pop()
        check({'name', 'value', 'executionTime', 'self', 'children'} <= set(node), 'a node of %s', sorted(node))
        check(node['value'] == node['executionTime'] and node['value'] >= 0, 'value %s', node['value'])
        total += node['self']
        todo += node['children']
    return total
