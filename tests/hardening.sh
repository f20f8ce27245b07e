#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Looks at the built program: whether it is hardened. What every compiler and linker on ELF can do is
# demanded; the rest where configure found it, and says so in HARDENING.
#
# usage: hardening.sh     in a built tree; FLAMETTY: the program, ./flametty by default
set -u
program=${FLAMETTY:-./flametty}
hardening=${HARDENING:-$(sed -n 's/^HARDENING = //p' Makefile)}
failed=0

skip() { echo "SKIP: $*"; exit 77; }
bad() { echo "FAIL: $*"; failed=1; }
has() { case " $hardening " in *" $1 "*) return 0 ;; *) return 1 ;; esac }

case $hardening in no*) skip "built without hardening ($hardening)" ;; esac
command -v readelf >/dev/null || skip "no readelf"
readelf -h "$program" >/dev/null 2>&1 || skip "$program is not an ELF file"

headers=$(readelf -hlW "$program")
dynamic=$(readelf -dW "$program")
symbols=$(readelf -sW "$program")

case $dynamic in *"no dynamic section"*) skip "a static program" ;; esac
echo "$headers" | grep -q 'Type: *DYN' || bad "not position-independent"
echo "$headers" | grep -q 'GNU_RELRO' || bad "relocated data stays writable (relro)"
echo "$dynamic" | grep -q -e 'BIND_NOW' -e 'Flags:.* NOW' || bad "functions are bound late, so their table stays writable (now)"
echo "$headers" | grep 'GNU_STACK' | grep -q 'RW ' || bad "the stack may be executable"
echo "$symbols" | grep -q '__stack_chk_fail' || bad "no stack protector"
if has fortify && ldd "$program" 2>/dev/null | grep -q 'libc\.so\.6'; then
	echo "$symbols" | grep -q '__[a-z]*_chk@' || bad "no checked functions of the C library (fortify)"
fi
# These leave no symbol, and the mark of cet is missing where the start files of the C library lack
# it. The debug information of gcc has the switches; clang's does not.
flags=$(readelf --debug-dump=info "$program" 2>/dev/null | grep -m1 'DW_AT_producer.*GNU C1')
if [ -n "$flags" ]; then
	for pair in stack-clash:-fstack-clash-protection cet:-fcf-protection; do
		has "${pair%%:*}" || continue
		case $flags in *"${pair#*:}"*) ;; *) bad "compiled without ${pair#*:}" ;; esac
	done
fi
[ $failed = 0 ] && echo "PASS: $hardening"
exit $failed
