#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Instructions per sample of loading, of findings and of the JSON report, and per picture, by callgrind:
# unlike time they repeat. More above the committed figures than each may be is a failure: 10 % of loading
# and pictures, 3 % of answers.
#
# usage: instructions.sh [BENCH]        the program that `make tests/bench/bench` builds
#        UPDATE=1 instructions.sh       takes what comes now for the figures
# Exit status 77: there is no valgrind, or the figures are of another compiler or machine.
set -u
here=$(cd "$(dirname "$0")" && pwd)
bench=${1:-./tests/bench/bench}
figures=$here/instructions.txt

skip() { echo "$*"; exit 77; }

command -v valgrind >/dev/null 2>&1 || skip "valgrind is missing"
[ -x "$bench" ] || { echo "no program: $bench; make tests/bench/bench"; exit 99; }
build=$("$bench" about)
case $build in *not\ optimised*) skip "not optimised: nothing to compare" ;; esac
if [ -z "${UPDATE:-}" ]; then
	known=$(sed -n 's/^build //p' "$figures")
	[ "$build" = "$known" ] || skip "the figures are of $known, this is $build"
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/flametty-instructions.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
"$bench" make "$work/profile.cpuprofile" || exit 99

# count WHAT FUNCTION: instructions of that function and all that it calls. The name of a
# function that the compiler made a copy of goes on after a point.
count() {
	valgrind --tool=callgrind --callgrind-out-file="$work/out" --toggle-collect="$2" --toggle-collect="$2.*" \
		"$bench" count "$1" "$work/profile.cpuprofile" >"$work/stdout" 2>"$work/stderr" || {
		cat "$work/stderr" >&2
		exit 99
	}
	sed -n 's/.*Collected : *\([0-9]*\).*/\1/p' "$work/stderr"
}

# part FUNCTION: instructions of the last count() that are in that function and all that it calls.
part() {
	callgrind_annotate --inclusive=yes --threshold=100 "$work/out" 2>/dev/null |
		sed -n "s/^ *\([0-9,]*\) .*:$1 .*/\1/p" | head -n 1 | tr -d ,
}

loaded=$(count load counted_load) || exit 99
samples=$(cat "$work/stdout")
# Findings come after the picture, between keys: they are counted by themselves.
first=$(count first counted_frame) || exit 99
findings=$(part findings_walk_update)
first=$((first - ${findings:-0}))
pan=$(count pan counted_frame) || exit 99
pan=$((pan - $(part findings_walk_update || echo 0)))
# Findings are made by several threads: on a busy machine they wait for each other, which takes instructions,
# too. The least of three counts has none of that.
report=
for _ in 1 2 3; do
	counted=$(count report counted_report) || exit 99
	[ -z "$report" ] || [ "$counted" -lt "$report" ] || continue
	report=$counted
	report_findings=$(part findings_all_work || echo 0)
done
if [ "${report:-0}" -lt 1000 ] || [ "${loaded:-0}" -lt 1000 ] || [ "${first:-0}" -lt 1000 ] || [ "${pan:-0}" -lt 1000 ] ||
	[ "${findings:-0}" -lt 1000 ]; then
	echo "nothing was counted"
	exit 99
fi

{
	echo "build $build"
	echo "load_per_sample $((loaded / samples))"
	echo "frame_first $first"
	echo "frame_after_pan $pan"
	echo "findings ${findings:-0}"
	echo "report_findings_per_sample $((${report_findings:-0} / samples))"
	echo "report_tables_per_sample $(((report - ${report_findings:-0}) / samples))"
} >"$work/now"

if [ -n "${UPDATE:-}" ]; then
	{ sed -n '/^#/p' "$figures"; cat "$work/now"; } >"$work/figures" && cp "$work/figures" "$figures"
	cat "$work/now"
	exit
fi

# One line a figure; the status says whether all are good.
awk '
	/^#/ || $1 == "build" { next }
	FNR == NR { before[$1] = $2; next }
	{
		if (!before[$1]) {
			printf "%-26s %12d  has no figure: UPDATE=1 takes it\n", $1, $2
			next
		}
		change = ($2 / before[$1] - 1) * 100
		most = $1 ~ /^report/ ? 3 : 10
		verdict = change > most ? "FAILED" : change < -most ? "better: UPDATE=1 keeps it" : "ok"
		printf "%-26s %12d  was %12d  %+6.1f %%  %s\n", $1, $2, before[$1], change, verdict
		bad += verdict == "FAILED"
	}
	END { exit bad > 0 }
' "$figures" "$work/now"
