#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A fleet reads what is below a directory, whatever else is there: pipes, links that lead back,
# empty and damaged files, odd names. What it cannot use is a line each, and the rest counts.
set -u
flametty=${FLAMETTY:-$PWD/flametty}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failed=0
cd "$(dirname "$0")/.." || exit 1
recording=data/http-server/CPU.20261121.114550.4990.0.001.cpuprofile

wrong() {
	echo "fleet-files: $*"
	failed=1
}

# reads NUMBER STATUS ARGUMENT...: whether NUMBER recordings count
reads() {
	expected=$1
	status=$2
	shift 2
	timeout 60 "$flametty" fleet "$@" >"$work/out" 2>"$work/err"
	got=$?
	[ $got = "$status" ] || wrong "fleet $*: status $got, not $status: $(cat "$work/err")"
	[ "$expected" = 0 ] || grep -q "^  $expected profiles\{0,1\}" "$work/out" ||
		wrong "fleet $*: not $expected profiles: $(sed -n 2p "$work/out")"
}

line='two
lines'
mkdir -p "$work/a/sub" "$work/a/$line" "$work/b" "$work/empty"
cp "$recording" "$work/a/one.cpuprofile"
cp "$recording" "$work/a/sub/same-bytes.cpuprofile"
{ cat "$recording" && echo; } >"$work/a/$line/$line.cpuprofile"
mkfifo "$work/a/pipe"
ln -s . "$work/a/loop"
ln -s ../.. "$work/a/sub/up"
: >"$work/a/zero.cpuprofile"
echo text >"$work/a/notes.txt"
reads 2 0 "$work/a"
# What is named twice, or reached by two arguments, counts once.
reads 2 0 "$work/a" "$work/a/sub" "$work/a/one.cpuprofile"

# Samples without times count, heap profiles do not.
cp "data/pprof/cpu.pb.gz" "$work/b"
reads 1 0 "$work/b"
cp "data/pprof/heap.pb.gz" "$work/b"
head -c 3000 "$recording" >"$work/b/$line.cpuprofile"
reads 1 1 "$work/b"
[ "$(wc -l <"$work/err")" = 2 ] || wrong "lines of two files that fail: $(cat "$work/err")"
grep -q 'heap.pb.gz: its values are bytes, not times' "$work/err" || wrong "heap: $(cat "$work/err")"

reads 0 1 "$work/empty"
reads 0 1 "$work/nowhere"
timeout 60 "$flametty" fleet - <"$recording" >"$work/out" 2>&1 || wrong "standard input: $?"

# The order of threads does not show.
"$flametty" fleet --label-from='{host}/' "$work/a" "$work/b" >"$work/first" 2>/dev/null
for i in 1 2 3 4 5; do
	"$flametty" fleet --label-from='{host}/' "$work/a" "$work/b" >"$work/out" 2>/dev/null
	cmp -s "$work/first" "$work/out" || wrong "run $i prints something else"
done

# What --by asks for and profiles do not have is said.
"$flametty" fleet --by=hour "$recording" >/dev/null 2>"$work/err"
[ ! -s "$work/err" ] || wrong "--by=hour of a profile with a date: $(cat "$work/err")"
cp "$recording" "$work/undated.cpuprofile"
for by in hour service; do
	"$flametty" fleet --by=$by "$work/undated.cpuprofile" >/dev/null 2>"$work/err"
	grep -q "by=$by: 1 of 1 profiles" "$work/err" || wrong "--by=$by: $(cat "$work/err")"
done

# Spans are a table only where they are asked for: each call once, above the length.
for more in '' --min-span=20ms; do
	rm -rf "$work/tables"
	"$flametty" fleet --export="$work/tables" $more tests/input/fleet-grid 2>/dev/null || wrong "--export $more"
	ls "$work/tables" | grep -q '^spans' && is_there=yes || is_there=no
	grep -q slowest "$work/tables/queries.duckdb.sql" && is_asked=yes || is_asked=no
	[ "$is_there$is_asked" = "${more:+yesyes}" ] || [ "$is_there$is_asked$more" = nono ] ||
		wrong "--export $more: spans $is_there, query $is_asked"
done
for time in 0 -1ms x ''; do
	"$flametty" fleet --export="$work/t" --min-span="$time" tests/input/fleet-grid >/dev/null 2>&1
	[ $? = 2 ] || wrong "--min-span=$time"
	rm -rf "$work/t"
done
"$flametty" fleet --min-span=1ms tests/input/fleet-grid >/dev/null 2>&1
[ $? = 2 ] || wrong "--min-span without --export"

# The grid exports what the command prints, and does not replace a file by itself.
for format in csv json md; do
	"$flametty" fleet --format=$format tests/input/fleet-grid >"$work/out"
	"$flametty" fleet -i --render=80x24 --keys=":export $format $work/grid<Enter>" \
		tests/input/fleet-grid >/dev/null
	cmp -s "$work/out" "$work/grid" || wrong "the grid exports something else as $format"
	"$flametty" fleet -i --render=80x24 --keys=":export $format $work/grid<Enter>" \
		tests/input/fleet-grid | grep -q 'exists already' || wrong "$format: no refusal"
	rm -f "$work/grid"
done
exit $failed
