#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The version is set in configure.ac. Everything else that names it has the same: the program, the
# newest release in NEWS (with a date that is one), debian/changelog, what is in packaging/, and the
# manual where it names one.
#
# usage: version.sh [TREE]     with the program in FLAMETTY or ./flametty. TREE: default this one
set -u
top=${1:-$(cd "$(dirname "$0")/.." && pwd)}
program=${FLAMETTY:-./flametty}
[ -x "$program" ] || { echo "no program: $program"; exit 99; }
failed=0

bad() { echo "$*"; failed=1; }

version=$(sed -n 's/^AC_INIT(\[flametty\], \[\(.*\)\])$/\1/p' "$top/configure.ac")
[ -n "$version" ] || { echo "no version in configure.ac"; exit 1; }

# same WHAT VERSION...: each is that of configure.ac, and there is one.
same() {
	what=$1
	shift
	[ $# != 0 ] || bad "$what names no version, configure.ac $version"
	for other in "$@"; do
		[ "$other" = "$version" ] || bad "$what has version '$other', configure.ac $version"
	done
}

# versions FILE: those of this program that a file names, in the ways of the systems.
versions() {
	sed -n -E -e 's/^(pkgver=|Version:[ 	]*)"?([0-9][0-9.]*)"?$/\2/p' \
		-e 's/^[ 	]*version( =)? "([0-9][0-9.]*)";?$/\2/p' \
		-e 's/.*flametty[ _-]([0-9]+\.[0-9]+(\.[0-9]+)*).*/\1/p' "$1" | sed 's/\.$//' | sort -u
}

same "the program" "$("$program" --version | sed -n '1s/^[^0-9]*\([0-9][0-9.]*\).*/\1/p')"
newest=$(sed -n '/^[0-9]/{p;q;}' "$top/NEWS")
same NEWS "${newest%%, *}"
echo "$newest" | grep -q -E '^[0-9.]+, 20[0-9][0-9]-[01][0-9]-[0-3][0-9]$' ||
	bad "NEWS begins with '$newest', not with VERSION, YYYY-MM-DD"

if [ -f "$top/debian/changelog" ]; then
	same debian/changelog "$(sed -n '1s/^flametty (\(.*\)-[^-]*).*/\1/p' "$top/debian/changelog")"
fi
for file in "$top"/packaging/* "$top"/packaging/*/*; do
	case ${file##*/} in
	PKGBUILD | APKBUILD | *.spec | *.nix | *.rb)
		# shellcheck disable=SC2046
		same "${file#"$top/"}" $(versions "$file") ;;
	esac
done
for file in "$top"/man/*.[1-9]; do
	for other in $(versions "$file"); do same "${file#"$top/"}" "$other"; done
done
exit $failed
