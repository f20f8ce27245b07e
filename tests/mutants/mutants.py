#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures how well the tests hold the code: `make mutants`.

Draws mutants of the rooms of src/ at random, in proportion to the lines of each, and builds all
of them into one program: the variable MUTANT chooses one at run time. First all tests run without a
mutant, which tells what they cost and which mutants they reach. Then each mutant is run against the
tests that reach it, until one fails. Those named after its file come first, then those that reach
much of its file and little else in little time; those that take long (random keys) come last. A test
that crashes, or takes many times as long as without a mutant, has failed too.

Tests are check programs, golden cases and, for the rooms in SCRIPT_ROOMS, the scripts of `make check`
that run real terminals and processes and take less than twenty seconds. Such a script must fail
twice. The share of the rooms in NOT_HELD, which need longer ones, is told only.

The draw depends on the seed and on the text of the lines only, so a change elsewhere in a file
leaves the other mutants as they were. equivalent.txt lists mutants that no test can kill; one that
is not in the sources any more is a fault with --least.

usage: mutants.py --source FOLDER --build FOLDER [--count N] [--seed N] [--only PREFIX] [--jobs N]
                  [--again RESULTS] [--least PERCENT] [--minutes N] [--results FILE]
  --source   a release of the project (make distdir) with its configure
  --build    a new or old folder for the rewritten sources and the programs
  --only     draw from files whose path begins with this; may be given several times
  --again    test the mutants of an earlier run that were not killed then
  --least    fail if a smaller share is killed, of all rooms that are held or of one of them with at
             least ten mutants
  --minutes  begin with no more mutants after this time; the rooms take turns, so those that were
             tested are a fair part of the draw
  --results  the file of results, BUILD/results.tsv otherwise. Each line is written when its mutant is
             done; a run that was stopped goes on with it, if sources and tests are still the same
Results: a table by room, the survivors, and the file of results with a line for each mutant. Its
last field is the number: `MUTANT=17 BUILD/out/flametty ...` runs the program with this mutant.
"""
import argparse
import collections
import concurrent.futures
import filecmp
import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import draw  # noqa: E402

# Rooms whose code works with terminals, processes and the system: scripts test them, too.
SCRIPT_ROOMS = ("cli", "main", "record", "session", "term")
SCRIPT_SECONDS = 20  # a script that takes more is not run
# What these do is seen in programs that are recorded and on real terminals, mostly by scripts that
# take longer: they are told, and not held.
NOT_HELD = ("main", "record", "session")
LONG_SECONDS = 2.5   # a test that takes more is run last
PATIENCE = 90        # seconds of the processor for a mutant; then it has survived
GIVE_UP = 10         # times the normal time of the processor
WAIT = 5             # times the normal time of the clock
FEW = 10             # of so few mutants a share says nothing
MEMORY = 8000000     # kilobytes of a check program or golden case
ROUNDS = 8           # of builds, to find what does not compile

# Into every file that is compiled, and (the second) into one that all programs link. A test that
# fails ends its program at once when the tests run without fork(), and Check does not write to a
# file where each test is, which takes half of the time.
HEADER = """
#pragma once
extern int mutant_on;
extern unsigned char *mutants_reached;
static inline int mutant_is_on(int number)
{
	if (__builtin_expect(mutants_reached != 0, 0))
		mutants_reached[number] = 1;
	return __builtin_expect(mutant_on == number, 0);
}
#define MUTANT(number) mutant_is_on(number)
"""
RUNTIME = """
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
int mutant_on = -1;
unsigned char *mutants_reached;
void __wrap__ck_assert_failed(const char *file, int line, const char *expr, const char *msg, ...);
void __wrap__ck_assert_failed(const char *file, int line, const char *expr, const char *msg, ...)
{
	printf("%s:%d: %s %s\\n", file, line, expr, msg ? msg : "");
	fflush(stdout);
	_exit(1);
}
void __wrap__mark_point(const char *file, int line);
void __wrap__mark_point(const char *file, int line)
{
	(void)file;
	(void)line;
}
__attribute__((constructor)) static void mutants_begin(void)
{
	const char *on = getenv("MUTANT"), *file = getenv("MUTANTS_REACHED");
	int fd = file ? open(file, O_RDWR) : -1;
	void *p;

	if (on)
		mutant_on = atoi(on);
	if (fd < 0)
		return;
	p = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p != MAP_FAILED)
		mutants_reached = p;
	close(fd);
}
"""
RUNTIME_FILE = "src/base/alloc.c"
SOURCE = re.compile(r"src/.*\.c")
MADE_FROM = ("Makefile.am", "Makefile.in", "aclocal.m4", "configure", "configure.ac")
REACHED_BYTES = 65536

Case = collections.namedtuple("Case", "name kind seconds wall room is_forked")
Run = collections.namedtuple("Run", "status out err seconds")


def say(*words):
    print(*words, flush=True)


# ---- drawing ----

def room_of(file):
    """The folder of src/; that of src/main.c is called main."""
    parts = file.split("/")
    return parts[1] if len(parts) > 2 else "main"


def rank(seed, mutant):
    """Where a mutant stands in the random order of its room."""
    return hashlib.sha256(repr((seed, mutant.key)).encode()).digest()


class Draw:
    """The mutants of each room in a random order, from which the next ones are taken."""

    def __init__(self, source, seed, only):
        self.texts, self.left, self.keys = {}, collections.defaultdict(list), set()
        self.lines, self.seed = collections.Counter(), seed
        for path in sorted(glob.glob(os.path.join(source, "src", "**", "*.c"), recursive=True)):
            file = os.path.relpath(path, source)
            with open(path, encoding="utf-8") as f:
                text = f.read()
            self.texts[file] = text
            mutants = draw.mutants_of(file, text)
            self.keys.update(m.key for m in mutants)
            if only and not any(file.startswith(o) for o in only):
                continue
            self.lines[room_of(file)] += text.count("\n")
            self.left[room_of(file)] += mutants
        self.rooms = sorted({room_of(file) for file in self.texts})
        for room in self.rooms:
            self.left[room].sort(key=lambda m: rank(seed, m), reverse=True)

    def take(self, room):
        return self.left[room].pop() if self.left[room] else None

    def shares(self, count):
        """How many mutants each room gets: by lines, the sum is `count`."""
        total = sum(self.lines.values())
        exact = {r: count * self.lines[r] / total for r in self.rooms}
        got = {r: int(exact[r]) for r in self.rooms}
        for r in sorted(self.rooms, key=lambda r: got[r] - exact[r])[:count - sum(got.values())]:
            got[r] += 1
        return got

    def in_turns(self, chosen):
        """The numbers of {number: mutant} in an order in which each part has all rooms."""
        by_room, places = collections.defaultdict(list), {}
        for number in sorted(chosen, key=lambda n: rank(self.seed, chosen[n])):
            by_room[room_of(chosen[number].key[0])].append(number)
        for numbers in by_room.values():
            for i, number in enumerate(numbers):
                places[number] = (i + 0.5) / len(numbers)
        return sorted(chosen, key=lambda n: (places[n], n))


# ---- building ----

class Build:
    """The rewritten tree, its configuration and its programs."""

    def __init__(self, source, build, jobs):
        self.source, self.tree = source, os.path.join(build, "tree")
        self.out = os.path.join(build, "out")
        self.jobs = jobs
        self.header = os.path.join(self.tree, "src", "mutant.h")
        self.copy()
        self.write_file(self.header, HEADER)

    def copy(self):
        """Brings the tree up to date. What is equal stays as it is, so that make builds only the rest;
        write() is for the sources of the program."""
        files = {os.path.relpath(os.path.join(folder, name), self.source)
                 for folder, _, names in os.walk(self.source) for name in names}
        of = lambda file: (os.path.join(self.source, file), os.path.join(self.tree, file))
        if any(not os.path.exists(to) or not filecmp.cmp(at, to, shallow=False)
               for at, to in map(of, MADE_FROM)):
            shutil.rmtree(self.tree, ignore_errors=True)
            shutil.rmtree(self.out, ignore_errors=True)
            shutil.copytree(self.source, self.tree, symlinks=True)
            subprocess.run(["chmod", "-R", "u+w", self.tree], check=True)
            return
        for folder, _, names in os.walk(self.tree):
            for name in names:
                path = os.path.join(folder, name)
                if os.path.relpath(path, self.tree) not in files and path != self.header:
                    os.unlink(path)
        for file in sorted(files):
            at, to = of(file)
            is_there = os.path.lexists(to)
            if is_there and (SOURCE.fullmatch(file) or filecmp.cmp(at, to, shallow=False)):
                continue
            if is_there:
                os.unlink(to)
            os.makedirs(os.path.dirname(to), exist_ok=True)
            shutil.copy(at, to)
            os.chmod(to, os.stat(to).st_mode | 0o200)

    def configure(self):
        if os.path.exists(os.path.join(self.out, "config.status")):
            return
        shutil.rmtree(self.out, ignore_errors=True)
        os.makedirs(self.out)
        subprocess.run([os.path.join(self.tree, "configure"), "-q", "CFLAGS=-O1 -w",
                        "CPPFLAGS=-include %s" % self.header,
                        "LDFLAGS=-Wl,--wrap=_ck_assert_failed,--wrap=_mark_point"],
                       cwd=self.out, check=True)

    def write(self, texts, numbered):
        """Rewrites the sources that changed since the last time."""
        by_file = collections.defaultdict(list)
        for number, m in numbered:
            by_file[m.key[0]].append((number, m))
        for file, text in texts.items():
            text = draw.rewritten(text, by_file[file])
            text += RUNTIME if file == RUNTIME_FILE else ""
            self.write_file(os.path.join(self.tree, file), text)

    def write_file(self, path, text):
        if os.path.exists(path):
            with open(path, encoding="utf-8") as f:
                if f.read() == text:
                    return
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)

    def make(self):
        """Compiles; returns the places (file, line) of errors."""
        done = subprocess.run(["make", "-k", "-s", "-j%d" % self.jobs, "check", "TESTS="],
                              cwd=self.out, capture_output=True, text=True,
                              env=dict(os.environ, LC_ALL="C"))
        places = {(m.group(1), int(m.group(2)))
                  for m in re.finditer(r"(src/\S+\.c):(\d+):\d+: error", done.stderr)}
        if done.returncode and not places:
            sys.exit("the build fails:\n" + done.stderr[-4000:])
        return places


def is_hit(m, places):
    """Whether an error was found in the unit of a mutant."""
    file, unit = m.key[0], m.unit
    return any((file, line) in places for line in range(unit.line, unit.line + 12))


def build_all(pool, build, count, again):
    """Draws, writes and compiles until `count` mutants compile; returns {number: mutant}."""
    chosen, number, n_bad = {}, 0, 0
    if again is None:
        for room, n in pool.shares(count).items():
            for _ in range(n):
                m = pool.take(room)
                if m:
                    chosen[number] = m
                    number += 1
    else:
        for m in (m for r in pool.rooms for m in pool.left[r] if m.key in again):
            chosen[number] = m
            number += 1
    for _ in range(ROUNDS):
        build.write(pool.texts, sorted(chosen.items()))
        places = build.make()
        if not places:
            say("%d mutants, %d others do not compile" % (len(chosen), n_bad))
            return chosen
        bad = [k for k, m in chosen.items() if is_hit(m, places)]
        if not bad:
            sys.exit("errors outside of mutants: %s" % sorted(places)[:5])
        for k in bad:
            m = chosen.pop(k)
            n_bad += 1
            other = pool.take(room_of(m.key[0])) if again is None else None
            if other:
                chosen[number] = other
                number += 1
    sys.exit("the mutants do not compile after %d rounds" % ROUNDS)


# ---- tests ----

def end_all_with(variable):
    """Ends the processes with that environment variable: those that a script has left behind, in
    sessions of their own."""
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            with open(path, "rb") as f:
                if variable.encode() in f.read().split(b"\0"):
                    os.kill(int(path.split("/")[2]), 9)
        except OSError:
            pass


class Tests:
    """Check programs, golden cases and scripts, run in the tree that was built. New memory is full of
    odd bytes, so that what is not initialised is noticed, as by a sanitizer."""

    def __init__(self, build, work):
        self.build, self.work = build, work
        self.program = os.path.abspath(os.path.join(build.out, "flametty"))
        self.env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": "UTC",
                    "srcdir": os.path.abspath(build.tree), "FLAMETTY": self.program,
                    "GLIBC_TUNABLES": "glibc.malloc.perturb=165"}
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)

    def names(self):
        """Those of make check, but each golden case by itself."""
        rule = "include Makefile\nnames-of-tests:\n\t@echo $(TESTS)\n"
        done = subprocess.run(["make", "-s", "-f", "-", "names-of-tests"], cwd=self.build.out,
                              input=rule, text=True, capture_output=True, check=True)
        for test in sorted(done.stdout.split()):
            if test.startswith("tests/unit/check_"):
                yield os.path.basename(test), "check"
            elif test.endswith(".sh") and test != "tests/golden.sh":
                yield test, "script"
        for path in sorted(glob.glob(os.path.join(self.build.tree, "tests/golden/*/cmd"))):
            yield os.path.basename(os.path.dirname(path)), "golden"

    def run(self, name, kind, is_forked, cpu, wall, more):
        """Whether the test passes, with limits in seconds of the processor and of the clock; and the
        seconds of the processor that it took. A script that is skipped has not passed."""
        home = tempfile.mkdtemp(prefix="home.", dir=self.work)
        os.chmod(home, 0o755)  # some tests become another user
        env = dict(self.env, HOME=home, TMPDIR=home, XDG_CONFIG_HOME=home, **more)
        try:
            if kind == "golden":
                return self.golden(name, env, cpu, wall)
            if kind == "script":
                args = [os.path.join(os.path.abspath(self.build.tree), name)]
            else:
                args = [os.path.join(self.build.out, "tests/unit", name)]
                if not is_forked:
                    env["CK_FORK"] = "no"
            done = self.call(args, None, env, self.build.out, cpu, wall, kind != "script")
            return done.status == 0, done.seconds
        finally:
            if kind == "script":
                end_all_with("TMPDIR=" + home)
            shutil.rmtree(home, ignore_errors=True)

    def call(self, args, stdin, env, cwd, cpu, wall, is_limited=True):
        """The whole process group is ended when the time is over; a script may clean up before."""
        limit = "ulimit -c 0; "
        if is_limited:
            limit += "ulimit -v %d; ulimit -t %d; " % (MEMORY, int(cpu) + 1)
        # Pipes, as files would count for tests that limit the size of files.
        p = subprocess.Popen(["sh", "-c", limit + 'exec "$@"', "sh"] + args,
                             stdin=stdin or subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, env=env, cwd=cwd, start_new_session=True)
        said = [[], []]
        readers = [threading.Thread(target=lambda f, to: to.append(f.read()), args=pair, daemon=True)
                   for pair in zip((p.stdout, p.stderr), said)]
        ends = [threading.Timer(wall, os.killpg, (p.pid, 9 if is_limited else 15)),
                threading.Timer(wall + 10, os.killpg, (p.pid, 9))]
        for thread in readers + ends:
            thread.start()
        _, status, used = os.wait4(p.pid, 0)
        for timer in ends:
            timer.cancel()
        p.returncode = os.waitstatus_to_exitcode(status)
        try:
            os.killpg(p.pid, 9)  # what it has left behind
        except ProcessLookupError:
            pass
        for thread in readers:
            thread.join(5)
        return Run(p.returncode, b"".join(said[0]), b"".join(said[1]),
                   used.ru_utime + used.ru_stime)

    def golden(self, name, env, cpu, wall):
        folder = "tests/golden/" + name
        path = lambda what: os.path.join(self.build.tree, folder, what)

        def content(what):
            try:
                with open(path(what), "rb") as f:
                    return f.read()
            except FileNotFoundError:
                return b""

        words = content("cmd").decode().replace("@case@", folder).strip()
        stdin = open(path("input"), "rb") if os.path.exists(path("input")) else None
        try:
            done = self.call(["sh", "-c", 'exec "$0" ' + words, self.program], stdin, env,
                             self.build.tree, cpu, wall)
        finally:
            if stdin:
                stdin.close()
        return (done.out == content("expect") and done.err == content("stderr")
                and done.status == int(content("status").strip() or 0)), done.seconds

    def measure_one(self, test):
        """Runs a test without a mutant: (Case, the bytes that say what it reaches); None if it
        does not pass."""
        name, kind = test
        # What is slow on a busy machine has a second chance.
        for is_forked in ((False, True, True) if kind == "check" else (False, False)):
            with tempfile.NamedTemporaryFile(dir=self.work) as reached:
                reached.truncate(REACHED_BYTES)
                began = time.monotonic()
                # A test that needs fork() may hang without it.
                wall = SCRIPT_SECONDS if kind == "script" else 60 if not is_forked else 600
                ok, seconds = self.run(name, kind, is_forked, 300, wall,
                                       {"MUTANTS_REACHED": reached.name})
                if ok:
                    return (Case(name, kind, seconds, time.monotonic() - began, self.room(name, kind),
                                 is_forked), reached.read())
                if kind == "script":
                    break
        return None

    def measure(self, numbers, jobs):
        """Runs all tests without a mutant: [(Case, the numbers that it reaches)]."""
        found, names, n_out = [], list(self.names()), 0
        with concurrent.futures.ThreadPoolExecutor(jobs) as threads:
            for test, measured in zip(names, threads.map(self.measure_one, names)):
                if measured:
                    found.append((measured[0], {n for n in numbers if measured[1][n]}))
                elif test[1] == "script":
                    n_out += 1
                else:
                    say("fails without a mutant, left out: " + test[0])
        say("%d scripts take more than %d seconds or are skipped here" % (n_out, SCRIPT_SECONDS))
        return found

    def room(self, name, kind):
        """The room that a check program is about, by its name: check_a_b is about a_b.c, or a.c."""
        top = os.path.join(self.build.tree, "src")
        words = name[len("check_"):].split("_") if kind == "check" else []
        while words:
            for path in glob.glob(os.path.join(top, "**", "_".join(words) + ".c"), recursive=True):
                return room_of("src/" + os.path.relpath(path, top))
            words.pop()
        return None


def order_of(mutant, in_file, measured):
    """The key by which the tests of a mutant are sorted. in_file: the numbers of all mutants of its
    file."""
    stem = os.path.basename(mutant.key[0])[:-2]
    sizes = {case: (len(reached & in_file), len(reached)) for case, reached in measured}

    def order(case):
        own = case.kind == "check" and (case.name == "check_" + stem
                                        or case.name.startswith("check_" + stem + "_"))
        here, all_reached = sizes[case]
        worth = here / all_reached / (case.wall + 0.05)
        if own:
            group = 0
        elif case.seconds > LONG_SECONDS:
            group = 3
        elif case.kind == "script":
            group = 2
        else:
            group = 1
            if case.kind == "check" and case.room == room_of(mutant.key[0]):
                worth *= 4
        return group, -worth
    return order


def try_mutant(tests, number, cases):
    """The name of the test that kills it, or None; and how many tests were not run, as it took too
    long. cases: in the order in which they are run."""
    spent = 0
    for i, case in enumerate(cases):
        if spent > PATIENCE:
            return None, len(cases) - i
        # Of a busy machine a script may notice more than the mutant.
        for _ in range(2 if case.kind == "script" else 1):
            ok, seconds = tests.run(case.name, case.kind, case.is_forked, GIVE_UP * case.seconds + 1,
                                    WAIT * case.wall + 20, {"MUTANT": str(number)})
            spent += seconds
            if ok:
                break
        else:
            return case.name, 0
    return None, 0


# ---- equivalents and results ----

def read_equivalents(path):
    """{key: reason} of a file of paragraphs `file: line: change: why:`; see its head."""
    found, now = {}, {}
    if not os.path.exists(path):
        return found
    with open(path, encoding="utf-8") as f:
        for line in list(f) + [""]:
            line = line.strip()
            if line.startswith("#"):
                continue
            if not line:
                if now:
                    change, _, nth = now["change"].partition(" #")
                    found[now["file"], now["line"], change, int(nth or 1)] = now["why"]
                now = {}
                continue
            name, _, value = line.partition(": ")
            if name in ("file", "line", "change", "why"):
                now[name], last = value, name
            else:
                now[last] += " " + line
    return found


def change_text(key):
    return key[2] if key[3] == 1 else "%s #%d" % (key[2], key[3])


def read_rows(path):
    """{key: (state, killer)} of a file of results, and its first line."""
    found, first = {}, ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            for line in f:
                row = line.rstrip("\n").split("\t")
                if line.startswith("#"):
                    first = line
                elif len(row) == 7 and line.endswith("\n"):
                    change, _, nth = row[3].partition(" #")
                    found[row[1], row[4], change, int(nth or 1)] = row[0], row[5]
    return found, first


def fingerprint_of(source):
    """Of all files that decide what a test does."""
    total = hashlib.sha256()
    for folder in ("src", "tests", "data", "man"):
        for path in sorted(glob.glob(os.path.join(source, folder, "**"), recursive=True)):
            if os.path.isfile(path) and not path.endswith("equivalent.txt"):
                total.update(os.path.relpath(path, source).encode() + b"\0")
                with open(path, "rb") as f:
                    total.update(hashlib.sha256(f.read()).digest())
    return "# %s\n" % total.hexdigest()


class Results:
    """The file of results: what it has is not done again, what is done is added to it."""

    def __init__(self, path, fingerprint):
        self.path, self.first = path, fingerprint
        self.known, first = read_rows(path)
        if first != fingerprint:
            self.known = {}
        self.rows = []

    def forget(self, keys):
        self.known = {key: row for key, row in self.known.items() if key not in keys}

    def line(self, state, m, killer, number):
        return "\t".join((state, m.key[0], str(m.line), change_text(m.key), m.key[1], killer or "",
                          str(number))) + "\n"

    def begin(self, chosen):
        """The numbers of the mutants that are not done yet."""
        left = []
        with open(self.path, "w", encoding="utf-8") as f:
            f.write(self.first)
            for number in chosen:
                state, killer = self.known.get(chosen[number].key, (None, None))
                if state in ("killed", "survived", "unreached"):
                    self.rows.append((state, chosen[number], killer, number))
                    f.write(self.line(*self.rows[-1]))
                else:
                    left.append(number)
        return left

    def add(self, row):
        self.rows.append(row)
        with open(self.path, "a", encoding="utf-8") as f:
            f.write(self.line(*row))


def say_survivor(state, m, *_):
    say("%s:%d: %s: %s\n\t%s" % (m.key[0], m.line, state, change_text(m.key), m.key[1]))


def report(rows, rooms):
    """rows: [(state, mutant, killer, number)]; returns {room: (mutants, share in percent)}."""
    counts, shares = collections.Counter((room_of(row[1].key[0]), row[0]) for row in rows), {}
    say("\n%-10s %8s %8s %9s %10s %11s %7s" % (
        "room", "mutants", "killed", "survived", "unreached", "equivalent", "share"))
    for room in rooms + ["held"]:
        killed, survived, unreached, same = (
            sum(n for (r, s), n in counts.items()
                if s == state and (room == r or room == "held" and r not in NOT_HELD))
            for state in ("killed", "survived", "unreached", "equivalent"))
        real = killed + survived + unreached
        share = 100 * killed / real if real else 100
        shares[room] = real, share
        if real + same:
            say("%-10s %8d %8d %9d %10d %11d %6.1f%%" % (
                room, real + same, killed, survived, unreached, same, share))
    say("\nShare: killed, of those that are not equivalent. Held: all rooms but %s.\n" %
        ", ".join(NOT_HELD))
    for state, m, *_ in sorted(rows, key=lambda r: (r[1].key[0], r[1].line)):
        if state in ("survived", "unreached"):
            say_survivor(state, m)
    return shares


def options():
    p = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    p.add_argument("--source", required=True)
    p.add_argument("--build", required=True)
    p.add_argument("--count", type=int, default=300)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--only", action="append", default=[])
    p.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    p.add_argument("--again")
    p.add_argument("--least", type=float, default=0)
    p.add_argument("--minutes", type=float, default=0)
    p.add_argument("--results")
    o = p.parse_args()
    o.source, o.build = os.path.abspath(o.source), os.path.abspath(o.build)
    o.results = o.results or os.path.join(o.build, "results.tsv")
    return o


def try_all(o, pool, chosen, known, measured, tests, results):
    """Runs what is not done yet. Returns how many mutants the time did not suffice for."""
    began, in_file = o.began, collections.defaultdict(set)
    for number, m in chosen.items():
        in_file[m.key[0]].add(number)

    def work(number):
        m = chosen[number]
        if m.key in known:
            return "equivalent", m, None, number
        if o.minutes and time.monotonic() - began > 60 * o.minutes:
            return None
        with_scripts = room_of(m.key[0]) in SCRIPT_ROOMS
        reaching = [(c, reached) for c, reached in measured
                    if number in reached and (with_scripts or c.kind != "script")]
        if not reaching:
            return "unreached", m, None, number
        order = order_of(m, in_file[m.key[0]], reaching)
        killer, n_left = try_mutant(tests, number, sorted((c for c, _ in reaching), key=order))
        if n_left:
            say("%s:%d: %d tests that reach it were not run" % (m.key[0], m.line, n_left))
        return ("killed" if killer else "survived"), m, killer, number

    n_left = 0
    results.forget(known)
    todo = results.begin({n: chosen[n] for n in pool.in_turns(chosen)})
    say("%d mutants, %d are done" % (len(chosen), len(chosen) - len(todo)))
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as threads:
        for done in concurrent.futures.as_completed([threads.submit(work, n) for n in todo]):
            row = done.result()
            if not row:
                n_left += 1
                continue
            results.add(row)
            if row[0] in ("survived", "unreached"):
                say_survivor(*row)
            if len(results.rows) % 50 == 0:
                say("%d of %d after %d s" % (len(results.rows), len(chosen), time.monotonic() - began))
    return n_left


def main():
    o = options()
    o.began = time.monotonic()
    known = read_equivalents(os.path.join(o.source, "tests/mutants/equivalent.txt"))
    pool = Draw(o.source, o.seed, o.only)
    stale = sorted(known.keys() - pool.keys)
    for key in stale:
        say("equivalent.txt: no such mutant: %s: %s: %s" % (key[0], change_text(key), key[1]))
    unknown = {*SCRIPT_ROOMS, *NOT_HELD} - set(pool.rooms)
    if unknown:
        sys.exit("no such room: " + " ".join(sorted(unknown)))
    os.makedirs(o.build, exist_ok=True)
    again = None
    if o.again:
        again = {k for k, (state, _) in read_rows(o.again)[0].items()
                 if state in ("survived", "unreached")}
    build = Build(o.source, o.build, o.jobs)
    build.configure()
    chosen = build_all(pool, build, o.count, again)
    say("built after %d s" % (time.monotonic() - o.began))
    tests = Tests(build, os.path.join(o.build, "work"))
    measured = tests.measure(list(chosen), o.jobs)
    say("%d tests, %.0f s of processor time, measured after %d s" % (
        len(measured), sum(c.seconds for c, _ in measured), time.monotonic() - o.began))
    results = Results(o.results, fingerprint_of(o.source))
    n_left = try_all(o, pool, chosen, known, measured, tests, results)
    shares = report(results.rows, pool.rooms)
    if n_left:
        say("the time did not suffice for %d mutants" % n_left)
    say("\n%d s" % (time.monotonic() - o.began))
    low = [room for room, (n, share) in shares.items()
           if share < o.least and (n >= FEW or room == "held") and room not in NOT_HELD]
    if low:
        sys.exit("fewer than %g%% are killed in: %s" % (o.least, " ".join(low)))
    if o.least and stale:
        sys.exit("equivalent.txt names %d mutants that do not exist" % len(stale))


if __name__ == "__main__":
    main()
