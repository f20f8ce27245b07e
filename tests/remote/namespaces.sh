#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A process in PID, mount and network namespaces of its own, as in a container: it is recorded from
# outside, and from its PID and network namespace with other files (kubectl debug --target, docker run
# --pid=container:... --network=container:...). Its scripts and source maps, which only it sees, are
# found. That second container holds the program and an empty /tmp.
set -u

command=attach
. "$(dirname "$0")/lib.sh"
[ "$(id -u)" = 0 ] && unshare -npmf --mount-proc true 2>/dev/null || { echo "no namespaces here"; exit 77; }
begin_remote
mkdir "$work/app" "$work/debug" "$work/debug/proc" "$work/debug/tmp"
cat >"$work/files.sh" <<'EOF'
set -e
mount -t tmpfs none "$1/app"
ip link set lo up 2>/dev/null || true
mkdir "$1/app/dist" "$1/app/src"
cat >"$1/app/dist/server.js" <<'EOJ'
function h(n){return n<2?n:h(n-1)+h(n-2)}
setInterval(()=>h(28),10);require('fs').writeFileSync(process.argv[2],'');
//# sourceMappingURL=server.js.map
EOJ
# Line 1, column 9, the name of the function: line 2, column 16, fibonacci.
echo '{"version":3,"file":"server.js","sources":["../src/server.ts"],"names":["fibonacci"],"mappings":"SACgBA"}' \
	>"$1/app/dist/server.js.map"
printf '%s\n' '// sources' 'export function fibonacci(n: number): number {' '}' >"$1/app/src/server.ts"
exec node "$1/app/dist/server.js" "$1/ready"
EOF
unshare -npmf --mount-proc --propagation private sh "$work/files.sh" "$work" >"$work/node.log" 2>&1 &
outer=$!
pids="$pids $outer"
wait_until 'test -e "$work/ready"' || { failed "node does not start"; cat "$work/node.log"; exit 1; }
pid=$(cat "/proc/$outer/task/$outer/children")
pid=${pid%% *}
pids="$pids $pid"
[ ! -e "$work/app/dist" ] || failed "this test sees the files, too"

run 0 attach -t 1s --report --top=3 "$pid"
has 'fibonacci  *.*server.ts:2' "from outside"
run 0 attach -t 1s --report --map="$work/app=/nowhere" --top=3 "$pid"
has ' h  *.*server.js:1' "what --map says comes first"

# A container beside it: its namespaces of processes and network, a root of its own.
inside=$(awk '/^NSpid/ { print $NF }' "/proc/$pid/status")
if ldd "$FLAMETTY" >"$work/out" 2>&1; then
	for library in $(grep -o '/[^ ]*' "$work/out"); do
		mkdir -p "$work/debug${library%/*}" && cp "$library" "$work/debug$library"
	done
fi
cp "$FLAMETTY" "$work/debug/flametty"
beside() {
	nsenter -t "$pid" -n -p -- unshare -m --propagation private sh -c \
		'mount -t proc proc "$1/proc" && shift && TMPDIR=/tmp exec chroot "$@"' sh \
		"$work/debug" "$work/debug" /flametty "$@" >"$work/out" 2>&1
}
beside attach -t 1s --report --top=3 "$inside" || failed "beside it: status $?"
has 'fibonacci  *.*server.ts:2' "beside it"
kill -0 "$pid" || failed "the process has ended"
[ $n_failed = 0 ]
