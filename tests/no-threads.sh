#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Lets threads fail to start while files are loaded, reported, drawn and exported that are large
# enough for all of them. The output must be the usual one each time: what a thread does for speed is
# then done without it.
#
# usage: no-threads.sh     from a built tree; FLAMETTY: the program, ./flametty by default
set -u
. "$(dirname "$0")/preload.sh"
build_library fail_call.c
failed=0 n_runs=0 count=0

bad() { echo "FAIL: $description: $setting: $*"; failed=$((failed + 1)); }

# More than 50,000 nodes and 500,000 samples, with names that are in order nowhere, and many functions
# that nothing calls.
awk 'BEGIN {
	printf "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\",\"scriptId\":\"0\",\"url\":\"\",\"lineNumber\":-1,\"columnNumber\":-1}}"
	for (i = 2; i <= 60000; i++)
		printf ",\n{\"id\":%d,\"callFrame\":{\"functionName\":\"f%d\",\"scriptId\":\"%d\",\"url\":\"file:///a/%d.js\",\"lineNumber\":%d,\"columnNumber\":2},\"parent\":%d}",
			i, i * 7919 % 5003, i % 97, i % 97, i % 911, i < 40 ? 1 : int(i / 3) + 1
	printf "],\n\"startTime\":1000,\"endTime\":102001000,\"samples\":[2"
	for (i = 1; i < 510000; i++) printf ",%d", i * 104729 % 59999 + 2
	printf "],\"timeDeltas\":[0"
	for (i = 1; i < 510000; i++) printf ",%d", i * 31 % 211 + 90
	print "]}"
}' >"$all/large.cpuprofile"
# More than 200,000 slices of four threads, and 20,000 flows between them; more than 50,000 begins and
# ends of four others, some of which do not match; asynchronous events.
awk 'BEGIN {
	print "["
	for (i = 0; i < 204000; i++) {
		ts = i * 10; tid = i % 4 + 1
		printf "{\"pid\":1,\"tid\":%d,\"ph\":\"X\",\"name\":\"x%d\",\"ts\":%d,\"dur\":%d},\n", tid, i % 50, ts, i % 7 + 1
		if (i % 7 == 0)
			printf "{\"pid\":1,\"tid\":%d,\"ph\":\"B\",\"name\":\"b%d\",\"ts\":%d},\n{\"pid\":1,\"tid\":%d,\"ph\":\"E\",\"ts\":%d},\n", tid + 4, i % 11, ts, tid + 4, ts + 9
		if (i % 5000 == 0)
			printf "{\"pid\":1,\"tid\":%d,\"ph\":\"E\",\"name\":\"none\",\"ts\":%d},\n{\"pid\":1,\"tid\":%d,\"ph\":\"B\",\"name\":\"open\",\"ts\":%d},\n", tid + 4, ts + 9, tid + 4, ts + 9
		if (i % 40 == 0)
			printf "{\"pid\":1,\"tid\":1,\"ph\":\"b\",\"name\":\"a%d\",\"cat\":\"c\",\"id\":%d,\"ts\":%d},\n{\"pid\":1,\"tid\":1,\"ph\":\"e\",\"name\":\"a%d\",\"cat\":\"c\",\"id\":%d,\"ts\":%d},\n", i % 3, i, ts, i % 3, i, ts + 200
		if (i % 10 == 0)
			printf "{\"pid\":1,\"tid\":%d,\"ph\":\"s\",\"name\":\"f\",\"cat\":\"c\",\"id\":%d,\"ts\":%d},\n{\"pid\":1,\"tid\":%d,\"ph\":\"f\",\"bp\":\"e\",\"name\":\"f\",\"cat\":\"c\",\"id\":%d,\"ts\":%d},\n", tid, i, ts, i % 3 + 1, i, ts + 40
	}
	print "{\"pid\":1,\"tid\":1,\"ph\":\"M\",\"name\":\"thread_name\",\"args\":{\"name\":\"main\"}}]"
}' >"$all/large.json"

# compare NAME=VALUE ARGUMENT...
compare() {
	setting=$1
	shift
	n_runs=$((n_runs + 1))
	env LD_PRELOAD="$all/fail.so" FAIL_CALL=pthread_create "$setting" "$program" "$@" >"$all/stdout" 2>"$all/stderr" </dev/null ||
		bad "exit status $?, $(head -n 1 "$all/stderr")"
	cmp -s "$all/stdout" "$all/good.stdout" || bad "another output"
	cmp -s "$all/stderr" "$all/good.stderr" || bad "another message, $(head -n 1 "$all/stderr")"
}

# test_case LEAST ARGUMENT...: what starts at least LEAST threads, when a second processor is there.
test_case() {
	least=$1
	shift
	description=$* setting="all start"
	env LD_PRELOAD="$all/fail.so" FAIL_CALL_COUNT="$all/counts" "$program" "$@" \
		>"$all/good.stdout" 2>"$all/good.stderr" </dev/null || { bad "exit status $?"; return; }
	[ -s "$all/good.stdout" ] || bad "no output"
	count=$(sed -n 's/^pthread_create //p' "$all/counts")
	count=${count:-0}
	[ "$count" -ge "$least" ] || [ "$(getconf _NPROCESSORS_ONLN)" -lt 2 ] ||
		bad "only $count threads were started, $least are expected"
	compare FAIL_CALL_FROM=0 "$@"
}

# Text that has to be unpacked is read ahead; plain files are not.
gzip -1 -c "$all/large.json" >"$all/large.json.gz"

# Reports start the threads that load, each of which fails once. With each file, how many they are at
# least.
for case in 5:large.cpuprofile 4:large.json 4:large.json.gz; do
	name=${case#*:} least_here=${case%%:*}
	test_case "$least_here" report --top=20 "$all/$name"
	n=0
	while [ "$n" -lt "$count" ] && [ "$n" -lt 12 ]; do
		compare FAIL_CALL_AT=$n report --top=20 "$all/$name"
		n=$((n + 1))
	done
	test_case "$least_here" report --format=json "$all/$name"
	test_case "$least_here" --render 120x40 --keys 'j6789!w' "$all/$name"
	test_case "$least_here" export --format=speedscope -o - "$all/$name"
done

echo "$n_runs runs, $failed failed"
[ $failed = 0 ]
