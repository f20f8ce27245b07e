#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copied text: tmux gets it as a buffer; outside of tmux the terminal gets OSC 52, and what no
# clipboard has confirmed is printed when the program ends.
. "$(dirname "$0")/lib.sh"

# buffer: what tmux holds, or nothing.
buffer() { in_tmux show-buffer 2>/dev/null; }

open 100 30
in_tmux set-option -g set-clipboard on
view
keys 5
wait_for 'of 529'

# Inside tmux.
keys y n
wait_for 'copied the name of formatPrice: tmux'
[ "$(buffer)" = formatPrice ] || fail "the buffer holds: $(buffer)"
keys y y
wait_for 'copied two lines about formatPrice: tmux'
[ "$(buffer | wc -l)" = 1 ] || fail "not two lines: $(buffer)"
buffer | head -n 1 | grep -q 'formatPrice .*catalogue.js:28.* busy' || fail "the first line: $(buffer)"
buffer | tail -n 1 | grep -q '^by .*catalogue.js' || fail "the second line: $(buffer)"
keys q Q
wait_for 'status 0'
check_sane
run clear

# Outside of tmux, as far as the program can tell: the terminal, which is tmux, sets its buffer.
in_tmux delete-buffer
run 'unset TMUX'
view
keys 5
wait_for "of 529"
keys y l
wait_for 'OSC 52'
wait_until 'test -n "$(buffer)"' 'the text in the clipboard of the terminal'
[ "$(buffer | sed 's/.*\///')" = catalogue.js:28:21 ] || fail "the clipboard holds: $(buffer)"
keys q Q
wait_for 'status 0'
wait_for 'catalogue.js:28:21'
check_sane

# A tmux that does not answer, and one that fails.
mkdir "$work/bin"
printf '#!/bin/sh\nexec sleep 60\n' >"$work/bin/tmux"
chmod +x "$work/bin/tmux"
run clear
run 'export TMUX=/nowhere; PATH=$work/bin:$PATH'
view
keys y n
wait_for 'OSC 52'
keys Q
wait_for 'status 0'
check_sane
