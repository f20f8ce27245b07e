#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Fifteen questions of a new user, each answered from the first screen by a few keys. The screen after
# these keys holds the answer. At most three keys are needed, and at most one for half of the
# questions. FLAMETTY: the program.
set -u

program=${FLAMETTY:-./flametty}
data=${srcdir:-$(dirname "$0")/..}/data
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failed=0
: >"$work/counts"

# Eight threads of two processes: a recording of four, twice.
mkdir "$work/eight"
for file in "$data"/worker-threads/*.cpuprofile; do
	name=${file##*/}
	cp "$file" "$work/eight/$name"
	cp "$file" "$work/eight/$(echo "$name" | sed s/5023/6023/)"
done

# asks QUESTION INPUT KEYS N ANSWER...: after KEYS, which are N keys, each ANSWER is on the screen.
asks() {
	question=$1 input=$2 keys=$3 n=$4
	shift 4
	echo "$n" >>"$work/counts"
	"$program" --render=160x48 --roles --keys="$keys" "$input" >"$work/screen" 2>"$work/error" </dev/null || {
		echo "$question: keys '$keys': $(cat "$work/error")"
		failed=1
		return
	}
	for answer in "$@"; do
		grep -q -e "$answer" "$work/screen" && continue
		echo "$question: keys '$keys': no '$answer' on the screen:"
		sed 's/^/    /' "$work/screen"
		failed=1
	done
	[ "$n" -le 3 ] || { echo "$question: $n keys"; failed=1; }
}

server=$data/http-server
asks "Which function is the hottest?" "$server" '' 0 '^ formatPrice catalogue.js:28 37 %'
asks "Who calls it?" "$server" 5c 2 '178 ms .* priceLine  catalogue.js:53' '270 ms .* catalogue.js:36'
asks "How does its longest run look?" "$server" '5<Enter><Enter>' 3 'window 13.9 ms of 3.68 s' '^formatPrice  '
asks "How much time has a package?" "$server" 4 1 'package handlebars 11 %: 89 % of it under renderTemplate' '168 ms *11.6 %  node:internal'
asks "What filled the longest stall?" "$server" 4 1 'busy stretch of 519 ms at 2.86 s (1.10 ms idle in it): formatPrice 41 %'
asks "When was garbage collection the densest?" "$data/worker-threads" 4 1 'GC 48 %.*densest 67 % of 90 ms' '0.33 s'
asks "What fills the second longest burst?" "$server" 4 1 '^ *390 ms  at 1.63 s (formatPrice 42 %'
asks "Which key tells what differs in this window?" "$server" w 1 '% diff rest '
asks "What differs in this window, in points?" "$server" 'w%' 2 '^ rest (.* busy)  window ' 'formatPrice self .* pt'
asks "What grew from the first half to the second?" "$server" '0%' 2 'formatPrice self 28.4 → 40.2 %'
asks "What differs in this window?" "$server" 'w>>' 3 'vs all▾' 'x[1-9][0-9.]* .* ▸ '
asks "Which of eight threads is the busiest?" "$work/eight" L 1 '^ *1.02 s .* 485 ms .* worker 1 (pid 5023)'
asks "What do I write into the chat?" "$server" yy 2 'copied two lines'
# Matches in the second half of the overview, whose second row begins with n and N; M: a match.
asks "Where in the second half is its time?" "$server" '5*' 2 '272 spans of 1 function, 538 ms' '^nnNn.\{76\}.*MMM'

median=$(sort -n "$work/counts" | sed -n 6p)
[ "$median" -le 1 ] || { echo "median of keys: $median"; failed=1; }
exit $failed
