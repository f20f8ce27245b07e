# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# The real program in a tmux of its own: private socket, no configuration, fixed size.
# Sourced by the tests beside it. They never sleep for a fixed time: they wait for a text,
# with a deadline, and when it does not come they print the screen and fail.
set -u

command -v tmux >/dev/null 2>&1 || { echo "tmux is missing"; exit 77; }
FLAMETTY=${FLAMETTY:-$PWD/flametty}
[ -x "$FLAMETTY" ] || { echo "no program: $FLAMETTY"; exit 99; }
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
profile=$work/shop.cpuprofile
cp "$top"/data/http-server/*.cpuprofile "$profile" || exit 99

# A text of the chart that occurs in no command line typed here.
prompt='ready>'
chart='shop.cpuprofile'
piped_chart='samples every'
help='Help; every command'
too_small='too small'
loading='Loading'
cancelled='cancelled'

unset TMUX NO_COLOR COLORTERM COLORFGBG
TMUX_TMPDIR=$work HOME=$work XDG_CONFIG_HOME=$work XDG_STATE_HOME=$work ENV=''
export TMUX_TMPDIR HOME XDG_CONFIG_HOME XDG_STATE_HOME ENV FLAMETTY work profile
for locale in C.UTF-8 en_US.UTF-8; do
	LC_ALL=$locale
	[ "$(LC_ALL=$locale locale charmap 2>/dev/null)" = UTF-8 ] && break
done
export LC_ALL

in_tmux() { tmux -u -L flametty -f /dev/null "$@"; }

clean_up() {
	: >"$work/stop"
	in_tmux kill-server 2>/dev/null
	rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM

# open COLS ROWS: a shell in a terminal of that size.
open() {
	in_tmux new-session -d -x "$1" -y "$2" sh || { echo "tmux does not start"; exit 99; }
	in_tmux set-option -g status off
	in_tmux resize-window -x "$1" -y "$2"
	# Some shells take no prompt from the environment. The line as it is typed must not
	# look like the prompt.
	run "PS1='rea''dy> '"
	wait_for "$prompt"
	run 'stty -g >"$work/stty"'
	wait_until 'test -s "$work/stty"' "stty -g"
	run clear
}

screen() { in_tmux capture-pane -p; }

fail() {
	echo "FAILED: $*"
	echo "---- the screen:"
	screen
	echo "----"
	exit 1
}

# wait_until COMMAND WHAT [SECONDS]: until COMMAND succeeds.
wait_until() {
	end=$(($(date +%s) + ${3:-60}))
	until eval "$1"; do
		[ "$(date +%s)" -lt "$end" ] || fail "waited ${3:-60} s for: $2"
		sleep 0.05
	done
}

# wait_for TEXT [SECONDS]: until TEXT is on the screen. wait_gone: until it is not.
wait_for() { wait_until "screen | grep -q -F -e '$1'" "$1" "${2:-60}"; }
wait_gone() { wait_until "! screen | grep -q -F -e '$1'" "no more $1" "${2:-60}"; }

# keys KEY...: as tmux names them (C-z, Enter, x).
keys() { in_tmux send-keys "$@"; }

# run LINE: type a line into the shell.
run() {
	in_tmux send-keys -l "$1"
	in_tmux send-keys Enter
}

# fail_allocations: build fail.so in $work, which lets allocations fail; skip the test where it
# cannot be used: a sanitizer must be the first library, and a static program has none.
fail_allocations() {
	${CC:-cc} -O1 -shared -fPIC -o "$work/fail.so" "$top/tests/fail_alloc.c" -ldl 2>/dev/null ||
		{ echo "SKIP: cannot build a library"; exit 77; }
	ldd "$FLAMETTY" 2>/dev/null | grep -q 'libc\.' || exit 77
	ldd "$FLAMETTY" | grep -q 'lib.san' && exit 77
	nm -D "$FLAMETTY" 2>/dev/null | grep -q __asan_init && exit 77
	return 0
}

# view [ARGUMENT...]: start the program from the shell, wait for the chart.
view() {
	run "\"\$FLAMETTY\" ${*:-\"\$profile\"}; echo \"status \$?\""
	wait_for "$chart"
}

resize() { in_tmux resize-window -x "$1" -y "$2"; }

# tells FORMAT: what tmux knows about the terminal, by a tmux format.
tells() { in_tmux display-message -p "#{$1}"; }

# The shell is back and the terminal is as it was: modes, cursor, screen, mouse.
check_sane() {
	wait_for "$prompt"
	rm -f "$work/after"
	# The prompt can be an old one: what is typed before the program is gone is lost, and typed again.
	looks=0
	wait_until 'test -s "$work/after" || {
		[ $((looks % 100)) != 0 ] || run "stty -g >\"\$work/after\""
		looks=$((looks + 1))
		false
	}' "the shell to take a line"
	cmp -s "$work/stty" "$work/after" || fail "terminal modes differ: $(cat "$work/stty") $(cat "$work/after")"
	[ "$(tells cursor_flag)" = 1 ] || fail "the cursor is hidden"
	[ "$(tells alternate_on)" = 0 ] || fail "still on the alternate screen"
	[ "$(tells mouse_any_flag)" = 0 ] || fail "mouse reports are still on"
	[ "$(tells keypad_flag)" = 0 ] || fail "the keypad is still in application mode"
	run 'echo "echo is on"'
	wait_for 'echo "echo is on"'
}

# wait_steady: until two looks at the screen are equal.
wait_steady() {
	seen=
	wait_until 'last=$seen; seen=$(screen); test -n "$last" && test "$last" = "$seen"' 'a picture that stands still'
}

# press KEY: one key that changes the picture; returns when the screen is steady again.
press() {
	was=$(screen)
	keys "$1"
	wait_until 'test "$(screen)" != "$was"' "a change after the key $1"
	wait_steady
}
