#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A simulated fleet: DIR/VERSION/HOST/TIME.cpuprofile, from a few real recordings.

The recordings are added up to one tree of calls, which all hosts run. Each recording of the fleet
takes its samples from it, in short runs of one node. What a function takes differs by 8 % (one
standard deviation) from host to host and by 12 % from recording to recording; what the outermost
function of the program takes with all that it calls, by as much again. Load, garbage collection and
(program) differ by host, load and what is asked for by the time of day. A new version moves the
lines of the program.

What is planted is written as JSON to DIR.truth.json. Equal arguments give equal files. TIME is UTC
as in 2026-11-28T03:04:05Z, also the time of the file. The versions follow each other in time.
"""
import argparse
import gzip
import itertools
import json
import math
import multiprocessing
import os
import random
import time
from collections import Counter

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RECORDINGS = ['data/http-server/CPU.20261121.114550.4990.0.001.cpuprofile',
              'tests/judged/programs/ticket-queue.cpuprofile.gz',
              'tests/judged/programs/config-server.cpuprofile.gz',
              'tests/judged/programs/token-gateway.cpuprofile.gz']
START = 1795824000        # 2026-11-28T00:00:00Z
INTERVAL = 2000           # microseconds between two samples
RUNS = (1, 2, 4)          # samples of one node in a row,
RUN_PARTS = (6, 3, 1)     # and how often each length is
IDLE_RUNS = (2, 5, 12)
BY_HOST, BY_RECORDING, BY_HOUR = 0.08, 0.12, 0.25


def options():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('dir', help='a folder that does not exist yet')
    p.add_argument('recordings', nargs='*', help='.cpuprofile files, may be packed; the first counts most')
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--hosts', type=int, default=8)
    p.add_argument('--versions', type=int, default=2)
    p.add_argument('--hours', type=int, default=6, help='of each version')
    p.add_argument('--per-hour', type=int, default=2, help='recordings of a host in an hour')
    p.add_argument('--samples', type=int, default=2500, help='of a recording, on average')
    p.add_argument('--bytes', type=int, default=80000, help='of a file, about')
    p.add_argument('--regression', action='store_true',
                   help='a function takes more from version 2 on')
    p.add_argument('--odd', action='store_true', help='a function takes much more on one host')
    p.add_argument('--bad', action='store_true', help='one host loses most samples, and has much (program)')
    p.add_argument('--idle', action='store_true', help='one host has nearly no load')
    p.add_argument('--rename', action='store_true', help='files of the program have a hash by version')
    p.add_argument('--skew', action='store_true', help="one host's clock is minutes off")
    p.add_argument('--since', action='store_true', help='a function takes more from an hour on, on all hosts')
    p.add_argument('--jobs', type=int, default=os.cpu_count())
    return p.parse_args()


def read_nodes(path):
    """By path of frames from the root: self samples. A frame is a tuple."""
    with (gzip.open if path.endswith('.gz') else open)(path, 'rt', encoding='utf8') as f:
        document = json.load(f)
    count = Counter(document['samples'])
    nodes = {n['id']: n for n in document['nodes']}
    stacks = {}
    todo = [(document['nodes'][0]['id'], ())]
    while todo:
        node, above = todo.pop()
        f = nodes[node]['callFrame']
        stack = above + ((f['functionName'], f['scriptId'], f['url'], f['lineNumber'], f['columnNumber']),)
        stacks[stack] = stacks.get(stack, 0) + count[node]
        todo += [(child, stack) for child in nodes[node].get('children', ())]
    return stacks


def is_own(frame):
    return bool(frame[2]) and not frame[2].startswith('node:') and 'node_modules' not in frame[2]


def node_text(identity, frame, children):
    name, script, url, line, column = frame
    call = {'functionName': name, 'scriptId': script, 'url': url, 'lineNumber': line, 'columnNumber': column}
    node = {'id': identity, 'callFrame': call, 'hitCount': 0}
    if children:
        node['children'] = children
    return json.dumps(node, separators=(',', ':'))


class Program:
    """What all hosts run: a tree, and what each node takes of busy time."""

    def __init__(self, paths, size):
        stacks = Counter()
        for i, path in enumerate(paths):
            one = read_nodes(path)
            busy = sum(n for s, n in one.items() if s[-1][0] not in ('(idle)', '(root)'))
            part = 1 if len(paths) == 1 else 0.6 if i == 0 else 0.4 / (len(paths) - 1)
            for stack, n in one.items():
                stacks[stack] += n / busy * part
        keep, length = set(), 0
        for stack, _ in sorted(stacks.items(), key=lambda s: (s[0][-1][0] not in ('(idle)', '(program)'), -s[1])):
            new = [stack[:i] for i in range(1, len(stack) + 1) if stack[:i] not in keep]
            length += sum(len(node_text(1000, s[-1], [1000])) for s in new)
            if length > size:
                break
            keep.update(new)
        self.stacks = sorted(keep, key=lambda s: (len(s), s))
        number = {s: i for i, s in enumerate(self.stacks)}
        self.children = [[] for _ in self.stacks]
        for stack in self.stacks[1:]:
            self.children[number[stack[:-1]]].append(number[stack] + 1)
        self.idle = next(i for i, s in enumerate(self.stacks) if s[-1][0] == '(idle)')
        self.nodes = [i for i, s in enumerate(self.stacks)
                      if i not in (0, self.idle) and stacks[s] > 0]
        self.weights = [stacks[self.stacks[i]] for i in self.nodes]
        whole = sum(self.weights)
        self.weights = [w / whole for w in self.weights]
        frames = [self.stacks[i][-1] for i in self.nodes]
        self.functions = sorted({(f[0], f[2]) for f in frames})
        index = {f: i for i, f in enumerate(self.functions)}
        self.function = [index[f[0], f[2]] for f in frames]
        entries = [next((f for f in self.stacks[i] if is_own(f)), None) for i in self.nodes]
        self.n_entries = len(set(entries))
        index = {e: i for i, e in enumerate(sorted(set(entries), key=str))}
        self.entry = [index[e] for e in entries]
        self.own = {(f[0], f[2]) for f in frames if is_own(f)}
        self.shares = Counter()
        for f, w in zip(self.function, self.weights):
            self.shares[f] += w

    def culprits(self, rnd, n):
        """Functions of the program for what is planted."""
        fit = [i for i, f in enumerate(self.functions) if f in self.own and f[0] and 0.008 < self.shares[i] < 0.09]
        return rnd.sample(fit, n)

    def texts(self, version, rename):
        """By node, the text before and after its hitCount."""
        texts = []
        for i, stack in enumerate(self.stacks):
            name, script, url, line, column = stack[-1]
            if is_own(stack[-1]):
                line += 3 * version
                if rename:
                    base, dot, extension = url.rpartition('.')
                    digits = '%08x' % (random.Random('%s %d' % (url, version)).getrandbits(32))
                    url = '%s-%s%s%s' % (base if dot else url, digits, dot, extension if dot else '')
            texts.append(node_text(i + 1, (name, script, url, line, column), self.children[i]).split('"hitCount":0'))
            texts[-1][0] += '"hitCount":'
        return texts


def factor(share, points):
    """What multiplies a share of the whole to make it larger by that many points."""
    more = share + points
    return more * (1 - share) / (share * (1 - more))


def day_wave(hours):
    return math.sin(hours / 24 * 2 * math.pi)


class Fleet:
    def __init__(self, o):
        self.o = o
        self.program = Program(o.recordings or [os.path.join(TOP, r) for r in RECORDINGS],
                               o.bytes - 8 * o.samples)
        rnd = random.Random('fleet %d' % o.seed)
        p = self.program
        self.hosts = ['h%0*d' % (len(str(o.hosts)), i + 1) for i in range(o.hosts)]
        self.versions = ['1.%d.%d' % (4 + i // 3, i % 3) for i in range(o.versions)]
        odd, regression, since = p.culprits(rnd, 3)
        roles = iter(rnd.sample(range(o.hosts), min(o.hosts, 4)))
        self.odd_host = next(roles, None) if o.odd else None
        self.bad_host = next(roles, None) if o.bad else None
        self.idle_host = next(roles, None) if o.idle else None
        self.skew_host = next(roles, None) if o.skew else None
        self.skew = rnd.choice((-1, 1)) * rnd.randint(7, 25) * 60
        hours = o.hours * o.versions
        self.since_hour = rnd.randint(hours // 4, hours - hours // 4)
        self.change = {'odd': (odd, rnd.uniform(0.08, 0.18)), 'regression': (regression, rnd.uniform(0.05, 0.12)),
                       'since': (since, rnd.uniform(0.05, 0.12))}
        self.load = [rnd.uniform(0.2, 0.7) for _ in self.hosts]
        self.of_host = [[rnd.lognormvariate(0, BY_HOST) for _ in p.functions] for _ in self.hosts]
        self.entry_of_host = [[rnd.lognormvariate(0, BY_HOST) for _ in range(p.n_entries)] for _ in self.hosts]
        self.hour_of_entry = [rnd.uniform(0, 24) for _ in range(p.n_entries)]
        self.texts = [p.texts(v, o.rename) for v in range(o.versions)]
        # Intervals of the sampler: around the one asked for, few of them late.
        self.deltas = [max(200, int(rnd.gauss(INTERVAL, 90))) if rnd.random() > 0.01 else
                       int(INTERVAL * rnd.uniform(1.5, 4)) for _ in range(40000)]
        self.delta_texts = [str(d) for d in self.deltas]
        self.sums = [0] + list(itertools.accumulate(self.deltas))
        mean = sum(n * q for n, q in zip(RUNS, RUN_PARTS)) / sum(RUN_PARTS)
        self.runs = [','.join([str(node + 1)] * n) for node in p.nodes for n in RUNS]
        self.runs += [','.join([str(p.idle + 1)] * n) for n in IDLE_RUNS]
        self.run_mean = mean, sum(n * q for n, q in zip(IDLE_RUNS, RUN_PARTS)) / sum(RUN_PARTS)
        self.special = {i: p.functions[i][0] for i in range(len(p.functions))
                        if p.functions[i][0] in ('(program)', '(garbage collector)')}

    def weights(self, rnd, host, version, hour, load):
        p, o = self.program, self.o
        by = [rnd.lognormvariate(0, BY_RECORDING) * h for h in self.of_host[host]]
        entry = [rnd.lognormvariate(0, BY_RECORDING) * h * (1 + BY_HOUR * day_wave(hour - at))
                 for h, at in zip(self.entry_of_host[host], self.hour_of_entry)]
        for name, applies in (('odd', host == self.odd_host), ('regression', o.regression and version >= 1),
                              ('since', o.since and hour >= self.since_hour)):
            if applies:
                function, points = self.change[name]
                by[function] *= factor(p.shares[function], points)
        for i, name in self.special.items():
            by[i] *= 0.7 + 0.6 * load if name != '(program)' else 25 if host == self.bad_host else 1
        weights = [w * by[f] * entry[e] for w, f, e in zip(p.weights, p.function, p.entry)]
        scale = load / sum(weights) / self.run_mean[0]
        parts = [w * scale * q for w in weights for q in RUN_PARTS]
        return parts + [(1 - load) / self.run_mean[1] * q for q in RUN_PARTS]

    def recording(self, host, version, hour, n):
        o = self.o
        rnd = random.Random('%d %d %d %d %d' % (o.seed, host, version, hour, n))
        load = self.load[host] * (1 + 0.4 * day_wave(hour - 9)) * rnd.lognormvariate(0, 0.1)
        load = 0.004 if host == self.idle_host else min(0.95, load)
        n_samples = int(o.samples * rnd.uniform(0.8, 1.2))
        is_bad = host == self.bad_host
        n_taken = max(20, n_samples // 12) if is_bad else n_samples
        cumulative = list(itertools.accumulate(self.weights(rnd, host, version, hour, load)))
        mean = 1 / cumulative[-1] * sum(RUN_PARTS)
        runs = rnd.choices(self.runs, cum_weights=cumulative, k=int(n_taken / max(mean, 1)) + 1)
        samples = ','.join(runs).split(',')[:n_taken]
        n_taken = len(samples)
        at = rnd.randrange(len(self.deltas) - n_taken)
        deltas, length = self.delta_texts[at:at + n_taken], self.sums[at + n_taken] - self.sums[at]
        if is_bad:
            # What is missing is missing in a few pieces.
            for _ in range(12):
                gap = int((n_samples - n_taken) * INTERVAL / 12 * rnd.uniform(0.5, 1.5))
                i = rnd.randrange(1, n_taken)
                length += gap - int(deltas[i])
                deltas[i] = str(gap)
        hits = Counter(samples)
        nodes = ','.join(['%s%d%s' % (before, hits.get(str(i + 1), 0), after)
                          for i, (before, after) in enumerate(self.texts[version])])
        start = rnd.randrange(10 ** 9, 10 ** 12)
        seconds = START + hour * 3600 + int(rnd.uniform(n, n + 0.95) * 3600 / o.per_hour)
        seconds += self.skew if host == self.skew_host else 0
        return seconds, '{"nodes":[%s],"startTime":%d,"endTime":%d,"samples":[%s],"timeDeltas":[%s]}' % (
            nodes, start, start + length, ','.join(samples), ','.join(deltas))

    def write(self, task):
        version, host = task
        folder = os.path.join(self.o.dir, self.versions[version], self.hosts[host])
        os.makedirs(folder)
        for hour in range(version * self.o.hours, (version + 1) * self.o.hours):
            for n in range(self.o.per_hour):
                seconds, text = self.recording(host, version, hour, n)
                name = time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(seconds))
                path = os.path.join(folder, name + '.cpuprofile')
                with open(path, 'w', encoding='utf8') as f:
                    f.write(text)
                os.utime(path, (seconds, seconds))
        return self.o.hours * self.o.per_hour

    def truth(self):
        o = self.o

        def planted(name):
            function, points = self.change[name]
            return {'function': self.program.functions[function][0], 'share': self.program.shares[function],
                    'points': points * 100}

        truth = {'seed': o.seed, 'hosts': self.hosts, 'versions': self.versions,
                 'files': o.hosts * o.versions * o.hours * o.per_hour}
        if o.regression and o.versions > 1:
            truth['regression'] = dict(planted('regression'), version=self.versions[1],
                                       hour=self.hour_name(o.hours))
        if self.odd_host is not None:
            truth['odd'] = dict(planted('odd'), host=self.hosts[self.odd_host])
        if o.since:
            truth['since'] = dict(planted('since'), hour=self.hour_name(self.since_hour))
        for name, host in (('bad', self.bad_host), ('idle', self.idle_host), ('skew', self.skew_host)):
            if host is not None:
                truth[name] = {'host': self.hosts[host]}
        if self.skew_host is not None:
            truth['skew']['seconds'] = self.skew
        return truth

    @staticmethod
    def hour_name(hour):
        return time.strftime('%Y-%m-%d %H:00', time.gmtime(START + hour * 3600))


def write(task):
    return FLEET.write(task)


if __name__ == '__main__':
    FLEET = Fleet(options())
    os.makedirs(FLEET.o.dir)
    with open(FLEET.o.dir.rstrip('/') + '.truth.json', 'w', encoding='utf8') as out:
        json.dump(FLEET.truth(), out, indent=1)
        out.write('\n')
    TASKS = list(itertools.product(range(FLEET.o.versions), range(FLEET.o.hosts)))
    with multiprocessing.get_context('fork').Pool(FLEET.o.jobs) as pool:
        for _ in pool.imap_unordered(write, TASKS):
            pass
