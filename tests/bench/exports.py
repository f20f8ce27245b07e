#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The speed and the memory of each export of a file.

usage: exports.py PROGRAM FILE
A line for each format: megabytes written, seconds, megabytes a second, and the peak memory in MB
beyond that of a process that only loads the file and writes its inputs. All include loading.
"""
import os
import subprocess
import sys

LOAD = ['report', '--format=csv', '--table=inputs']
EXPORTS = [['export', '-f', *one.split()] for one in (
    'trace', 'trace --slices', 'cpuprofile', 'folded', 'folded --value=samples', 'speedscope', 'pprof', 'svg',
    'svg --merged', 'd3', 'html', 'md', 'json', 'csv', 'csv --table=stacks')]


def run(program, arguments, path):
    """(bytes written, seconds of CPU time, peak memory in bytes), or None if it fails."""
    child = subprocess.Popen([program, *arguments, path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    block, n = bytearray(1 << 20), 0
    while True:
        more = os.readv(child.stdout.fileno(), [block])
        if not more:
            break
        n += more
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    return None if status else (n, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def main():
    program, path = sys.argv[1:]
    loaded = run(program, LOAD, path)
    if not loaded:
        sys.exit(f'exports: {path} cannot be loaded')
    print(f'{"":26}{"MB":>10}{"s":>8}{"MB/s":>8}{"memory":>9}')
    print(f'{"loading":26}{os.path.getsize(path) / 1e6:10.1f}{loaded[1]:8.2f}{"":8}{loaded[2] / 1e6:9.0f}')
    for arguments in EXPORTS:
        done = run(program, arguments, path)
        name = ' '.join(arguments[2:])
        if not done:
            print(f'{name:26}{"-":>10}')
            continue
        print(f'{name:26}{done[0] / 1e6:10.1f}{done[1]:8.2f}{done[0] / 1e6 / done[1]:8.0f}'
              f'{(done[2] - loaded[2]) / 1e6:+9.0f}')


main()
