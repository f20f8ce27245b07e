#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# flametty attach on real processes of Node.js: what is recorded, and that each of them survives with
# its inspector closed.
set -u

command=attach
. "$(dirname "$0")/lib.sh"
begin_remote

cat >"$work/server.js" <<'EOF'
'use strict';
function heavy(n) { return n < 2 ? n : heavy(n - 1) + heavy(n - 2); }
setInterval(() => heavy(28), 10);
require('fs').writeFileSync(process.argv[2], '');
EOF
cat >"$work/workers.js" <<'EOF'
'use strict';
const { Worker } = require('worker_threads');
const w = new Worker('function inWorker(n) { return n < 2 ? n : inWorker(n - 1) + inWorker(n - 2); }' +
	'setInterval(() => inWorker(28), 10); require("worker_threads").parentPort.postMessage(1)',
	{ eval: true, name: 'pool-1' });
w.on('message', () => require('fs').writeFileSync(process.argv[2], ''));
setInterval(() => {}, 1000);
EOF
cat >"$work/heap.js" <<'EOF'
'use strict';
const { Worker, isMainThread } = require('worker_threads');
const keep = [];
function keepRows(n) { for (let i = 0; i < n; i++) keep.push({ i, name: 'row' + i }); }
function keepNames(n) { for (let i = 0; i < n; i++) keep.push('name of ' + i + keep.length); }
setInterval(() => (isMainThread ? keepRows : keepNames)(500), 5);
if (isMainThread)
	new Worker(__filename).on('online', () => require('fs').writeFileSync(process.argv[2], ''));
EOF
cat >"$work/endless.js" <<'EOF'
'use strict';
function spin() { let x = 0; for (let i = 0; i < 1e6; i++) x += i % 7; return x; }
require('fs').writeFileSync(process.argv[2], '');
for (;;) spin();
EOF
cat >"$work/handler.js" <<'EOF'
'use strict';
process.on('SIGUSR1', () => {});
setInterval(() => {}, 1000);
require('fs').writeFileSync(process.argv[2], '');
EOF

# ---- what is recorded ----
# Other servers may run on this machine.
cp "$work/server.js" "$work/server-$$.js"
start "server-$$.js"
run 0 attach
has "^ *$pid  node $(node -p process.versions.node)  .*yes .*server-$$.js" "the list"
check_left "$pid" "the list"
run 1 attach --interval 249us 4194999
has 'sampling every 249 us takes a third' "a costly interval"
run 1 attach --interval 250us 4194999
! grep -q 'takes a third' "$work/out" || failed "250 us is not costly"
run 0 attach -t 1.2s "$pid"
has "heavy  *server-$$.js:2" "functions"
has '1 lane\|main thread' "one lane"
check_left "$pid" "one recording"
run 0 attach -t 300ms --report "server-$$.js"
has heavy "by name"
check_left "$pid" "a second recording"
run 0 attach -t 300ms -o "$work/one.cpuprofile" "$pid"
run 0 report "$work/one.cpuprofile"
has heavy "the file"
run 1 attach -t 300ms -o "$work/one.cpuprofile" "$pid"
has 'ists' "no file is replaced"
run 0 attach -t 300ms -o "$work/out.d/" "$pid"
ls "$work"/out.d/CPU.*."$pid".0.001.cpuprofile >/dev/null || failed "names of files"
[ -z "$(ls -d "$work"/flametty-?????? 2>/dev/null)" ] || failed "a folder is left"

# ---- what is allocated: bytes, a file for each thread ----
start heap.js
run 0 attach -t 1s --heap --interval=4kB --all -o "$work/heap.d/" "$pid"
has 'keepRows .*heap.js:4' "functions that allocate"
has 'in percent of the bytes' "bytes"
ls "$work"/heap.d/Heap.*."$pid".0.001.heapprofile >/dev/null || failed "names of heap profiles"
ls "$work"/heap.d/Heap.*."$pid".1.002.heapprofile >/dev/null || failed "the worker's heap profile"
run 0 report --format=json "$work/heap.d"
has '"unit": "bytes"' "bytes in JSON"
has keepNames "the worker's functions"
check_left "$pid" "a heap profile"
stop "$pid"
run 2 attach --heap --interval=1ms "$pid"
has 'a size from 1kB to 1GB' "a time is no size"

# ---- an idle process: what it waits for ----
cat >"$work/idle.js" <<'EOF'
'use strict';
const net = require('net'), { Worker } = require('worker_threads');
const code = `const { parentPort } = require('worker_threads');
	const server = require('net').createServer().listen(0, '127.0.0.1',
		() => parentPort.postMessage(server.address().port))`;
setInterval(() => {}, 60000);
setInterval(() => {}, 60000);
new Worker(code, { eval: true }).on('message', port => {
	net.connect(port, '127.0.0.1', () => require('fs').writeFileSync(process.argv[2], ''));
});
EOF
start idle.js
run 0 attach -t 1s -o "$work/idle.d/" --report --format=json "$pid"
has 'waits for 2 timers, 1 connection to 127.*; record with --requests' "what an idle process waits for"
has 'listens on :[0-9]' "where it listens"
run 0 report --format=json "$work/idle.d"
has 'waits for 2 timers' "the same in the file"
run 0 attach -t 1s --requests -o "$work/followed.d/" --report --format=json "$pid"
! grep -q 'waits for 2 timers' "$work/out" || failed "with --requests, it is said what keeps the loop alive"
check_left "$pid" idle
stop "$pid"

# ---- ends ----
start server.js
"$FLAMETTY" attach -t 20s "$pid" >"$work/out" 2>&1 &
flametty=$!
wait_until "is_open $pid" || failed "the inspector does not open"
sleep 1
kill -INT "$flametty"
wait "$flametty"
status=$?
# A shell without job control starts commands with SIGINT ignored.
if [ "$status" = 0 ]; then has heavy "ended early"; else kill -9 "$flametty" 2>/dev/null; fi
check_left "$pid" "SIGINT"
for signal in TERM KILL; do
	"$FLAMETTY" attach -t 20s "$pid" >"$work/out" 2>&1 &
	flametty=$!
	wait_until "is_open $pid" || failed "the inspector does not open ($signal)"
	# What the process sends is read in the sandbox, by all threads.
	[ "$(sed -n 's/^Seccomp:[^0-9]*//p' "/proc/$flametty"/task/*/status | sort -u)" = 2 ] ||
		failed "attach is not in its sandbox"
	kill -s "$signal" "$flametty"
	wait "$flametty"
	status=$?
	case $signal in TERM) want=143 ;; KILL) want=137 ;; esac
	[ "$status" = "$want" ] || failed "$signal: status $status"
	check_left "$pid" "SIG$signal"
done
stop "$pid"

# ---- workers, a loop that never ends ----
start workers.js
run 0 attach --all -t 1s "$pid"
has inWorker "the worker"
check_left "$pid" "workers"
run 0 attach --all -t 500ms -o "$work/named.d/" --report --format=json "$pid"
has '"name": "node workers.js' "the name of the process in JSON"
has '"name": "pool-1"' "the name of the worker in JSON"
run 0 report "$work/named.d"
has 'node workers.js' "the name of the process in the files"
has 'pool-1' "the name of the worker in the files"
check_left "$pid" "names"
stop "$pid"
start endless.js
run 0 attach -t 1s "$pid"
has spin "a loop that never ends"
kill -0 "$pid" || failed "endless.js has ended"
stop "$pid"

# Deno does not tell the URL of its inspector without a permission.
if command -v deno >/dev/null 2>&1; then
	printf 'setInterval(() => {}, 100); setTimeout(() => console.log("ready"), 600)\n' >"$work/deno.js"
	deno run "$work/deno.js" >"$work/deno.log" 2>&1 &
	pid=$!
	pids="$pids $pid"
	wait_until 'grep -q ready "$work/deno.log"' || failed "deno does not start"
	run 0 attach -t 300ms --report "$pid"
	check_left "$pid" "deno"
	stop "$pid"
fi

# ---- servers of the program are not asked ----
cat >"$work/asked.js" <<'EOF'
'use strict';
const fs = require('fs');
fs.writeFileSync(process.argv[2] + '.asked', '');
const server = require('net').createServer(socket => {
	socket.on('error', () => {}).on('data', data => fs.appendFileSync(process.argv[2] + '.asked', data));
	fs.appendFileSync(process.argv[2] + '.asked', 'connected\n');
});
server.listen(0, '127.0.0.1', () => fs.writeFileSync(process.argv[2], ''));
EOF
for option in --no-warnings --inspect --inspect=0 --inspect-port=0; do
	start asked.js $option
	run 0 attach -t 300ms --report "$pid"
	[ ! -s "$work/ready.asked" ] || failed "$option: the server of the program is asked: $(cat "$work/ready.asked")"
	stop "$pid"
done

# ---- by address: the process that listens there, or what the inspector tells about it ----
port=$((20000 + $$ % 10000))
cat >"$work/parent.js" <<'EOF'
require('child_process').spawn('sh', ['-c', '"$0" "$@"; exit', process.execPath, ...process.argv.slice(2)], { stdio: 'inherit' });
EOF
rm -f "$work/ready"
node "$work/parent.js" --inspect=$port "$work/server.js" "$work/ready" >"$work/node.log" 2>&1 &
parent=$!
pids="$pids $parent"
wait_until 'test -e "$work/ready"' || failed "node does not start"
shell=$(cat "/proc/$parent/task/$parent/children")
pid=$(cat "/proc/${shell% }/task/${shell% }/children")
pid=${pid% }
pids="$pids $pid"
run 0 attach -t 300ms -o "$work/address.d/" --report --format=json "127.0.0.1:$port"
has "\"pid\": $pid, \"name\": \"node server.js .*\", \"parent\": $parent}" "by address"
ls "$work"/address.d/CPU.*."$pid".0.001.cpuprofile >/dev/null || failed "by address: $(ls "$work/address.d")"
run 0 attach -t 300ms --report --format=json "$pid"
has "\"pid\": $pid, \"name\": \"node server.js .*\", \"parent\": $parent}" "the parent"
"$FLAMETTY" attach -t 20s "$pid" >/dev/null 2>&1 &
flametty=$!
# It is recorded since before flametty connects.
wait_until 'awk -v "to=$(printf ":%04X$" "$port")" "\$3 ~ to && \$4 == \"01\" { n++ } END { exit !n }" /proc/net/tcp' ||
	failed "by address and by number: not connected"
run 1 attach -t 300ms --report "127.0.0.1:$port"
has "recorded already, by flametty (process $flametty)" "by address and by number: twice"
kill -TERM "$flametty"
wait "$flametty"
# A process that only passes the connection on.
if command -v python3 >/dev/null 2>&1; then
	python3 - "$port" >"$work/passer.port" 2>/dev/null <<'EOF' &
import socket, sys, threading
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen()
print(server.getsockname()[1], flush=True)
def move(a, b):
    try:
        while data := a.recv(65536):
            b.sendall(data)
        b.shutdown(socket.SHUT_WR)
    except OSError:
        pass
while True:
    a, b = server.accept()[0], socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    threading.Thread(target=move, args=(a, b), daemon=True).start()
    threading.Thread(target=move, args=(b, a), daemon=True).start()
EOF
	passer=$!
	pids="$pids $passer"
	wait_until '[ -s "$work/passer.port" ]' || failed "python3 does not start"
	run 0 attach -t 300ms --report --format=json "127.0.0.1:$(cat "$work/passer.port")"
	has "\"name\": \"node server.js .*\"}" "by the address of another machine"
	kill "$passer"
fi
kill -9 "$pid" "$parent"

# ---- a PID namespace of its own ----
if unshare -pf --mount-proc true 2>/dev/null; then
	rm -f "$work/ready"
	unshare -pf --mount-proc --kill-child node "$work/server.js" "$work/ready" >"$work/node.log" 2>&1 &
	outer=$!
	wait_until 'test -e "$work/ready"' || failed "node does not start in a PID namespace"
	pid=$(cat "/proc/$outer/task/$outer/children")
	pid=${pid% }
	pids="$pids $pid"
	run 0 attach --tree -t 300ms -o "$work/space.d/" --report "$outer"
	has heavy "a PID namespace"
	[ "$(ls "$work/space.d")" = "$(cd "$work/space.d" && ls CPU.*."$pid".0.001.cpuprofile metrics.trace.json)" ] ||
		failed "a PID namespace: $(ls "$work/space.d")"
	check_left "$pid" "a PID namespace"
	# One recording, from inside and outside.
	"$FLAMETTY" attach -t 20s "$pid" >/dev/null 2>&1 &
	flametty=$!
	wait_until "is_open $pid" || failed "the inspector does not open"
	nsenter -t "$pid" -p -m "$FLAMETTY" attach -t 300ms 1 >"$work/out" 2>&1
	has 'recorded already, by another flametty' "a second flametty, inside"
	kill -TERM "$flametty"
	wait "$flametty"
	check_left "$pid" "a second flametty, inside"
	# Numbers of /proc that are not those of flametty.
	unshare -pf "$FLAMETTY" attach -t 300ms "$pid" >"$work/out" 2>&1
	has 'is that of another PID namespace' "another /proc"
	stop "$outer"
	kill -9 "$pid" 2>/dev/null
fi

# ---- refusals ----
start handler.js
run 1 attach -t 1s "$pid"
has 'may handle SIGUSR1 itself' "own handler"
check_left "$pid" "own handler"
stop "$pid"
if node --disable-sigusr1 -e 0 2>/dev/null; then
	start server.js --disable-sigusr1
	run 1 attach -t 1s "$pid"
	has 'disable-sigusr1' "--disable-sigusr1"
	check_left "$pid" "--disable-sigusr1"
	stop "$pid"
fi
sleep 1000 &
pid=$!
pids="$pids $pid"
run 1 attach -t 1s "$pid"
has 'no JavaScript runtime' "another program"
kill -0 "$pid" || failed "SIGUSR1 went to another program"
kill "$pid"
run 1 attach 4194999
has 'no process 4194999' "no process"
run 1 attach no-such-script.js
has 'no JavaScript process has this word' "no name"
run 2 attach -t never 1
run 2 attach --interval 3s 1
run 2 attach --all -o "$work/file" 1

# ---- two at once: one port for both ----
start server.js
first=$pid
start endless.js
"$FLAMETTY" attach -t 20s "$first" >/dev/null 2>&1 &
flametty=$!
wait_until "is_open $first" || failed "the inspector does not open"
run 1 attach -t 1s "$pid"
has "port 9229 is held by process $first" "the port is taken"
kill -TERM "$flametty"
wait "$flametty"
check_left "$first" "the port is taken"
# Nothing of the first try closes it again.
run 0 attach -t 500ms --report "$pid"
has spin "the port is free again"
kill -0 "$pid" || failed "endless.js has ended"
stop "$first"
stop "$pid"

[ "$n_failed" = 0 ] && echo "attach: all as it should be"
[ "$n_failed" = 0 ]
