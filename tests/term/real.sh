#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Real terminals, those that are here: xterm, tmux, screen, mosh, kitty, foot. In each, behind a line that
# delays both directions by half a second (tests/term/slow_line.py), the program shows the chart, quits by a
# `q` 0.3 s after its first output and by one later, and leaves the terminal as it was, as the terminal says;
# nothing comes that a shell would read.
set -u
FLAMETTY=${FLAMETTY:-$PWD/flametty}
[ -x "$FLAMETTY" ] || { echo "no program: $FLAMETTY"; exit 99; }
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
pids=''
# shellcheck disable=SC2317
clean_up() {
	tmux -L "real$$" kill-server 2>/dev/null
	screen -S "real$$" -X quit >/dev/null 2>&1
	# shellcheck disable=SC2086
	[ -z "$pids" ] || kill $pids 2>/dev/null
	rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM
cp "$top"/data/http-server/*.cpuprofile "$work/shop.cpuprofile" || exit 99
unset TMUX STY SSH_CONNECTION COLORTERM COLORFGBG NO_COLOR WAYLAND_DISPLAY DISPLAY
export LC_ALL=C.UTF-8 HOME="$work" XDG_CONFIG_HOME="$work" XDG_STATE_HOME="$work" FLAMETTY work top keys
export XDG_RUNTIME_DIR="$work" LIBGL_ALWAYS_SOFTWARE=1
# Terminals get a command without arguments; what it does is in the environment of its script.
inside() {
	cat >"$work/inside" <<END
#!/bin/sh
cd "$work"
exec python3 -B "$top/tests/term/slow_line.py" "$work/$1.json" 0.5 "$keys" "$FLAMETTY" "$work/shop.cpuprofile" 2>"$work/err"
END
	chmod +x "$work/inside"
}
has() { for tool; do command -v "$tool" >/dev/null || return 1; done; }
background() { "$@" >"$work/log" 2>&1 & pids="$pids $!"; }

# A display, once.
display() {
	[ -z "${shown:-}" ] || return 0
	has Xvfb || return 1
	Xvfb -displayfd 3 -screen 0 1200x900x24 3>"$work/display" >/dev/null 2>&1 &
	pids="$pids $!"
	for _ in 1 2 3 4 5 6 7 8 9 10; do [ -s "$work/display" ] && break; sleep 0.5; done
	[ -s "$work/display" ] || return 1
	shown=:$(cat "$work/display")
}

xterm_start() { has xterm && display && DISPLAY=$shown background xterm -u8 -geometry 100x30 -e "$work/inside"; }
kitty_start() { has kitty && display && DISPLAY=$shown background kitty --config NONE "$work/inside"; }
tmux_start() { has tmux && tmux -u -L "real$$" -f /dev/null new-session -d -x 100 -y 30 "$work/inside"; }
screen_start() { has screen && SCREENDIR=$work/screens && export SCREENDIR && mkdir -p -m 700 "$SCREENDIR" &&
	background screen -U -D -m -S "real$$" -c /dev/null "$work/inside"; }
mosh_start() {
	has mosh-server mosh-client tmux || return 1
	said=$(MOSH_SERVER_NETWORK_TMOUT=60 mosh-server new -i 127.0.0.1 -p 60001:60999 -- "$work/inside" 2>/dev/null |
		sed -n 's/^MOSH CONNECT //p')
	[ -n "$said" ] || return 1
	tmux -u -L "real$$" -f /dev/null new-session -d -x 100 -y 30 "MOSH_KEY='${said#* }' mosh-client 127.0.0.1 ${said% *}"
}
foot_start() {
	has foot weston && display || return 1
	if [ -z "${wayland:-}" ]; then
		wayland=real
		# Its headless back end has no keyboard, without which foot does not start.
		DISPLAY=$shown background weston --backend=x11-backend.so --socket=real --idle-time=0
		for _ in 1 2 3 4 5 6 7 8 9 10; do [ -S "$work/real" ] && break; sleep 0.5; done
	fi
	WAYLAND_DISPLAY=real background foot --config=/dev/null "$work/inside"
}

passed=0 failed=0 skipped=0
for name in xterm tmux screen mosh kitty foot; do
	for keys in 0.3:q '1.5:\x1b[B,2:?,2.5:\x1b,3:Q'; do
		rm -f "$work/$name.json"
		inside "$name"
		if ! "${name}_start"; then
			echo "$name is not here, or does not start"
			skipped=$((skipped + 1))
			continue
		fi
		for _ in $(seq 150); do [ -f "$work/$name.json" ] && break; sleep 0.2; done
		if [ ! -f "$work/$name.json" ]; then
			# A terminal that no display can show says why.
			echo "$name: no result: $(tail -n 1 "$work/log" 2>/dev/null) $(cat "$work/err" 2>/dev/null)"
			[ -f "$work/err" ] && failed=$((failed + 1)) || skipped=$((skipped + 1))
		elif python3 -B - "$name" "$work/$name.json" "$keys" <<'END'; then
import json, sys

name, path, keys = sys.argv[1:]
r = json.load(open(path, encoding="utf-8"))
bad = []
if r["status"] != 0 or not r["same"]:
    bad.append(f"status {r['status']}, settings as before: {r['same']}")
if r["stray"]:
    bad.append(f"for the shell: {r['stray']!r}")
if not r["shown"]:
    bad.append("no chart")
if not r["asked"]:
    bad.append("asked nothing")
# 1 set, 2 reset; 0 and nothing: not told.
for mode, on in (("25", "2"), ("1000", "1"), ("1002", "1"), ("1006", "1"), ("1049", "1"), ("2004", "1")):
    if r["modes"][mode] == on:
        bad.append(f"mode {mode} is not as it was")
told = sum(v in ("1", "2") for v in r["modes"].values())
print(f"{name}, {keys}: {r['took']:.1f} s, asked {len(r['asked'])}, {told} of 6 modes told" + "".join(f"; {b}" for b in bad))
sys.exit(bool(bad))
END
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
		fi
		rm -f "$work/err"
		[ "$name" != mosh ] && [ "$name" != tmux ] || tmux -L "real$$" kill-server 2>/dev/null
	done
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ] && [ $passed != 0 ]
