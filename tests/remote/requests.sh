#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# flametty attach --requests --sockets --files against what is known of the requests: CPU and waits of
# each route, whom they are behind, the cause on the first screen, and that nothing stays in the server.
#
# usage: requests.sh [SCENE [KIND [SECONDS]]]
#        as truth.mjs has them, MODULES, too. VERBOSE: print the figures
set -u

command=attach
. "$(dirname "$0")/lib.sh"
begin_remote
XDG_RUNTIME_DIR=$work
export XDG_RUNTIME_DIR
unset NODE_OPTIONS
truth=$(dirname "$0")/../requests/truth.mjs

case $(node -p process.versions.node) in
[0-9].* | 1[0-7].* | 18.[0-6].*) echo "Node.js is too old"; exit 77 ;;
esac

# tell SCENE [KIND [SECONDS]]: where only figures are wrong, which a burst of load can do, the scene is
# played at most twice more: figures that are wrong three times are wrong
tell() {
	for try in 1 2 3; do
		timeout 150 node "$truth" "$FLAMETTY" "$work/$1-${2:-plain}-$try" "${2:-plain}" "$1" "${3:-2}" \
			>"$work/out" 2>&1
		status=$?
		[ $status = 2 ] || break
		grep FAILED: "$work/out"
		sleep 2
	done
	[ $status != 77 ] || { cat "$work/out"; exit 77; }
	[ $status = 0 ] || failed "$*: status $status"
	[ -z "${VERBOSE:-}" ] || cat "$work/out"
}

if [ $# -gt 0 ]; then
	tell "$@"
else
	tell mix
	tell mix worker
	tell mix bare
	for scene in pool threads names retry; do tell $scene; done
fi
exit $((n_failed > 0))
