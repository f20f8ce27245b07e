# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# Sourced by tests that let the program use a library of their own (LD_PRELOAD). Goes to the top of
# the sources and sets:
#
#     top      the top of the sources
#     all      a folder that is removed at the end
#     program  a copy of the program, in that folder: it may be built again meanwhile
#
# FLAMETTY: the program, ./flametty by default; its Makefile says how it is hardened.
cd "$(dirname "$0")" || exit 99
[ -e preload.sh ] || cd .. || exit 99
cd .. || exit 99
top=$PWD
program=${FLAMETTY:-./flametty}
case $program in /*) ;; *) program=$top/$program ;; esac
hardening=${HARDENING:-$(sed -n 's/^HARDENING = //p' "$(dirname "$program")/Makefile" 2>/dev/null)}

skip() { echo "SKIP: $*"; exit 77; }

case $hardening in *sanitizers* | *static*) skip "the library would not be used ($hardening)" ;; esac
all=$(mktemp -d) || exit 99
trap 'rm -rf "$all"' EXIT
cp "$program" "$all/flametty" && program=$all/flametty || exit 99

# build_library FILE [NAME]: all/NAME.so of a file of tests/; fail.so without a name.
build_library() {
	# shellcheck disable=SC2086
	${CC:-cc} -O1 -shared -fPIC -pthread -o "$all/${2:-fail}.so" "tests/$1" -ldl 2>"$all/cc.log" ||
		skip "cannot build a library: $(head -n 1 "$all/cc.log")"
}
