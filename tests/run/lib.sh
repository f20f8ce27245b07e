# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# What the tests of flametty run have in common. Sourced by them. NODE is the program of Node.js that
# is used. Makes the folder $work, which is removed at the end.
[ "${RECORDS_PROCESSES:-yes}" = yes ] || { echo "RECORDS_PROCESSES is no"; exit 77; }
NODE=${NODE:-$(command -v node)} || { echo "node is missing"; exit 77; }
[ -d /proc/self/fd ] || { echo "there is no /proc"; exit 77; }
FLAMETTY=${FLAMETTY:-$PWD/flametty}
"$FLAMETTY" --help | grep -q "flametty run" || { echo "built without run"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
TMPDIR=$work
# The script that loads the other one is for good; here it goes with the test.
FLAMETTY_HOOK=$work/hook
export TMPDIR FLAMETTY_HOOK
unset NODE_OPTIONS FLAMETTY_RUN
n_failed=0
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

failed() {
	echo "FAILED: $*"
	for file in out err; do
		[ ! -s "$work/$file" ] || sed 's/^/    /' "$work/$file" | head -12 | cut -c1-300
	done
	n_failed=$((n_failed + 1))
}

# run STATUS ARGUMENT...: flametty run with that exit status.
run() {
	want=$1
	shift
	"$FLAMETTY" run "$@" >"$work/out" 2>"$work/err"
	got=$?
	[ "$got" = "$want" ] || failed "flametty run $*: status $got, not $want"
}

has() { grep -q -e "$2" "$work/$1" || failed "$3: no '$2' in $1"; }

# Wait until a command succeeds.
wait_until() {
	i=0
	until eval "$1"; do
		i=$((i + 1))
		[ "$i" -lt 600 ] || return 1
		sleep 0.1
	done
}
