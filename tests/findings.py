#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Findings of recordings with a known culprit, and the times of findings against a second
computation: a walk over the stack of each sample of the file.

usage: findings.py PROGRAM PLANTED [RECORDING...]

PLANTED is a folder with index.json: {"files": {NAME: [PATTERN, ...]}}. One of the first two findings
must match one of the patterns, for all files. RECORDING: more .cpuprofile files, for the times only.
Prints what differs, and the totals as its last line; exit status 1 if anything differs."""
import json
import os
import re
import subprocess
import sys

LEAVES = {'(idle)', '(program)', '(garbage collector)', '(root)'}


def category(frame, is_old_node=False):
    """own, dependency, or other; and the package. is_old_node: a .js without folder is of Node.js."""
    name, url = frame['functionName'], frame.get('url') or ''
    if not url:
        return 'other', None
    if re.match(r'native |node:|internal/|ext:|deno:|bun:|\[native code\]|chrome-extension:|'
                r'extensions:|devtools:|chrome:', url) or is_old_node and re.fullmatch(r'[^/:\\]+\.js', url):
        return 'other', None
    part = re.split(r'(?:^|/)node_modules/', url)
    if len(part) > 1:
        words = part[-1].split('/')
        return 'dependency', '/'.join(words[:2]) if words[0].startswith('@') else words[0]
    return 'own', None


def place(frame):
    return tuple(frame.get(k) for k in ('functionName', 'url', 'lineNumber', 'columnNumber'))


class Recording:
    def __init__(self, path):
        with open(path, encoding='utf8', errors='replace') as file:
            document = json.load(file)
        self.node = {n['id']: n for n in document['nodes']}
        urls = [n['callFrame'].get('url') or '' for n in document['nodes']]
        self.is_old_node = (any(url.startswith('internal/') for url in urls) and
                            not any(url.startswith('node:') for url in urls))
        self.parent = {}
        for node in document['nodes']:
            if 'parent' in node:
                self.parent[node['id']] = node['parent']
            for child in node.get('children') or []:
                self.parent[child] = node['id']
        self.root = next(i for i in self.node if i not in self.parent)
        self.refuse_circles()
        self.read_samples(document)

    def refuse_circles(self):
        known = {self.root}
        for node in self.node:
            path = set()
            while node not in known:
                if node in path:
                    raise ValueError('nodes are below themselves')
                path.add(node)
                node = self.parent[node]
            known |= path

    def kind(self, node):
        frame = self.node[node]['callFrame']
        is_plain = node == self.root or self.parent[node] == self.root and not frame.get('url')
        if is_plain and frame['functionName'] == '(flametty)':
            return '(root)'  # the time of a recording itself
        return frame['functionName'] if is_plain and frame['functionName'] in LEAVES else None

    def row0(self, node):
        while self.parent.get(node, self.root) != self.root:
            node = self.parent[node]
        return node

    def read_samples(self, document):
        time, samples = document['startTime'], []
        for node, delta in zip(document['samples'], document['timeDeltas']):
            time += delta
            samples.append((time, node))
        samples.sort(key=lambda s: s[0])
        first, last, n = samples[0][0], samples[-1][0], len(samples)
        end = last + (last - first) / max(1, n - 1)
        if document.get('endTime', 0) > last:
            end = min(end, document['endTime'])
        # A lone (program) sample inside one outermost call is that call's.
        leaves = [s[1] for s in samples]
        for i in range(1, n - 1):
            around = samples[i - 1][1], samples[i + 1][1]
            if (self.kind(samples[i][1]) == '(program)' and not any(map(self.kind, around)) and
                    self.row0_frame(around[0]) == self.row0_frame(around[1])):
                leaves[i] = around[0]
        self.times = [s[0] for s in samples]
        times = self.times + [end]
        self.samples, before = [], self.root
        for i, leaf in enumerate(leaves):
            is_gc = self.kind(leaf) == '(garbage collector)'
            before = before if is_gc else leaf
            self.samples.append((before, is_gc, times[i + 1] - times[i]))
        self.length = times[-1] - times[0]
        self.begin = times[0] - document['startTime']

    def category(self, frame):
        return category(frame, self.is_old_node)

    def row0_frame(self, node):
        return place(self.node[self.row0(node)]['callFrame'])

    def stack(self, node):
        """Frames, innermost first, without the root."""
        while node != self.root:
            yield self.node[node]['callFrame']
            node = self.parent[node]

    def sums(self):
        """Times by what a finding may be about, in microseconds."""
        sums = {'busy': 0.0, 'idle': 0.0, 'gc': 0.0, 'program': 0.0, 'length': self.length}
        owned, both = 0.0, 0.0
        for leaf, is_gc, time in self.samples:
            if is_gc or self.kind(leaf) not in ('(idle)', '(root)'):
                sums['busy'] += time
                kinds = {self.category(f)[0] for f in self.stack(leaf)}
                owned += time * ('own' in kinds)
                both += time * bool({'own', 'dependency'} & kinds)
        busy = sums['busy']
        is_tool = owned < busy * .1 and both >= max(busy * .1, 2 * owned)
        for leaf, is_gc, time in self.samples:
            self.add(sums, leaf, is_gc, time, is_tool)
        return sums

    def add(self, sums, leaf, is_gc, time, is_tool):
        def put(*key):
            sums[key] = sums.get(key, 0) + time
        kind = self.kind(leaf)
        if is_gc:
            sums['gc'] += time
        elif kind in ('(idle)', '(program)', '(root)'):
            sums[kind[1:-1]] = sums.get(kind[1:-1], 0) + time
            return
        package, loading, is_owned, seen = None, False, False, set()
        stack = list(self.stack(leaf))
        for frame in stack:
            key = place(frame)
            if key not in seen:
                put('total', *key)
            seen.add(key)
        for frame in stack:
            what, name = self.category(frame)
            if what == 'own' or is_tool and what == 'dependency':
                put('owner', *place(frame))
                is_owned = True
                put('file', frame.get('url'))
                package = name if is_tool else package
                break
            package = name or package
            loading |= (frame.get('url') or '').startswith('node:internal/modules/')
        if package:
            put('pkg' if is_owned else 'passed', package)
        if loading:
            put('load')


def expected(sums, finding):
    """The time that a finding must have; None: not computed here."""
    kind, function = finding['kind'], finding['function'] or {}
    name = function.get('name')
    key = ('' if name == '(anonymous)' else name, function.get('url'),
           (function.get('line') or 0) - 1, (function.get('column') or 0) - 1)
    if kind == 'owner':
        return sums.get(('owner', *key))
    if kind == 'half':
        return sums.get(('total', *key))
    if kind in ('gc', 'program', 'idle'):
        return sums[kind]
    if kind == 'load':
        return sums.get(('load',))
    if kind == 'file':
        return sums.get(('file', function.get('url')))
    if kind == 'pkg':
        # A package may pass time without an owner on to others, and get some of theirs.
        package = re.match(r'package (\S+)', finding['text']).group(1)
        least = sums.get(('pkg', package), 0)
        most = least + sums.get(('passed', package), 0)
        return min(max(least, finding['time_us']), most)
    return None


def report(program, path):
    out = subprocess.run([program, 'report', '--format=json', path], stdout=subprocess.PIPE,
                         check=True).stdout
    return json.loads(out)['findings']


def check_times(path, findings):
    """The number of times compared, and of those that differ."""
    if not findings:
        return 0, 0
    sums, n, bad = Recording(path).sums(), 0, 0
    for finding in findings:
        time = expected(sums, finding)
        if finding['kind'] not in ('owner', 'half', 'gc', 'program', 'idle', 'load', 'file', 'pkg') \
                or ' through ' in finding['text']:
            continue
        if time is None:
            print(f'{path}: not found: {finding["kind"]} {finding["text"]}')
            bad += 1
            continue
        whole = sums['length' if finding['kind'] == 'idle' else 'busy']
        n += 1
        if abs(time - finding['time_us']) > 2 or abs(time / whole - finding['share']) > .0001:
            print(f'{path}: {finding["text"]}: {finding["time_us"]} us, expected {time:.3f}')
            bad += 1
    return n, bad


def check_through(path, findings):
    """The parts of a package's time that come through others: as much has these on its stacks."""
    texts = [f for f in findings if ' through ' in f['text']]
    if not texts:
        return 0, 0
    recording, n, bad = Recording(path), 0, 0
    for finding in texts:
        for share, name in re.findall(r'(\d+) %(?: of it)? through ([^ ,]+)', finding['text']):
            time = sum(length for leaf, _, length in recording.samples
                       if any(recording.category(f)[1] == name for f in recording.stack(leaf)))
            n += 1
            if int(share) < 33 or time < finding['time_us'] * (int(share) - 1) / 100:
                print(f'{path}: {finding["text"]}: {name} is on stacks for {time:.0f} us')
                bad += 1
    return n, bad


def check_claims(path, findings):
    """Texts that have no number, or call a stretch without idle time blocked."""
    bad = 0
    for finding in findings:
        for text in [finding['text']] + finding['notes']:
            if not re.search(r'\d', text) or (finding['kind'] == 'stretch' and 'blocked' in text):
                print(f'{path}: a claim: {text}')
                bad += 1
    return bad


def check_findings(path, findings):
    """The number of figures compared, and of those that differ or are missing."""
    n, bad = check_times(path, findings)
    more, more_bad = check_through(path, findings)
    return n + more, bad + more_bad + check_claims(path, findings)


def main():
    program, planted = sys.argv[1], sys.argv[2]
    with open(os.path.join(planted, 'index.json'), encoding='utf8') as file:
        files = json.load(file)['files']
    passed = failed = compared = 0
    for name, patterns in files.items():
        path = os.path.join(planted, name)
        findings = report(program, path)
        texts = [' '.join([f['text']] + f['notes']) for f in findings[:2]]
        found = any(re.search(p, t) for p in patterns for t in texts)
        n, bad = check_findings(path, findings)
        if not found:
            print(f'{path}: none of {patterns} in {texts}')
        passed, failed = passed + (found and not bad), failed + (not found or bad > 0)
        compared += n
    for path in sys.argv[3:]:
        findings = report(program, path)
        n, bad = check_findings(path, findings)
        if 'http-server/' in path and 'at most 45 ms' not in ' '.join(f['text'] for f in findings):
            print(f'{path}: does not say "at most 45 ms"')
            bad += 1
        passed, failed = passed + (not bad), failed + (bad > 0)
        compared += n
    print(f'{compared} times compared')
    print(f'{passed} passed, {failed} failed')
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
