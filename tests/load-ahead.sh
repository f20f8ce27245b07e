#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Small files of a directory are read on all processors before their turn. The answer is the same as
# on one processor, also with damaged files, equal ones, other formats, functions whose category
# differs from file to file, a far sample, and values that cannot be added up.
set -u
flametty=${FLAMETTY:-./flametty}
data=${srcdir:-.}/data
command -v taskset >/dev/null 2>&1 || exit 77
[ "$(nproc)" -gt 1 ] || exit 77
one=$(taskset -pc $$ | sed 's/.*: *\([0-9]*\).*/\1/')
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
mkdir "$work/set" || exit 99
failed=0

# $1: file; $2: the url of a function of it; $3: a url that tells what Node.js it is; $4: samples.
profile() {
	cat >"$work/set/$1" <<END
{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,
"columnNumber":-1},"children":[2]},{"id":2,"callFrame":{"functionName":"emit","scriptId":"1",
"url":"$2","lineNumber":1,"columnNumber":1},"children":[3,4]},{"id":3,"callFrame":{"functionName":
"run$1","scriptId":"2","url":"$3","lineNumber":4,"columnNumber":1}},{"id":4,"callFrame":
{"functionName":"(garbage collector)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1}}],
"startTime":0,"endTime":90000,"samples":[$4],"timeDeltas":[0,1000,1000,60000,1000,-1000,1000]}
END
}

i=100
while [ $i -lt 160 ]; do
	case $((i % 7)) in
	0) profile $i.cpuprofile events.js internal/timers.js 2,3,4,2,2,3,3 ;;
	1) profile $i.cpuprofile events.js file:///srv/a.js 2,3,99,2,2,3,3 ;;
	2) profile $i.cpuprofile "bad $(printf '\377').js" node:timers 2,2,2,2,2,3,4 ;;
	3) profile $i.cpuprofile events.js file:///srv/a$i.js 3,3,3,3,3,3,3 && cp "$work/set/$i.cpuprofile" "$work/set/$i-again.cpuprofile" ;;
	4) profile $i.cpuprofile events.js node:timers '2,2,2,' ;;
	5) profile CPU.20261128.0312$((i % 60)).$i.$((i % 3)).001.cpuprofile events.js a.js 2,3,3,3,2,2,2 ;;
	6) profile $i.cpuprofile b.js node:fs 2,3,4,2,2,3,3 && sed -i 's/60000/900000000000/' "$work/set/$i.cpuprofile" ;;
	esac
	i=$((i + 1))
done
printf '{"nodes":[{"id":1,' >"$work/set/300.cpuprofile"
printf 'main;work 3\nmain;rest 4\n' >"$work/set/301.folded"
printf 'no profile\n' >"$work/set/302.txt"
find "$data" -type f -size -200k \( -name '*.cpuprofile' -o -name '*.heapprofile' -o -name '*.json' \) -exec cp {} "$work/set" \;

mkdir "$work/units"
cp "$(find "$data" -name '*.heapprofile' | head -1)" "$work/units/0.heapprofile"
cp "$work"/set/1[0-3]*.cpuprofile "$work/units"

# $1: directory; $2: arguments.
compare() {
	# shellcheck disable=SC2086
	timeout 100 "$flametty" $2 -r "$work/$1" >"$work/all" 2>"$work/all.err"
	status=$?
	# shellcheck disable=SC2086
	timeout 100 taskset -c "$one" "$flametty" $2 -r "$work/$1" >"$work/one" 2>"$work/one.err"
	if [ $? -ne $status ] || ! cmp "$work/all" "$work/one" || ! cmp "$work/all.err" "$work/one.err"; then
		echo "load-ahead: $1: $2: the answer depends on the number of processors"
		failed=1
	fi
	if [ ! -s "$work/all" ]; then
		echo "load-ahead: $1: $2: no answer: $(cat "$work/all.err")"
		failed=1
	fi
}

compare set 'report --top=1000'
compare set 'report -f json'
compare set 'report --label=host=a'
compare set '--render=120x40'
compare set 'report --format-in=cpuprofile'
compare units report
exit $failed
