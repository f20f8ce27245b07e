#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Files that change while they are looked at: --follow and R.
#
# usage: follow.sh [N]: how many times the file is replaced (default: 10).
. "$(dirname "$0")/lib.sh"

times=${1:-10}
file=$work/f.cpuprofile
mkdir "$work/set"

# profile NAME SAMPLES: a profile in which NAME runs for that many ms.
profile() {
	samples=3 deltas=0
	at=1
	while [ $at -lt "$2" ]; do
		samples=$samples,3 deltas=$deltas,1000
		at=$((at + 1))
	done
	cat <<END
{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},"children":[2]},
{"id":2,"callFrame":{"functionName":"outer","scriptId":"1","url":"file:///srv/a.js","lineNumber":11,"columnNumber":6},"children":[3]},
{"id":3,"callFrame":{"functionName":"$1","scriptId":"1","url":"file:///srv/a.js","lineNumber":4,"columnNumber":0}}],
"startTime":0,"endTime":${2}000,"samples":[$samples],"timeDeltas":[$deltas]}
END
}

# replace NAME SAMPLES: the file by another one, in one step.
replace() {
	profile "$@" >"$work/new"
	mv "$work/new" "$file"
}

open 100 30
profile first 4 >"$file"
run "\"\$FLAMETTY\" --no-config --follow $file; echo \"status \$?\""
wait_for 'first'
keys ':'
run 'set follow'
wait_for ' follow on'
keys g
wait_for 'a.js:12:7'

# Replaced: the selection stays.
i=1
while [ $i -le "$times" ]; do
	replace "round$i" $((4 + i % 3))
	wait_for "round$i"
	i=$((i + 1))
done
wait_for 'a.js:12:7'
wait_for 'read again'

# Half of it, then all of it, in place.
profile second 6 >"$work/new"
head -c 300 "$work/new" >"$file"
wait_for 'still being written'
wait_for "round$times"
cat "$work/new" >"$file"
wait_for 'second'

# Not there, and no profile: what was read stays.
rm "$file"
wait_for 'is not there any more'
echo 'no profile' >"$file"
wait_for '; what is shown was read before'
wait_for 'second'
replace third 5
wait_for 'third'

# Off: only R reads.
keys ':'
run 'set follow off'
wait_steady
replace fourth 5
keys R
wait_for 'fourth'
head -c $(($(wc -c <"$file") - 20)) "$file" >"$work/new"
cat "$work/new" >"$file"
keys R
wait_for 'R shows what is there'
keys R
wait_for 'last times not known'
keys q
check_sane

# A directory gains a file and loses one.
profile one 4 >"$work/set/one.cpuprofile"
run "clear; \"\$FLAMETTY\" --no-config --follow $work/set"
wait_for 'one'
profile two 4 >"$work/set/two.cpuprofile"
wait_for '2 files'
rm "$work/set/one.cpuprofile"
wait_gone '2 files'
wait_for 'two'
keys q
check_sane

# All files go, and come back; what has no lanes comes and goes.
profile one 4 >"$work/set/one.cpuprofile"
run "clear; \"\$FLAMETTY\" --no-config --follow $work/set"
wait_for '2 files'
keys 5
wait_for 'Bottom-up'
rm "$work/set"/*.cpuprofile
wait_for 'what is shown was read before'
keys 0 w
profile three 4 >"$work/set/three.cpuprofile"
wait_for 'three'
echo '[]' >"$work/set/names.json"
wait_for '2 files'
rm "$work/set/three.cpuprofile"
wait_for 'no samples and no slices'
keys 0 w j g G Tab j Enter Tab
wait_steady
profile four 4 >"$work/set/four.cpuprofile"
wait_for '2 files'
wait_for 'four'
keys 0
rm "$work/set/names.json"
wait_gone '2 files'
wait_for 'four'
keys Q
check_sane

# What cannot be read a second time.
run 'clear; "$FLAMETTY" --no-config --follow - <"$work/f.cpuprofile"'
wait_for 'standard input cannot be read a second time'
run 'clear; "$FLAMETTY" --no-config - <"$work/set/four.cpuprofile"'
wait_for 'samples every'
keys R
wait_for 'standard input cannot be read a second time'
keys q
check_sane
