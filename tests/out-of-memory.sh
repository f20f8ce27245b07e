#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Lets single allocations fail, by the program as well as by its libraries, while small inputs of each
# format are loaded, reported, drawn, exported and compared (faults.sh does it while programs are
# recorded). Each time the program must end with exit status 1 and say that memory is short, or do
# without and give the usual output. It must not be killed by a signal, hang, or leave a file that is
# incomplete.
#
# usage: out-of-memory.sh [--all] [WORD]
# Without --all a few allocations fail, spread over each run, and the last ones; with it, each of them. WORD: only the
# cases whose description contains it. The cases are shared out among as many workers as there are
# processors.
#
# Needs bash, which reads a file without starting a program.
# shellcheck shell=bash
if [ -z "${BASH_VERSION:-}" ]; then
	command -v bash >/dev/null || { echo "bash is missing"; exit 77; }
	exec bash "$0" "$@"
fi
set -u
. "$(dirname "$0")/preload.sh"
build_library fail_alloc.c
spread=6
[ "${1:-}" != --all ] || { spread=0; shift; }
word=${1:-}

# run NAME=VALUE: the case of `arguments`, with a result in the folder out, or on standard output.
# There are tens of thousands of runs: each one starts the program and nothing else.
run() {
	local left=("$work"/out/*)
	[ ! -e "${left[0]}" ] || rm -f "${left[@]}"
	# No core files, and no message of the shell about a signal.
	(
		ulimit -c 0
		cd "$work/out" || exit 99
		export LD_PRELOAD="$all/fail.so" FAIL_ALLOC_SECONDS=20 "$1"
		exec "$program" "${arguments[@]}" >"$work/stdout" 2>"$work/stderr" </dev/null
	) 2>/dev/null
}

bad() {
	echo "FAIL: $description: $setting: $*"
	sed 's/^/    /' "$work/stderr" | head -n 5
	failed=$((failed + 1))
}

# The result of one run: see the top.
judge() {
	local status=$1 message file
	n_runs=$((n_runs + 1))
	message=$(<"$work/stderr")
	case $status in
	0)
		cmp -s "$work/stdout" "$work/good.stdout" || bad "another output, but exit status 0"
		[ -z "$exported" ] || cmp -s "$work/out/$exported" "$work/good.$exported" || bad "another file, but exit status 0"
		;;
	1)
		case $message in
		*"out of memory"* | *"not enough memory"* | *"Cannot allocate memory"*) ;;
		*) bad "exit status 1, but not for memory" ;;
		esac
		;;
	142) bad "hangs" ;;
	*) bad "exit status $status" ;;
	esac
	for file in "$work"/out/*; do
		[ ! -e "$file" ] || { [ "$status" = 0 ] && [ "$file" = "$work/out/$exported" ]; } || bad "leaves $file"
	done
}

# test_case ARGUMENT...: `-o FILE` among them names what is exported.
test_case() {
	local count step n
	description="$*"
	case $description in *"$word"*) ;; *) return ;; esac
	n_seen=$((n_seen + 1))
	[ $((n_seen % n_workers)) = "$worker" ] || return
	arguments=("$@") exported='' setting=all
	while [ $# -gt 1 ]; do
		[ "$1" != -o ] || exported=$2
		shift
	done
	n_cases=$((n_cases + 1))
	run "FAIL_ALLOC_COUNT=$work/count" || { bad "exit status $? when nothing fails"; return; }
	count=$(<"$work/count")
	cp "$work/stdout" "$work/good.stdout"
	[ -z "$exported" ] || cp "$work/out/$exported" "$work/good.$exported"
	step=$((spread ? count / spread + 1 : 1))
	# The last ones, too: by then a file may be complete.
	for ((n = 0; n < count; n += n + step < count - 10 ? step : n < count - 10 ? count - 10 - n : 1)); do
		setting=FAIL_ALLOC_AT=$n
		run "$setting"
		judge $?
		setting=FAIL_ALLOC_FROM=$n
		run "$setting"
		judge $?
	done
}

inputs=(
	"$top/tests/input/escapes-in-names.cpuprofile"
	"$top/tests/input/small.cpuprofile.gz"
	"$top/tests/input/trace-async.json"
	"$top/tests/input/trace-flows.json"
	"$top/data/folded/site-build.folded"
	"$top/data/self-profile/page-with-markers.json"
	"$top/data/speedscope/image-queue.speedscope.json"
)
# There is no recording compressed by zstd, and the program may be built without it.
if zstd -q "$top/tests/input/trace-marks.json" -o "$all/marks.json.zst" 2>/dev/null &&
	"$program" report "$all/marks.json.zst" >/dev/null 2>&1; then
	inputs+=("$all/marks.json.zst")
fi

# Every case whose number has the remainder `worker`.
work_on_cases() {
	local input
	work=$all/$worker failed=0 n_runs=0 n_cases=0 n_seen=0
	mkdir "$work" "$work/out"
	for input in "${inputs[@]}"; do
		test_case report --top=3 "$input"
		test_case report --format=json --with=tree,bottomup,spans "$input"
		test_case report --focus='A|e' --group=package "$input"
		test_case --render 90x30 --keys '/e<Enter>n6789' "$input"
		test_case export --format=trace -o trace.json "$input"
		test_case export --format=folded -o out.folded "$input"
		test_case export --format=speedscope -o out.json "$input"
		test_case export --format=svg -o out.svg "$input"
	done
	test_case report "$top/data/worker-threads"
	test_case diff "$top"/tests/input/version-[ab].cpuprofile
	test_case diff --format=json "$top"/tests/input/version-[ab].cpuprofile
	test_case diff --before "$top"/tests/input/runs/before-*.cpuprofile --after "$top"/tests/input/runs/after-*.cpuprofile
	test_case fleet "$top/tests/input/runs"
	test_case fleet --format=json "$top/tests/input/runs"
	echo "$n_cases $n_runs $failed" >"$work/sums"
}

n_workers=$(nproc 2>/dev/null || echo 1)
for ((worker = 0; worker < n_workers; worker++)); do
	work_on_cases >"$all/$worker.log" &
done
wait
sums=(0 0 0)
for ((worker = 0; worker < n_workers; worker++)); do
	cat "$all/$worker.log"
	read -r cases runs failed <"$all/$worker/sums" || { echo "FAIL: a worker has stopped"; cases=0 runs=0 failed=1; }
	sums=($((sums[0] + cases)) $((sums[1] + runs)) $((sums[2] + failed)))
done
echo "${sums[0]} cases, ${sums[1]} runs, ${sums[2]} failed"
[ "${sums[2]}" = 0 ]
