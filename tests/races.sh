#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Data races on many files: reports, fleets, comparisons, exports and pictures by a program that was built with
# CFLAGS='-O1 -g -fsanitize=thread'; skipped with another one. Run it by `setarch -R` (.ci/run threads does).
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
grep -q __tsan_init "$FLAMETTY" || { echo "skipped: $FLAMETTY is built without ThreadSanitizer"; exit 77; }
use_work
LC_ALL=C.UTF-8 HOME=$work XDG_CONFIG_HOME=$work XDG_STATE_HOME=$work
# The program ends while threads still read: that is no leak.
TSAN_OPTIONS="log_path=$work/race report_thread_leaks=0"
export LC_ALL HOME XDG_CONFIG_HOME XDG_STATE_HOME TSAN_OPTIONS
unset FLAMETTY_DEBUG FLAMETTY_SECURE

# 200 files of 20 hosts and two versions, all different, each tenth cut off.
n=0
while [ $n -lt 200 ]; do
	for file in "$top"/data/worker-threads/*.cpuprofile "$top"/data/http-server/*.cpuprofile; do
		folder=$work/set/v$((n % 2))/h$((n % 20))
		mkdir -p "$folder"
		if [ $((n % 10)) = 9 ]; then
			head -c $((3000 * n)) "$file" >"$folder/$n.cpuprofile"
		else
			sed "s/}\$/,\"n\":$n}/" "$file" >"$folder/$n.cpuprofile"
		fi
		n=$((n + 1))
	done
done

# run WORDS...: one run of the program. 1: a file could not be used.
run() {
	# In its sandbox reports have no names of functions.
	timeout 300 "$FLAMETTY" "$@" --no-sandbox >"$work/out" 2>"$work/err" </dev/null
	status=$?
	case $status in 0 | 1) ;; *) bad "$*: status $status"; tail -n 5 "$work/err" ;; esac
	[ -s "$work/out" ] || bad "$*: no output"
	for file in "$work"/race.*; do
		[ ! -f "$file" ] || { bad "$*:"; cat "$file"; rm "$file"; }
	done
}

run report -r "$work/set"
run report -r --format=json --with=tree,bottomup,spans "$work/set/v0"
run fleet --label-from='{version}/{host}/' "$work/set"
run fleet --label-from='{version}/{host}/' --before version=v0 --after version=v1 "$work/set"
run fleet -i --render=100x30 --keys='jj<Enter>' --label-from='{version}/{host}/' "$work/set"
run diff "$work/set/v0/h0" "$work/set/v1/h1"
run export --format=html "$top/data/worker-threads"
run export --format=trace "$top/data/trace/board.json.gz"
run --render=120x40 --keys='lllL/render<Enter>nnS8456' "$top/data/trace/board.json.gz"
run -r --render=120x40 --keys='L234567o2' "$work/set/v1"
echo "races: $([ $failed = 0 ] && echo none || echo some)"
exit $failed
