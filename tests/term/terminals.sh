#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Terminals with fewer abilities: without colours, without UTF-8, without cursor movement.
. "$(dirname "$0")/lib.sh"

open 100 30
for setting in NO_COLOR=1 TERM=vt100 TERM=xterm TERM=xterm-256color TERM=xterm-direct TERM=ansi LC_ALL=C; do
	case $setting in
	TERM=*) infocmp "${setting#*=}" >/dev/null 2>&1 || { echo "no description of ${setting#*=}"; continue; } ;;
	esac
	run "$setting "'"$FLAMETTY" "$profile"; echo "status $?"'
	wait_for "$chart"
	case $setting in
	LC_ALL=C) screen | LC_ALL=C grep -q '[^ -~]' && fail "not only ASCII" ;;
	NO_COLOR=1 | TERM=vt100)
		in_tmux capture-pane -p -e | grep -q "$(printf '\033')\[[0-9;]*\(3[0-7]\|4[0-7]\|9[0-7]\|38\|48\)[;m]" && fail "coloured" ;;
	esac
	# The cursor of a vt100 cannot be hidden: it stands in a corner.
	[ "$setting" = TERM=vt100 ] &&
		wait_until '[ "$(in_tmux display-message -p "#{cursor_x},#{cursor_y}")" = 0,29 ]' 'the cursor'
	keys q
	wait_for 'status 0'
	check_sane
	run clear
	wait_gone 'status 0'
done

# The background is light or dark as the terminal answers, and the answer is not taken for keys. The
# option --theme overrides it.
light='48;5;253' # the band of titles, made to fit this page
for setting in '' --theme=dark COLORFGBG=15\;0; do
	in_tmux set-option -p window-style 'bg=#ffffdd'
	case $setting in
	COLORFGBG=*) run "TERM=xterm-256color env '$setting' "'"$FLAMETTY" "$profile"; echo "status $?"' ;;
	*) run 'TERM=xterm-256color "$FLAMETTY" '"$setting"' "$profile"; echo "status $?"' ;;
	esac
	wait_for "$chart"
	wait_steady
	if [ -z "$setting" ]; then
		wait_until 'in_tmux capture-pane -p -e | grep -q "$light"' 'the colours of a light page'
	else
		in_tmux capture-pane -p -e | grep -q "$light" && fail "light in spite of $setting"
	fi
	keys q
	wait_for 'status 0'
	in_tmux set-option -p window-style default
	check_sane
	run clear
	wait_gone 'status 0'
done

# The user's own theme: a file by its path, and by its name in the folder for themes.
mkdir -p "$XDG_CONFIG_HOME/flametty/themes"
printf 'base = dark\nstatus = 123 17\n' >"$work/own.theme"
cp "$work/own.theme" "$XDG_CONFIG_HOME/flametty/themes/mine"
for theme in '"$work/own.theme"' mine; do
	run 'TERM=xterm-256color "$FLAMETTY" --theme='"$theme"' "$profile"; echo "status $?"'
	wait_for "$chart"
	wait_until 'in_tmux capture-pane -p -e | grep -q "48;5;123"' "the colour of the theme $theme"
	keys q
	wait_for 'status 0'
	check_sane
	run clear
	wait_gone 'status 0'
done

# A terminal that cannot move its cursor: a message instead of a picture.
run 'TERM=dumb "$FLAMETTY" "$profile"; echo "status $?"'
wait_for 'status'
wait_until 'screen | grep -q "^status [0-9]"' 'the end of the program'
check_sane
