#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Random fleets of make.py, and what `flametty fleet` says of them.

usage: truth.py PROGRAM [FIRST-SEED [FLEETS]]

Of 20 fleets with an odd host, a regression, a badly sampled host, one without load, renamed files
and a clock that is off: the odd host and its function must be the first one that is different, and
the regression the first one that changed, in at least 19 each; no other host may be named. Of 20
fleets of two whole days without odd host and regression: no host, at most one with a change, at
most one with a break in time. Of 20 fleets with a break in time: in at least 16 the first one is it, within an hour.

The limits of the program were chosen on seeds from 1000 on; those here are others."""
import datetime
import json
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TROUBLE = ['--bad', '--idle', '--rename', '--skew']


class Judge:
    def __init__(self, program, folder, n):
        self.program, self.folder, self.n = program, folder, n
        self.is_right = True

    def fleet(self, seed, *planted):
        """What is planted in a fleet, and what the program says."""
        path = os.path.join(self.folder, 'fleet')
        rnd = random.Random(seed)
        subprocess.run([sys.executable, '-B', os.path.join(HERE, 'make.py'), path, '--seed', str(seed),
                        '--hosts', str(rnd.randint(8, 12)), '--per-hour', '1', '--samples', '1200',
                        '--bytes', '40000', *planted], check=True)
        out = subprocess.run([self.program, 'fleet', '-f', 'json', '--by=hour',
                              '--label-from={version}/{host}/{time}.cpuprofile', '--before',
                              'version=1.4.0', '--after', 'version=1.4.1', path],
                             check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        with open(path + '.truth.json', encoding='utf8') as f:
            truth = json.load(f)
        subprocess.run(['rm', '-rf', path, path + '.truth.json'], check=True)
        return truth, json.loads(out.stdout)

    def claim(self, text, n, least, most):
        is_right = least <= n <= most
        self.is_right &= is_right
        print('%s: %d of %d%s' % (text, n, self.n, '' if is_right else ' (WRONG)'))


def first(rows, *keys):
    return tuple(rows[0][k] for k in keys) if rows else None


def changes(said):
    return [f for f in said['changed']['functions'] if f['differs']]


def planted(judge, seeds):
    odd = regression = others = 0
    for seed in seeds:
        truth, said = judge.fleet(seed, '--odd', '--regression', '--hours', '12', *TROUBLE)
        host, function = truth['odd']['host'], truth['odd']['function']
        odd += first(said['different'], 'host', 'name') == (host, function)
        others += sum(d['host'] != host for d in said['different'])
        regression += first(changes(said), 'name') == (truth['regression']['function'],)
    judge.claim('odd host named first', odd, judge.n - 1 if judge.n >= 20 else judge.n, judge.n)
    judge.claim('regression named first', regression, judge.n - 1 if judge.n >= 20 else judge.n, judge.n)
    judge.claim('other hosts named', others, 0, 0)


def without(judge, seeds):
    hosts = changed = breaks = 0
    for seed in seeds:
        _, said = judge.fleet(seed, '--hours', '24', *TROUBLE)
        hosts += bool(said['different'])
        changed += bool(changes(said))
        breaks += bool(said['since'])
    judge.claim('without one: a host named', hosts, 0, 0)
    judge.claim('without one: a change named', changed, 0, 1)
    judge.claim('without one: a break named', breaks, 0, 1)


def is_near(one, other):
    """Whether two hours are the same or neighbours: the clock that is off blurs a break."""
    form = '%Y-%m-%d %H:%M'
    apart = datetime.datetime.strptime(one, form) - datetime.datetime.strptime(other, form)
    return abs(apart.total_seconds()) <= 3600


def since(judge, seeds):
    right = others = 0
    for seed in seeds:
        truth, said = judge.fleet(seed, '--since', '--versions', '2', '--hours', '15', *TROUBLE)
        name, hour = truth['since']['function'], truth['since']['hour']
        right += first(said['since'], 'name') == (name,) and is_near(said['since'][0]['since'], hour)
        others += any(s['name'] != name for s in said['since'])
    judge.claim('break named first, within an hour', right, judge.n * 8 // 10, judge.n)
    judge.claim('another break named', others, 0, 1)


def main():
    program, start, n = sys.argv[1], 1, 20
    if len(sys.argv) > 2:
        start = int(sys.argv[2])
    if len(sys.argv) > 3:
        n = int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(program, folder, n)
        for i, part in enumerate((planted, without, since)):
            part(judge, range(start + i * n, start + (i + 1) * n))
    sys.exit(not judge.is_right)


if __name__ == '__main__':
    main()
