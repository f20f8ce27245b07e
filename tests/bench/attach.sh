#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What it costs a server to be recorded, in processor time, which other programs do not change much.
#
# usage: attach.sh [--ways|--pauses] [NODE...]	the programs of Node.js; the one in PATH without any
#
# --ways: only the table of none, node --cpu-prof, run, attach, live, and watch. In a round each of
# them has a server of its own, and all live at the same time. They get requests in turns, at a fixed
# rate, so that two ways are compared within seconds, with the same work in the same time. The next
# round has new servers, because two processes of the same program differ by some percent. The
# processor time is that of all threads of the server, also of those that have ended. Of each server
# there are three figures:
#   /list, /one  per request in the turns: the median of the differences of one round. Neither the
#                start nor the end of the recording is in that time; the slices that end meanwhile are.
#   whole        of the server's life, with the start of the recording and its end: the profile is
#                written, or fetched, then the server ends
# Below each line: percent of `none` above node --cpu-prof, the mean of the rounds and its standard
# error.
# --pauses: only those of the main thread.
# TYPESCRIPT: a folder that has node_modules/typescript, for pauses with much code; none without.
# ROUNDS (5; 8 with --ways), LIST (1500), ONE (15000): rounds, and requests of each measurement.
# WAYS (all): those that are measured. TURNS (10), SECONDS_EACH (0.7), LIST_RATE (800), ONE_RATE (4000):
# turns of a round, length of a turn, and requests a second.
# SERVER_CPU: the processor of the servers, where all else is kept off it (taskset).
set -u

FLAMETTY=${FLAMETTY:-$PWD/flametty}
LIST=${LIST:-1500} ONE=${ONE:-15000}
WAYS=${WAYS:-none cpu-prof run attach live watch}
TURNS=${TURNS:-10} SECONDS_EACH=${SECONDS_EACH:-0.7} LIST_RATE=${LIST_RATE:-800} ONE_RATE=${ONE_RATE:-4000}
only=all
case ${1:-} in --*) only=${1#--}; shift ;; esac
[ $only = ways ] && ROUNDS=${ROUNDS:-8} || ROUNDS=${ROUNDS:-5}
[ $# -gt 0 ] || set -- "$(command -v node)"
work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 1
target=
declare -A targets outers recorders
trap 'kill -9 $target "${targets[@]}" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
# A terminal without input.
mkfifo "$work/no-keys" && exec 4<>"$work/no-keys"

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
	if (q.url === '/cpu') {
		const { user, system } = process.cpuUsage();
		return r.end(String(user + system));
	}
	r.end(q.url === '/list' ? list() : JSON.stringify(goods[q.url.length]));
}).listen(0, '127.0.0.1', function () {
	require('fs').writeFileSync(process.argv[2], this.address().port + ' ' + process.pid + '\n'); });
process.on('SIGTERM', () => process.exit(0));
END
# PORT PATH COUNT: requests over 8 connections, each one after another.
cat >"$work/client.js" <<'END'
'use strict';
const http = require('http'), agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
const [port, path, count] = process.argv.slice(2);
let sent = 0, done = 0;
function turn() {
	if (sent === +count) return;
	sent++;
	http.get({ port, host: '127.0.0.1', path, agent }, r => {
		r.resume().on('end', () => { if (++done === +count) agent.destroy(); turn(); }); });
}
for (let i = 0; i < 8; i++) turn();
END
# PATH TURNS SECONDS RATE PORT...: a line for each turn, with the microseconds per request of each
# server. The next turn begins with another server.
cat >"$work/turns.js" <<'END'
'use strict';
const http = require('http'), agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
const [path, turns, seconds, rate, ...ports] = process.argv.slice(2), count = Math.round(seconds * rate);
const get = (port, path) => new Promise((done, failed) => http.get({ port, host: '127.0.0.1', path, agent }, r => {
	let text = '';
	r.setEncoding('utf8').on('data', s => { text += s; }).on('end', () => done(text));
}).on('error', failed));
function send(port) {
	return new Promise((done, failed) => {
		const start = performance.now();
		let sent = 0, answered = 0;
		const timer = setInterval(() => {
			for (; sent < Math.min(count, (performance.now() - start) / 1000 * rate); sent++)
				get(port, path).then(() => { if (++answered === count) { clearInterval(timer); done(); } }, failed);
		}, 2);
	});
}
(async () => {
	for (let turn = 0; turn < turns; turn++) {
		const used = [];
		for (let i = 0; i < ports.length; i++) {
			const at = (turn + i) % ports.length, before = +await get(ports[at], '/cpu');
			await send(ports[at]);
			used[at] = (+await get(ports[at], '/cpu') - before) / count;
		}
		console.log(used.map(x => x.toFixed(3)).join(' '));
	}
	agent.destroy();
})();
END
# PID: nanoseconds of processor time, by the clock of the process, once it has ended.
cat >"$work/clock.py" <<'END'
import sys, time
clock = ~int(sys.argv[1]) << 3 | 2
used = time.clock_gettime_ns(clock)
print("begins", flush=True)
try:
    while True:
        used = time.clock_gettime_ns(clock)
        time.sleep(0.0005)
except OSError:
    print(used)
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
				c == 1 ? "" : sprintf(" %+.1f %%", (m / first - 1) * 100)
		}
		print "" }'
}

# medians FROM: of the turns of a round, each way in microseconds as FROM and its difference would have
# it: the median of a difference is steadier than the difference of medians.
medians() {
	awk -v from="$1" '{ base[NR] = $from; for (i = 1; i <= NF; i++) v[i, NR] = $i - $from }
	function median(c,  i, k, t) {
		for (i = 1; i <= NR; i++) for (k = i + 1; k <= NR; k++)
			if (v[c, k] < v[c, i]) { t = v[c, i]; v[c, i] = v[c, k]; v[c, k] = t }
		return NR % 2 ? v[c, (NR + 1) / 2] : (v[c, NR / 2] + v[c, NR / 2 + 1]) / 2
	}
	END { for (i = 1; i <= NR; i++) v[0, i] = base[i]
		m = median(0)
		for (c = 1; c <= NF; c++) printf "%.3f ", m + median(c)
		print "" }'
}

# points FROM: how many percent of the first column each one is above column FROM in the same round:
# the mean of the rounds, and its standard error.
points() {
	awk -v from="$1" '{ for (i = 1; i <= NF; i++) { x = ($i - $from) / $1 * 100; sum[i] += x; squares[i] += x * x } }
	END { printf "%-16s", "  above it"
		for (c = 1; c <= NF; c++) {
			mean = sum[c] / NR
			spread = squares[c] - NR * mean * mean
			error = NR > 1 && spread > 0 ? sqrt(spread / (NR - 1) / NR) : 0
			printf "  %+.1f (s.e. %.1f)             ", mean, error
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

# follow WAY: record $target by its inspector; $recorder is the program. A flame chart needs a
# terminal.
follow() {
	case $1 in
	attach) "$FLAMETTY" attach -t 10min -o "$work/out.$1/" "$target" >/dev/null 2>"$work/err" & ;;
	watch) "$FLAMETTY" watch --stall 10s -o "$work/out.$1/" "$target" >/dev/null 2>"$work/err" & ;;
	live) TERM=xterm-256color script -qfec "stty rows 40 cols 120; exec '$FLAMETTY' live $target" /dev/null \
		>/dev/null 2>"$work/err" <"$work/no-keys" & ;;
	esac
	recorder=$!
	wait_for '[ "$(ls "/proc/$target/task" | wc -l)" -gt "$n_threads" ]' ||
		{ echo "$1 does not record:"; cat "$work/err"; exit 1; }
}

# begin WAY NODE: a server that is recorded in this way; $target is its number.
begin() {
	local way=$1 node=$2 n_threads server=
	rm -f "$work/ready"
	recorder=
	[ -z "${SERVER_CPU:-}" ] || server="taskset -c $SERVER_CPU"
	case $way in
	cpu-prof) $server "$node" --cpu-prof --cpu-prof-dir="$work/out.$way" "$work/server.js" "$work/ready" & ;;
	run) $server "$FLAMETTY" run -o "$work/out.$way" -- "$node" "$work/server.js" "$work/ready" & ;;
	*) $server "$node" --inspect-port=0 "$work/server.js" "$work/ready" & ;;
	esac >/dev/null 2>"$work/err"
	outer=$!
	wait_for '[ -s "$work/ready" ]' || { echo "$way: $node does not start"; cat "$work/err"; exit 1; }
	target=$(cut -d' ' -f2 "$work/ready")
	n_threads=$(ls "/proc/$target/task" | wc -l)
	case $way in attach | watch | live) follow "$way" ;; esac
	targets[$way]=$target outers[$way]=$outer recorders[$way]=$recorder
	target=
}

# end WAY: the recording, and then the server; prints the processor time that it used.
end() {
	local way=$1 what used
	[ -z "${recorders[$way]}" ] || { kill -TERM "${recorders[$way]}"; wait "${recorders[$way]}"; } 2>/dev/null
	exec 3< <(exec python3 "$work/clock.py" "${targets[$way]}")
	read -r what <&3
	kill -TERM "${targets[$way]}"
	read -r used <&3
	exec 3<&-
	wait "${outers[$way]}" 2>/dev/null
	unset "targets[$way]"
	rm -rf "$work/out.$way"
	echo "$used" | awk '{ printf "%.1f ", $1 / 1e6 }' >>"$work/whole"
}

# Processor time in each way, at 1 ms.
ways() {
	local node=$1 version=$2 from=1 round n_ways way in_order i
	local -A ports
	: >"$work/list"; : >"$work/one"; : >"$work/whole"
	n_ways=$(echo "$WAYS" | wc -w)
	case $WAYS in 'none cpu-prof'*) from=2 ;; esac
	for round in $(seq "$ROUNDS"); do
		# The first server lives longest: each way has its turn to be it.
		for way in $(echo "$WAYS $WAYS" | cut -d' ' -f"$((round % n_ways + 1))-$((round % n_ways + n_ways))"); do
			begin "$way" "$node"
			ports[$way]=$(cut -d' ' -f1 "$work/ready")
			"$node" "$work/client.js" "${ports[$way]}" /list 3000
			"$node" "$work/client.js" "${ports[$way]}" /one 20000
		done
		in_order=
		for way in $WAYS; do in_order="$in_order ${ports[$way]}"; done
		# shellcheck disable=SC2086
		"$node" "$work/turns.js" /list "$TURNS" "$SECONDS_EACH" "$LIST_RATE" $in_order | medians "$from" >>"$work/list"
		# shellcheck disable=SC2086
		"$node" "$work/turns.js" /one "$TURNS" "$SECONDS_EACH" "$ONE_RATE" $in_order | medians "$from" >>"$work/one"
		for way in $WAYS; do end "$way"; done
		echo >>"$work/whole"
	done
	for i in list one whole; do
		table "$version $i" <"$work/$i"
		[ $from = 1 ] || points 2 <"$work/$i"
	done
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
	echo "processor time of the server at 1 ms, median (range) of $ROUNDS rounds, and how much more than the"
	echo "first: us per request; whole: ms"
	printf '%-16s' ''
	# shellcheck disable=SC2086
	printf '  %-28s' $WAYS
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
