#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What outputs of costly inputs take, at two sizes.

usage: costs.py PROGRAM [SECONDS]
A line for each output: seconds of CPU time and peak memory in MB for an input and for one of twice its size,
and how many times as long the second one took: 2 is linear. Exit status 1 if one takes over SECONDS (default:
none does) or over three times as long as the half.
"""
import gzip
import os
import subprocess
import sys
import tempfile

SMALL = 0.3  # seconds: below this a ratio says nothing
RATIO_MOST = 3


def chain(n):
    """Folded stacks: n calls, each in the one before, with a call that is not between every two."""
    return ''.join('f;' * (0 if i % 2 else 2000) + f'g{i} 1\n' for i in range(n))


def threads(n):
    """perf script: a sample of each of n threads, each in a function of its own."""
    return ''.join(f'node {i + 1} 1.{i:06d}: 10 cycles:\n\t  1 f{i} (x)\n\n' for i in range(n))


def rows(n):
    """A trace: n lanes of one slice each."""
    return '[\n' + ',\n'.join(f'{{"ph":"X","pid":1,"tid":{i + 1},"ts":{i},"dur":9,"name":"n"}}'
                              for i in range(n)) + '\n]\n'


def calls(n):
    """Folded stacks: 200, each of n calls that no other has."""
    return ''.join(';'.join(f'f{i}_{k}' for k in range(n)) + ' 1\n' for i in range(200))


COSTS = (
    ('spans of deep stacks', chain, 'spans.folded.gz', 2000, ['report', '-f', 'json', '--with=spans', '--max-rows=10']),
    ('many threads, report', threads, 'threads.perf', 12000, ['report']),
    ('many threads, JSON', threads, 'threads.perf', 12000, ['report', '-f', 'json']),
    ('many rows, svg', rows, 'rows.json', 4000, ['export', '-f', 'svg']),
    ('many rows, html', rows, 'rows.json', 4000, ['export', '-f', 'html']),
    ('different calls, html', calls, 'calls.folded', 600, ['export', '-f', 'html']),
    ('different calls, svg', calls, 'calls.folded', 600, ['export', '-f', 'svg', '--merged']),
)


def run(program, arguments, path):
    """(seconds of CPU time, peak memory in MB), or None if it fails."""
    child = subprocess.Popen([program, *arguments, path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    return None if status else (usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def measure(program, make, name, n, arguments):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, name)
        text = make(n).encode()
        with (gzip.open(path, 'wb', 1) if name.endswith('.gz') else open(path, 'wb')) as file:
            file.write(text)
        return run(program, arguments, path)


def main():
    program, seconds_most = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else None
    is_good = True
    print(f'{"":26}{"n":>8}{"s":>8}{"MB":>8}{"2 n: s":>10}{"MB":>8}{"times":>8}')
    for what, make, name, n, arguments in COSTS:
        one, two = (measure(program, make, name, k, arguments) for k in (n, 2 * n))
        if not one or not two:
            print(f'{what:26}{n:8}{"-":>8}')
            is_good = False
            continue
        times = two[0] / max(one[0], 0.001)
        print(f'{what:26}{n:8}{one[0]:8.2f}{one[1]:8.0f}{two[0]:10.2f}{two[1]:8.0f}{times:8.1f}')
        is_good &= (two[0] < SMALL or times <= RATIO_MOST) and (seconds_most is None or two[0] <= seconds_most)
    sys.exit(not is_good)


main()
