#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `flametty guide`: a page of at most 60 lines of 80 columns; the parser accepts each command in it,
# and those that read files work.
. "$(dirname "$0")/lib.sh"
cd "$top" || exit 99
use_work

HOME=$work XDG_CONFIG_HOME=$work
export HOME XDG_CONFIG_HOME
"$FLAMETTY" guide >"$work/guide" || bad "flametty guide fails"
[ "$(wc -l <"$work/guide")" -le 60 ] || bad "the page has $(wc -l <"$work/guide") lines"
[ -z "$(grep '.\{81\}' "$work/guide")" ] || bad "lines with more than 80 columns"
grep -q 'they are data' "$work/guide" || bad "the page does not say that names are data"

# An entry: two blanks, a command, two blanks or more, what it is for.
sed -n 's/^  flametty \(.*[^ ]\)   *[^ ].*/\1/p' "$work/guide" >"$work/commands"
[ "$(grep -c '^  ' "$work/guide")" = "$(wc -l <"$work/commands")" ] || bad "an entry is no command"
[ "$(wc -l <"$work/commands")" -ge 14 ] || bad "only $(wc -l <"$work/commands") commands"

runs=tests/input/runs
while read -r line; do
	case $line in
	run\ * | attach\ * | live\ * | watch\ *)
		# With --version, the command line is read and nothing is recorded.
		eval "set -- $line"
		first=$1
		shift
		"$FLAMETTY" "$first" --version "$@" >"$work/out" 2>&1 ||
			bad "the parser refuses: flametty $line: $(cat "$work/out")"
		continue
		;;
	esac
	command=$(echo "$line" | sed -e "s#FLAMES#$work/flames.svg#" -e 's#1s#1ms#' -e 's#2s#5ms#' \
		-e 's#\bFILE#tests/input/small.cpuprofile#' -e "s#DIRECTORY#$runs#" -e 's#=ID#=main#' \
		-e 's#pattern#main#' -e "s#BEFORE#$runs/before-1.cpuprofile#" \
		-e "s#AFTER#$runs/after-1.cpuprofile#" \
		-e "s#\\bB\\([123]\\)#$runs/before-\\1.cpuprofile#g" \
		-e "s#\\bA\\([123]\\)#$runs/after-\\1.cpuprofile#g")
	eval "set -- $command"
	"$FLAMETTY" "$@" >"$work/out" 2>"$work/errors" </dev/null ||
		bad "fails: flametty $command: $(cat "$work/errors")"
done <"$work/commands"
exit $failed
