#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A command of flametty run gets each signal once, in any order: from the terminal, from a program
# that signals the group, from systemd, from a program that signals flametty alone.
#
# usage: tests/run/signals.sh        NODE is the program of Node.js that is used
set -u

command=run
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }

# It adds the name of each signal to a file.
cat >"$work/names.js" <<'EOS'
const { appendFileSync, writeFileSync, renameSync } = require('fs'), folder = process.argv[2];
for (const name of ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP'])
	process.on(name, () => appendFileSync(folder + '/names', name + ' '));
process.on('SIGUSR2', () => process.exit(3));
setInterval(() => {}, 1000);
writeFileSync(folder + '/names', '');
writeFileSync(folder + '/pid.new', String(process.pid));
renameSync(folder + '/pid.new', folder + '/pid');
EOS

cat >"$work/terminal.py" <<'EOS'
import os, pty, signal, sys, threading, time
flametty, node, work = sys.argv[1:]
pid, terminal = pty.fork()
if pid == 0:
    os.execv(flametty, [flametty, 'run', '-o', work + '/prof', '--', node, work + '/names.js', work])

def drain():
    try:
        while os.read(terminal, 4096):
            pass
    except OSError:
        pass
threading.Thread(target=drain, daemon=True).start()

def text(name):
    try:
        with open(work + '/' + name) as file:
            return file.read()
    except FileNotFoundError:
        return ''

def is_pending():
    with open('/proc/%d/status' % pid) as file:
        return any(int(line.split()[1], 16) for line in file if line.startswith('ShdPnd'))

def wait(what, is_done):
    end = time.time() + 30
    while not is_done():
        if time.time() > end:
            os.kill(int(text('pid') or pid), signal.SIGKILL)
            sys.exit('%s: not in 30 s; the command got: %s' % (what, text('names')))
        time.sleep(0.05)

def group():
    """The processes of the group, as systemd lists those of a service."""
    all = [int(name) for name in os.listdir('/proc') if name.isdigit()]
    def is_member(process):
        try:
            return os.getpgid(process) == pid
        except ProcessLookupError:
            return False
    return [process for process in all if is_member(process)]

wanted = []
def step(what, names, act):
    act()
    wanted.extend(names)
    wait(what, lambda: len(text('names').split()) >= len(wanted) and not is_pending())
    # One too many would come now.
    time.sleep(0.3)
    if sorted(text('names').split()) != sorted(wanted):
        print('%s: the command got: %s; not: %s' % (what, text('names'), ' '.join(wanted)))
        os.killpg(pid, signal.SIGKILL)
        sys.exit(1)

def terminate_as_systemd():
    for number in (signal.SIGTERM, signal.SIGHUP):
        for process in group():
            os.kill(process, number)

wait('the command', lambda: text('pid'))
for again in range(2):
    for key, name in ((b'\x03', 'SIGINT'), (b'\x1c', 'SIGQUIT')):
        step('a key', [name], lambda: os.write(terminal, key))
        step(name + ' to flametty after a key', [name], lambda: os.kill(pid, getattr(signal, name)))
    for name in ('SIGINT', 'SIGTERM', 'SIGHUP'):
        step(name + ' to the group', [name], lambda: os.killpg(pid, getattr(signal, name)))
        step(name + ' to flametty', [name], lambda: os.kill(pid, getattr(signal, name)))
    step('SIGTERM and SIGHUP of systemd', ['SIGTERM', 'SIGHUP'], terminate_as_systemd)
    step('SIGTERM and SIGHUP to flametty', ['SIGTERM', 'SIGHUP'],
         lambda: (os.kill(pid, signal.SIGTERM), os.kill(pid, signal.SIGHUP)))
os.kill(int(text('pid')), signal.SIGUSR2)
status = os.waitpid(pid, 0)[1]
if not os.WIFEXITED(status) or os.WEXITSTATUS(status) != 3:
    sys.exit('status %#x' % status)
EOS

python3 "$work/terminal.py" "$FLAMETTY" "$NODE" "$work" >"$work/out" 2>"$work/err" || failed "a terminal"
exit $((n_failed > 0))
