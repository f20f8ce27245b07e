#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A report on 500 files with the same faults has each note once, and its Markdown fits a ticket.
set -u
flametty=${FLAMETTY:-./flametty}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
mkdir "$work/set"
failed=0

# Fewer deltas than samples, an unknown node, no end.
i=1000
while [ $i -lt 1500 ]; do
	cat >"$work/set/$i.cpuprofile" <<'END'
{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,
"columnNumber":-1},"children":[2]},{"id":2,"callFrame":{"functionName":"work","scriptId":"1",
"url":"file:///srv/app/a.js","lineNumber":1,"columnNumber":1}}],"startTime":0,
"samples":[2,2,2,2,99,2,2,2],"timeDeltas":[0,1000,1000,60000,1000,-1000,1000]}
END
	i=$((i + 1))
done

wrong() {
	echo "many-files: $*"
	failed=1
}

"$flametty" report "$work/set" >"$work/text" || wrong "status $?"
[ "$(wc -l <"$work/text")" -lt 80 ] || wrong "$(wc -l <"$work/text") lines"
[ "$(grep -c '^warning: 500 files: ' "$work/text")" = 2 ] || wrong "warnings: $(grep -c '^warning' "$work/text")"
grep -q '^  [1-9][0-9]* lanes, as .*: 1 task of 50 ms' "$work/text" || wrong "equal findings are not joined"

# --top limits findings and notes, and no warnings.
"$flametty" report --top=1 "$work/set" >"$work/one" || wrong "--top=1: status $?"
[ "$(grep -c '^warning: ' "$work/one")" = 2 ] || wrong "--top=1: warnings: $(grep -c '^warning' "$work/one")"
[ "$(grep -c '^note: ' "$work/one")" = 1 ] || wrong "--top=1: notes: $(grep -c '^note' "$work/one")"
grep -q '^… [1-9] more (--top=N)$' "$work/one" || wrong "--top=1: the number of more notes is missing"
[ "$(grep -c 'lanes, as ' "$work/one")" = 1 ] || wrong "--top=1: findings are not limited"

# Also with all rows of all tables.
for top in 10 100000; do
	"$flametty" report --format=md --top=$top "$work/set" >"$work/md" || wrong "status $?"
	[ "$(wc -c <"$work/md")" -lt 60000 ] || wrong "--top=$top: $(wc -c <"$work/md") bytes"
done
grep -q 'the rest is left out' "$work/md" || wrong "what was cut is not said"

# The details have the file of the lane and 50 others.
"$flametty" --render=80x600 --keys=8z "$work/set" >"$work/details" || wrong "details: status $?"
[ "$(grep -c '^ *path' "$work/details")" = 51 ] || wrong "details: $(grep -c '^ *path' "$work/details") files"
grep -q 'more files *449' "$work/details" || wrong "details: the number of other files is missing"

# One function with another share in each lane is one finding, with the share of all and the range:
# from 100 of 300 to 200 of 300 ms, of 60 lanes.
mkdir "$work/shares"
i=0
while [ $i -lt 60 ]; do
	awk -v i=$i 'BEGIN {
		n = 100 + i * 100 / 59
		printf "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"},\"children\":[2,3]}"
		for (id = 2; id <= 3; id++)
			printf ",{\"id\":%d,\"callFrame\":{\"functionName\":\"%s\",\"url\":\"file:///a/%s.js\",\"lineNumber\":1}}", id, id == 2 ? "heavy" : "rest", id == 2 ? "heavy" : "rest"
		printf "],\"startTime\":0,\"endTime\":300000,\"samples\":["
		for (k = 0; k < 300; k++)
			printf "%s%d", k ? "," : "", k < n ? 2 : 3
		printf "],\"timeDeltas\":[0"
		for (k = 1; k < 300; k++)
			printf ",1000"
		print "]}"
	}' >"$work/shares/$((100 + i)).cpuprofile"
	i=$((i + 1))
done
"$flametty" report "$work/shares" >"$work/text" || wrong "shares: status $?"
grep -q '^  heavy heavy.js:2 50 % (33 to 67 %) in 60 of 60 lanes, most in 159.cpuprofile: 67 %' "$work/text" ||
	wrong "findings with several shares: $(grep ' lanes' "$work/text")"
"$flametty" report -f grep "$work/shares" | grep -q ': heavy heavy.js:2 50 % (33 to 67 %) in 60 of 60 lanes$' ||
	wrong "the list for editors has no joined finding"
"$flametty" report -f json "$work/shares" >"$work/json" || wrong "shares: JSON, status $?"
[ "$(grep -c '"text": "heavy heavy.js:2 ' "$work/json")" = 1 ] || wrong "JSON repeats a finding"
grep -q '"lanes": {"n": 60, "of": 60, "share": 0.50[0-9]*, "least": 0.33[0-9]*, "most": 0.66[0-9]*}' "$work/json" ||
	wrong "JSON: $(grep '"lanes": {' "$work/json")"

# The screen says the same.
"$flametty" --render=120x40 --keys='!' "$work/shares" >"$work/text" || wrong "screen: status $?"
grep -q '^ 1 of [0-9]*  heavy heavy.js:2 50 % (33 to 67 %) in 60 of 60 lanes' "$work/text" ||
	wrong "the screen: $(sed -n 2p "$work/text")"
sed 1q "$work/text" | grep -q '^ 159.cpuprofile ' || wrong "the screen does not show the lane"
exit $failed
