#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the program prints, compared with expected output that was checked by hand.
#
# usage: [UPDATE=1] golden.sh [CASE...]
# A case is a folder tests/golden/<case>/:
#   cmd      one line: the arguments, quoted as for the shell. The program runs in the top
#            folder of the sources; @case@ is the case's folder.
#   expect   its standard output
#   status   its exit status; without this file it must be 0
#   stderr   its error output; without this file there must be none
#   input    its standard input; empty where there is none
# UPDATE=1 writes the output as the expected one: look at the diff before you commit it.
set -u
case ${FLAMETTY:-./flametty} in
/*) program=${FLAMETTY:-} ;;
*) program=$PWD/${FLAMETTY:-flametty} ;;
esac
cd "$(dirname "$0")/.." || exit 99
[ -x "$program" ] || { echo "no program: $program"; exit 99; }

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

# The output must not depend on the settings of the user.
LC_ALL=C.UTF-8 TZ=UTC HOME=$work XDG_CONFIG_HOME=$work
export LC_ALL TZ HOME XDG_CONFIG_HOME
unset NO_COLOR COLORTERM COLUMNS LINES

# same NAME FILE: compare FILE with the file NAME of the case, or replace that one.
same() {
	want=$folder/$1
	[ -e "$want" ] || want=/dev/null
	cmp -s "$want" "$2" && return 0
	if [ -n "${UPDATE:-}" ]; then
		if [ -s "$2" ]; then cp "$2" "$folder/$1"; else rm -f "$folder/$1"; fi
		echo "updated: $folder/$1"
		return 0
	fi
	echo "---- $name: $1 differs; - is expected, + is the output. cmd: $(cat "$folder/cmd")"
	diff -u "$want" "$2" | tail -n +3 | head -n 60
	return 1
}

passed=0 failed=0
[ $# -gt 0 ] || set -- tests/golden/*/
for folder; do
	name=$(basename "$folder")
	folder=tests/golden/$name
	[ -f "$folder/cmd" ] || { echo "$folder has no cmd"; failed=$((failed + 1)); continue; }
	input=/dev/null
	[ ! -f "$folder/input" ] || input=$folder/input
	(
		eval "set -- $(sed "s,@case@,$folder,g" "$folder/cmd")"
		exec "$program" "$@" <"$input" >"$work/expect" 2>"$work/stderr"
	)
	status=$?
	[ $status = 0 ] && : >"$work/status" || echo $status >"$work/status"
	ok=yes
	same expect "$work/expect" || ok=no
	same stderr "$work/stderr" || ok=no
	same status "$work/status" || ok=no
	if [ $ok = yes ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
echo "golden: $passed passed, $failed failed"
[ $failed = 0 ] && exit 0
echo "If the change is wanted: UPDATE=1 make check TESTS=tests/golden.sh, then look at git diff."
exit 1
