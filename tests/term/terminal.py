# SPDX-License-Identifier: GPL-2.0-or-later
"""A terminal for tests: a program runs on a pseudo-terminal, behind a line that delays both
directions. It answers questions as a real terminal does, at once, late, byte by byte, twice or
never, and knows what state the program has left behind."""

import fcntl
import os
import re
import select
import signal
import struct
import termios
import time
import tty

# What a real terminal is asked, and what one answers.
QUESTIONS = [
    (rb"\x1b\[c", lambda t, m: b"\x1b[?%sc" % t.attributes),
    (rb"\x1b\]11;\?(?:\x1b\\|\x07)", lambda t, m: b"\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\"),
    (rb"\x1bP\+q([0-9A-Fa-f]+)\x1b\\", lambda t, m: b"\x1bP1+r" + m[1] + b"=38\x1b\\"),
    (rb"\x1b\[5n", lambda t, m: b"\x1b[0n"),
    (rb"\x1b\[6n", lambda t, m: b"\x1b[2;%dR" % t.column()),
    (rb"\x1b\[\?([0-9]+)\$p", lambda t, m: b"\x1b[?%s;2$y" % m[1]),
    (rb"\x1b\[\?u", lambda t, m: b"\x1b[?0u"),
]
QUESTION = re.compile(b"|".join(b"(?:%s)" % q for q, _ in QUESTIONS))
EACH = [(re.compile(q), a) for q, a in QUESTIONS]


class Terminal:
    """delay: seconds, each way. answers: `now`, `late` (2 s more), `bytes`, `twice`, `never`."""

    def __init__(self, words, environment, delay=0.0, answers="now", size=(30, 100),
                 attributes=b"62;22;52", is_utf8=True, gap=0.03):
        self.delay, self.answers, self.attributes = delay, answers, attributes
        self.is_utf8, self.gap = is_utf8, gap
        self.outer, self.inner = os.openpty()
        self.resize(*size)
        self.before = termios.tcgetattr(self.inner)
        self.to_terminal, self.to_program = [], []  # (time, bytes), in order
        self.pressed = []  # the same, of keys, by the time at the terminal
        self.text = b""  # all that has arrived
        self.seen = 0  # of it, questions were looked for
        self.asked = []
        self.status = self.ended = None
        self.is_closed = False
        self.began = time.monotonic()
        self.report, end = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.report)
            self.lead(words, environment, end)
        os.close(end)

    def lead(self, words, environment, end):
        """Be the leader of the session: with it, the terminal would go."""
        os.setsid()
        fcntl.ioctl(self.inner, termios.TIOCSCTTY, 0)
        pid = os.fork()
        if pid == 0:
            for fd in range(3):
                os.dup2(self.inner, fd)
            os.closerange(3, 64)
            os.execvpe(words[0], words, environment)
        os.write(end, struct.pack("i", os.waitpid(pid, 0)[1]))
        # Until the test is gone, which alone reads what was written: there is an error then.
        poll = select.poll()
        poll.register(end, 0)
        poll.poll()
        os._exit(0)

    def resize(self, rows, cols):
        fcntl.ioctl(self.outer, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))

    def column(self):
        """Of the cursor: what was written after the last move to the first column."""
        text = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"\r", self.text[: self.at].split(b"\r")[-1])
        text = text.split(b"\r")[-1]
        return 1 + len(text.decode("utf-8", "replace") if self.is_utf8 else text)

    # ---- the line ----

    def send(self, when, data):
        """Bytes that arrive at the program; those before them arrive before."""
        when = max([when] + [w for w, _ in self.to_program[-1:]])
        self.to_program.append((when, data))

    def key(self, data, after=0.0):
        """Press a key `after` seconds from now."""
        self.pressed.append((time.monotonic() + after, data))

    def answer(self, data):
        now = time.monotonic() + self.delay + (2 if self.answers == "late" else 0)
        if self.answers == "never":
            return
        for _ in range(2 if self.answers == "twice" else 1):
            if self.answers == "bytes":
                for i in range(len(data)):
                    self.send(now + i * self.gap, data[i : i + 1])
            else:
                self.send(now, data)

    def arrive(self, data):
        self.text += data
        while True:
            found = QUESTION.search(self.text, self.seen)
            if not found:
                return
            self.at, self.seen = found.start(), found.end()
            self.asked.append(found[0])
            for pattern, make in EACH:
                match = pattern.fullmatch(found[0])
                if match:
                    self.answer(make(self, match))

    def step(self, wait=0.02):
        ready, _, _ = select.select([self.outer, self.report], [], [], wait)
        now = time.monotonic()
        if self.outer in ready:
            self.to_terminal.append((now + self.delay, os.read(self.outer, 65536)))
        if self.report in ready and self.ended is None:
            self.status = os.waitstatus_to_exitcode(struct.unpack("i", os.read(self.report, 4))[0])
            self.ended = now
        while self.to_terminal and self.to_terminal[0][0] <= now:
            self.arrive(self.to_terminal.pop(0)[1])
        while self.pressed and self.pressed[0][0] <= now:
            self.send(now + self.delay, self.pressed.pop(0)[1])
        while self.to_program and self.to_program[0][0] <= now:
            os.write(self.outer, self.to_program.pop(0)[1])

    def run(self, until, seconds):
        """Until the function is true; whether it was in time."""
        end = time.monotonic() + seconds
        while not until():
            if time.monotonic() > end:
                return False
            self.step()
        return True

    def shows(self, text, seconds=30):
        return self.run(lambda: text in self.text, seconds)

    def finish(self, seconds=30):
        """Wait for the end of the program, and for all that is on the line then. Returns what a
        shell would read, or the terminal has echoed; None: the program did not end."""
        if not self.run(lambda: self.ended is not None, seconds):
            return None
        while select.select([self.outer], [], [], 0.1)[0]:
            self.to_terminal.append((0, os.read(self.outer, 65536)))
        at_end = len(self.text) + sum(len(d) for _, d in self.to_terminal)
        self.run(lambda: not self.to_terminal and not self.to_program, 30)
        self.run(lambda: False, 0.1)
        self.after = termios.tcgetattr(self.inner)
        tty.setraw(self.inner)
        left = b""
        while select.select([self.inner], [], [], 0.1)[0]:
            left += os.read(self.inner, 4096)
        return left + self.text[at_end:]

    def close(self):
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.waitpid(self.pid, 0)
        for fd in (self.outer, self.inner, self.report):
            os.close(fd)
        self.is_closed = True

    # ---- what is left behind ----

    def last(self, *texts):
        """Which of the texts was written last; b"": none."""
        places = [(self.text.rfind(t), t) for t in texts if t]
        place, text = max(places, default=(-1, b""))
        return text if place >= 0 else b""

    def complaints(self):
        """What is not as it was: settings, private modes."""
        wrong = []
        if self.after != self.before:
            wrong.append("stty")
        for mode, name, rest in ((b"1049", "screen", b"l"), (b"25", "cursor", b"h"),
                                 (b"1000", "mouse", b"l"), (b"1002", "mouse", b"l"),
                                 (b"1006", "mouse", b"l"), (b"2004", "paste", b"l"),
                                 (b"1", "keys", b"l"), (b"2026", "sync", b"l")):
            last = self.last(b"\x1b[?" + mode + b"h", b"\x1b[?" + mode + b"l")
            if last and last[-1:] != rest:
                wrong.append(name)
        return wrong
