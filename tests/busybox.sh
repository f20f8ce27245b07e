#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The tests as on a small system: /bin/sh and all usual tools are busybox, no variable names a
# language.
#
# usage: tests/busybox.sh [--bare] [TEST...]       from the folder of the build, for make check
# --bare: neither tmux, Node.js, Python, bash nor anything else is there except what compiles. Tests
# that need more must be skipped, and say what is missing.
#
# /bin/sh is replaced in a mount namespace of its own; nothing outside changes.
set -u
[ -f Makefile ] || { echo "$PWD is not configured"; exit 99; }
bare=no
[ "${1:-}" != --bare ] || { bare=yes; shift; }
BUSYBOX=$(command -v busybox) || { echo "no busybox here"; exit 77; }
namespace='unshare -m'
[ "$(id -u)" = 0 ] || namespace='unshare -r -m'
# shellcheck disable=SC2016
mount='mount --bind "$BUSYBOX" "$(readlink -f /bin/sh)"'
export BUSYBOX
$namespace sh -c "$mount" 2>/dev/null || { echo "no mount namespaces here"; exit 77; }

tools=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
trap 'rm -rf "$tools"' EXIT
"$BUSYBOX" --install -s "$tools" || exit 99
if [ $bare = yes ]; then
	for name in make cc gcc cpp as ld ar ranlib strip locale mandoc man; do
		file=$(command -v $name) && ln -sf "$file" "$tools/$name"
	done
	PATH=$tools
else
	PATH=$tools:$PATH
fi
export PATH
unset LANG LANGUAGE LC_ALL LC_CTYPE LC_MESSAGES LC_NUMERIC LC_COLLATE LC_TIME
[ $# = 0 ] || set -- "TESTS=$*"
# Those that configure has found.
# shellcheck disable=SC2016
set -- SHELL=/bin/sh AWK=awk SED=sed GREP=grep EGREP='grep -E' "$@"
$namespace sh -c "$mount"' && exec make -s -k -j"$(nproc)" V=1 check "$@"' sh "$@"
status=$?
[ $status = 0 ] || grep -v '^# [A-Z]*: ' test-suite.log
# What is skipped says why.
for log in $(grep -l '^:test-result: SKIP' tests/*.trs tests/*/*.trs 2>/dev/null); do
	grep -q . "${log%.trs}.log" || { echo "${log%.trs} is skipped without a reason"; status=1; }
done
exit $status
