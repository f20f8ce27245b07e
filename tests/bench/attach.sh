#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What it costs a server to be recorded, in processor time, which other programs do not change much.
#
# usage: attach.sh [--ways|--pauses] [NODE...]	the programs of Node.js; the one in PATH without any
#
# --ways: only the table of none, node --cpu-prof, run, attach, live, and watch, each with a server
# of its own; in a round each comes once. --pauses: only those of the main thread.
# TYPESCRIPT: a folder that has node_modules/typescript, for pauses with much code; none without.
# ROUNDS (5), LIST (1500), ONE (15000): rounds, and requests of each measurement.
set -u

FLAMETTY=${FLAMETTY:-$PWD/flametty}
ROUNDS=${ROUNDS:-5} LIST=${LIST:-1500} ONE=${ONE:-15000}
only=all
case ${1:-} in --*) only=${1#--}; shift ;; esac
[ $# -gt 0 ] || set -- "$(command -v node)"
work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 1
target=
trap '[ -z "$target" ] || kill -9 "$target" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

cat >"$work/server.js" <<'END'
'use strict';
const goods = Array.from({ length: 2000 }, (_, i) => ({ id: i, name: 'article ' + i * 7919 % 2000,
	price: i * 31 % 997, tags: ['a' + i % 7, 'b' + i % 11] }));
function list() {
	const some = goods.filter(g => g.price % 3 !== 0)
		.map(g => ({ id: g.id, label: g.name.toUpperCase(), gross: g.price * 1.19, tags: g.tags.join() }));
	some.sort((x, y) => x.gross - y.gross || (x.label < y.label ? -1 : 1));
	return JSON.stringify(some.slice(0, 500));
}
require('http').createServer((q, r) => {
	r.setHeader('content-type', 'application/json');
	r.end(q.url === '/list' ? list() : JSON.stringify(goods[q.url.length]));
}).listen(0, '127.0.0.1', function () {
	require('fs').writeFileSync(process.argv[2], this.address().port + ' ' + process.pid + '\n'); });
process.on('SIGTERM', () => process.exit(0));
END
# Requests over 8 connections, one after another in each.
cat >"$work/client.js" <<'END'
'use strict';
const http = require('http'), agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
let left = +process.argv[4], open = 8, bytes = 0;
function next() {
	if (left-- <= 0) { if (--open === 0) { agent.destroy(); console.log(bytes); } return; }
	http.get({ port: +process.argv[2], host: '127.0.0.1', path: process.argv[3], agent }, r => {
		r.on('data', d => bytes += d.length).on('end', next); });
}
for (let i = 0; i < 8; i++) next();
END
# Time of the main thread between two turns of the loop, in processor time: what is not JavaScript
# of this program. Samples of the profiler are in it, some microseconds each.
cat >"$work/pauses.js" <<'END'
'use strict';
const fs = require('fs');
if (process.argv[3]) {
	const ts = require(process.argv[3]);
	ts.transpileModule('let x: number = 1; class A<T> { f(a: T) { return a; } }', {});
	const host = ts.createCompilerHost({});
	ts.createProgram([], {}, host);
}
const fd = fs.openSync('/proc/self/task/' + process.pid + '/schedstat', 'r'), b = Buffer.alloc(64);
const now = () => parseInt(b.toString('latin1', 0, fs.readSync(fd, b, 0, 64, 0)), 10);
const gaps = [];
let last = now();
setInterval(() => { const t = now(), d = (t - last) / 1e6; if (d > 0.3) gaps.push(d); last = now(); }, 2);
process.on('SIGTERM', () => { console.log(gaps.map(g => g.toFixed(1)).join(' ')); process.exit(0); });
fs.writeFileSync(process.argv[2], '');
END

wait_for() {
	for _ in $(seq 600); do eval "$1" && return 0; sleep 0.05; done
	return 1
}

# Ticks of the processor that the process has used.
ticks() { awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$1/stat"; }

# start NODE SCRIPT [ARGUMENT...]: $target is its number.
start() {
	local node=$1 script=$2
	shift 2
	rm -f "$work/ready"
	"$node" "$work/$script" "$work/ready" "$@" >"$work/out" 2>/dev/null &
	target=$!
	wait_for '[ -e "$work/ready" ]' || { echo "$node does not start"; exit 1; }
	sleep 0.5
}

stop() { kill -s "$1" "$target"; wait "$target" 2>/dev/null; target=; }

# record INTERVAL: $flametty is its number; returns when it records.
record() {
	"$FLAMETTY" attach -t 10min --interval "$1" -o "$work/out.d/" "$target" >/dev/null 2>"$work/err" &
	flametty=$!
	wait_for 'awk "\$4 == \"0A\" && \$2 ~ /:240D\$/ { found = 1 } END { exit !found }" /proc/net/tcp' ||
		{ cat "$work/err"; exit 1; }
	sleep 1.5
}

stop_record() {
	kill -TERM "$flametty"
	wait "$flametty" 2>/dev/null
	rm -rf "$work/out.d"
	wait_for '! awk "\$4 == \"0A\" && \$2 ~ /:240D\$/ { found = 1 } END { exit !found }" /proc/net/tcp'
}

# measure NODE PATH REQUESTS: milliseconds per 1000 requests.
measure() {
	local before hz
	hz=$(getconf CLK_TCK)
	before=$(ticks "$target")
	"$1" "$work/client.js" "$(cut -d' ' -f1 "$work/ready")" "$2" "$3" >/dev/null
	echo "$before $(ticks "$target") $3 $hz" | awk '{ printf "%.2f\n", ($2 - $1) * 1000 / $4 / $3 * 1000 }'
}

# table NAME: median and range of each column, and how much more than the first.
table() {
	awk -v name="$1" '{ for (i = 1; i <= NF; i++) v[i, NR] = $i }
	END { printf "%-16s", name
		for (c = 1; c <= NF; c++) {
			for (i = 1; i <= NR; i++) for (k = i + 1; k <= NR; k++)
				if (v[c, k] < v[c, i]) { t = v[c, i]; v[c, i] = v[c, k]; v[c, k] = t }
			m = NR % 2 ? v[c, (NR + 1) / 2] : (v[c, NR / 2] + v[c, NR / 2 + 1]) / 2
			if (c == 1) first = m
			printf "  %7.1f (%.1f-%.1f)%s", m, v[c, 1], v[c, NR],
				c == 1 ? "" : sprintf(" %+.0f %%", (m / first - 1) * 100)
		}
		print "" }'
}

# Milliseconds per 1000 requests without, at 1 ms, at 100 us; alternating.
requests() {
	local node=$1 version=$2 path n kind
	: >"$work/list"; : >"$work/one"
	start "$node" server.js
	measure "$node" /list 1000 >/dev/null; measure "$node" /one 10000 >/dev/null
	for _ in $(seq "$ROUNDS"); do
		for kind in none 1ms 100us; do
			[ $kind = none ] || record $kind
			printf '%s ' "$(measure "$node" /list "$LIST")" >>"$work/list"
			printf '%s ' "$(measure "$node" /one "$ONE")" >>"$work/one"
			[ $kind = none ] || stop_record
		done
		echo >>"$work/list"; echo >>"$work/one"
	done
	stop KILL
	table "$version /list" <"$work/list"
	table "$version /one" <"$work/one"
}

# follow WAY: record $target by its port; $recorder is the program. A flame chart needs a terminal.
follow() {
	case $1 in
	attach) "$FLAMETTY" attach -t 10min -o "$work/out.d/" "$target" >/dev/null 2>"$work/err" & ;;
	watch) "$FLAMETTY" watch --stall 10s -o "$work/out.d/" "$target" >/dev/null 2>"$work/err" & ;;
	live) TERM=xterm-256color script -qfec "stty rows 40 cols 120; exec '$FLAMETTY' live $target" /dev/null \
		>/dev/null 2>"$work/err" </dev/zero & ;;
	esac
	recorder=$!
	wait_for 'awk "\$4 == \"0A\" && \$2 ~ /:240D\$/ { found = 1 } END { exit !found }" /proc/net/tcp' ||
		{ echo "$1 does not record:"; cat "$work/err"; exit 1; }
	sleep 2
}

# begin WAY NODE: a server that is recorded in this way; $target is its number.
begin() {
	local way=$1 node=$2
	rm -f "$work/ready"
	recorder=
	case $way in
	cpu-prof) "$node" --cpu-prof --cpu-prof-dir="$work/out.d" "$work/server.js" "$work/ready" & ;;
	run) "$FLAMETTY" run -o "$work/out.d" -- "$node" "$work/server.js" "$work/ready" & ;;
	*) "$node" "$work/server.js" "$work/ready" & ;;
	esac >/dev/null 2>"$work/err"
	outer=$!
	wait_for '[ -s "$work/ready" ]' || { echo "$way: $node does not start"; cat "$work/err"; exit 1; }
	target=$(cut -d' ' -f2 "$work/ready")
	sleep 0.5
	measure "$node" /list 500 >/dev/null
	measure "$node" /one 3000 >/dev/null
	case $way in attach | watch | live) follow "$way" ;; esac
}

end() {
	[ -z "$recorder" ] || { kill -TERM "$recorder"; wait "$recorder"; } 2>/dev/null
	kill -TERM "$target"
	wait "$outer" 2>/dev/null
	target=
	rm -rf "$work/out.d"
}

# Milliseconds per 1000 requests in each way, at 1 ms.
ways() {
	local node=$1 version=$2 way
	: >"$work/list"; : >"$work/one"
	for _ in $(seq "$ROUNDS"); do
		for way in none cpu-prof run attach live watch; do
			begin "$way" "$node"
			printf '%s ' "$(measure "$node" /list "$LIST")" >>"$work/list"
			printf '%s ' "$(measure "$node" /one "$ONE")" >>"$work/one"
			end
		done
		echo >>"$work/list"; echo >>"$work/one"
	done
	table "$version /list" <"$work/list"
	table "$version /one" <"$work/one"
}

# pauses NODE VERSION WHAT [MODULE]: the first one, and those of the slices that follow.
pauses() {
	local node=$1 version=$2 what=$3
	shift 3
	: >"$work/first"; : >"$work/slices"
	for _ in $(seq "$ROUNDS"); do
		start "$node" pauses.js "$@"
		"$FLAMETTY" attach -t 6s -o "$work/out.d/" "$target" >/dev/null 2>&1
		rm -rf "$work/out.d"
		stop TERM
		tr ' ' '\n' <"$work/out" | sort -rn | head -1 >>"$work/first"
		tr ' ' '\n' <"$work/out" | sort -rn | sed -n '2,6p' >>"$work/slices"
	done
	echo "$version $what: first $(table '' <"$work/first"), the five after it $(table '' <"$work/slices")"
}

if [ $only = all ] || [ $only = ways ]; then
	echo "processor time of the server at 1 ms, ms per 1000 requests: median (range) of $ROUNDS rounds"
	printf '%-16s  %-22s' '' none
	printf '  %-28s' 'node --cpu-prof' run attach live watch
	echo
	for node in "$@"; do ways "$node" "$("$node" --version)"; done
fi
if [ $only = all ]; then
	echo "the same, by interval"
	printf '%-16s  %-22s  %-28s  %s\n' '' none '1 ms' '100 us'
	for node in "$@"; do requests "$node" "$("$node" --version)"; done
fi
[ $only = ways ] || echo "pauses of the main thread, ms of processor time"
for node in "$@"; do
	[ $only != ways ] || continue
	pauses "$node" "$("$node" --version)" "small"
	[ -z "${TYPESCRIPT:-}" ] || pauses "$node" "$("$node" --version)" "TypeScript" "$TYPESCRIPT/node_modules/typescript"
done
