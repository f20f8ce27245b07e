#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Write the recipes of the packages of a release: those of this folder and debian/, with the
# version, the checksums and the address of the release.
#
# usage: packaging/recipes.sh RELEASE.tar.gz ADDRESS FOLDER
# ADDRESS is the page of the program; the release is ADDRESS/releases/flametty-VERSION.tar.gz.
# FOLDER must not be there yet.
#
# The recipes of the tree cannot hold the checksum of the release that they are in: there it is
# all zeros. The program has no page yet: https://example.org/flametty stands for it.
set -eu
export LC_ALL=C
[ $# = 3 ] || { sed -n 's/^# \(usage: .*\)/\1/p' "$0" >&2; exit 2; }
top=$(cd "$(dirname "$0")/.." && pwd)
release=$1 address=${2%/} folder=$3
placeholder=https://example.org/flametty

die() { echo "recipes.sh: $*" >&2; exit 1; }

version=${release##*/}
case $version in
flametty-[0-9]*.tar.gz) version=${version#flametty-} version=${version%.tar.gz} ;;
*) die "$release is not called flametty-VERSION.tar.gz" ;;
esac
case $version in *[!0-9.]*) die "$release: '$version' is no version" ;; esac
case $address in
*[!A-Za-z0-9:/._~%-]*) die "'$address' has a character that is not for addresses" ;;
https://* | http://*) ;;
*) die "'$address' is not an address of the web" ;;
esac
[ -f "$release" ] || die "no file $release"
[ ! -e "$folder" ] || die "$folder is there already"

# sum BITS: the checksum of the release.
sum() {
	if command -v "sha$1sum" >/dev/null; then "sha$1sum" <"$release"
	else shasum -a "$1" <"$release"; fi | cut -d ' ' -f 1
}

sha256=$(sum 256)
sha512=$(sum 512)
[ "${#sha256} ${#sha512}" = "64 128" ] || die "no checksum of $release"
mkdir -p "$folder"
cp -R "$top/packaging/alpine" "$top/packaging/arch" "$top/packaging/homebrew" \
	"$top/packaging/nix" "$top/packaging/rpm" "$folder"
# A release has no debian/.
[ ! -d "$top/debian" ] || cp -R "$top/debian" "$folder"
chmod -R u+w "$folder"
# Longer runs of zeros come first. The versions in debian/ are those of its changelog.
find "$folder" -type f | while read -r file; do
	sed -e "s/0\{128\}/$sha512/" -e "s/0\{64\}/$sha256/" -e "s|$placeholder|$address|g" \
		-e "s/^pkgver=.*/pkgver=$version/" -e "s/^\(Version: *\)[0-9].*/\1$version/" \
		-e "s/^\( *version = \)\"[0-9.]*\"/\1\"$version\"/" \
		-e "s/^\(\* .* - \)[0-9.]*-1$/\1$version-1/" \
		-e "s/flametty-[0-9][0-9.]*\.tar/flametty-$version.tar/" "$file" >"$file.tmp"
	# cat keeps the mode of the file.
	cat "$file.tmp" >"$file"
	rm "$file.tmp"
done
