#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Let each call of the system fail, one at a time, while small inputs are read, shown, exported, compared
and recorded; and each allocation, while programs are recorded: out-of-memory.sh has the rest. The program must
then end with exit status 0 and its usual result, say what it did without,
or end with exit status 1 and say why. It must not be killed, hang, leave a file or a process, change a
file that was there, leave the terminal other than it was, or touch the program that it records.

usage: faults.py --program FLAMETTY --library FILE --top FOLDER [--all] [--part I/N] [--list] [WORD]
--library: made of fail_call.c, and of fail_alloc.c. --top: of the sources. Without --all, the first call of each name fails, and
all from the middle one on. --part: the Ith of N shares of the runs, counted from 1. --list: only how often
which call is used. WORD: only the cases whose name has it. NODE: the node that is recorded, that of PATH by
default; none: these cases are left out.
The last line is `N passed, N failed`.
"""
import argparse
import concurrent.futures
import fcntl
import os
import pty
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import zlib

FEW, FEW_ALLOCATIONS = 1, 5
# Of one call in one case with --all: each of the first ones, then one of so many. Only `attach` has more: it
# looks at /proc again and again until something has changed there.
EACH, AFTER_EACH = 300, 7
AT_ONCE = 2 * (os.cpu_count() or 1)  # runs; most of their time they wait
SECONDS = 20
# The terminal cannot be put back if that is what fails.
OF_TERMINAL = {'tcsetattr', 'ioctl'}
# Without these, an inspector that was opened cannot be reached to close it.
UNREACHABLE = {'socket', 'connect'}
# What the errors of fail_call.c are called: a warning may be part of the output.
REASONS = (b'cannot be read', b'Too many open files', b'Input/output error', b'Permission denied', b'No space left on device')


class Run:
    """What one run did."""

    def __init__(self, status, out, err, faults):
        self.status, self.out, self.err, self.faults = status, out, err, faults


def environment(library, folder, settings):
    env = {name: value for name, value in os.environ.items() if not name.startswith(('FAIL_', 'XDG_', 'TMUX'))}
    env.update(settings, LD_PRELOAD=library, HOME=folder, LC_ALL='C.UTF-8', TERM='xterm-256color', TZ='UTC',
               FAIL_CALL_SECONDS=str(SECONDS), FAULTS_MARK=folder)
    return env


def left_processes(folder, but=()):
    """The processes that have the mark of a run in their environment."""
    mark, left = f'FAULTS_MARK={folder}'.encode(), []
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open(f'/proc/{pid}/environ', 'rb') as f:
                if mark in f.read().split(b'\0') and int(pid) not in but:
                    with open(f'/proc/{pid}/stat') as stat:
                        if stat.read().rsplit(')', 1)[1].split()[0] != 'Z':
                            left.append(int(pid))
        except OSError:
            pass
    return left


def kill_all(pids):
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass


class Case:
    """A command in a folder that holds `files`; `made` is what it makes: files, or `FOLDER/` for those in it."""

    has_memory = False  # its allocations fail, too
    is_exact = True  # each run without a fault makes the same bytes, or says why it does not

    def __init__(self, name, arguments, files, made=(), replaced=()):
        self.name, self.arguments, self.files = name, arguments, files
        self.made, self.replaced = set(made), set(replaced)

    def fill(self, folder):
        for name, source in self.files.items():
            target = os.path.join(folder, name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy(source, target)
        for name in self.replaced:
            with open(os.path.join(folder, name), 'w') as f:
                f.write('before')

    def run(self, program, library, folder, settings):
        done = subprocess.run([program, *self.arguments], cwd=folder, stdin=subprocess.DEVNULL, check=False,
                              capture_output=True, env=environment(library, folder, settings))
        return Run(done.returncode, done.stdout, done.stderr, [])

    def makes(self, name):
        return name in self.made | self.replaced or name.split('/')[0] + '/' in self.made

    def good_statuses(self):
        return {0}

    def is_good_message(self, run):
        return run.err.startswith(b'flametty: ')

    def is_same(self, run, good):
        return run.out == good.out or any(reason in run.out and reason not in good.out for reason in REASONS)


def content(folder):
    """The files below a folder, and what is in them."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            with open(path, 'rb') as f:
                found[os.path.relpath(path, folder)] = f.read()
    return found


class Keys(Case):
    """The interface on a terminal, with keys, one piece each time it rests."""

    is_exact = False

    def __init__(self, name, arguments, files, keys, **others):
        super().__init__(name, arguments, files, **others)
        self.keys = keys

    def run(self, program, library, folder, settings):
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 30, 100, 0, 0))
        before = termios.tcgetattr(slave)
        with open(os.path.join(folder, '.err'), 'w+b') as err:
            child = subprocess.Popen([program, *self.arguments], cwd=folder, stdin=slave, stdout=slave, stderr=err,
                                     env=environment(library, folder, settings), start_new_session=True)
            out = self.type_keys(child, master)
            err.seek(0)
            text = err.read()
        os.unlink(os.path.join(folder, '.err'))
        faults = [] if child.returncode is not None else ['does not end by q and C-c']
        if child.returncode is None:
            child.kill()
            child.wait()
        if termios.tcgetattr(slave) != before and settings.get('FAIL_CALL') not in OF_TERMINAL:
            faults.append('the terminal is not as it was')
        if out.rfind(b'\x1b[?1049h') > out.rfind(b'\x1b[?1049l') and settings.get('FAIL_CALL') not in ('write', 'fwrite'):
            faults.append('the second screen of the terminal is not left')
        os.close(master)
        os.close(slave)
        return Run(child.returncode, out, text, faults)

    def type_keys(self, child, master):
        out, keys = b'', [*self.keys, b'q', b'q', b'\x03', b'q']
        end = time.monotonic() + SECONDS - 5
        while child.poll() is None and time.monotonic() < end:
            if select.select([master], [], [], 0.04 if out else 0.3)[0]:
                out += os.read(master, 65536)
            elif keys:
                os.write(master, keys.pop(0))
        while select.select([master], [], [], 0)[0]:
            out += os.read(master, 65536)
        return out

    # Messages of the screen are on the screen.
    def is_same(self, run, good):
        return True


class Recorded(Case):
    """`run` of a program that prints a line and ends with status 7."""

    has_memory = True
    is_exact = False

    def good_statuses(self):
        return {7, 126}


class Attached(Case):
    """`attach` to a program that counts; it must go on, and must not listen."""

    has_memory = True
    is_exact = False

    def __init__(self, name, arguments, node, **others):
        super().__init__(name, arguments, {}, **others)
        self.node = node

    def run(self, program, library, folder, settings):
        with socket.socket() as s:
            s.bind(('127.0.0.1', 0))
            port = s.getsockname()[1]
        code = '''let n = 0; setInterval(() => { const end = Date.now() + 3; while (Date.now() < end) n++; }, 5);
process.stdin.on('data', () => process.stdout.write(n + ' ' + (require('inspector').url() || 'closed') + '\\n'));
process.stdout.write('ready\\n')'''
        target = subprocess.Popen([self.node, f'--inspect-port={port}', '-e', code], stdin=subprocess.PIPE, cwd='/',
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        target.stdout.readline()
        arguments = [a.replace('PID', str(target.pid)) for a in self.arguments]
        done = subprocess.run([program, *arguments], cwd=folder, stdin=subprocess.DEVNULL, check=False,
                              capture_output=True, env=environment(library, folder, settings))
        faults, is_over = [], False
        try:
            # What closes it may outlive the program for a moment.
            for _ in range(100):
                target.stdin.write(b'?')
                target.stdin.flush()
                answer = target.stdout.readline().decode().split()
                if not answer:
                    faults.append(f'the target has ended, {target.wait(5)}')
                    break
                if answer[1] == 'closed' and is_over:
                    break
                is_over = answer[1] == 'closed'
                time.sleep(0.05)
            else:
                if answer[1] != 'closed' and b'inspector' not in done.stderr and settings.get('FAIL_CALL') not in UNREACHABLE:
                    faults.append(f'the target listens at {answer[1]}, and nothing says so')
        except OSError as error:
            faults.append(f'the target: {error}')
        target.kill()
        target.wait()
        return Run(done.returncode, done.stdout, done.stderr, faults)

    def is_same(self, run, good):
        return True


def judge(case, folder, before, run, good, made):
    """What is wrong with a run; `made`: what the good one made."""
    faults = list(run.faults)
    now = content(folder)
    is_good = run.status in case.good_statuses()
    if run.status < 0:
        faults.append('hangs' if run.status == -signal.SIGALRM else f'killed by signal {-run.status}')
    elif not is_good and run.status != 1:
        faults.append(f'exit status {run.status}')
    elif not is_good and not case.is_good_message(run):
        faults.append('exit status 1 without a message')
    if is_good and not run.err.strip() and not case.is_same(run, good):
        faults.append('another output, exit status 0, and no word')
    for name in sorted(now.keys() | before.keys()):
        if name not in now:
            faults.append(f'{name} is gone')
        elif name in before and now[name] == before[name]:
            continue
        elif not case.makes(name):
            faults.append(f'{name} is {"changed" if name in before else "left"}')
        elif case.is_exact and (not now[name] or (now[name] != made.get(name) and not run.err.strip())):
            faults.append(f'{name} is not what it is without a fault')
    if is_good and case.is_exact and not run.err.strip() and not any(case.makes(n) and now[n] != before.get(n) for n in now) and \
            case.made | case.replaced:
        faults.append('no result, exit status 0, and no word')
    left = left_processes(folder)
    # The guard may take two seconds to close an inspector, and more on a busy machine.
    for _ in range(50):
        if not left:
            break
        time.sleep(0.1)
        left = left_processes(folder)
    if left:
        faults.append(f'leaves {len(left)} processes')
        kill_all(left)
    return faults


def cases(top, node):
    inputs = {
        'a.cpuprofile': 'tests/input/escapes-in-names.cpuprofile', 'a.cpuprofile.gz': 'tests/input/small.cpuprofile.gz',
        'trace.json': 'tests/input/trace-async.json', 'a.folded': 'data/folded/site-build.folded',
        'self.json': 'data/self-profile/page-with-markers.json',
        'a.speedscope.json': 'data/speedscope/image-queue.speedscope.json', 'a.pb.gz': 'data/pprof/cpu.pb.gz',
        'perf.gz': 'data/perf/image-queue.perf.gz', 'sentry.json': 'data/sentry/chunk.json'}
    inputs = {name: os.path.join(top, path) for name, path in inputs.items()}
    for name in inputs:
        yield Case(f'report {name}', ['report', '--top=5', name], {name: inputs[name]})
        yield Case(f'export {name}', ['export', '-f', 'trace', '-o', 'out', name], {name: inputs[name]}, made={'out'})
    one, two = 'a.cpuprofile', 'trace.json'
    for form in ('json', 'csv', 'md', 'grep'):
        yield Case(f'report {form}', ['report', '-f', form, one], {one: inputs[one]})
    for form in ('cpuprofile', 'folded', 'speedscope', 'svg', 'pprof', 'html'):
        yield Case(f'export {form}', ['export', '--force', '-f', form, '-o', 'out', one], {one: inputs[one]}, replaced={'out'})
    yield Case('export gz', ['export', '-f', 'trace', '-o', 'out.gz', one], {one: inputs[one]}, made={'out.gz'})
    yield Case('render', ['--render=90x30', '--keys', '/e<Enter>n6789', two], {two: inputs[two]})
    runs = os.path.join(top, 'tests/input/runs')
    fleet = {f'runs/{n}': os.path.join(runs, n) for n in sorted(os.listdir(runs)) if n.endswith('.cpuprofile')}
    names = sorted(fleet)
    half = len(names) // 2
    yield Case('diff', ['diff', '--before', *names[half:], '--after', *names[:half]], fleet)
    yield Case('fleet', ['fleet', 'runs'], fleet)
    yield Case('directory', ['report', '-r', 'runs'], fleet)
    yield Keys('keys', [one], {one: inputs[one]}, [b'/e\r', b'n', b'6', b'7', b'+', b'?', b'\x1b', b'w', b'q'])
    yield Keys('keys save', [two], {two: inputs[two]}, [b':export trace out.trace\r', b'q'],
               made={'out.trace', '.local/state/flametty/history'})
    yield Keys('keys follow', ['--follow', one], {one: inputs[one]}, [b'6', b'q'])
    yield Keys('keys directory', ['runs'], fleet, [b'L', b'j', b'\r', b'q'])
    if node:
        code = "const end = Date.now() + 40; while (Date.now() < end); console.log('done'); process.exitCode = 7"
        yield Recorded('run', ['run', '-o', 'out', '--', node, '-e', code], {}, made={'out/'})
        yield Attached('attach', ['attach', '--report', '-t', '200ms', '-o', 'out', 'PID'], node, made={'out'})


class Tester:
    def __init__(self, options):
        self.options = options
        self.passed, self.failed = 0, 0
        self.lock = threading.Lock()
        share, _, of = (options.part or '1/1').partition('/')
        self.share, self.of = int(share) - 1, int(of or 1)

    def once(self, case, settings):
        """A run in a folder of its own: what it did, what was there before, what is there, the faults."""
        folder = tempfile.mkdtemp(prefix='faults.')
        try:
            case.fill(folder)
            before = content(folder)
            return case.run(self.options.program, self.options.library, folder, settings), before, content(folder), folder
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise

    def test(self, case, settings, good, made):
        run, before, _, folder = self.once(case, settings)
        faults = judge(case, folder, before, run, good, made)
        shutil.rmtree(folder, ignore_errors=True)
        with self.lock:
            self.passed += not faults
            self.failed += bool(faults)
        for fault in faults:
            what = ' '.join(f'{name}={value}' for name, value in settings.items())
            said = run.err.decode(errors='replace').strip().splitlines()[:2]
            print(f'FAIL: {case.name}: {what}: {fault}; status {run.status}; {said}', flush=True)

    def numbers(self, n, few):
        """Which of n calls fail."""
        each = [*range(0, min(n, EACH)), *range(EACH, n, AFTER_EACH)]
        return each if self.options.all else range(0, n, max(1, n // few))

    def jobs(self, case):
        """The runs of a case with a fault, after the one without."""
        handle, counts = tempfile.mkstemp(prefix='faults.')
        os.close(handle)
        allocations = counts + '.memory'
        good, before, made, folder = self.once(case, {'FAIL_CALL_COUNT': counts, 'FAIL_ALLOC_COUNT': allocations})
        faults = judge(case, folder, before, good, good, made)
        shutil.rmtree(folder, ignore_errors=True)
        with open(counts) as f:
            calls = [(name, int(n)) for name, n in (line.split() for line in f)]
        with open(allocations) as f:
            n_allocations = int(f.read() or 0)
        os.unlink(counts)
        os.unlink(allocations)
        if faults or good.status not in case.good_statuses() or not calls:
            with self.lock:
                self.failed += 1
            print(f'FAIL: {case.name}: nothing fails: {faults}, status {good.status}, {good.err[:200]!r}')
            return []
        if self.options.list:
            print(f'{case.name}:', ' '.join(f'{name} {n}' for name, n in calls), 'malloc', n_allocations)
            return []
        all_settings = [{'FAIL_CALL_SHORT': '1'}]
        for name, n in calls:
            for at in self.numbers(n, FEW):
                all_settings.append({'FAIL_CALL': name, 'FAIL_CALL_AT': str(at)})
            # One call that fails for good: a loop over it would not end. A signal cannot come for ever.
            if name not in ('poll', 'pselect'):
                all_settings.append({'FAIL_CALL': name, 'FAIL_CALL_FROM': str(n // 2)})
        if case.has_memory:
            for at in self.numbers(n_allocations, FEW_ALLOCATIONS):
                all_settings += [{'FAIL_ALLOC_AT': str(at)}, {'FAIL_ALLOC_FROM': str(at)}]
        keyed = [(zlib.crc32(f'{case.name} {settings}'.encode()), settings) for settings in all_settings]
        return [(key, case, settings, good, made) for key, settings in keyed if (key - self.share) % self.of == 0]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ('--program', '--library', '--top'):
        parser.add_argument(name, required=True)
    for name in ('--all', '--list'):
        parser.add_argument(name, action='store_true')
    parser.add_argument('--part')
    parser.add_argument('word', nargs='?', default='')
    options = parser.parse_args()
    tester = Tester(options)
    node = os.environ.get('NODE') or shutil.which('node')
    wanted = [case for case in cases(options.top, None if node == 'none' else node) if options.word in case.name]
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        jobs = [job for jobs in pool.map(tester.jobs, wanted) for job in jobs]
        # By the key: those that wait, and those that do not, are mixed.
        for done in [pool.submit(tester.test, *job[1:]) for job in sorted(jobs, key=lambda job: job[0])]:
            done.result()
    print(f'{tester.passed} passed, {tester.failed} failed')
    return tester.failed > 0


sys.exit(main())
