#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures how well the tests hold the code: `make mutants`.

Draws mutants of the folders of src/ at random, in proportion to the lines of each, and builds all
of them into one program: the variable MUTANT chooses one at run time. First all tests run without a
mutant, which tells what they cost and which mutants they reach. Then each mutant is run against the
tests that reach it, until one fails: the tests of its own file first, then those of its folder, then
the other check programs and the golden cases, in each group the fastest first; those that take long
(random keys) come last. A test that crashes, or takes many times as long as without a mutant, has
failed too.

The draw depends on the seed and on the text of the lines only, so a change elsewhere in a file
leaves the other mutants as they were. equivalent.txt lists mutants that no test can kill.

usage: mutants.py --source FOLDER --build FOLDER [--count N] [--seed N] [--only PREFIX] [--jobs N]
                  [--again RESULTS] [--least PERCENT]
  --source   a release of the project (make distdir) with its configure
  --build    a new or old folder for the rewritten sources and the programs
  --only     draw from files whose path begins with this; may be given several times
  --again    test the mutants of an earlier run that were not killed then
  --least    fail if a smaller share of a folder is killed; src/term is not held to it, because
             the tests that run the program in a terminal are not run here
Results: a table by folder, the survivors, and BUILD/results.tsv with a line for each mutant. Its
last field is the number: `MUTANT=17 BUILD/out/flametty ...` runs the program with this mutant.
"""
import argparse
import collections
import concurrent.futures
import glob
import hashlib
import os
import re
import resource
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import draw  # noqa: E402

FOLDERS = ("base", "json", "model", "build", "reader", "load", "analysis", "layout", "ui", "report",
           "export", "term")
NOT_HELD = ("term",)
LONG_SECONDS = 2.5  # a test that takes more is run last
GIVE_UP = 10        # times the normal time of the processor
WAIT = 5            # times the normal time of the clock
ROUNDS = 8          # of builds, to find what does not compile

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
REACHED_BYTES = 65536

Case = collections.namedtuple("Case", "name kind seconds wall folder is_forked")


def say(*words):
    print(*words, flush=True)


# ---- drawing ----

def rank(seed, mutant):
    """Where a mutant stands in the random order of its folder."""
    return hashlib.sha256(repr((seed, mutant.key)).encode()).digest()


class Draw:
    """The mutants of each folder in a random order, from which the next ones are taken."""

    def __init__(self, source, seed, only):
        self.texts, self.left, self.keys = {}, {f: [] for f in FOLDERS}, set()
        self.lines = collections.Counter()
        for folder in FOLDERS:
            pattern = os.path.join(source, "src", folder, "**", "*.c")
            for path in sorted(glob.glob(pattern, recursive=True)):
                file = os.path.relpath(path, source)
                with open(path, encoding="utf-8") as f:
                    text = f.read()
                self.texts[file] = text
                mutants = draw.mutants_of(file, text)
                self.keys.update(m.key for m in mutants)
                if only and not any(file.startswith(o) for o in only):
                    continue
                self.lines[folder] += text.count("\n")
                self.left[folder] += mutants
            self.left[folder].sort(key=lambda m: rank(seed, m), reverse=True)

    def take(self, folder):
        return self.left[folder].pop() if self.left[folder] else None

    def shares(self, count):
        """How many mutants each folder gets: by lines, the sum is `count`."""
        total = sum(self.lines.values())
        exact = {f: count * self.lines[f] / total for f in FOLDERS}
        got = {f: int(exact[f]) for f in FOLDERS}
        for f in sorted(FOLDERS, key=lambda f: got[f] - exact[f])[:count - sum(got.values())]:
            got[f] += 1
        return got


def folder_of(mutant):
    return mutant.key[0].split("/")[1]


# ---- building ----

class Build:
    """The rewritten tree, its configuration and its programs."""

    def __init__(self, source, build, jobs):
        self.tree = os.path.join(build, "tree")
        self.out = os.path.join(build, "out")
        self.jobs = jobs
        shutil.rmtree(self.tree, ignore_errors=True)
        shutil.copytree(source, self.tree, symlinks=True)
        subprocess.run(["chmod", "-R", "u+w", self.tree], check=True)
        with open(os.path.join(self.tree, "src", "mutant.h"), "w", encoding="utf-8") as f:
            f.write(HEADER)

    def configure(self):
        shutil.rmtree(self.out, ignore_errors=True)
        os.makedirs(self.out)
        header = os.path.join(self.tree, "src", "mutant.h")
        subprocess.run([os.path.join(self.tree, "configure"), "-q", "CFLAGS=-O2 -w",
                        "CPPFLAGS=-include %s" % header,
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
            path = os.path.join(self.tree, file)
            with open(path, encoding="utf-8") as f:
                is_same = f.read() == text
            if not is_same:
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
        for folder, n in pool.shares(count).items():
            for _ in range(n):
                m = pool.take(folder)
                if m:
                    chosen[number] = m
                    number += 1
    else:
        for m in (m for f in FOLDERS for m in pool.left[f] if m.key in again):
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
            other = pool.take(folder_of(m)) if again is None else None
            if other:
                chosen[number] = other
                number += 1
    sys.exit("the mutants do not compile after %d rounds" % ROUNDS)


# ---- tests ----

class Tests:
    """Check programs and golden cases, run in the tree that was built."""

    def __init__(self, build, work):
        self.build, self.work = build, work
        self.program = os.path.abspath(os.path.join(build.out, "flametty"))
        self.env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": "UTC",
                    "srcdir": os.path.abspath(build.tree), "FLAMETTY": self.program}
        os.makedirs(work, exist_ok=True)

    def names(self):
        for path in sorted(glob.glob(os.path.join(self.build.out, "tests/unit/check_*"))):
            if re.fullmatch(r"check_\w+", os.path.basename(path)):
                yield os.path.basename(path), "check"
        for path in sorted(glob.glob(os.path.join(self.build.tree, "tests/golden/*/cmd"))):
            yield os.path.basename(os.path.dirname(path)), "golden"

    def run(self, name, kind, is_forked, cpu, wall, more):
        """Whether the test passes, with limits in seconds of the processor and of the clock."""
        home = os.path.join(self.work, "home.%d" % (hash((name, time.monotonic())) & 0xFFFFFFFF))
        os.makedirs(home)
        env = dict(self.env, HOME=home, TMPDIR=home, XDG_CONFIG_HOME=home, **more)
        try:
            if kind == "golden":
                return self.golden(name, env, cpu, wall)
            if not is_forked:
                env["CK_FORK"] = "no"
            program = os.path.join(self.build.out, "tests/unit", name)
            return self.call([program], None, env, self.build.out, cpu, wall)[0] == 0
        finally:
            shutil.rmtree(home, ignore_errors=True)

    def call(self, args, stdin, env, cwd, cpu, wall):
        """(status, stdout, stderr); the whole process group is killed when the time is over."""
        limit = 'ulimit -c 0; ulimit -t %d; exec "$@"' % (int(cpu) + 1)
        p = subprocess.Popen(["sh", "-c", limit, "sh"] + args, stdin=stdin or subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, cwd=cwd,
                             start_new_session=True)
        try:
            out, err = p.communicate(timeout=wall)
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, 9)
            p.communicate()
            return None, b"", b""
        return p.returncode, out, err

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
            status, out, err = self.call(["sh", "-c", 'exec "$0" ' + words, self.program], stdin,
                                         env, self.build.tree, cpu, wall)
        finally:
            if stdin:
                stdin.close()
        return (out == content("expect") and err == content("stderr")
                and status == int(content("status").strip() or 0))

    def measure(self, numbers):
        """Runs all tests without a mutant: [(Case, the numbers that it reaches)]."""
        found = []
        for name, kind in self.names():
            reached = os.path.join(self.work, "reached")
            for is_forked in ((False, True) if kind == "check" else (False,)):
                with open(reached, "wb") as f:
                    f.truncate(REACHED_BYTES)
                before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
                # A test that needs fork() may hang without it.
                wall = 600 if is_forked or kind == "golden" else 60
                ok = self.run(name, kind, is_forked, 300, wall, {"MUTANTS_REACHED": reached})
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                if ok:
                    break
            if not ok:
                say("fails without a mutant, left out: " + name)
                continue
            with open(reached, "rb") as f:
                bits = f.read()
            case = Case(name, kind, seconds, time.monotonic() - began, self.folder(name), is_forked)
            found.append((case, {n for n in numbers if bits[n]}))
        return found

    def folder(self, name):
        """The folder of src/ that a check program is about, by its name."""
        stem = name[len("check_"):]
        top = os.path.join(self.build.tree, "src")
        for path in glob.glob(os.path.join(top, "**", stem + ".c"), recursive=True):
            return os.path.relpath(path, top).split(os.sep)[0]
        return None


def order_of(mutant):
    """The key by which the tests of a mutant are sorted."""
    stem = os.path.basename(mutant.key[0])[:-2]

    def order(case):
        own = case.kind == "check" and (case.name == "check_" + stem
                                        or case.name.startswith("check_" + stem + "_"))
        if own:
            group = 0
        elif case.seconds > LONG_SECONDS:
            group = 4
        elif case.kind == "check" and case.folder == folder_of(mutant):
            group = 1
        else:
            group = 2 if case.kind == "check" else 3
        return group, case.seconds
    return order


def try_mutant(tests, number, mutant, cases):
    """The name of the test that kills it, or None."""
    for case in sorted(cases, key=order_of(mutant)):
        if not tests.run(case.name, case.kind, case.is_forked, GIVE_UP * case.seconds + 1,
                         WAIT * case.wall + 20, {"MUTANT": str(number)}):
            return case.name
    return None


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


def read_unkilled(path):
    with open(path, encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t") for line in f]
    return {(r[1], r[4], r[3].partition(" #")[0], int(r[3].partition(" #")[2] or 1)) for r in rows
            if r[0] in ("survived", "unreached")}


def say_survivor(state, m, *_):
    say("%s:%d: %s: %s\n\t%s" % (m.key[0], m.line, state, change_text(m.key), m.key[1]))


def report(rows, path):
    """rows: [(state, mutant, killer, number)]; returns the share of each folder, in percent."""
    with open(path, "w", encoding="utf-8") as f:
        for state, m, killer, number in rows:
            f.write("\t".join((state, m.key[0], str(m.line), change_text(m.key), m.key[1],
                               killer or "", str(number))) + "\n")
    counts, shares = collections.Counter((folder_of(row[1]), row[0]) for row in rows), {}
    say("\n%-10s %8s %8s %9s %10s %11s %7s" % (
        "folder", "mutants", "killed", "survived", "unreached", "equivalent", "share"))
    for folder in FOLDERS + ("all",):
        killed, survived, unreached, same = (
            sum(n for (f, s), n in counts.items() if s == state and folder in (f, "all"))
            for state in ("killed", "survived", "unreached", "equivalent"))
        real = killed + survived + unreached
        share = 100 * killed / real if real else 100
        shares[folder] = share
        if real + same:
            say("%-10s %8d %8d %9d %10d %11d %6.1f%%" % (
                folder, real + same, killed, survived, unreached, same, share))
    say("\nShare: killed, of those that are not equivalent.\n")
    for state, m, *_ in sorted(rows, key=lambda r: (r[1].key[0], r[1].line)):
        if state in ("survived", "unreached"):
            say_survivor(state, m)
    return shares


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    p.add_argument("--source", required=True)
    p.add_argument("--build", required=True)
    p.add_argument("--count", type=int, default=640)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--only", action="append", default=[])
    p.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    p.add_argument("--again")
    p.add_argument("--least", type=float, default=0)
    o = p.parse_args()
    o.source, o.build = os.path.abspath(o.source), os.path.abspath(o.build)
    began = time.monotonic()
    known = read_equivalents(os.path.join(o.source, "tests/mutants/equivalent.txt"))
    pool = Draw(o.source, o.seed, o.only)
    for key in known.keys() - pool.keys:
        say("equivalent.txt: no such mutant: %s: %s: %s" % (key[0], change_text(key), key[1]))
    os.makedirs(o.build, exist_ok=True)
    build = Build(o.source, o.build, o.jobs)
    build.configure()
    chosen = build_all(pool, build, o.count, read_unkilled(o.again) if o.again else None)
    say("built after %d s" % (time.monotonic() - began))
    tests = Tests(build, os.path.join(o.build, "work"))
    measured = tests.measure(list(chosen))
    say("%d tests, %.0f s of processor time, measured after %d s" % (
        len(measured), sum(c.seconds for c, _ in measured), time.monotonic() - began))
    rows = []

    def work(number):
        m = chosen[number]
        if m.key in known:
            return "equivalent", m, None, number
        cases = [c for c, reached in measured if number in reached]
        if not cases:
            return "unreached", m, None, number
        killer = try_mutant(tests, number, m, cases)
        return ("killed" if killer else "survived"), m, killer, number

    with concurrent.futures.ThreadPoolExecutor(o.jobs) as threads:
        for row in threads.map(work, sorted(chosen)):
            rows.append(row)
            if row[0] in ("survived", "unreached"):
                say_survivor(*row)
            if len(rows) % 50 == 0:
                say("%d of %d after %d s" % (len(rows), len(chosen), time.monotonic() - began))
    shares = report(rows, os.path.join(o.build, "results.tsv"))
    say("\n%d s" % (time.monotonic() - began))
    low = [f for f, share in shares.items() if share < o.least and f not in NOT_HELD]
    if low:
        sys.exit("fewer than %g%% are killed in: %s" % (o.least, " ".join(low)))


if __name__ == "__main__":
    main()
