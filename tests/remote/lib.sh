# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# What the tests with real processes of Node.js have in common. Sourced by them; $command is the
# command of flametty that is tested. inspector=fake: fake_inspector.py takes the place of Node.js.
# RECORDS_PROCESSES=no skips them. begin_remote makes the folder $work, and removes it at the end
# together with the processes $pids and the server $tmux.
[ "${RECORDS_PROCESSES:-yes}" = yes ] || { echo "RECORDS_PROCESSES is no"; exit 77; }
needed=node
[ "${inspector:-}" != fake ] || needed=python3
command -v $needed >/dev/null 2>&1 || { echo "$needed is missing"; exit 77; }
[ -d /proc/self/fd ] || { echo "there is no /proc"; exit 77; }
FLAMETTY=${FLAMETTY:-$PWD/flametty}
# shellcheck disable=SC2154
"$FLAMETTY" --help | grep -q "flametty $command" || { echo "built without $command"; exit 77; }

# Runtimes open their inspector on one port, so these tests run one after another.
[ "${inspector:-}" != fake ] || HAS_PORT=no
if [ -z "${HAS_PORT:-}" ] && flock --help 2>/dev/null | grep -q -e '--close'; then
	HAS_PORT=yes
	export HAS_PORT
	exec flock --close "${TMPDIR:-/tmp}/flametty-9229.lock" "$0" "$@"
fi
# The last process of the test before may hold it for a moment.
tries=0
while [ "${HAS_PORT:-}" != no ] &&
	awk '$4 == "0A" && $2 ~ /:240D$/ { found = 1 } END { exit !found }' /proc/net/tcp; do
	tries=$((tries + 1))
	[ $tries -lt 100 ] || { echo "port 9229 is in use on this machine"; exit 77; }
	sleep 0.1
done

# ---- for those that open inspectors ----

begin_remote() {
	work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
	TMPDIR=$work
	export TMPDIR
	n_failed=0
	pids=
	tmux=
	trap clean_up EXIT
	trap 'exit 1' HUP INT TERM
}

clean_up() {
	[ -z "$tmux" ] || tmux -L "$tmux" kill-server 2>/dev/null
	for pid in $pids; do kill -9 "$pid" 2>/dev/null; done
	rm -rf "$work"
}

failed() {
	echo "FAILED: $*"
	[ ! -s "$work/out" ] || sed 's/^/    /' "$work/out" | head -30
	n_failed=$((n_failed + 1))
}

# Wait until a command succeeds.
wait_until() {
	i=0
	until eval "$1"; do
		i=$((i + 1))
		[ "$i" -lt 600 ] || return 1
		sleep 0.1
	done
}

# start SCRIPT [OPTION...]: run it; $pid is its number. The script writes a file when it is ready.
start() {
	script=$1
	shift
	rm -f "$work/ready"
	node "$@" "$work/$script" "$work/ready" >"$work/node.log" 2>&1 &
	pid=$!
	pids="$pids $pid"
	wait_until 'test -e "$work/ready"' || { failed "node does not start"; exit 1; }
}

stop() {
	kill -9 "$1" 2>/dev/null
	wait "$1" 2>/dev/null
}

# Whether one of the sockets of the process listens on port 9229 (240D in hexadecimal).
is_open() {
	for inode in $(awk '$4 == "0A" && $2 ~ /:240D$/ { print $10 }' "/proc/$1/net/tcp"); do
		ls -l "/proc/$1/fd" 2>/dev/null | grep -q "socket:\[$inode\]" && return 0
	done
	return 1
}

# Whether flametty has taken a process, or the port at which it opens an inspector: it has a socket of
# that name.
is_taken() { grep -q "/process/[0-9]*/$1/" /proc/net/unix; }
is_port_taken() { grep -q "/port/$1/" /proc/net/unix; }

# The process is alive and its inspector is closed.
check_left() {
	kill -0 "$1" 2>/dev/null || failed "$2: the process has ended"
	wait_until "! is_open $1" || failed "$2: the inspector is open"
}

# run STATUS ARGUMENT...: the program with that exit status.
run() {
	want=$1
	shift
	"$FLAMETTY" "$@" >"$work/out" 2>&1
	got=$?
	[ "$got" = "$want" ] || failed "flametty $*: status $got, not $want"
}

# begin_asked: start a server that asks itself for /slow/N (60 ms of CPU) and /users/N each 100 ms. Each
# SIGUSR2 writes what a recording could leave in it: left() prints that.
begin_asked() {
	cat >"$work/asked.js" <<-'EOF'
		'use strict';
		const channels = require('diagnostics_channel'), fs = require('fs'), http = require('http');
		const agent = new http.Agent({ keepAlive: true, maxSockets: 2 });
		function burn(ms) {
			for (const end = process.hrtime.bigint() + BigInt(ms * 1e6); process.hrtime.bigint() < end;);
		}
		const server = http.createServer((request, response) => {
			burn(request.url.startsWith('/slow') ? 60 : 2);
			response.end('done');
		});
		const count = emitter => emitter.eventNames().map(name => `${String(name)} ${emitter.listenerCount(name)}`).sort();
		process.on('SIGUSR2', () => fs.writeFileSync(process.argv[3], JSON.stringify([
			Reflect.ownKeys(globalThis).map(String).sort(), count(process), count(server),
			['http.server.request.start', 'http.client.request.start'].filter(name => channels.hasSubscribers(name))
		])));
		let n = 0;
		const ask = path => http.get({ port: server.address().port, path, agent }, answer => answer.resume());
		server.listen(0, '127.0.0.1', () => {
			setInterval(() => { ask(`/slow/${++n}`); ask(`/users/${n}`); }, 100);
			fs.writeFileSync(process.argv[2], '');
		});
	EOF
	rm -f "$work/ready"
	node "$work/asked.js" "$work/ready" "$work/left" >"$work/node.log" 2>&1 &
	pid=$!
	pids="$pids $pid"
	wait_until 'test -e "$work/ready"' || { failed "node does not start"; exit 1; }
	before=$(left)
}

left() {
	rm -f "$work/left"
	kill -USR2 "$pid"
	wait_until 'test -s "$work/left"'
	cat "$work/left"
}

has() { grep -q -e "$1" "$work/out" || failed "$2: no '$1'"; }
