#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The user's settings: read at the start, changed and written; a file that is none stops nothing,
# and what needs no terminal does not read it.
. "$(dirname "$0")/lib.sh"

# command TEXT: type a command line and run it.
command() {
	in_tmux send-keys -l ":$1"
	wait_for ":$1"
	keys Enter
}

mkdir "$work/flametty"
file=$work/flametty/config
cat >"$file" <<'END'
# my settings
set color file
bind q next-finding
bind Q next-finding
END

open 120 40
view
# The last line is drawn last.
wait_for '? help'
command 'set color'
wait_for 'color file'
# The program can be left although q is bound.
keys q
wait_for '1 of'
keys C-c
wait_for 'status 0'
check_sane
run clear
view
wait_for '? help'
keys Z Z
wait_for 'status 0'
check_sane
run clear

# What was set is there the next time.
view
wait_for '? help'
command 'set color package'
wait_for 'color package'
command 'bind F2 summary'
wait_for 'F2: summary'
command write-config
wait_for 'wrote ~/flametty/config'
command q
wait_for 'status 0'
check_sane
cat >"$work/expected" <<'END'
# my settings
set color package
bind q next-finding
bind Q next-finding
bind F2 summary
END
cmp -s "$work/expected" "$file" || fail "the file is: $(cat "$file")"
[ "$(ls -l "$file" | cut -c 1-10)" = -rw------- ] || fail "others may read $file"
run clear
view
wait_for '? help'
command 'set color'
wait_for 'color package'
keys C-c
wait_for 'status 0'
run clear
view --no-config '"$profile"'
wait_for '? help'
command 'set color'
wait_for 'color ownership'
keys C-c
wait_for 'status 0'
run clear

# Not read: reports and screens as text.
"$FLAMETTY" --render=80x24 "$profile" >"$work/with"
"$FLAMETTY" report "$profile" >>"$work/with"
"$FLAMETTY" --no-config --render=80x24 "$profile" >"$work/without"
"$FLAMETTY" report --no-config "$profile" >>"$work/without"
cmp -s "$work/with" "$work/without" || fail 'output depends on the file of settings'

# Bad lines, and files that are none.
echo 'nonsense here' >"$file"
view
wait_for 'config:1: neither'
keys C-c
wait_for 'status 0'
run clear
rm "$file"
mkfifo "$file"
view
wait_for 'config: not a regular file'
keys C-c
wait_for 'status 0'
run clear
rm "$file"
mkdir "$file"
view
wait_for 'config: not a regular file'
keys C-c
wait_for 'status 0'
check_sane
