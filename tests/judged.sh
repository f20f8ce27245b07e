#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The findings against what was written down before they were run.
#
# usage: judged.sh [programs|recordings]      only this part
# programs: recordings of tests/judged/programs, of which tests/judged/programs.tsv says what is
#   planted. One culprit: among the first two findings. Two: both among the first three. None: the
#   verdict of the picture says so, or names none of the functions.
# recordings: real ones of the corpus, in ../shared beside the sources. tests/judged/judged.tsv says
#   what a reader named first: the verdict or one of the first three findings names it, too.
# Prints each miss and the score; fails if the score is lower than it once was.
set -u
case ${FLAMETTY:-./flametty} in
/*) program=${FLAMETTY:-} ;;
*) program=$PWD/${FLAMETTY:-flametty} ;;
esac
cd "$(dirname "$0")/.." || exit 99
[ -x "$program" ] || { echo "no program: $program"; exit 99; }
part=${1:-all}
corpus=../shared/corpus
[ "$part" != recordings ] || [ -d $corpus ] || { echo "no $corpus here"; exit 77; }

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
LC_ALL=C.UTF-8 TZ=UTC HOME=$work XDG_CONFIG_HOME=$work
export LC_ALL TZ HOME XDG_CONFIG_HOME
unset NO_COLOR COLORTERM COLUMNS LINES
tab=$(printf '\t')
failed=0

# The first N findings of FILE, with the sentences below each.
findings() {
	"$program" report --top=10 "$1" 2>/dev/null </dev/null |
		awk -v most="$2" '/^findings/ { on = 1; next }
			on && /^$/ { exit }
			on && /^  [^ ]/ { n++ }
			on && n <= most'
}

verdict() {
	"$program" --render 80x24 "$1" 2>/dev/null </dev/null | sed -n 2p
}

# Does a name of NAMES, separated by |, stand in the text of the standard input, as a whole word?
names() {
	words=$(printf '%s' "$1" | sed 's/[][().*+?^$\\]/\\&/g')
	grep -Eq "(^|[^[:alnum:]_])($words)([^[:alnum:]_]|\$)"
}

# score WHAT GOOD ALL LEAST: print it, and fail below LEAST.
score() {
	echo "$1: $2 of $3"
	[ "$2" -ge "$4" ] || { echo "FAIL: at least $4 before"; failed=1; }
}

miss() {
	echo "MISS: $1: wanted $2"
	sed 's/^/    /' "$work/text"
}

programs() {
	one=0 two=0 none=0
	while IFS=$tab read -r name kind first second _; do
		file=tests/judged/programs/$name.cpuprofile.gz
		[ -f "$file" ] || file=tests/judged/programs/$name
		case $kind in
		one)
			findings "$file" 2 >"$work/text"
			if names "$first" <"$work/text"; then one=$((one + 1)); else miss "$name" "$first"; fi
			;;
		two)
			findings "$file" 3 >"$work/text"
			if names "$first" <"$work/text" && names "$second" <"$work/text"; then
				two=$((two + 1))
			else
				miss "$name" "$first and $second"
			fi
			;;
		none)
			findings "$file" 1 >"$work/first"
			verdict "$file" >"$work/text"
			if [ -s "$work/first" ] &&
				{ names "$first" <"$work/text" || ! names "$second" <"$work/text"; }; then
				none=$((none + 1))
			else
				miss "$name" "$first"
			fi
			;;
		esac
	done <<EOF
$(grep -v '^#' tests/judged/programs.tsv | sed "s/$tab$tab/$tab-$tab/g")
EOF
	score 'programs with one culprit, found first or second' $one 10 10
	score 'programs with two culprits, both among the first three' $two 5 5
	score 'programs with none, and none accused' $none 3 3
}

recordings() {
	first_named=0 second_named=0 all=0
	while IFS=$tab read -r file first second _; do
		all=$((all + 1))
		findings "$corpus/$file" 3 >"$work/text"
		if ! names "$first" <"$work/text"; then
			verdict "$corpus/$file" >>"$work/text"
		fi
		if names "$first" <"$work/text"; then
			first_named=$((first_named + 1))
		else
			miss "$file" "$first"
		fi
		[ "$second" = - ] || ! names "$second" <"$work/text" || second_named=$((second_named + 1))
	done <<EOF
$(grep -v '^#' tests/judged/judged.tsv | sed "s/$tab$tab/$tab-$tab/g")
EOF
	score 'recordings with the reader'\''s first name' $first_named $all 17
	echo "of them with the second name, too: $second_named of $(grep -cv "^#\\|$tab$tab" tests/judged/judged.tsv)"
}

[ "$part" = recordings ] || programs
if [ "$part" != programs ]; then
	if [ -d $corpus ]; then recordings; else echo "recordings: skipped, no $corpus here"; fi
fi
exit $failed
