# SPDX-License-Identifier: GPL-2.0-or-later
"""The program for long, on files and processes that change.

keys:  random keys on a terminal, with --follow on a folder of 200 profiles in which files are added,
       replaced, cut, damaged and removed
live:  `flametty live` with random keys on a server under load that ends and is started again
watch: `flametty watch` on such a server, which starts workers, too

Throughout: the program lives, and what is typed is drawn within 20 s. From the second quarter of the time to
the last one the medians of its memory (VmRSS) grow by less than 10 % and 2 MB, those of its open files
and threads by at most 2. Once all rests, it uses less than 0.1 % of a CPU. At the end it quits by a key,
and leaves the terminal as it was. No answer of the server is wrong, it ends only when
it is told to, and it listens on its own port only. Runs of less than 5 minutes say nothing of memory.

--sanitized: the program is slower and larger than it should be, as ThreadSanitizer makes it. Its memory and
its CPU at rest are not judged, and it has more time.

usage: soak.py PROGRAM TOP FOLDER [--minutes N] [--seed N] [--sanitized] PART"""

import argparse
import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time
import traceback

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "term"))
from terminal import Terminal  # noqa: E402

REST_SHARE = 0.001
FILES = 200
KEPT = 1 << 18  # bytes of what was drawn
MOST = 5  # profiles that watch keeps


class Screen(Terminal):
    """A terminal that forgets what was drawn long ago, but not the last state of each mode."""

    def step(self, wait=0.02):
        super().step(wait)
        if len(self.text) > 2 * KEPT:
            old = self.text[:-KEPT]
            modes = {}
            for mode in re.finditer(rb"\x1b\[\?(\d+)[hl]", old):
                modes.pop(mode[1], None)
                modes[mode[1]] = mode[0]
            head = b"".join(modes.values())
            self.seen = max(0, self.seen - len(old)) + len(head)
            self.text = head + self.text[-KEPT:]


def stat_of(pid, name):
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as f:
        return int(re.search(rf"^{name}:\s+(\d+)", f.read(), re.M)[1])


def cpu_of(pid):
    """Seconds of CPU of all its threads, those that have ended too: clock_getcpuclockid(3)."""
    return time.clock_gettime((~pid << 3) | 2)


class Broken(Exception):
    """What the program did that ends its part."""


class Part:
    """What all parts have in common: a program whose size is looked at."""

    def __init__(self, name, options):
        self.name, self.minutes = name, options.minutes
        self.seed, self.is_sanitized = options.seed, options.sanitized
        self.random = random.Random(f"{name}{options.seed}")
        self.folder = os.path.join(options.folder, name)
        os.mkdir(self.folder)
        self.bad, self.looks, self.did = [], [], {}
        self.ends = []  # what ends the processes of the part, however it goes on
        self.began = time.monotonic()

    def check(self, ok, *what):
        if not ok:
            self.bad.append(" ".join(str(w) for w in what))
        return ok

    def count(self, what, n=1):
        self.did[what] = self.did.get(what, 0) + n

    def is_over(self):
        return time.monotonic() > self.began + self.minutes * 60

    def look(self):
        """Take the sizes of the program, each N seconds."""
        now = time.monotonic() - self.began
        every = min(10, self.minutes)
        if self.looks and now < self.looks[-1]["s"] + every:
            return
        look = {"s": now, "rss": stat_of(self.pid, "VmRSS"), "peak": stat_of(self.pid, "VmHWM"),
                "files": len(os.listdir(f"/proc/{self.pid}/fd")), "threads": stat_of(self.pid, "Threads"),
                "cpu": cpu_of(self.pid)}
        self.looks.append(look)
        if len(self.looks) % 12 == 1:
            self.say("%(s)4d s: %(rss)d kB (peak %(peak)d), %(files)d files, %(threads)d threads, "
                     "%(cpu).1f s of CPU" % look)

    def say(self, text):
        print(f"{self.name}: {text}", flush=True)

    def medians(self, name):
        """Of the second and of the last quarter."""
        n = len(self.looks)
        values = [look[name] for look in self.looks]
        return statistics.median(values[n // 4 : max(n // 2, n // 4 + 1)]), statistics.median(values[-max(1, n // 4) :])

    def judge(self):
        kb = self.medians("rss")
        if self.minutes >= 5 and not self.is_sanitized:
            self.check(kb[1] <= kb[0] * 1.1 + 2048, f"memory grows from {kb[0]:.0f} to {kb[1]:.0f} kB")
        for name in ("files", "threads"):
            few = self.medians(name)
            self.check(few[1] <= few[0] + 2, f"{name}: {few[0]:.0f}, then {few[1]:.0f}")
        files, threads = self.medians("files"), self.medians("threads")
        self.say(f"medians of the second and the last quarter: {kb[0]:.0f} and {kb[1]:.0f} kB, {files[0]:.0f} "
                 f"and {files[1]:.0f} open files, {threads[0]:.0f} and {threads[1]:.0f} threads; peak "
                 f"{self.looks[-1]['peak']} kB; {self.looks[-1]['cpu']:.1f} s of CPU in "
                 f"{self.looks[-1]['s']:.0f} s; " + ", ".join(f"{n} {what}" for what, n in self.did.items()))

    def rest(self, wait):
        """Nothing changes any more: `wait` lets that many seconds go."""
        seconds = 20 if self.minutes >= 1 else 5
        wait(3)
        before = cpu_of(self.pid)
        wait(seconds)
        used = cpu_of(self.pid) - before
        self.check(self.is_sanitized or used < seconds * REST_SHARE,
                   f"{used * 1e3:.1f} ms of CPU in {seconds} s of rest")
        self.say(f"at rest: {used * 1e3:.2f} ms of CPU in {seconds} s")

    def run(self):
        try:
            self.work()
        except Exception as error:  # pylint: disable=broad-except
            self.check(False, f"{type(error).__name__}: {error}")
            if not isinstance(error, Broken):
                traceback.print_exc()
        finally:
            for end in reversed(self.ends):
                end()
            for text in self.bad:
                self.say("FAILED: " + text)
        return not self.bad


class Interactive(Part):
    """A program on a terminal, with random keys."""

    pid = 0

    # None that quits, suspends, or ends what is typed by a command that does.
    KEYS = (list("hljk,.[] FH{}^$fbgGr&EL!@ws=-+adAD0()123456789SWPzMTnN*#vVuITpR?/yxom'%<>i:")
            + ["\r", "\x1b", "\t", "\x7f", " ", "\x12", "\x0c", "\x04", "\x15", "\x06", "\x02", "\x05", "\x19"]
            + ["\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F", "\x1b[Z"])

    statuses = (0,)

    def open(self, *arguments):
        keep = {k: os.environ[k] for k in os.environ if not k.startswith("LS_")}
        self.t = Screen([self.program, *arguments, "--no-config"],
                        {**keep, "TERM": "xterm-256color", "EDITOR": "true", "VISUAL": "true"},
                        size=(40, 120))
        self.ends.append(self.kill)
        # The leader of the session has started it by then.
        self.t.run(lambda: len(self.t.text) > 0, 60)
        with open(f"/proc/{self.t.pid}/task/{self.t.pid}/children", encoding="ascii") as f:
            self.pid = int(f.read().split()[0])

    def kill(self):
        """What has not ended yet, and the leader of the session."""
        try:
            if self.t.ended is None and self.pid:
                os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        if not self.t.is_closed:
            self.t.close()

    def alive(self):
        if self.t.ended is not None:
            raise Broken(f"it has ended, status {self.t.status}: {self.t.text[-600:]!r}")

    def wait(self, seconds):
        self.t.run(lambda: self.t.ended is not None, seconds)
        self.alive()

    def answers(self):
        """What is typed is drawn."""
        word = b"soak%d" % self.random.randrange(10**6)
        self.t.resize(40, 120)
        for key in (b"\x1b", b"\x1b", b"\x1b", b":", word + b"\x0c"):
            self.t.key(key)
            self.wait(0.2)
        at = time.monotonic()
        ok = self.t.run(lambda: word in self.t.text or self.t.ended is not None, 90 if self.is_sanitized else 20)
        self.alive()
        self.slowest = max(self.slowest, time.monotonic() - at)
        if not ok:
            raise Broken(f"keys are not answered: {self.t.text[-1500:]!r}")
        self.t.key(b"\x1b")
        self.wait(0.1)

    def random_keys(self):
        keys = self.random.choices(self.KEYS, k=self.random.randrange(1, 6))
        # A command could be made of what is typed.
        if ":" in keys and "\r" in keys:
            keys.remove("\r")
        for key in keys:
            self.t.key(key.encode())
        self.count("keys", len(keys))
        if self.random.random() < 0.01:
            self.t.resize(self.random.randrange(5, 60), self.random.randrange(20, 200))
            self.count("sizes")
        self.wait(self.random.random() * 0.3)

    def use(self):
        """Until the time is over."""
        self.slowest, asked = 0, time.monotonic()
        while not self.is_over():
            self.random_keys()
            self.change()
            self.look()
            if time.monotonic() > asked + min(30, self.minutes * 10):
                asked = time.monotonic()
                self.answers()
        self.answers()

    def quit(self):
        self.t.key(b"\x1b")
        self.wait(0.5)
        self.t.key(b"Q")
        left = self.t.finish(120 if self.is_sanitized else 30)
        if not self.check(left is not None, "it does not quit"):
            self.t.close()
            return
        self.check(self.t.status in self.statuses, "status", self.t.status, self.t.text[-300:])
        self.check(not self.t.complaints(), "not as before:", *self.t.complaints())
        self.t.close()
        self.say(f"slowest answer to keys: {self.slowest:.1f} s")


# ---- keys ----


class Keys(Interactive):
    statuses = (0, 1)  # 1: some files could not be used

    def __init__(self, options):
        super().__init__("keys", options)
        self.program = options.program
        self.place = os.path.join(self.folder, "set")
        os.mkdir(self.place)
        self.n = 0
        inputs = os.path.join(options.top, "tests/input")
        self.inputs = [os.path.join(inputs, name) for name in sorted(os.listdir(inputs))
                       if re.search(r"\.(cpuprofile|json|gz|pb|perf)$", name)]
        # Two of trace-odd-call.json, 73 years each, are too long together, and nothing is shown.
        self.inputs = [path for path in self.inputs
                       if os.path.getsize(path) < 100000 and "odd-call" not in path]
        self.next_change = 0

    def profile(self):
        """The bytes of a profile, and how its name ends."""
        r = self.random
        if r.random() < 0.3:
            path = r.choice(self.inputs)
            with open(path, "rb") as f:
                return f.read(), "." + os.path.basename(path).split(".", 1)[1]
        nodes = [{"id": 1, "callFrame": {"functionName": "(root)", "scriptId": "0", "url": "", "lineNumber": -1,
                                         "columnNumber": -1}, "children": []}]
        for i in range(2, r.randrange(5, 150)):
            nodes.append({"id": i, "callFrame": {
                "functionName": f"f{r.randrange(300)}", "scriptId": "1", "lineNumber": r.randrange(999),
                "url": f"file:///srv/{r.choice('abc')}/{r.randrange(9)}.js", "columnNumber": 0}, "children": []})
            r.choice(nodes[:-1])["children"].append(i)
        n = r.randrange(10, 1500)
        start = 10**9 + r.randrange(10**7)
        return json.dumps({"nodes": nodes, "startTime": start, "endTime": start + 1000 * n,
                           "samples": [r.randrange(1, len(nodes) + 1) for _ in range(n)],
                           "timeDeltas": [r.randrange(1, 2000) for _ in range(n)]}).encode(), ".cpuprofile"

    def add(self):
        data, end = self.profile()
        self.n += 1
        self.write(os.path.join(self.place, f"p{self.n}{end}"), data)

    def write(self, path, data, mode="wb"):
        with open(path, mode) as f:
            f.write(data)

    def one_change(self):
        r = self.random
        there = sorted(os.listdir(self.place))
        path = os.path.join(self.place, r.choice(there)) if there else ""
        kind = r.choice(["add", "add", "replace", "replace", "cut", "grow", "damage", "remove", "remove"])
        if not there or len(there) < FILES - 20:
            kind = "add"
        elif len(there) > FILES + 20:
            kind = "remove"
        if kind == "add":
            self.add()
        elif kind == "replace":
            new = os.path.join(self.folder, "new")
            self.write(new, self.profile()[0])
            os.rename(new, path)
        elif kind == "cut":
            os.truncate(path, r.randrange(0, os.path.getsize(path) + 1))
        elif kind == "grow":
            self.write(path, r.randbytes(r.randrange(1, 1000)), "ab")
        elif kind == "damage":
            with open(path, "r+b") as f:
                data = bytearray(f.read())
                for _ in range(r.randrange(1, 9)):
                    if data:
                        data[r.randrange(len(data))] = r.randrange(256)
                f.seek(0)
                f.write(data)
        else:
            os.remove(path)
        self.count("files " + kind)

    def change(self):
        """Several files at a time, then none for some seconds."""
        if time.monotonic() < self.next_change:
            return
        for _ in range(self.random.randrange(1, 6)):
            self.one_change()
        if self.random.random() < 0.01:
            for name in os.listdir(self.place):
                os.remove(os.path.join(self.place, name))
            self.count("all gone")
        while len(os.listdir(self.place)) < FILES - 20:
            self.add()
        self.next_change = time.monotonic() + self.random.random() * 6

    def work(self):
        for _ in range(FILES):
            self.add()
        self.open("--follow", self.place)
        # Before, Esc would end it: nothing was read yet.
        if not self.t.run(lambda: b" files)" in self.t.text or self.t.ended is not None, 60):
            raise Broken("no chart")
        self.use()
        self.wait(3)
        self.rest(self.wait)
        self.quit()
        self.judge()


# ---- a server ----

SERVER = """'use strict';
const http = require('http'), { Worker } = require('worker_threads');
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
function burn(ms) { for (const end = Date.now() + ms; Date.now() < end;) fib(12); }
let n = 0;
const server = http.createServer((request, response) => {
	const number = +request.url.split('/').pop();
	burn(++n % 50 === 0 ? 80 : 3);
	if (process.argv[3] && n % 20 === 0)
		new Worker('setTimeout(() => {}, 1500)', { eval: true });
	response.end(String(number * 2));
});
server.keepAliveTimeout = 60000;
process.on('SIGTERM', () => process.exit(0));
server.listen(+process.argv[2], '127.0.0.1');
"""


class Server:
    """A server of Node.js in a loop, and a client that asks it and knows the answers."""

    def __init__(self, part, name, port, starts_workers):
        self.part, self.port = part, port
        self.script = os.path.join(part.folder, name)
        with open(self.script, "w", encoding="ascii") as f:
            f.write(SERVER)
        self.words = ["node", self.script, str(port)] + (["workers"] if starts_workers else [])
        self.is_over = self.is_still = False
        self.wrong = []
        self.begin()
        part.ends.append(self.kill)
        self.client = threading.Thread(target=self.ask, daemon=True)
        self.client.start()

    def begin(self):
        self.process = subprocess.Popen(self.words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=open(self.script + ".err", "ab"))
        self.until = time.monotonic() + self.part.random.uniform(12, 40)
        self.has_answered = False

    def ask(self):
        """Answers that do not come are wrong if the server was there all the time."""
        n, connection, began = 0, None, None
        while not self.is_over:
            n += 1
            try:
                if not connection or began is not self.process:
                    began = self.process
                    connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
                connection.request("GET", f"/double/{n}")
                answer = connection.getresponse().read()
                self.has_answered = True
                self.part.count("answers")
                if answer != b"%d" % (n * 2):
                    self.wrong.append(f"{n}: {answer[:80]!r}")
            except (OSError, http.client.HTTPException) as error:
                connection = None
                time.sleep(0.2)
                if self.has_answered and began is self.process and self.process.poll() is None and \
                        not self.is_ending:
                    self.wrong.append(f"{n}: {type(error).__name__}: {error}")
            time.sleep(0.01)
            while self.is_still and not self.is_over:
                time.sleep(0.1)

    is_ending = False

    def step(self):
        """End it and start it again now and then."""
        if self.process.poll() is not None:
            self.wrong.append(f"the server has ended, status {self.process.returncode}")
            self.begin()
        elif time.monotonic() > self.until:
            self.end()
            self.begin()
            self.part.count("restarts")

    def end(self):
        self.is_ending = True
        self.process.terminate()
        try:
            status = self.process.wait(20)
            if status != 0:
                self.wrong.append(f"the server was told to end: status {status}")
        except subprocess.TimeoutExpired:
            self.wrong.append("the server does not end by SIGTERM")
            self.process.kill()
            self.process.wait()
        self.is_ending = False

    def kill(self):
        self.is_over = True
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def listens(self):
        """The ports on which it listens."""
        inodes = set()
        for fd in os.listdir(f"/proc/{self.process.pid}/fd"):
            try:
                inodes.add(os.readlink(f"/proc/{self.process.pid}/fd/{fd}"))
            except OSError:
                pass
        with open("/proc/net/tcp", encoding="ascii") as f:
            rows = [line.split() for line in f.readlines()[1:]]
        return [int(row[1].split(":")[1], 16) for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in inodes]

    def judge(self):
        """After the program has gone."""
        end = time.monotonic() + 5
        while self.listens() != [self.port] and time.monotonic() < end:
            time.sleep(0.1)
        self.part.check(self.listens() == [self.port], "the server listens on", self.listens())
        self.is_over = True
        self.client.join()
        self.end()
        with open(self.script + ".err", encoding="utf-8", errors="replace") as f:
            text = re.sub(r"^(Debugger (listening|ending|attached)|For help|Waiting for the debugger).*\n", "", f.read(), flags=re.M)
        self.part.check(not text.strip(), "the server says:", text.strip()[:500])
        self.part.check(not self.wrong, f"{len(self.wrong)} wrong of the server:", *self.wrong[:5])
        self.part.check(self.part.did.get("answers", 0) > self.part.minutes * 100, "few answers")


class Live(Interactive):
    def __init__(self, options):
        super().__init__("live", options)
        # What starts just now, and does so slowly, is not recorded.
        self.statuses = (0, 1) if options.sanitized else (0,)
        self.program = options.program

    def change(self):
        self.server.step()

    def work(self):
        self.server = Server(self, "lively.js", 8001, False)
        # One that starts just now blocks the signal that opens its inspector.
        for _ in range(600):
            if not self.server.has_answered:
                time.sleep(0.1)
        self.open("live", "--all-node")
        if not self.t.shows(b"lively.js", 60):
            raise Broken(f"no process is listed: {self.t.text[-2000:]!r}")
        self.use()
        self.quit()
        self.judge()
        self.server.judge()


class Watch(Part):
    def __init__(self, options):
        super().__init__("watch", options)
        self.program = options.program

    def work(self):
        server = Server(self, "stalling.js", 8002, True)
        place = os.path.join(self.folder, "events")
        with open(os.path.join(self.folder, "out"), "w+", encoding="utf-8") as out:
            process = subprocess.Popen(
                [self.program, "watch", "--command-line", r"stalling\.js", "--all", "--stall", "50ms", "--busy",
                 "5%/2s", "--grow", "100M/1min", "--keep", "2s", "--max", str(MOST), "-o", place],
                stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
            self.pid = process.pid
            self.ends.append(process.kill)
            while not self.is_over():
                time.sleep(0.5)
                if process.poll() is not None:
                    raise Broken(f"it has ended, status {process.returncode}")
                server.step()
                self.look()
                kept = [name for name in os.listdir(place) if name.startswith("CPU.")] if os.path.isdir(place) else []
                self.check(len(kept) <= MOST, f"{len(kept)} profiles")
            process.terminate()
            status = process.wait(30)
            self.check(status in (0, -signal.SIGTERM), "status", status)
            out.seek(0)
            lines = out.readlines()
        said = {what: sum(f" {what} " in line for line in lines) for what in ("begin", "stall", "busy", "end")}
        for what, n in said.items():
            self.count(f"lines of {what}", n)
        with open(os.path.join(place, "stalls.jsonl"), encoding="utf-8") as f:
            listed = sum('"event":"stall"' in line for line in f)
        self.check(said["stall"] > 0 and listed >= said["stall"], f"{listed} stalls in the list of {said['stall']}")
        self.check(said["begin"] >= self.did.get("restarts", 0) * (0.5 if self.is_sanitized else 1),
                   f"{said['begin']} begins")
        report = subprocess.run([self.program, "report", "--table=stalls", "--top=3", place], check=False,
                                stdin=subprocess.DEVNULL, capture_output=True)
        self.check(report.returncode == 0 and b"stalling.js" in report.stdout, "the report of it:", report.stdout[:300])
        self.judge()
        server.judge()


def main():
    parser = argparse.ArgumentParser(usage=__doc__.replace("%", "%%"))
    for name in ("program", "top", "folder"):
        parser.add_argument(name)
    parser.add_argument("--minutes", type=float, default=0.25)
    parser.add_argument("--sanitized", action="store_true")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("part", nargs="?", default="keys", choices=("keys", "live", "watch"))
    options = parser.parse_intermixed_args()
    # It may be built again meanwhile.
    options.program = shutil.copy(options.program, options.folder)
    print(f"{options.part}: --seed {options.seed}", flush=True)
    is_good = {"keys": Keys, "live": Live, "watch": Watch}[options.part](options).run()
    print("1 passed, 0 failed" if is_good else "0 passed, 1 failed")
    sys.exit(not is_good)


main()
