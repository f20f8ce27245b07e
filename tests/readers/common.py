# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tests of exports share: files, reports, exports, and the comparison of self times.

A test is given the program and files or folders. Each file that has a report is exported, another
program reads the export, and the self time of each function must be that of the report. A test
returns 77 where a tool is missing: the last line says which.
"""
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
# Of each kind of input; a run with a folder as argument takes all of it. FEW: for slow programs.
SERVER = 'data/http-server/CPU.20261121.114550.4990.0.001.cpuprofile'
FEW = ['tests/input/escapes-in-names.cpuprofile', 'tests/input/quotes-in-names.cpuprofile',
       'tests/input/trace-three-threads.json', 'data/self-profile/page-with-markers.json']
SOME = ['tests/input/' + name for name in (
    'small.cpuprofile', 'escapes-in-names.cpuprofile', 'bad-utf8.cpuprofile', 'quotes-in-names.cpuprofile',
    'no-deltas.cpuprofile', 'time-runs-back.cpuprofile', 'long-times.cpuprofile', 'formats-5.json',
    'trace-three-threads.json', 'trace-async.json', 'trace-counters.json', 'trace-objects.json',
    'busy-browser.speedscope.json')] + [
    SERVER, 'data/folded/site-build.folded',
    'data/self-profile/page-with-markers.json']


def skip(reason):
    print(reason)
    sys.exit(77)


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            skip(f'no {program}')


def package(*names):
    """The folder of the first package of npm that is named; the others must be there, too."""
    folder = os.path.join(os.environ.get('READERS') or skip('READERS names no folder with node_modules'),
                          'node_modules')
    for name in names:
        if not os.path.isdir(os.path.join(folder, name)):
            skip(f'{name} is not in {folder}')
    return os.path.join(folder, names[0])


def files_of(arguments, usual):
    for argument in arguments or [os.path.join(TOP, name) for name in usual]:
        if not os.path.isdir(argument):
            yield argument
        for folder, _, names in sorted(os.walk(argument)):
            for name in sorted(names):
                yield os.path.join(folder, name)


def report_of(program, path, *options):
    """None of a file that cannot be loaded."""
    run = subprocess.run([program, 'report', '--format=json', '--max-rows=0', *options, path], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    return json.loads(run.stdout) if run.stdout else None


def export(program, path, out, name, *options):
    """Whether there is an export: of some inputs a format has none, and says why."""
    run = subprocess.run([program, 'export', '--force', '-f', name, '-o', out, *options, path],
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    if run.returncode not in (0, 1):
        raise ValueError(f'export -f {name}: exit status {run.returncode}: {run.stderr.decode("utf-8", "replace")}')
    return run.returncode == 0


def by_function(report, key, kinds=('samples',), without=()):
    """The self times of a report in microseconds, by what key(row) gives."""
    times = {}
    for lane in report['lanes']:
        if lane['kind'] in kinds:
            for row in lane['functions']:
                if row['self_us'] and row['name'] not in without:
                    times[key(row)] = times.get(key(row), 0) + row['self_us']
    return times


def difference(want, got, each=0.002):
    """What differs by more than `each` microseconds, as a text, or None. Both: key to microseconds."""
    for key in sorted(set(want) | set(got), key=lambda key: -max(want.get(key, 0), got.get(key, 0))):
        one, other = want.get(key, 0), got.get(key, 0)
        if abs(one - other) > each + 1e-9 * abs(one):
            return f'{ascii(key)}: {one} us in the report, {other} us in the reader'
    if abs(sum(want.values()) - sum(got.values())) > each * (1 + len(want) ** 0.5):
        return f'{sum(want.values())} us in the report, {sum(got.values())} us in the reader'
    return None


def is_trace(report):
    return {one['format'] for one in report['inputs']} == {'trace'}


def unpacked(path, copy):
    """Write the plain text of an input, for programs that do not unpack it."""
    with open(path, 'rb') as file:
        is_packed = file.read(2) == b'\x1f\x8b'
    with (gzip.open if is_packed else open)(path, 'rb') as file, open(copy, 'wb') as out:
        shutil.copyfileobj(file, out)


def plain_name(name):
    """A name without what tables and stacks show in another way: control characters, and separators."""
    return re.sub(r'[^\w./]', '', re.sub(r'\^[@-_]|<[0-9A-F]{2,}>', '', name), flags=re.ASCII)


class Tally:
    """Counts comparisons; prints those that fail."""

    def __init__(self):
        self.passed = self.failed = 0

    def add(self, what, found):
        if found:
            print(f'{what}: {found}')
            self.failed += 1
        else:
            self.passed += 1

    def close(self):
        print(f'{self.passed} passed, {self.failed} failed')
        sys.exit(self.failed > 0 or self.passed == 0)


def read_by_node(program, folder, jobs):
    """Run a program of Node with {file: anything} as its input; what it says of each file."""
    listed = os.path.join(folder, 'jobs.json')
    with open(listed, 'w', encoding='utf-8') as file:
        json.dump(jobs, file)
    run = subprocess.run(['node', '--max-old-space-size=6000', os.path.join(HERE, program), listed],
                         stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, check=True)
    return json.loads(run.stdout)


def in_folder(test, usual=None):
    """Run test(program, files, folder, tally) with the arguments of the command line, or with the usual files."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        test(sys.argv[1], list(files_of(sys.argv[2:], usual or SOME)), folder, tally)
    tally.close()
