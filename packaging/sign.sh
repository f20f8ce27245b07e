#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Sign a file with a key of OpenSSH: FILE.sig. Or verify it, as a user does.
#
# usage: packaging/sign.sh KEY FILE                      KEY: a private key, or the public one of a key
#                                                        that an agent holds
#        packaging/sign.sh --verify SIGNERS FILE         SIGNERS: lines `NAME ssh-ed25519 AAAA...`
#
# Signatures are for the namespace `flametty-release`, so one for anything else does not count. An
# Ed25519 key signs the same bytes with the same signature.
set -eu
space=flametty-release

die() { echo "sign.sh: $*" >&2; exit 1; }

command -v ssh-keygen >/dev/null || die "ssh-keygen is missing (OpenSSH 8.1 or later)"
if [ "${1:-}" = --verify ]; then
	[ $# = 3 ] || die "usage: sign.sh --verify SIGNERS FILE"
	[ -f "$3.sig" ] || die "no $3.sig"
	who=$(ssh-keygen -Y find-principals -f "$2" -s "$3.sig" 2>/dev/null | head -n 1)
	[ -n "$who" ] || die "$3.sig: by no key of $2"
	ssh-keygen -q -Y verify -f "$2" -I "$who" -n $space -s "$3.sig" <"$3" >/dev/null ||
		die "$3: the signature is not that of this file"
	echo "$3: signed by $who"
else
	[ $# = 2 ] || die "usage: sign.sh KEY FILE"
	rm -f "$2.sig"
	ssh-keygen -q -Y sign -f "$1" -n $space "$2" 2>/dev/null || die "$2 cannot be signed with $1"
	[ -s "$2.sig" ] || die "no $2.sig"
fi
