#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Commands are typed by name: completion, exports, settings of the terminal, and a history that the
# next start has.
. "$(dirname "$0")/lib.sh"

# type TEXT: characters, as they are.
type() { in_tmux send-keys -l "$1"; }

# command TEXT: type a command line and run it.
command() {
	type ":$1"
	wait_for ":$1"
	keys Enter
}

open 120 40
view
wait_for 'q quit'
type ':cal'
wait_for 'callee  caller  callers'
keys Tab Tab
wait_for ':callee '
keys Escape
wait_for 'q quit'

# A pasted line is not run until the user has seen it.
in_tmux set-buffer 'quit
'
keys :
wait_for ':'
in_tmux paste-buffer -p
wait_for ':quit'
keys C-c
wait_for 'q quit'

command 'export folded out file'
wait_for 'wrote 3.68 s of folded to out file'
"$FLAMETTY" export -f folded "$profile" >"$work/expected"
wait_until 'cmp -s "$work/expected" "out file"' 'the file as flametty export writes it'
rm -f 'out file'
command 'export md out.md'
wait_for 'wrote 3.68 s of md to out.md; opens in a ticket'
"$FLAMETTY" export -f md "$profile" >"$work/expected"
wait_until 'cmp -s "$work/expected" out.md' 'the report as flametty prints it'
rm -f out.md
command 'set absolute on'
command 'export md out.md'
wait_for 'to out.md; its times count from the start; opens in a ticket'
rm -f out.md
command 'set absolute off'

[ "$(tells mouse_any_flag)" = 1 ] || fail "the mouse is not taken"
command 'set mouse off'
wait_until 'test "$(tells mouse_any_flag)" = 0' 'the mouse to be given back'
command 'set mouse on'
wait_until 'test "$(tells mouse_any_flag)" = 1' 'the mouse to be taken'

keys 4
before=$(in_tmux capture-pane -e -p)
command 'set theme light'
wait_until 'test "$(in_tmux capture-pane -e -p)" != "$before"' 'other colours'
command 'set history off'
command whole
command quit
wait_for 'status 0'
check_sane
run clear

file=$work/flametty/history
[ "$(tail -n 1 "$file")" = 'set history off' ] || fail "the history is: $(cat "$file")"
[ "$(ls -l "$file" | cut -c 1-10)" = -rw------- ] || fail "others may read $file"
view
wait_for 'q quit'
keys : Up
wait_for ':set history off'
keys Up
wait_for ':set theme light'
keys C-c
wait_gone ':set theme'
keys C-c
wait_for 'status 0'
check_sane
