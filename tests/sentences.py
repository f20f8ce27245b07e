#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every sentence of findings, of what stands out and of the verdict, and each number in it against
a second computation: a walk over the stack of each sample of the file.

usage: sentences.py PROGRAM FILE|FOLDER...
       sentences.py --watch LINES        what watch has said (--format=json), by the profiles that it left
       sentences.py --live SCREEN FILE   a picture of live, by what it saved at the same time

Takes all .cpuprofile files, the CPU samples of traces and the threads of perf, which are made into such
files here, the slices of traces without samples, and the comparisons and gates of tests/input/runs. Prints each kind of sentence once, with how often it was said and how
many of its numbers were compared; -v prints all sentences. A sentence of no known form, or with a
number that differs, is printed and fails the test."""
import collections
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from findings import Recording, place

SHARE, LENGTH, AT = r'(<?\d+) %', r'(\d[\d.]* (?:ms|s|us|µs|ns|min|h|d)(?: \d+ (?:s|min|h))?)', r'(\d+\.\d\d s|\d[\d.]* (?:ms|µs|us|ns)|0)'
BUSY = rf'(?: of {LENGTH})?'
NAME = r'(.+?)'
UNITS = {'ns': 1e-3, 'us': 1, 'µs': 1, 'ms': 1e3, 's': 1e6, 'min': 6e7, 'h': 36e8, 'd': 864e8}


def length_us(text):
    words = text.split(' ')
    return sum(float(n) * UNITS[u] for n, u in zip(words[::2], words[1::2]))


def seconds(at):
    """The seconds of a place."""
    return length_us(at) / 1e6 if at != '0' else 0


class Facts(Recording):
    """What the samples say, by the rules of the manual."""

    def __init__(self, path):
        super().__init__(path)
        with open(path, encoding='utf8', errors='replace') as file:
            self.document = json.load(file)
        sums = self.sums()
        times = self.times
        self.bridge = 1.5 * (times[-1] - times[0]) / max(1, len(times) - 1)
        self.busy, self.idle, self.gc = sums['busy'], sums['idle'], sums['gc']
        self.has_mode()
        self.list, time = [], self.begin
        self.walked = {}
        for leaf, is_gc, length in self.samples:
            self.list.append((self.walk(leaf), is_gc, length, time))
            time += length

    def has_mode(self):
        owned = both = 0.0
        for leaf, is_gc, time in self.samples:
            if is_gc or self.kind(leaf) not in ('(idle)', '(root)'):
                kinds = {self.category(f)[0] for f in self.stack(leaf)}
                owned += time * ('own' in kinds)
                both += time * bool({'own', 'dependency'} & kinds)
        self.is_tool = owned < self.busy * .1 and both >= max(self.busy * .1, 2 * owned)

    def is_own(self, frame):
        return self.category(frame)[0] == 'own' or self.is_tool and self.category(frame)[0] == 'dependency'

    def walk(self, leaf):
        """Kind, stack (outermost first), owner's index in it or -1."""
        if leaf not in self.walked:
            stack = list(self.stack(leaf))[::-1]
            owner = max((i for i, f in enumerate(stack) if self.is_own(f)), default=-1)
            self.walked[leaf] = (self.kind(leaf), stack, owner)
        return self.walked[leaf]

    def busy_samples(self):
        for (kind, stack, owner), is_gc, time, at in self.list:
            if is_gc or kind not in ('(idle)', '(root)'):
                yield kind, stack, owner, is_gc, time, at

    def time(self, test):
        return sum(s[4] for s in self.busy_samples() if test(*s[:4]))

    @staticmethod
    def module(frame):
        url = re.sub(r'^node:', '', frame.get('url') or '')
        return 'node:' + re.sub(r'\.js$', '', re.sub(r'^internal/', '', url).split('/')[0])

    @staticmethod
    def is_node(frame):
        return re.match(r'node:|internal/', frame.get('url') or '') is not None

    @staticmethod
    def is_loader(frame):
        return re.match(r'(node:)?internal/modules/', frame.get('url') or '') is not None

    def mechanism(self, kind, stack, owner, is_gc):
        path = stack[owner + 1:]
        if is_gc:
            return 'GC'
        regexps = [f for f in path if not f.get('url') and f['functionName'].startswith('RegExp: ')]
        if regexps:
            return regexps[-1]['functionName']
        for frame in path:
            if self.is_loader(frame):
                break
            if self.is_node(frame) and frame['functionName'].endswith('Sync') and \
                    self.module(frame)[5:] in ('fs', 'zlib', 'crypto', 'child_process'):
                return frame['functionName'] + ' (synchronous)'
        if any(map(self.is_loader, path)):
            return 'loading modules'
        for frame in path:
            if self.category(frame)[0] == 'dependency' and not self.is_tool:
                return 'package ' + self.category(frame)[1]
        for frame in path:
            if self.is_node(frame):
                return self.module(frame)
        if path and (path[-1].get('url') or 'native ').startswith('native '):
            return path[-1]['functionName']
        return 'self'


def function_key(function):
    if not function:
        return None
    name = function.get('name')
    return ('' if name == '(anonymous)' else name, function.get('url') or '', (function.get('line') or 0) - 1,
            (function.get('column') or 0) - 1)


class Check:
    """The numbers of one finding."""

    def __init__(self, facts, finding):
        self.f, self.finding = facts, finding
        self.key, self.under = function_key(finding['function']), function_key(finding['under'])
        self.n, self.wrong = 0, []

    def compare(self, what, said, expected, slack):
        self.n += 1
        if expected is None or abs(said - expected) > slack:
            self.wrong.append(f'{what}: {said}, expected {expected if expected is None else round(expected, 3)}')

    def share(self, what, said, part, whole):
        percent = 100 * part / whole if whole else 0
        if said.startswith('<'):
            self.compare(what, 0 if percent < 1.001 else -1, 0, 0)
        else:
            self.compare(what, int(said), percent, .51)

    def length(self, what, said, expected):
        value = length_us(said)
        # Of `138 d` and `277 h 46 min` the last unit is rounded.
        unit = UNITS[said.split(' ')[-1]] if UNITS[said.split(' ')[-1]] >= 6e7 else 0
        self.compare(what, value, expected, max(unit, value * .006 + 1, 510 if ' ms' in said else 0))

    def is_owner(self, stack, owner):
        return owner >= 0 and place(stack[owner]) == self.key

    def whole(self, said, of=None):
        """The share that a sentence begins with is that of the finding, whose time is checked."""
        whole = self.f.length if self.finding['kind'] == 'idle' else self.f.busy
        self.share('share', said, self.finding['time_us'], whole)
        if of:
            self.length('busy time', of, self.f.busy)

    def mechanism(self, name, said):
        self.share(name, said, self.f.time(
            lambda k, s, o, g: self.is_owner(s, o) and self.f.mechanism(k, s, o, g) == name), self.f.busy)

    def line(self, line, said):
        ticks = collections.Counter()
        for node in self.f.document['nodes']:
            if place(node['callFrame']) == self.key:
                for tick in node.get('positionTicks') or []:
                    ticks[tick['line']] += tick['ticks']
        if said:
            self.share(f'line {line}', said, ticks[int(line)], sum(ticks.values()))
        else:
            self.compare('line', int(line), ticks.most_common(1)[0][0], 0)

    def runs(self, test):
        """Runs of samples that follow each other and pass a test: [(start, length)]."""
        out, last = [], None
        for (kind, stack, owner), is_gc, time, at in self.f.list:
            value = test(kind, stack, owner, is_gc)
            if value is not None and value == last:
                out[-1][1] += time
            elif value is not None:
                out.append([at, time])
            last = value
        return out

    def tasks(self):
        """Runs of one function in the first row; what process.nextTick() calls back ends with promise jobs, too."""
        out, last, were_jobs = [], None, False
        for (kind, stack, owner), is_gc, time, at in self.f.list:
            value = None if kind or not stack else place(stack[0])
            is_tick = value is not None and len(stack) > 1 and self.f.is_node(stack[0]) and \
                stack[0]['functionName'] == 'processTicksAndRejections'
            are_jobs = is_tick and stack[1]['functionName'] == 'runMicrotasks'
            if value is not None and value == last and not (were_jobs and is_tick and not are_jobs):
                out[-1][1] += time
            elif value is not None:
                out.append([at, time])
            if is_tick or value != last:
                were_jobs = are_jobs
            last = value
        return out

    def run_at(self, runs, at):
        near = [r for r in runs if abs(r[0] / 1e6 - seconds(at)) < .006]
        return max(near, key=lambda r: r[1]) if near else [None, None]

    def block(self, is_most, length, at, n, share, in_share, begins):
        runs = self.tasks()
        start, worst = self.run_at(runs, at)
        self.length('longest task', length, worst)
        long = [r[1] for r in runs if r[1] >= 49999]
        # Starting up is no task.
        self.compare('tasks', min(int(n), len(long)), int(n), 0)
        if int(n) == len(long):
            self.share('tasks', share, sum(long), self.f.busy)
        if in_share and int(n) == len(long):
            inside = [(r[0], r[0] + r[1]) for r in runs if r[1] >= 49999]
            self.share('in ' + begins, in_share, sum(
                time for (k, s, o), g, time, t in self.f.list
                if self.is_owner(s, o) and any(a <= t < b for a, b in inside)), sum(long))

    def stretches(self):
        """Busy time between pauses; short idle time is none."""
        out, pause = [], float('inf')
        for (kind, stack, owner), is_gc, time, at in self.f.list:
            if kind in ('(idle)', '(root)') and not is_gc:
                pause += time if kind == '(idle)' or not time else float('inf')
                continue
            if pause <= self.f.bridge:
                out[-1][1] = at + time - out[-1][0]
            else:
                out.append([at, time])
            pause = 0
        return out

    def stretch(self, length, at, idle, share, task):
        start, longest = self.run_at(self.stretches(), at)
        self.length('stretch', length, longest)
        if start is not None:
            self.length('idle time in it', idle or '0 ns', sum(
                time for (k, s, o), g, time, t in self.f.list
                if k == '(idle)' and not g and start <= t < start + longest))
        if share and start is not None:
            self.share('in the stretch', share, sum(
                time for (k, s, o), g, time, t in self.f.list
                if self.is_owner(s, o) and start <= t < start + longest), longest)
        if task and start is not None:
            most = max((min(a + n, start + longest) - a for a, n in self.tasks() if start <= a < start + longest),
                       default=0)
            # Starting up is no task.
            self.length('its longest task', task, min(most, length_us(task)) if most > length_us(task) else most)

    def dense(self, said, length, at):
        start, end = seconds(at) * 1e6, seconds(at) * 1e6 + length_us(length)
        start = self.finding['start_us'] if abs(self.finding['start_us'] - start) < 6000 else start
        end = start + self.finding['duration_us']
        self.length('densest stretch', length, end - start)
        self.share('densest stretch', said, sum(
            max(0, min(t + n, end) - max(t, start)) for _, g, n, t in self.f.list if g), end - start)

    def timer(self, n, each=None, every=None, share=None):
        starts, time, last = [], 0.0, -1e12
        for (kind, stack, owner), is_gc, length, at in self.f.list:
            below = next((i for i, f in enumerate(stack) if f['functionName'] in ('processTimers', 'listOnTimeout')
                          and self.f.is_node(f)), None)
            own = below is not None and next((f for f in stack[below:] if self.f.is_own(f)), None)
            if not own or place(own) != self.key:
                continue
            if at - last > 5000:
                starts.append(at)
            last, time = at + length, time + length
        self.compare('times', int(n), len(starts), 0)
        self.share('timer', share, time, self.f.busy)
        if each:
            self.compare('each', float(each), time / len(starts) / 1e3, .06)
        if every:
            distances = sorted(b - a for a, b in zip(starts, starts[1:]))
            self.length('interval', every, distances[len(distances) // 2])

    def callees(self, *pairs):
        times = collections.Counter()
        for kind, stack, owner, is_gc, time, at in self.f.busy_samples():
            seen = set()
            for i, frame in enumerate(stack):
                if place(frame) != self.key:
                    continue
                callee = next((f for f in stack[i + 1:] if self.f.is_own(f)), None)
                if callee and place(callee) != self.key and place(callee) not in seen:
                    seen.add(place(callee))
                    times[place(callee)] += time
        for name, said in pairs:
            word = re.split(r'[ :]', name)[0]
            values = [t for p, t in times.items() if p[0] == word or p[1].endswith('/' + word) or word in p[1]]
            near = min(values, key=lambda t: abs(100 * t / self.f.busy - float(said.strip('<'))), default=0)
            self.share(name, said, near, self.f.busy)

    def below(self, said, name):
        """The part of a finding's time that lies below an own function, with no package between."""
        kind, words = self.finding['kind'], self.finding['text']
        package = kind == 'pkg' and re.match(r'package (\S+)', words).group(1)
        time = 0.0
        for k, stack, owner, is_gc, length, at in self.f.busy_samples():
            if kind == 'gc' and not is_gc:
                continue
            if package and next((self.f.category(f)[1] for f in stack[owner + 1:]
                                 if self.f.category(f)[0] == 'dependency'), None) != package:
                continue
            for frame in stack[:owner + 1][::-1]:
                if self.f.category(frame)[0] == 'dependency':
                    break
                if place(frame) == self.under:
                    time += length
                    break
        self.share('under ' + name, said, time, self.finding['time_us'])

    def spent(self, said):
        totals = collections.Counter()
        counts = lambda f: self.f.category(f)[0] == 'dependency' or self.f.is_tool and self.f.is_own(f)
        is_top = lambda f: f['functionName'] in ('', '(anonymous)') and f.get('lineNumber') == 0 and not f.get('columnNumber')
        for kind, stack, owner, is_gc, time, at in self.f.busy_samples():
            for key in {place(f) for f in stack if counts(f) and not is_top(f)}:
                totals[key] += time
        time = 0.0
        for kind, stack, owner, is_gc, length, at in self.f.busy_samples():
            if any(map(self.f.is_loader, stack[owner + 1:])):
                continue
            small = [f for f in stack if counts(f) and not is_top(f)]
            first = next((i for i, f in enumerate(small) if totals[place(f)] < self.f.busy / 2), None)
            if first is None:
                continue
            package = self.f.category(small[first])[1]
            entered = next((f for f in small[first:] if self.f.category(f)[1] != package), None)
            time += length * (self.key in (place(small[first]), entered and place(entered)))
        self.share('spent', said, time, self.f.busy)

    def modules(self, name, said):
        if name.endswith(' code') and name not in ('native code', 'extension code'):
            return

        def test(kind, stack, owner, is_gc):
            if kind and not is_gc or owner >= 0 or not stack or \
                    any(self.f.category(f)[0] == 'dependency' or self.f.is_loader(f) for f in stack):
                return False
            if any(re.match('chrome(-extension)?:', f.get('url') or '') for f in stack):
                return name == ('extension code' if stack[-1].get('url') else 'native code')
            is_boot = any(re.match(r'(node:)?internal/(main|bootstrap|process/pre_execution)', f.get('url') or '')
                          for f in stack)
            if name == 'start of Node.js':
                return is_boot
            first = next((self.f.module(f) for f in stack if self.f.is_node(f)), 'native code')
            return not is_boot and first == name
        self.share(name, said, self.f.time(test), self.f.busy)

    def few(self, n):
        self.compare('samples', int(n), sum(1 for s in self.f.busy_samples() if s[4]), 0)

    def recursion(self, n):
        most = max((sum(place(f) == self.key for f in s[1]) for s in self.f.busy_samples()), default=0)
        self.compare('deep', int(n), most, 0)


def forms():
    """Template, and the check of its groups. The list of all sentences."""
    tail = rf'(?:; its GC {SHARE})?(?:; loading modules {SHARE})?(?:; in ((?:package |node:)?\S+|RegExp: .+?|\S+ \(synchronous\)) {SHARE})?' \
           rf'(?:; forced layout {SHARE})?(?:; of \S+, a third party(?: with \d+ %)?)?(?: \(line (\d+)(?:, [^:)]*)?:(?: {SHARE})?[^)]*\))?'

    def owner(c, name, share, of, gc, load, mech, mech_share, layout, line, line_share):
        c.whole(share, of)
        if gc:
            c.mechanism('GC', gc)
        if load:
            c.mechanism('loading modules', load)
        if mech:
            c.mechanism(mech, mech_share)
        if line:
            c.line(line, line_share)

    def gc(c, share, of, part, name, dense, length, at):
        c.whole(share, of)
        if part:
            c.below(part, name)
        if dense:
            c.dense(dense, length, at)

    def pkg(c, name, share, of, through, under, under_name):
        c.whole(share, of)
        if under:
            c.below(under, under_name)

    return {
        'block': [(rf'blocked (at most )?{LENGTH} at {AT}: (\d+) tasks? of 50 ms or more, {SHARE} of the busy time'
                   rf'(?:; {SHARE} of that in {NAME}|; the longest begins in .+)?',
                   lambda c, most, n, at, k, share, part, name: c.block(most, n, at, k, share, part, name))],
        'owner': [(rf'{NAME} {SHARE}{BUSY}{tail}', owner)],
        'pkg': [(rf'package {NAME} {SHARE}{BUSY}((?:[:,] \d+ %(?: of it)? through [^,]+)*)'
                 rf'(?:[:,] {SHARE}(?: of it)? under {NAME})?', pkg)],
        'sync': [(rf'synchronous node:\S+ {SHARE}{BUSY}: .+', lambda c, s, of: c.whole(s, of))],
        'load': [(rf'module loading {SHARE}{BUSY}(?:: package .+| by .+)?', lambda c, s, of: c.whole(s, of))],
        'gc': [(rf'GC {SHARE}{BUSY}(?:: {SHARE} of it under {NAME})?(?:; densest {SHARE} of {LENGTH} at {AT})?', gc)],
        'regexp': [(rf'{NAME} {SHARE}{BUSY}(?: by [^;]+)?(?:; for {LENGTH} without a pause: backtracks\?)?',
                    lambda c, n, s, of, run: c.whole(s, of))],
        'file': [(rf'file {NAME} {SHARE}{BUSY}', lambda c, n, s, of: c.whole(s, of))],
        'spent': [(rf'{NAME} {SHARE}{BUSY} with all it calls', lambda c, n, s, of: (c.whole(s, of), c.spent(s)))],
        'half': [(rf'{NAME} {SHARE}{BUSY} with all it calls: {NAME} {SHARE}, {NAME} {SHARE}',
                  lambda c, n, s, of, a, x, b, y: (c.whole(s, of), c.callees((a, x), (b, y))))],
        'inside': [(rf'inside: {NAME} {SHARE}{BUSY}', lambda c, n, s, of: c.whole(s, of))],
        'stretch': [(rf'busy (?:without a pause for|stretch of) {LENGTH} at {AT}(?: \({LENGTH} idle in it\))?(?:: .+? {SHARE})?'
                     rf'(?:; longest task in it (?:at most )?{LENGTH})?',
                     lambda c, n, at, idle, s, task: c.stretch(n, at, idle, s, task))],
        'every': [(rf'every {LENGTH}: .+, seen (\d+) times, ([\d.]+) ms on average, {SHARE} of the busy time',
                   lambda c, e, n, x, s: c.timer(n, x, e, s)),
                  (rf'timer: .+, seen (\d+) times, {SHARE} of the busy time', lambda c, n, s: c.timer(n, share=s))],
        'program': [(rf'\(program\) {SHARE}{BUSY}: native work outside JavaScript', lambda c, s, of: c.whole(s, of))],
        'node': [(rf'{NAME} {SHARE}{BUSY}(?:, not called from own code)?',
                  lambda c, n, s, of: (c.whole(s, of), c.modules(n, s)))],
        'wait': [(rf'waits in Atomics.wait {SHARE}: no work, in .+', lambda c, s: c.whole(s))],
        'few': [(rf'only (\d+) samples?: .+ {SHARE}', lambda c, n, s: (c.few(n), c.whole(s)))],
        'even': [(rf'no function stands out: (\d+) have (<?\d+) to {SHARE}', lambda c, n, a, b: None)],
        'idle': [(rf'idle {SHARE} of {LENGTH}: (?:the processor is not the bottleneck'
                  r'(?:; attach --requests records what its requests wait for)?'
                  r'|waits for .+; record with --requests to see which request waits'
                  rf'|waits; .+ is busy {SHARE})',
                  lambda c, s, n, b: (c.whole(s), c.length('length', n, c.f.length)))],
        'recursion': [(r'recursion, (\d+) deep(?: or more)?', lambda c, n: c.recursion(n))],
    }


def check_text(facts, finding, text, kinds, counts):
    """Find the form of a text and check its numbers. The kind of a note is not known."""
    for kind in kinds:
        for pattern, check in FORMS[kind]:
            match = re.fullmatch(pattern, text)
            if not match:
                continue
            c = Check(facts, finding)
            check(c, *match.groups())
            counts[kind][0] += 1
            counts[kind][1] += c.n
            return c.wrong
    return ['a sentence of no known form']


def standouts_wrong(facts, standouts, counts):
    """What stands out: shares and times of the whole lane."""
    selfs, deepest = collections.Counter(), collections.Counter()
    for kind, stack, owner, is_gc, time, at in facts.busy_samples():
        if not is_gc and stack:
            selfs[place(stack[-1])] += time
        for key, n in collections.Counter(map(place, stack)).items():
            deepest[key] = max(deepest[key], n)
    wrong = []
    for standout in standouts:
        text, c = standout['text'], Check(facts, {'function': None, 'under': None})
        part = rf'([\d.]+) %, {LENGTH}'
        match = re.fullmatch(rf'much garbage collection: {part}', text)
        hot = re.fullmatch(rf'hottest: (.+), self {part}(?:; of it line \d+ ≈ {LENGTH})?', text)
        deep = re.fullmatch(r'deep recursion: (.+) (\d+) times on one stack', text)
        stretch = re.fullmatch(rf'longest (busy stretch|pause) {LENGTH} at (?:{LENGTH}|0)(?: in .+)? \(.+\)', text)
        if match or hot:
            share, length = (match or hot).groups()[-2:] if match else hot.groups()[1:3]
            # Files made by hand have it below functions, too.
            gc = sum(t for key, t in selfs.items() if key[0] == '(garbage collector)')
            time = facts.gc + gc if match else max(selfs.values())
            c.compare('share', float(share), 100 * time / facts.busy, .06)
            c.length('time', length, time)
        elif deep:
            c.compare('deep', int(deep.group(2)), max(deepest.values()), 0)
        elif stretch:
            is_pause = stretch.group(1) == 'pause'
            runs = c.runs(lambda k, s, o, g: (k in ('(idle)', '(root)') and not g) or None) if is_pause \
                else c.stretches()
            c.length('length', stretch.group(2), max((r[1] for r in runs), default=0))
        else:
            c.wrong.append('a sentence of no known form')
        counts['stands out'][0] += 1
        counts['stands out'][1] += c.n
        wrong += [f'{text}: {w}' for w in c.wrong]
    return wrong


def verdict_wrong(program, arguments, findings, facts):
    """The items of the verdict line are shares that findings have, or of garbage collection."""
    out = subprocess.run([program, '--no-config', '--render=240x44', *arguments], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, check=True).stdout.decode('utf8', 'replace').split('\n')
    first, second = out[1].rsplit('|', 1)[0], out[2].rsplit('|', 1)[0]
    first = re.sub(r'\S* next\s*$', '', first)
    shares = [(100 * f['share']) for f in findings] + [100 * facts.gc / facts.busy if facts.busy else 0]
    wrong, n = [], 0
    for item in re.split(r'\s{3,}|(?<=busy:) ', first.strip()):
        said = re.search(r' (\d+) %(?: in all)?(?:, mostly I/O)?$', item)
        # An item can be a whole sentence.
        if said and '±' not in item and item not in [f['text'] for f in findings]:
            n += 1
            if not any(abs(int(said.group(1)) - s) <= .51 for s in shares):
                wrong.append(f'verdict: {item}')
    for part in re.split(r'\s{4,}', second.strip()):
        head = part[:part.find('%') + 1]
        if head and head in first:
            wrong.append(f'the second row repeats: {part}')
    return n, wrong


def profiles_of_trace(path):
    """The profiles that a trace of Chromium has in chunks: process, thread, document."""
    with gzip.open(path) as file:
        events = json.load(file)
    events = events['traceEvents'] if isinstance(events, dict) else events
    profiles = {}
    for e in events:
        key = e.get('pid'), e.get('id')
        if e.get('name') == 'Profile':
            profiles[key] = (e['pid'], e['tid'],
                             {'nodes': [], 'samples': [], 'timeDeltas': [], 'startTime': e['args']['data']['startTime']})
    for e in sorted((e for e in events if e.get('name') == 'ProfileChunk'), key=lambda e: e['ts']):
        data, document = e['args']['data'], profiles[e['pid'], e['id']][2]
        for node in data.get('cpuProfile', {}).get('nodes', []):
            node['callFrame'].setdefault('url', '')
            document['nodes'].append(node)
        by_id = {node['id']: node for node in document['nodes']}
        samples = data.get('cpuProfile', {}).get('samples', [])
        for leaf, line in zip(samples, data.get('lines', [])):
            if line > 0:
                by_id[leaf].setdefault('positionTicks', []).append({'line': line, 'ticks': 1})
        document['samples'] += samples
        document['timeDeltas'] += data.get('timeDeltas', [])
    return [p for p in profiles.values() if p[2]['samples']]


def opened(path):
    return gzip.open(path, 'rt', encoding='utf8') if path.endswith('.gz') else open(path, encoding='utf8')


def perf_frame(line):
    """A frame of perf script as a call frame."""
    match = re.match(r'\s+[0-9a-f]+ (.*?)(?:\+0x[0-9a-f]+)? \((.*)\)$', line)
    if not match:
        return None
    name, module = match.groups()
    script = re.match(r'(?:JS|LazyCompile|Function|Script|Eval):[~^+*]?(.*?) ?((?:/|node:|file:)\S*?):(\d+):(\d+)$', name)
    if script:
        return {'functionName': script.group(1), 'url': script.group(2),
                'lineNumber': int(script.group(3)) - 1, 'columnNumber': int(script.group(4)) - 1}
    return {'functionName': name, 'url': 'native ' + module, 'lineNumber': -1, 'columnNumber': -1}


def profiles_of_perf(path):
    """The threads of a text of perf script: thread, document. A sample lasts until the next one of its thread,
    or, if that does not come within two intervals, one interval."""
    threads, stack, periods = collections.defaultdict(list), [], collections.Counter()
    with opened(path) as file:
        for line in file:
            head = re.match(r'(\S.*?) +(?:\d+/)?(\d+) +(?:\[\d+\] +)?(\d+)\.(\d+): +(\d+) +(?:cpu|task)-clock', line)
            if head:
                stack = []
                at = int(head.group(3)) * 10**6 + int((head.group(4) + '000')[:6])
                threads[int(head.group(2))].append((at, stack))
                periods[int(head.group(5))] += 1
            elif perf_frame(line):
                stack.insert(0, perf_frame(line))
    if not periods:
        return
    interval = periods.most_common(1)[0][0] / 1000
    for tid, samples in threads.items():
        samples.sort(key=lambda s: s[0])
        nodes, index = [{'id': 1, 'callFrame': {'functionName': '(root)'}}], {}
        document = {'nodes': nodes, 'samples': [], 'timeDeltas': [], 'startTime': samples[0][0]}
        last = samples[0][0]
        for i, (at, stack) in enumerate(samples):
            node = 1
            for frame in stack:
                key = node, place(frame)
                if key not in index:
                    index[key] = len(nodes) + 1
                    nodes.append({'id': index[key], 'parent': node, 'callFrame': frame})
                node = index[key]
            document['samples'].append(node)
            document['timeDeltas'].append(at - last)
            last, end = at, samples[i + 1][0] if i + 1 < len(samples) else None
            if end is None or end - at > 2 * interval:
                document['samples'].append(1)
                document['timeDeltas'].append(interval)
                last = at + interval
        document['endTime'] = last
        yield tid, document


def slices_of(path):
    """The slices of each thread of a trace: begin, end, name. None: they do not nest, or it has samples."""
    try:
        with opened(path) as file:
            events = json.load(file)
        events = events['traceEvents'] if isinstance(events, dict) else events
        events = [e for e in events if e.get('ph') in ('X', 'B', 'E', 'P')]
        for e in events:
            # A call is called by its function.
            data = (e.get('args') or {}).get('data') if isinstance(e.get('args'), dict) else None
            if e.get('name') == 'FunctionCall' and isinstance(data, dict) and data.get('functionName'):
                e['name'] = data['functionName']
        threads, open_ = collections.defaultdict(list), collections.defaultdict(list)
        for e in sorted(events, key=lambda e: float(e['ts'])):
            key, at = (e['pid'], e['tid']), float(e['ts'])
            if e['ph'] == 'P' or e.get('name') in ('Profile', 'ProfileChunk'):
                return None
            if e['ph'] == 'X':
                threads[key].append((at, at + float(e['dur']), e['name']))
            elif e['ph'] == 'B':
                open_[key].append((at, e['name']))
            else:
                begin, name = open_[key].pop()
                if e.get('name', name) != name:
                    return None
                threads[key].append((begin, at, name))
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        return None
    if any(open_.values()):
        return None
    for slices in threads.values():
        slices.sort(key=lambda s: (s[0], -s[1]))
        ends = []
        for begin, end, name in slices:
            while ends and ends[-1] <= begin:
                ends.pop()
            if ends and end > ends[-1]:
                return None
            ends.append(end)
    return threads


def reactions_wrong(document, counts):
    """What is slow of the reactions of pages: those that the document has as INP. Each is told once."""
    slow = [v['inp'] for v in document.get('vitals') or [] if v.get('inp')]
    slow = [x for x in slow if x['input_delay_us'] >= 5e4 or
            x['input_delay_us'] + x['processing_us'] + x['presentation_us'] > 2e5]
    wrong, told, is_listed = [], 0, len(document.get('findings') or []) < 10
    for finding in document.get('findings') or []:
        for text in [finding['text'], *finding['notes']]:
            said = re.search(rf'(?:^|; )(\S+) (waited|took) {LENGTH}(?: at {AT}(?:, processing {LENGTH})?)?(?=$|:)', text)
            if not said:
                if finding['kind'] == 'input':
                    wrong.append(f'{text}: a sentence of no known form')
                continue
            c = Check(None, {'function': None, 'under': None})
            x = max(slow, key=lambda x: x['type'] == said.group(1) and x['processing_us'] + x['presentation_us'] +
                    x['input_delay_us'], default=None)
            all_us = x and x['input_delay_us'] + x['processing_us'] + x['presentation_us']
            c.length('length', said.group(3), x and x['input_delay_us'] if said.group(2) == 'waited' else all_us)
            if said.group(4):
                c.compare('at', seconds(said.group(4)), x and x['start_us'] / 1e6, .0051)
            if said.group(5):
                c.length('processing', said.group(5), x and x['processing_us'])
            told += 1
            counts['reaction'][0] += 1
            counts['reaction'][1] += c.n
            wrong += [f'{text}: {w}' for w in c.wrong]
    if told > 1 or slow and not told and is_listed:
        wrong.append(f'{len(slow)} slow reactions, {told} told')
    return wrong


def slices_wrong(program, path, counts):
    """What stands out in a trace of slices: self times, stretches and pauses of its threads."""
    threads = slices_of(path)
    out = subprocess.run([program, 'report', '--format=json', '--no-config', path], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL)
    document = json.loads(out.stdout) if out.returncode == 0 else {}
    standouts = document.get('summary', {}).get('standouts') or []
    late = reactions_wrong(document, counts)
    if not threads or not standouts or document.get('named_only') or \
            {l['kind'] for l in document['lanes']} & {'samples'}:
        return late
    selfs, stretches, pauses = collections.Counter(), [], []
    for slices in threads.values():
        stack, until = [], None
        for begin, end, name in slices:
            while stack and stack[-1][0] <= begin:
                stack.pop()
            if stack:
                selfs[stack[-1][1]] -= end - begin
            selfs[name] += end - begin
            stack.append((end, name))
            if until is None or begin > until + .0005:
                pauses += [begin - until] if until is not None else []
                stretches.append([begin, end])
            stretches[-1][1] = until = max(until or end, end)
    busy, wrong = sum(selfs.values()), []
    for standout in standouts:
        text, c = standout['text'], Check(None, {'function': None, 'under': None})
        part = rf'([\d.]+) %, {LENGTH}'
        gc = re.fullmatch(rf'much garbage collection: {part}', text)
        hot = re.fullmatch(rf'hottest: (.+), self {part}', text)
        stretch = re.fullmatch(rf'longest (busy stretch|pause) {LENGTH} at .+', text)
        if gc or hot:
            share, length = (gc or hot).groups()[-2:]
            is_gc = [n for n in selfs if re.search('GC', n)]
            time = sum(selfs[n] for n in is_gc) if gc else \
                max((t for n, t in selfs.items() if n not in is_gc), default=0)
            c.compare('share', float(share), 100 * time / busy if busy else 0, .06)
            c.length('time', length, time)
        elif stretch:
            c.length('length', stretch.group(2), max(pauses, default=0) if stretch.group(1) == 'pause'
                     else max(b - a for a, b in stretches))
        else:
            c.wrong.append('a sentence of no known form')
        counts['slices'][0] += 1
        counts['slices'][1] += c.n
        wrong += [f'{text}: {w}' for w in c.wrong]
    return wrong + late


def jobs(program, path, folder):
    """What is compared with the samples of which file: a file, or a lane of a trace."""
    if path.endswith('.cpuprofile'):
        yield [path], path
        return
    report = json.loads(subprocess.run([program, 'report', '--format=json', '--no-config', path],
                                       stdout=subprocess.PIPE, check=True).stdout)
    profiles = [(None, *p) for p in profiles_of_perf(path)] if '.perf' in path else profiles_of_trace(path)
    for i, (pid, tid, document) in enumerate(profiles):
        made = os.path.join(folder, f'{os.path.basename(path)}-{i}.cpuprofile')
        for lane in report['lanes']:
            if (lane['process']['pid'], lane['thread']['tid'], lane['kind']) != (pid, tid, 'samples'):
                continue
            # The clock is that of the trace.
            document['timeDeltas'][0] += document['startTime'] - report['start_us']
            document['startTime'] = report['start_us']
            with open(made, 'w', encoding='utf8') as file:
                json.dump(document, file)
            yield [f'--lane={lane["id"]}', path], made


class Side:
    """Runs that are added up: self time and total time of each function, in percent of the busy time."""

    def __init__(self, paths):
        self.selfs, self.totals, self.busy = collections.Counter(), collections.Counter(), 0
        for facts in map(Facts, paths):
            self.busy += facts.busy
            for kind, stack, owner, is_gc, time, at in facts.busy_samples():
                for name in {f['functionName'] for f in stack}:
                    self.totals[name] += time
                if stack and not is_gc:
                    self.selfs[stack[-1]['functionName']] += time

    def share(self, times, name):
        return 100 * times[name] / self.busy


def diff_wrong(program, folder, counts):
    """Rows and sentences of comparisons, on paper and on the screen, and of a gate."""
    files = [os.path.join(folder, f'{side}-1.cpuprofile') for side in ('before', 'after')]
    before, after = (Side([f]) for f in files)
    c = Check(None, {'function': None, 'under': None})

    def say(*args):
        return subprocess.run([program, *args, *files], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT).stdout.decode()

    text = say('diff', '--no-config')
    rows = re.findall(r'^ +([\d.]+) +([\d.]+) +([+-][\d.]+) +(?:([+-]\d+) %|[†*]) +(\S+) ', text, re.M)
    for a, b, points, percent, name in rows:
        x, y = before.share(before.selfs, name), after.share(after.selfs, name)
        c.compare(f'{name} before', float(a), x, .06)
        c.compare(f'{name} after', float(b), y, .06)
        c.compare(f'{name} change', float(points), y - x, .06)
        if percent:
            c.compare(f'{name} in percent', float(percent), 100 * (y - x) / x, .51)
    grown = max(rows, key=lambda r: float(r[2]), default=None)
    picture = say('diff', '-i', '--no-config', '--render=120x40')
    said = re.search(r'^ (\S+) self ([\d.]+) → ([\d.]+) %  \+([\d.]+) pt', picture, re.M)
    if not rows or not said or said.group(1) != grown[4]:
        c.wrong.append('the screen does not name what grew')
    else:
        c.compare('grown before', float(said.group(2)), float(grown[0]), .001)
        c.compare('grown after', float(said.group(3)), float(grown[1]), .001)
        c.compare('grown', float(said.group(4)), float(grown[2]), .001)
    gate = say('diff', '--no-config', '--fail-if=self(render) > +5pt', '--fail-if=total(main) > +5%')
    failed = re.search(r'failed: self\(render\) > \+5pt: \+([\d.]+) pt, from ([\d.]+) % to ([\d.]+) %', gate)
    if not failed or 'failed: total(main)' in gate:
        c.wrong.append(f'the gates say something else: {gate[-600:]}')
    else:
        x, y = before.share(before.selfs, 'render'), after.share(after.selfs, 'render')
        for name, is_said, is_true in zip(('gate', 'from', 'to'), failed.groups(), (y - x, x, y)):
            c.compare(name, float(is_said), is_true, .06)
    counts['diff'][0] += len(rows) + 2
    counts['diff'][1] += c.n
    return c.wrong


def samples_wrong(program, path, keys, windows, sides, counts):
    """What a comparison of two windows, or of the rest and a window, says about its samples."""
    facts = Facts(path)
    numbers = []
    for ranges in windows:
        numbers.append(sum(any(t0 < at + time and at < t1 for t0, t1 in ranges) and time > 0
                           for k, s, o, g, time, at in facts.busy_samples()))
    picture = subprocess.run([program, '--no-config', '--render=200x24', f'--keys={keys}', path],
                             stdout=subprocess.PIPE).stdout.decode()
    said = re.search(r'^ .+? self ([\d.]+) → ([\d.]+) %  [+-][\d.]+ pt(?:   (.*?))? *\|$', picture, re.M)
    if not said:
        return [f'{keys}: no change is said']
    least = min(range(2), key=lambda k: (numbers[k], k == 0))
    n, note = numbers[least], said.group(3) or ''
    shares = [float(s) / 100 for s in said.groups()[:2]]
    if not note.startswith(('within', 'few', 'before has', 'after has', 'rest has', 'window has')):
        note = ''
    error = 2 * sum(s * (1 - s) / m + 1 / m ** 2 for s, m in zip(shares, numbers)) ** .5 if n else 1
    expected = (f'{sides[least]} has {n or "no"} sample{"" if n == 1 else "s"}: its shares say nothing' if n <= 4 else
                f'within the error of {n} samples' if abs(shares[1] - shares[0]) <= error else
                f'few samples: shares of {sides[least]} ±{100 / n ** .5:.0f} %' if n < 200 else '')
    counts['samples'][0] += 1
    counts['samples'][1] += 1
    return [] if note == expected else [f'{keys}: {note!r}, expected {expected!r}']


def samples_all_wrong(program, counts):
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                        '../data/http-server/CPU.20261121.114550.4990.0.001.cpuprofile')
    wrong = []
    for a, b, c, d in ((1, 2, 2, 3), (1, 1.03, 2, 3), (0.2, 1, 3, 3.6), (1.5, 1.9, 2.9, 3), (2.9, 2.903, 1, 2),
                       (1, 2, 3.3, 3.302)):
        wrong += samples_wrong(program, path, f':diff {a}s,{b}s {c}s,{d}s<Enter>',
                               [[(a * 1e6, b * 1e6)], [(c * 1e6, d * 1e6)]], ('before', 'after'), counts)
    for a, b in ((1, 1.03), (1.4, 1.403), (2.9, 3.3), (0.5, 3)):
        wrong += samples_wrong(program, path, f':diff {a}s,{b}s<Enter>',
                               [[(-1, a * 1e6), (b * 1e6, 1e12)], [(a * 1e6, b * 1e6)]], ('rest', 'window'), counts)
    return wrong


def watch_wrong(path):
    """Stalls are stretches of calls in the file of each: their length, and the share of the function."""
    wrong, n = [], 0
    with open(path, encoding='utf8') as file:
        stalls = [e for e in map(json.loads, file) if e['event'] == 'stall' and e.get('file')]
    for stall in stalls:
        facts, runs = Facts(stall['file']), []
        for (kind, stack, owner), is_gc, time, at in facts.list:
            if kind:
                runs.append([0, 0])
                continue
            runs = runs or [[0, 0]]
            runs[-1][0] += time
            key = function_key(stall['function'])
            runs[-1][1] += time * any((f['functionName'], f['url'], f['lineNumber']) == key[:3] for f in stack)
        run = min(runs, key=lambda r: abs(r[0] - stall['duration_us']))
        n += 2
        if abs(run[0] - stall['duration_us']) > 1:
            wrong.append(f"{stall['text']}: {stall['duration_us']} us, expected {run[0]}")
        if abs(run[1] / run[0] - stall['function']['share']) > .01:
            wrong.append(f"{stall['text']}: share {stall['function']['share']}, expected {run[1] / run[0]:.4f}")
    return wrong, n


def live_wrong(screen, path):
    """The verdict of the last 10 s, and the list: all shares that name a function, idle time or garbage collection.
    The file has no more than 10 s."""
    facts = Facts(path)
    # The picture ends where the last sample begins.
    facts.length -= facts.list.pop()[2]
    facts.busy = facts.time(lambda *sample: True)
    facts.idle = sum(s[2] for s in facts.list if s[0][0] == '(idle)' and not s[1])
    facts.gc = sum(s[2] for s in facts.list if s[1])
    c = Check(facts, {'function': None, 'under': None})
    with open(screen, encoding='utf8') as file:
        rows = [row.rstrip('\n').rstrip('|') for row in file]

    def owned(name):
        return facts.time(lambda k, s, o, g: o >= 0 and s[o]['functionName'] == name)

    def below(name):
        return facts.time(lambda k, s, o, g: name in [f['functionName'] for f in s])

    for item in re.split(r'\s{3,}|(?<=busy:) ', rows[1].strip() + '    ' + rows[2].strip()):
        idle = re.match(rf'idle {SHARE} of {LENGTH}', item)
        busy = re.search(rf'of {LENGTH} busy:', item)
        gc = re.fullmatch(rf'GC {SHARE}', item)
        half = re.match(rf'(\S+) \S+:\d+ {SHARE}(?: of {LENGTH})? with all it calls', item)
        owner = re.fullmatch(rf'(\S+) \S+:\d+ {SHARE}', item)
        if idle:
            c.share('idle', idle.group(1), facts.idle, facts.length)
            c.length('whole', idle.group(2), facts.length)
        if busy:
            c.length('busy', busy.group(1), facts.busy)
        if gc:
            c.share('GC', gc.group(1), facts.gc, facts.busy)
        if half:
            c.share(half.group(1), half.group(2), below(half.group(1)), facts.busy)
        if owner and not half:
            c.share(owner.group(1), owner.group(2), owned(owner.group(1)), facts.busy)
    for row in rows[4:]:
        listed = re.fullmatch(r' +(?:[\d.]+ %)? +([\d.]+) % +([\d.]+) %[ ▁▂▃▄▅▆▇█]+(\S+)  (\S+\.js:\d+:\d+) *', row)
        if listed:
            name, where, time = listed.group(3), listed.group(4), 0
            for (kind, stack, owner), is_gc, ns, at in facts.list:
                leaf = [] if is_gc or not stack else list(place(stack[-1]))
                time += ns * bool(leaf and (leaf[0] or '(anonymous)') == name and
                                  f'{leaf[1]}:{leaf[2] + 1}:{leaf[3] + 1}'.endswith('/' + where))
            c.compare(name, float(listed.group(1)), 100 * time / facts.length, .06)
    return c.wrong, c.n


def recorded():
    """What the commands said about processes that they recorded."""
    kind, args = sys.argv[1], sys.argv[2:]
    wrong, n = watch_wrong(*args) if kind == '--watch' else live_wrong(*args)
    for text in wrong:
        print(f'{kind[2:]}: {text}')
    print(f'{n} numbers compared, {len(wrong)} wrong')
    return bool(wrong) or n == 0


def main():
    if sys.argv[1] in ('--watch', '--live'):
        return recorded()
    args = [a for a in sys.argv[1:] if a != '-v']
    program, paths, traces = args[0], [], []
    for arg in args[1:]:
        if os.path.isdir(arg):
            for folder, _, names in sorted(os.walk(arg)):
                paths += [os.path.join(folder, n) for n in sorted(names)
                          if n.endswith('.cpuprofile') or folder.endswith(('data/trace', 'data/perf'))]
                traces += [os.path.join(folder, n) for n in sorted(names) if re.search(r'\.json(\.gz)?$', n)]
        else:
            paths.append(arg)
    counts = collections.defaultdict(lambda: [0, 0])
    with tempfile.TemporaryDirectory() as folder:
        bad, files = check_files(program, [job for path in paths for job in jobs(program, path, folder)], counts)
    for path in traces:
        for wrong in slices_wrong(program, path, counts):
            print(f'{path}: {wrong}')
            bad += 1
    for wrong in diff_wrong(program, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'input/runs'), counts):
        print(f'diff: {wrong}')
        bad += 1
    for wrong in samples_all_wrong(program, counts):
        print(f'samples: {wrong}')
        bad += 1
    for kind, (n, compared) in sorted(counts.items()):
        print(f'{kind:10} {n:4} sentences, {compared:4} numbers compared')
    print(f'{files} files, {sum(c[1] for c in counts.values())} numbers compared, {bad} wrong')
    return bad > 0 or files == 0


def check_files(program, listed, counts):
    bad, files = 0, 0
    for arguments, path in listed:
        out = subprocess.run([program, 'report', '--format=json', '--no-config', *arguments], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL)
        try:
            document = json.loads(out.stdout) if out.returncode == 0 else {}
            findings = document.get('findings')
            facts = Facts(path) if findings else None
        except (ValueError, KeyError, StopIteration, TypeError, IndexError, AttributeError,
                RecursionError):
            continue
        if not findings or len({f['lane'] for f in findings}) > 1 or not facts.busy and not facts.idle:
            continue
        files += 1
        for finding in findings:
            texts = [(finding['text'], [finding['kind']])]
            texts += [(t, ['recursion', 'block', 'half', 'every', 'spent', 'pkg', 'file', 'load', 'sync', 'inside',
                           'gc', 'node', 'regexp', 'owner']) for t in finding['notes']]
            for i, (text, kinds) in enumerate(texts):
                if '-v' in sys.argv:
                    print(f'{"  " * (i > 0)}{text}')
                # The time and the function of a note are those of another finding.
                if i and not re.match(r'recursion|blocked', text):
                    if not any(re.fullmatch(p, text) for k in kinds for p, _ in FORMS[k]):
                        print(f'{path}: {text}: a note of no known form')
                        bad += 1
                    continue
                for wrong in check_text(facts, finding, text, kinds, counts):
                    print(f'{path}: {text}: {wrong}')
                    bad += 1
        n, wrong = verdict_wrong(program, arguments, findings, facts)
        wrong += standouts_wrong(facts, document['summary'].get('standouts') or [], counts)
        counts['verdict'][0] += 1
        counts['verdict'][1] += n
        for text in wrong:
            print(f'{path}: {text}')
        bad += len(wrong)
    return bad, files


FORMS = forms()
if __name__ == '__main__':
    sys.exit(main())
