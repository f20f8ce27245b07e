#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# bash completes commands, options, their words and files from the script that the program writes.
command -v bash >/dev/null || { echo "bash is missing"; exit 77; }
program=${FLAMETTY:-./flametty}
case $program in /*) ;; *) program=$PWD/$program ;; esac
work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
"$program" --completion=bash >script || exit 1
touch 'a file.cpuprofile' other.json
FLAMETTY=$program exec bash --norc <<'END'
source ./script
failed=0
# check EXPECTED WORD...: what completes the last word; the words as bash splits them.
check() {
	expected=$1
	shift
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	COMPREPLY=()
	_flametty
	# Files come in any order.
	found=$(printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort | tr '\n' '|')
	[ "$found" = "$expected" ] && return
	echo "after '$*': $found, not $expected"
	failed=1
}
check 'report|' flametty rep
check '--theme=|' flametty --the
check 'cpuprofile|csv|d3|folded|html|json|md|pprof|speedscope|svg|trace|' flametty export -f ''
check 'csv|grep|json|md|text|' flametty report -f ''
check 'folded|' flametty export --format = f
check 'dark|' flametty --theme = da
# attach, live, run, watch, --max and --max-recording are there where processes can be recorded.
attach= live= run= watch= max= recording=
"$FLAMETTY" --help | grep -q 'flametty attach' && attach='attach|' live='live|' run='run|' watch='watch|' max='--max=|' recording='--max-recording=|'
check "--max-memory=|--max-output=|$recording--max-rows=|--max-unpacked=|$max" flametty report --max
check "a file.cpuprofile|$attach" flametty a
check 'other.json|' flametty report oth
check 'diff|fleet|report|watch|' flametty schema ''
check 'report|' flametty schema re
check 'other.json|' flametty export -o oth
check "a file.cpuprofile|${attach}diff|export|fleet|formats|guide|keys|${live}other.json|report|${run}schema|script|view|$watch" flametty ''
complete -p flametty | grep -q -- '-F _flametty' || { echo 'not registered'; failed=1; }
exit $failed
END
