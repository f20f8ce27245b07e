# SPDX-License-Identifier: GPL-2.0-or-later
"""What a slow terminal answers never becomes a key, and never reaches the shell.

usage: answers.py PROGRAM PROFILE FOLDER     (the folder is for logs)"""

import multiprocessing
import os
import sys
import time

from terminal import Terminal

program, profile, folder = sys.argv[1:]
chart = os.path.basename(profile).encode()
SSH = {"SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"}

# All that terminals say and that nobody has asked for here.
STRAY = (b"\x1b[?62;22;52c", b"\x1b[?2026;2$y", b"\x1b]11;rgb:0/0/0\x07", b"\x1bP1+r524742=38\x1b\\",
         b"\x1b[12;40R", b"\x1b[?0u", b"\x1b[0n", b"\x1b[>41;379;0c", b"\x1bP>|foot(1.13)\x1b\\",
         b"\x1b[?997;1n", b"\x1b[48;30;100;0;0t", b"\x1b]52;c;" + b"eA" * 400 + b"\x1b\\",
         b"\x1b_Gi=31;OK\x1b\\")


class Run:
    """A program on a terminal, with a log of its keys."""

    def __init__(self, name, more=None, **options):
        self.name, self.bad = name, []
        self.log = os.path.join(folder, f"log.{os.getpid()}")
        if os.path.exists(self.log):
            os.remove(self.log)
        keep = {k: os.environ[k] for k in ("PATH", "LC_ALL", "ASAN_OPTIONS") if k in os.environ}
        self.t = Terminal([program, profile],
                          {**keep, "TERM": "xterm-256color", "HOME": folder, "XDG_CONFIG_HOME": folder,
                           "XDG_STATE_HOME": folder, "FLAMETTY_DEBUG": self.log, **(more or {})},
                          **options)

    def check(self, ok, *what):
        if not ok:
            self.bad.append(" ".join([self.name + ":"] + [str(w) for w in what]))

    def keys(self):
        """Those that the program has got."""
        with open(self.log, encoding="utf-8") as f:
            return [line.split("  key: ")[1].strip() for line in f if "  key: " in line]

    def end(self, expected):
        """The program ends; it got these keys; nothing is left for the shell."""
        left = self.t.finish()
        self.check(left == b"", "for the shell:", left)
        self.check(self.t.status == 0, "status", self.t.status)
        if left is not None:
            self.check(not self.t.complaints(), "not as before:", *self.t.complaints())
        self.check(self.keys() == expected, "keys:", self.keys())
        self.t.close()
        return self.bad

    def wait(self, seconds):
        self.t.run(lambda: False, seconds)

    def start(self):
        self.check(self.t.shows(chart), "no chart")


def quit_early(answers, delay, more):
    """`q` 0.3 s after the start."""
    r = Run(f"q over {delay} s, answers {answers}", more, delay=delay, answers=answers)
    r.t.key(b"q", 0.3)
    r.end(["q"])
    r.check(len(r.t.asked) >= 2, "asked only", r.t.asked)
    # 3 s or 5 s after the question at most, a line that is longer than that, and this machine.
    took = (r.t.ended or 99) - r.t.began
    r.check(took < 9, f"ended after {took:.1f} s")
    return r.bad


def mix(answers):
    """Keys among the answers to many pictures."""
    r = Run(f"keys among answers {answers}", delay=0.3, answers=answers, gap=0.15)
    r.start()
    for i, key in enumerate((b"\x1b[B", b"\x1b", b"w", b"\x1bOA", b"/", b"q", b"\x1b")):
        r.t.key(key, 0.4 * i)
    r.wait(0.4 * 8 + 1)
    r.t.key(b"Q")
    return r.end(["Down", "Esc", "w", "Up", "/", "q", "Esc", "Q"])


def stray():
    r = Run("stray answers")
    r.start()
    r.wait(1.5)
    for i, text in enumerate(STRAY):
        r.t.key(text[:3], 0.3 * i)
        for k in range(3, min(len(text), 20)):
            r.t.key(text[k : k + 1], 0.3 * i + 0.015 * (k - 2))
        r.t.key(text[20:], 0.3 * i + 0.28)
    r.wait(0.3 * len(STRAY) + 0.5)
    r.t.key(b"q")
    return r.end(["q"])


def esc(more, least, most):
    """An Esc in a search costs the time that is needed to know it, and no more."""
    best = 9
    for _ in range(8):
        r = Run("Esc", more)
        r.start()
        r.wait(1.0)
        r.t.key(b"/")
        r.wait(0.6)
        length, began = len(r.t.text), time.monotonic()
        os.write(r.t.outer, b"\x1b")
        r.t.run(lambda: len(r.t.text) > length, 5)
        best = min(best, time.monotonic() - began)
        r.t.key(b"Q")
        r.end(["/", "Esc", "Q"])
        if best < most or r.bad:
            break
    r.check(least < best < most, more, f"{best * 1000:.0f} ms")
    return r.bad


SIGN = "\u253c".encode()  # whose width is asked


def no_lang(answers, is_utf8, more, has_it, note):
    """Without a locale in the environment, the terminal is asked whether it has UTF-8."""
    name = f"no LANG, UTF-8 {is_utf8}, answers {answers}, {more}"
    r = Run(name, {"LC_ALL": "", **more}, delay=0.2, answers=answers, is_utf8=is_utf8)
    r.start()
    r.wait(4.0 if answers == "never" else 1.0)
    r.t.key(b"w")
    r.wait(0.8)
    text = r.t.text.replace(SIGN, b"", 1)
    r.check((b"\xe2" in text) == has_it, "UTF-8 is drawn" if b"\xe2" in text else "no UTF-8")
    r.check(note in text, "no note")
    r.check((b"LANG" in text) == (note != b""), "a note")
    r.check((SIGN in r.t.text) == (not more), "asked" if SIGN in r.t.text else "not asked")
    r.t.key(b"q")
    return r.end(["w", "q"])


def call(case):
    return case[0](*case[1:])


cases = [(quit_early, a, d, SSH if a == "late" or d < 1 else {})
         for a in ("now", "late", "bytes", "twice", "never") for d in (1.0, 0.2)]
cases += [(mix, a) for a in ("now", "bytes", "twice", "never")]
cases += [(stray,), (esc, {}, 0.020, 0.075), (esc, SSH, 0.095, 0.150)]
cases += [(no_lang, "now", True, {}, True, b""), (no_lang, "bytes", True, {}, True, b""),
          (no_lang, "now", False, {}, False, b"the terminal shows no UTF-8"),
          (no_lang, "never", True, {}, False, b"does not say whether"),
          (no_lang, "now", True, {"LANG": "C"}, False, b""),
          (no_lang, "now", True, {"LANG": "de_DE.UTF-8"}, True, b"")]
with multiprocessing.Pool(6) as pool:
    results = pool.map(call, cases, 1)
for line in sum(results, []):
    print("FAIL:", line)
bad = sum(bool(r) for r in results)
print(f"{len(results) - bad} passed, {bad} failed")
sys.exit(bad != 0)
