#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Drags on the ruler, the overview and the divider, and clicks on tabs, as a terminal reports them.
. "$(dirname "$0")/lib.sh"

# report BUTTON COL ROW [m]: a mouse report (SGR); 0 presses, 32 drags, m releases.
report() { in_tmux send-keys -l "$(printf '\033[<%s;%s;%s%s' "$1" "$2" "$3" "${4:-M}")"; }
drag() {
	report 0 "$1" "$2"
	report 32 "$3" "$4"
	report 0 "$3" "$4" m
}

open 100 30
view
drag 20 4 60 4
wait_for 'panes pinned to this range'
keys Escape
wait_gone 'pinned'
drag 30 3 50 3
wait_for '['
keys 5
wait_for 'Self'
wait_for 'Bottom-up'
# The tab of the summary is the first one of the rule, and the pane is a third of the screen.
report 0 2 19
report 0 2 19 m
wait_for '4 Summary'
drag 98 19 98 9
wait_until 'screen | sed -n 9p | grep -q Summary' 'the rule in row 9'

# The terminal keeps its mouse where the user wants that: for the selection of text.
[ "$(tells mouse_any_flag)" = 1 ] || fail 'no mouse reports'
in_tmux send-keys -l ':set mouse off'
keys Enter
wait_until '[ "$(tells mouse_any_flag)" = 0 ]' 'the mouse to be given back'
in_tmux send-keys -l ':set mouse on'
keys Enter
wait_until '[ "$(tells mouse_any_flag)" = 1 ]' 'the mouse to be taken'
in_tmux send-keys -l ':set mouse off'
keys Enter
wait_until '[ "$(tells mouse_any_flag)" = 0 ]' 'the mouse to be given back again'
keys C-z
wait_for Stopped
run fg
wait_for 'Summary'
[ "$(tells mouse_any_flag)" = 0 ] || fail 'after C-z and fg, the mouse is taken against the wish'
# The terminal cursor on the selection.
[ "$(tells cursor_flag)" = 0 ] || fail 'the cursor is shown'
in_tmux send-keys -l ':set cursor on'
keys Enter
wait_until '[ "$(tells cursor_flag)" = 1 ]' 'the cursor'
wait_until 'screen | sed -n "$(($(tells cursor_y) + 1))p" | cut -c"$(($(tells cursor_x) + 1))-" | grep -q .' 'text at the cursor'
keys Q
wait_gone 'Summary'
check_sane
