# SPDX-License-Identifier: GPL-2.0-or-later
"""For many descriptions of terminfo: the program opens, shows the chart, takes the keys that the
description has, follows a storm of new sizes, and leaves the terminal as it was.

usage: entries.py PROGRAM PROFILE FOLDER     (the folder is for logs)"""

import multiprocessing
import os
import subprocess
import sys

from terminal import Terminal

program, profile, folder = sys.argv[1:]
chart = os.path.basename(profile).encode()

NAMES = """Eterm-256color adm3a aixterm alacritty ansi beterm cons25 cygwin dtterm eterm-color foot
gnome-256color hft-c hurd interix iterm2 jfbterm kitty konsole-256color linux linux-16color mach-color
mintty mlterm-256color nsterm-256color pcansi putty-256color qansi rxvt rxvt-unicode-256color screen
screen-256color screen.xterm-256color st-256color sun-color teraterm tmux tmux-256color tmux-direct
tvi925 vt100 vt102 vt220 vt320 vt420 vt52 vte-256color wy60 xterm xterm-16color xterm-256color
xterm-color xterm-direct xterm-kitty xterm-r6 xterm-vt220""".split()

# Capabilities of keys, in the order in which they count where two have the same text.
KEYS = {"kcuu1": "Up", "kcud1": "Down", "kcub1": "Left", "kcuf1": "Right", "khome": "Home",
        "kend": "End", "kpp": "PgUp", "knp": "PgDn", "kdch1": "Del", "kcbt": "S-Tab", "kf1": "F1", "kf5": "F5",
        "kbs": "BS"}
PRESSED = ("kcuu1", "kcud1", "kcuf1", "kcub1", "knp", "kend", "kf1")
# What is taken, and what gives it back.
PAIRS = (("smcup", "rmcup"), ("civis", "cnorm"), ("smkx", "rmkx"))


def capability(name, key):
    done = subprocess.run(["tput", "-T", name, key], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.stdout.replace(b"\0", b"") if done.returncode == 0 else b""


def attempt(name):
    log, bad = os.path.join(folder, f"log.{os.getpid()}"), []
    if os.path.exists(log):
        os.remove(log)
    texts = {}
    for key in KEYS:
        texts.setdefault(capability(name, key), KEYS[key])
    keep = {k: os.environ[k] for k in ("PATH", "LC_ALL", "ASAN_OPTIONS") if k in os.environ}
    t = Terminal([program, profile], {**keep, "TERM": name, "HOME": folder, "XDG_CONFIG_HOME": folder,
                                      "XDG_STATE_HOME": folder, "FLAMETTY_DEBUG": log})
    if not t.shows(chart):
        bad.append("no chart")
    expected = []
    for key in PRESSED:
        text = capability(name, key)
        if text:
            expected.append(texts[text])
            t.key(text, 0.1 * len(expected))
    t.run(lambda: False, 0.1 * len(expected) + 0.5)
    # The help screen may be open.
    t.key(b"Q")
    if "F1" in expected and b"Help" not in t.text:
        bad.append("no help by F1")
    left = t.finish()
    if left != b"" or t.status != 0:
        bad.append(f"left for the shell: {left}, status {t.status}")
    else:
        bad += t.complaints()
    t.text = t.text.replace(b"\0", b"")
    for on, off in PAIRS:
        on, off = capability(name, on), capability(name, off)
        if on and off and t.last(on) and t.text.rfind(off) < t.text.rfind(on):
            bad.append(f"the last is {on}")
    t.close()
    if not os.path.exists(log):
        return [f"{name}: no log of keys"]
    with open(log, encoding="utf-8") as f:
        keys = [line.split("  key: ")[1].strip() for line in f if "  key: " in line]
    if keys != expected + ["Q"]:
        bad.append(f"keys {keys}, not {expected}")
    return [f"{name}: {b}" for b in bad]


def storm(name):
    """Sizes from one cell to more than the program uses, faster than it can draw."""
    t = Terminal([program, profile], {"PATH": os.environ["PATH"], "TERM": name, "HOME": folder,
                                      "XDG_STATE_HOME": folder, "LC_ALL": os.environ["LC_ALL"]})
    bad = [] if t.shows(chart) else ["no chart"]
    for i in range(300):
        t.resize(1 + i * 7919 % 97, 1 + i * 104729 % 333 if i % 50 else 1500)
        if i % 3 == 0:
            t.key(b"?" if i % 2 else b"\x1b")
        t.step(0.01 if i % 10 == 0 else 0)
    t.resize(30, 100)
    t.run(lambda: False, 0.5)
    t.text = b""
    t.key(b"Q")
    left = t.finish()
    if left != b"" or t.status != 0:
        bad.append(f"left for the shell: {left}, status {t.status}")
    else:
        bad += t.complaints()
    t.close()
    return [f"resize storm, {name}: {b}" for b in bad]


def there(name):
    return subprocess.run(["infocmp", name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def call(case):
    return case[0](case[1])


names = [n for n in NAMES if there(n)]
missing = len(NAMES) - len(names)
if missing:
    print(f"{missing} descriptions are not here (Debian: ncurses-term)")
with multiprocessing.Pool(4) as pool:
    results = pool.map(call, [(attempt, n) for n in names] + [(storm, n) for n in names[::10]], 1)
for line in sum(results, []):
    print("FAIL:", line)
bad = sum(bool(r) for r in results)
print(f"{len(results) - bad} passed, {bad} failed" + (f", {missing} skipped" if missing else ""))
sys.exit(bad != 0)
