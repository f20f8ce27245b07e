#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A static program in a folder that holds nothing but it and a profile, as its root: no library, no
# locale, no terminfo, no /usr, no /tmp. The report, a rendered screen and the interface. The program
# has at most 2.65 MB. 1.6 MB are the code of flametty itself, most of it built for size; 0.5 MB are texts and
# tables; 0.5 MB are the libraries, of which pcre2 has half, for Unicode. To make it smaller, code must go:
# without the optimisation for speed of what reads files it has 0.09 MB less.
#
# usage: tests/static/chroot.sh PROGRAM PROFILE
set -u
[ $# = 2 ] || { echo "usage: chroot.sh PROGRAM PROFILE"; exit 2; }
root=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
n_servers=0
# A server that ends takes the next one along if both have one socket.
in_tmux() { tmux -u -S "$root.$n_servers" -f /dev/null "$@"; }
trap 'in_tmux kill-server 2>/dev/null; rm -rf "$root" "$root".*' EXIT
as_root=
[ "$(id -u)" = 0 ] || as_root='unshare --map-root-user'
# shellcheck disable=SC2086
$as_root chroot / true 2>/dev/null || { echo "chroot is not permitted here"; exit 77; }
command -v tmux >/dev/null || { echo "tmux is missing"; exit 77; }
cp "$1" "$root/flametty" && cp "$2" "$root/shop.cpuprofile" || exit 99
passed=0 failed=0

ok() { passed=$((passed + 1)); }
bad() { echo "$*"; failed=$((failed + 1)); }

# contains TEXT WHAT: whether the standard input has the text.
contains() {
	cat >"$root.text"
	if grep -q -F -e "$1" "$root.text"; then ok; else
		bad "$2: no '$1' in:"
		cat "$root.text"
	fi
	rm -f "$root.text"
}

size=$(wc -c <"$root/flametty")
[ "$size" -le 2650000 ] && ok || bad "the program has $size bytes, more than 2.65 MB"
# shellcheck disable=SC2086
$as_root chroot "$root" /flametty --version | contains 'static program: musl' --version
# shellcheck disable=SC2086
$as_root chroot "$root" /flametty report /shop.cpuprofile | contains 'formatPrice' report
# shellcheck disable=SC2086
$as_root chroot "$root" /flametty --render 80x24 /shop.cpuprofile | contains '▾ main thread' --render

# shown NAME VARIABLE...: start the interface with these variables, and wait for its chart.
shown() {
	name=$1
	shift
	in_tmux kill-server 2>/dev/null
	n_servers=$((n_servers + 1))
	in_tmux new-session -d -x 100 -y 30 \
		"env -i PATH='$PATH' $* $as_root chroot $root /flametty /shop.cpuprofile; echo status \$?; cat"
	wait_for 'main thread' "$name"
}

wait_for() {
	tries=100
	while [ $tries -gt 0 ]; do
		in_tmux capture-pane -p 2>/dev/null | grep -q -F -e "$1" && { ok; return 0; }
		sleep 0.1
		tries=$((tries - 1))
	done
	bad "$2: no '$1' on the screen:"
	in_tmux capture-pane -p
	return 1
}

shown utf-8 TERM=xterm-256color LANG=de_DE.UTF-8
wait_for '▾ main thread' 'UTF-8 without a locale'
in_tmux send-keys -l '/formatPrice'
wait_for 'formatPrice' search
wait_for 'spans' 'search: what was found'
in_tmux send-keys Enter '?'
wait_for 'Help' help
in_tmux send-keys q q
wait_for 'status 0' quit
shown foot TERM=foot LANG=C.UTF-8
wait_for 'the built-in xterm-256color is used' 'an unknown terminal'
shown vt100 TERM=vt100 LANG=C.UTF-8
shown asked TERM=screen-256color
wait_for '▾ main thread' 'UTF-8 without LANG, by the answer of the terminal'
shown ascii TERM=screen-256color LANG=C
wait_for 'v main thread' 'ASCII in the locale C'
echo "$passed passed, $failed failed"
[ $failed = 0 ]
