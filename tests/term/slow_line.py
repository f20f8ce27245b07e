# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs inside of a real terminal: a program on a pseudo-terminal, behind a line that delays both
directions, with keys that no hand presses. Then asks the terminal what state it is in.

usage: slow_line.py RESULT DELAY KEYS PROGRAM ARGUMENT...
KEYS: `SECONDS:KEY,...` after the first output, as `0.3:q`; RESULT: a file, JSON."""

import fcntl
import json
import os
import re
import select
import signal
import sys
import termios
import time
import tty

result, delay, keys, words = sys.argv[1], float(sys.argv[2]), sys.argv[3], sys.argv[4:]
SIZE = termios.TIOCGWINSZ
outer, inner = os.openpty()


def resize(*_):
    fcntl.ioctl(outer, termios.TIOCSWINSZ, fcntl.ioctl(0, SIZE, b"\0" * 8))


def spawn():
    pid = os.fork()
    if pid:
        return pid
    os.setsid()
    fcntl.ioctl(inner, termios.TIOCSCTTY, 0)
    for fd in range(3):
        os.dup2(inner, fd)
    os.execvp(words[0], words)


def ask(question, answer, seconds=1.0):
    """What the terminal says; b"": nothing."""
    os.write(1, question)
    end, said = time.monotonic() + seconds, b""
    while time.monotonic() < end and not re.search(answer, said):
        if select.select([0], [], [], 0.05)[0]:
            said += os.read(0, 4096)
    found = re.search(answer, said)
    return found[1] if found else b""


before, settings = termios.tcgetattr(0), termios.tcgetattr(inner)
resize()
signal.signal(signal.SIGWINCH, resize)
tty.setraw(0)
pid, ended, status, text, stray = spawn(), None, None, b"", b""
to_terminal, to_program, first = [], [], None
presses = [(float(k.split(":", 1)[0]), k.split(":", 1)[1].encode("latin-1").decode("unicode_escape").encode("latin-1"))
           for k in keys.split(",")]
began = time.monotonic()
while ended is None or time.monotonic() < ended + 2 * delay + 0.5:
    now = time.monotonic()
    ready, _, _ = select.select([0, outer], [], [], 0.01)
    if outer in ready:
        try:
            to_terminal.append((now + delay, os.read(outer, 65536)))
        except OSError:
            pass
        first = first or now
    if 0 in ready:
        data = os.read(0, 4096)
        to_program.append((now + delay, data))
    while presses and first and first + presses[0][0] <= now:
        to_program.append((now + delay, presses.pop(0)[1]))
    while to_terminal and to_terminal[0][0] <= now:
        text += to_terminal[0][1]
        os.write(1, to_terminal.pop(0)[1])
    while to_program and to_program[0][0] <= now:
        data = to_program.pop(0)[1]
        if ended is None:
            os.write(outer, data)
        else:
            stray += data  # the shell would read it
    if ended is None:
        done, code = os.waitpid(pid, os.WNOHANG)
        if done:
            ended, status = now, os.waitstatus_to_exitcode(code)
    if now > began + 60:
        os.kill(pid, signal.SIGKILL)

modes = {m: ask(b"\x1b[?%d$p" % m, rb"\x1b\[\?%d;(\d)\$y" % m).decode()
         for m in (25, 1000, 1002, 1006, 1049, 2004)}
place = ask(b"\x1b[6n", rb"\x1b\[(\d+;\d+)R").decode()
termios.tcsetattr(0, termios.TCSADRAIN, before)
with open(result + ".new", "w", encoding="utf-8") as f:
    json.dump({"status": status, "stray": stray.decode("latin-1"), "modes": modes, "place": place,
               "took": ended - began, "has_text": len(text), "shown": "shop" in text.decode("utf-8", "replace"),
               "asked": [q for q in ("\\x1b[c", "\\x1b]11", "\\x1b[5n", "\\x1b[6n")
                         if q.encode().decode("unicode_escape").encode("latin-1") in text],
               "same": termios.tcgetattr(0) == before}, f)
os.rename(result + ".new", result)
