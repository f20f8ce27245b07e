#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Looks at the built program: whether it is hardened. What every compiler and linker on ELF can do is
# demanded; the rest where configure found it, and says so in HARDENING. A static program, of
# packaging/static.sh, has no use for some of it, and musl has no part of some.
#
# usage: hardening.sh     in a built tree; FLAMETTY: the program, ./flametty by default
set -u
program=${FLAMETTY:-./flametty}
hardening=${HARDENING:-$(sed -n 's/^HARDENING = //p' Makefile)}
failed=0

skip() { echo "SKIP: $*"; exit 77; }
bad() { echo "FAIL: $*"; failed=1; }
has() { case " $hardening " in *" $1 "*) return 0 ;; *) return 1 ;; esac }

command -v readelf >/dev/null || skip "no readelf"
readelf -h "$program" >/dev/null 2>&1 || skip "$program is not an ELF file"
headers=$(readelf -hlW "$program")
dynamic=$(readelf -dW "$program")
symbols=$(readelf -sW "$program")
is_static=no
echo "$headers" | grep -q INTERP || is_static=yes
[ $is_static = no ] || hardening='pie noexecstack stack-protector stack-clash'
case $hardening in no*) skip "built without hardening ($hardening)" ;; esac

# count PATTERN: instructions of the program that match, as objdump writes them.
count() { objdump -d "$program" 2>/dev/null | grep -c -e "$1"; }
is_x86_64=no
echo "$headers" | grep -q 'Machine:.*X86-64' && command -v objdump >/dev/null && is_x86_64=yes

echo "$headers" | grep -q 'Type: *DYN' || bad "not position-independent"
echo "$headers" | grep 'GNU_STACK' | grep -q 'RW ' || bad "the stack may be executable"
echo "$headers" | grep -q 'LOAD.* RWE ' && bad "there is memory that can be written and executed"
echo "$dynamic" | grep -q TEXTREL && bad "code is relocated"
if [ $is_static = no ]; then
	echo "$headers" | grep -q 'GNU_RELRO' || bad "relocated data stays writable (relro)"
	echo "$dynamic" | grep -q -e 'BIND_NOW' -e 'Flags:.* NOW' ||
		bad "functions are bound late, so their table stays writable (now)"
	echo "$symbols" | grep -q '__stack_chk_fail' || bad "no stack protector"
elif [ $is_x86_64 = yes ]; then
	# It has no symbols: each protected function reads its canary from here.
	[ "$(count '%fs:0x28')" -gt 100 ] || bad "no stack protector"
fi
if has fortify-2 || has fortify-3; then
	if ldd "$program" 2>/dev/null | grep -q 'libc\.so\.6'; then
		echo "$symbols" | grep -q '__[a-z]*_chk@' || bad "no checked functions of the C library (fortify)"
	fi
fi
# Large frames are probed, page by page.
if has stack-clash && [ $is_x86_64 = yes ]; then
	[ "$(count 'orq *\$0x0,(%rsp)')" -gt 0 ] || bad "no frame is probed (stack-clash)"
fi
# The kernel and the C library look at the mark. That of the targets of jumps (IBT) is not asked for:
# see configure.ac.
if has cet; then
	readelf -nW "$program" | grep -q 'x86 feature.*SHSTK' || bad "no mark of shadow stacks (cet)"
fi
# The debug information of gcc has the switches; clang's does not.
flags=$(readelf --debug-dump=info "$program" 2>/dev/null | grep -m1 'DW_AT_producer.*GNU C1')
if [ -n "$flags" ]; then
	for pair in stack-clash:-fstack-clash-protection cet:-fcf-protection; do
		has "${pair%%:*}" || continue
		case $flags in *"${pair#*:}"*) ;; *) bad "compiled without ${pair#*:}" ;; esac
	done
fi
[ $failed = 0 ] && echo "PASS: $hardening"
exit $failed
