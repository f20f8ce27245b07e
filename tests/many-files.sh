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
exit $failed
