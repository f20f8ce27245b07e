#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A release is made twice: in folders of different names and depths, under different umasks, time
# zones and languages, from files of different times, modes and (as root) owners. The archive of the
# source is the same bytes; with --static, the static programs are the same bytes, too.
#
# usage: tests/package/reproducible.sh [--static [ARCHITECTURE...]]      from a configured folder
# --static: the sources of the libraries are fetched once, or taken from static/source here. Takes
# some minutes for each architecture (default: this machine).
set -u
build=$PWD
[ -f Makefile ] || { echo "$build is not configured"; exit 99; }
work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
{ tar --version; gtar --version; } 2>/dev/null | grep -q GNU || { echo "no GNU tar"; exit 77; }
options='--no-check --no-static'
if [ "${1:-}" = --static ]; then
	shift
	[ $# != 0 ] || set -- "$(uname -m)"
	options="--no-check $*"
fi
# Those of an outer make, of a test or of a release.
unset MAKEFLAGS MFLAGS MAKELEVEL SOURCE_DATE_EPOCH LC_ALL

show() { echo "$1 fails:"; tail -n 40 "$work/log"; exit 1; }

# release FOLDER: from the source there.
release() {
	cd "$1" || exit 99
	if command -v autoreconf >/dev/null; then
		autoreconf -f -i >"$work/log" 2>&1 || show autoreconf
	fi
	./configure -q -C >"$work/log" 2>&1 || show configure
	# shellcheck disable=SC2086
	packaging/release.sh $options >"$work/log" 2>&1 || show "release.sh $options"
	cat release/SHA256SUMS
	cd "$work" || exit 99
}

one=$work/a two=$work/second/folder/with-a-long-name
make -s distdir || exit 99
mkdir -p "$work/second/folder"
mv flametty-[0-9]*/ "$one" && cp -R "$one" "$two" || exit 99
chmod -R go-rwx "$one"
chmod -R g+w "$two"
[ "$(id -u)" != 0 ] || chown -R 4321:1234 "$two"
find "$two" -exec touch -t 200102030405 {} +

if [ -d "$build/static/source" ]; then
	mkdir "$one/static"
	cp -a "$build/static/source" "$one/static/source"
fi
# What configure has found is used again.
# shellcheck disable=SC2030,SC2031
(umask 077 && export TZ=America/Los_Angeles LANG=C && release "$one") || exit 1
sums=$one/release/SHA256SUMS
cp "$one/config.cache" "$two"
if [ -d "$one/static/source" ]; then
	mkdir "$two/static"
	cp -a "$one/static/source" "$two/static/source"
fi
# shellcheck disable=SC2030,SC2031
(umask 002 && export TZ=Asia/Kathmandu LANG=de_DE.UTF-8 && release "$two") || exit 1
same=yes
while read -r _ file; do
	cmp "$one/release/$file" "$two/release/$file" || same=no
done <"$sums"
cmp "$sums" "$two/release/SHA256SUMS" || same=no
[ $same = yes ] || exit 1

# What is in it has the time of the release, and no user's name.
TZ=UTC0 tar -tvzf "$one"/release/*.tar.gz >"$work/list" || exit 1
if grep -v ' 0/0 .* 20[0-9][0-9]-[0-9][0-9]-[0-9][0-9] 00:00 flametty-' "$work/list" | grep .; then
	echo "these have another owner or time"
	exit 1
fi
grep -q '/configure$' "$work/list" || { echo "no configure in it"; exit 1; }
echo "two releases are the same bytes"
