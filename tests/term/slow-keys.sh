#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# On a slow line the bytes of an arrow key come in pieces: it is still one key. An Esc alone is a key
# soon after, and closes what is open.
. "$(dirname "$0")/lib.sh"

# bytes HEX...: as the terminal sends them.
bytes() { in_tmux send-keys -H "$@"; }

open 120 40
view
wait_for 'Enter zoom'
keys / l o a d Enter
wait_for '/load/'
before=$(screen)

# Up, in three pieces.
bytes 1b
bytes 5b
bytes 41
wait_until 'test "$(screen)" != "$before"' 'the caller'
wait_gone '/load/'
screen | grep -q 'no key' && fail 'a piece of an arrow key was a key'
# The search is still there: the first byte was no Esc.
screen | grep -q 'n next' || fail 'the first byte of an arrow key closed the search'

bytes 1b
wait_gone 'n next'
keys x
wait_for 'pick a key'
bytes 1b
wait_gone 'pick a key'
keys q
wait_for 'status 0'
check_sane
