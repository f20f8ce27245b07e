#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Compares two builds of the benchmark, figure by figure.
#
# Times: pairs of runs, OLD NEW, NEW OLD, OLD NEW, and so on. A ratio is of the two runs of one pair,
# so that a machine whose speed changes slows both. Printed are the median and the quartiles of the
# ratios: if the quartiles lie far apart, the machine was too busy, and more pairs are needed.
# Instructions: one run of each figure under callgrind. These repeat, and decide.
#
# usage: compare.sh OLD NEW [PAIRS]     programs that `make tests/bench/bench` builds; 7 pairs
#
# BENCH_SAMPLES and the other variables of `make bench` choose the files; without them: a profile of
# 1 M samples and a trace of 100 MB, about 20 seconds a pair.
# Exit status 1: a figure takes more than 3 % more instructions.
set -u
[ $# = 2 ] || [ $# = 3 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 99; }
old=$1 new=$2 pairs=${3:-7}
for bench in "$old" "$new"; do
	[ -x "$bench" ] || { echo "no program: $bench" >&2; exit 99; }
done

work=$(mktemp -d "${TMPDIR:-/tmp}/flametty-compare.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# ---- times ----

export BENCH_SAMPLES="${BENCH_SAMPLES:-1000000}" BENCH_NODE_MB="${BENCH_NODE_MB:-0}" \
	BENCH_TRACE_MB="${BENCH_TRACE_MB:-100}"

# run SIDE PAIR PROGRAM: adds lines "SIDE PAIR FILE FIGURE BEST_NS". Neither json-c nor the program
# on a terminal is compared.
run() {
	BENCH_JSON_C_MB=0 FLAMETTY=/nonexistent BENCH_JSON=$work/json \
		"$3" >"$work/stdout" 2>"$work/stderr" || {
		cat "$work/stderr" >&2
		exit 99
	}
	awk -v side="$1" -v pair="$2" '
		/"name": / { split($0, part, "\""); file = part[4]; gsub(" ", "_", file) }
		/"best_ns": / {
			split($0, part, "\"")
			sub(/.*"best_ns": /, "")
			print side, pair, file, part[2], $0 + 0
		}
	' "$work/json" >>"$work/times"
}

pair=0
while [ "$pair" -lt "$pairs" ]; do
	pair=$((pair + 1))
	echo "compare: pair $pair of $pairs" >&2
	if [ $((pair % 2)) = 1 ]; then
		run old $pair "$old"
		run new $pair "$new"
	else
		run new $pair "$new"
		run old $pair "$old"
	fi
done

# Quartiles by the nearest rank, so that they are ratios that were measured.
awk '
	function sort(list, n, i, k, x) {
		for (i = 2; i <= n; i++) {
			x = list[i]
			for (k = i - 1; k > 0 && list[k] > x; k--)
				list[k + 1] = list[k]
			list[k + 1] = x
		}
	}
	function median(list, n) {
		sort(list, n)
		return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
	}
	{
		key = $3 " " $4
		if (!(key in seen)) {
			seen[key] = 1
			keys[++n_keys] = key
		}
		ns[$1, $2, key] = $5
		if ($2 > n_pairs)
			n_pairs = $2
	}
	END {
		printf "%-14s %-15s %10s %10s %7s  %s\n", "file", "figure", "old ms", "new ms", "ratio", "quartiles"
		for (k = 1; k <= n_keys; k++) {
			n = 0
			for (p = 1; p <= n_pairs; p++) {
				if (!(("old", p, keys[k]) in ns) || !(("new", p, keys[k]) in ns))
					continue
				n++
				before[n] = ns["old", p, keys[k]] / 1e6
				after[n] = ns["new", p, keys[k]] / 1e6
				ratio[n] = after[n] / before[n]
			}
			if (n == 0)
				continue
			split(keys[k], part, " ")
			middle = median(ratio, n)
			low = ratio[int((n + 3) / 4)]
			high = ratio[n + 1 - int((n + 3) / 4)]
			printf "%-14s %-15s %10.3f %10.3f %7.3f  %.3f to %.3f%s\n", part[1], part[2],
				median(before, n), median(after, n), middle, low, high,
				(low > 1.03 ? "  slower" : middle > 1.03 ? "  unclear" : "")
		}
	}
' "$work/times"

# ---- instructions ----

command -v valgrind >/dev/null 2>&1 || { echo "valgrind is missing: no instructions"; exit 0; }
"$new" make "$work/profile" && "$new" make-trace "$work/trace" || exit 99

# count_load SIDE PROGRAM FILE: adds a line "SIDE FILE load INSTRUCTIONS".
count_load() {
	valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=counted_load \
		"$2" count load "$work/$3" >/dev/null 2>"$work/stderr"
	echo "$1 $3 load $(sed -n 's/.*Collected : *\([0-9]*\).*/\1/p' "$work/stderr")"
}

# count_figures SIDE PROGRAM FILE: likewise for each figure of `count figures`. Callgrind writes a
# file after each call of sheet_counted(), in the order of the names that the program prints.
count_figures() {
	rm -f "$work"/out.*
	valgrind --tool=callgrind --callgrind-out-file="$work/out" --toggle-collect=sheet_counted \
		--dump-after=sheet_counted "$2" count figures "$work/$3" >"$work/names" 2>"$work/stderr"
	part=0
	while read -r name; do
		part=$((part + 1))
		[ -f "$work/out.$part" ] &&
			echo "$1 $3 $name $(sed -n 's/^totals: *//p' "$work/out.$part")"
	done <"$work/names"
}

echo "compare: instructions" >&2
for file in profile trace; do
	for side in old new; do
		[ $side = old ] && bench=$old || bench=$new
		count_load $side "$bench" $file
		count_figures $side "$bench" $file
	done
done >"$work/counts"

# Figures that only one of the programs can count are left out.
echo
awk '
	$4 == "" { next }
	$1 == "old" { before[$2, $3] = $4 }
	$1 == "new" && (($2, $3) in before) && before[$2, $3] > 0 {
		ratio = $4 / before[$2, $3]
		if (!n++)
			printf "%-14s %-15s %12s %12s %7s\n", "file", "figure", "instructions", "new", "ratio"
		printf "%-14s %-15s %12d %12d %7.3f%s\n", $2, $3, before[$2, $3], $4, ratio,
			(ratio > 1.03 ? "  SLOWER" : "")
		bad += (ratio > 1.03)
	}
	END {
		if (!n)
			print "no instructions were counted"
		exit bad > 0
	}
' "$work/counts"
