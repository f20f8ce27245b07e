#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A release's checksums, signed with a throw-away key: the signature is that of the file and the key, and
# of nothing else.
set -u
command -v ssh-keygen >/dev/null || { echo "no ssh-keygen"; exit 77; }
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
sign=$top/packaging/sign.sh
unset SSH_AUTH_SOCK

fail() { echo "FAIL: $*"; exit 1; }

for name in ours other; do
	ssh-keygen -q -t ed25519 -N '' -C "$name" -f $name || exit 99
	printf '%s %s\n' "$name@example.org" "$(cat $name.pub)" >$name.signers
done
printf '%064d  flametty-1.tar.gz\n' 7 >SHA256SUMS
"$sign" ours SHA256SUMS || fail "cannot sign"
cp SHA256SUMS.sig first
"$sign" ours SHA256SUMS && cmp SHA256SUMS.sig first || fail "another signature of the same file"
"$sign" --verify ours.signers SHA256SUMS | grep -q 'signed by ours@example.org' || fail "cannot verify"
"$sign" --verify other.signers SHA256SUMS 2>/dev/null && fail "another key's signer is accepted"
echo >>SHA256SUMS
"$sign" --verify ours.signers SHA256SUMS 2>/dev/null && fail "a changed file is accepted"
rm SHA256SUMS.sig
ssh-keygen -q -Y sign -f ours -n file SHA256SUMS 2>/dev/null
"$sign" --verify ours.signers SHA256SUMS 2>/dev/null && fail "a signature for something else is accepted"
rm SHA256SUMS.sig
"$sign" --verify ours.signers SHA256SUMS 2>/dev/null && fail "no signature is accepted"
"$sign" nothing SHA256SUMS 2>/dev/null && fail "signed without a key"
[ ! -e SHA256SUMS.sig ] || fail "a signature without a key"
echo "signatures hold"
