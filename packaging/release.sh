#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Make a release in the folder release/ of the current folder, which is configured:
#   flametty-VERSION.tar.gz                  the source, with configure
#   flametty-VERSION-linux-ARCHITECTURE      static programs, built from that archive, and .spdx.json:
#                                            what each is made of
#   flametty-SYSTEM-CPU-VERSION.tgz and      packages of npm with these programs, and with others
#   flametty-VERSION.tgz                     in the folder programs/ (flametty-VERSION-darwin-arm64)
#   SHA256SUMS                               of these files
#   SHA256SUMS.sig                           with RELEASE_KEY, a key of OpenSSH: packaging/sign.sh
#
# usage: packaging/release.sh [--no-check] [--no-static] [ARCHITECTURE...]   (by make release)
#   --no-check       make dist instead of make distcheck, which builds and tests the archive
#   --no-static      no static programs
#   ARCHITECTURE     of the static programs (default: x86_64 aarch64); one whose compiler is missing
#                    is skipped, and that is said
#
# The files depend on the source and on the versions of the tools, on nothing else: not on folder,
# user, umask, time, time zone or language. Their time is SOURCE_DATE_EPOCH (seconds since 1970);
# the default is the day of the newest release in NEWS, 00:00 UTC.
set -eu
umask 022
top=$(cd "$(dirname "$0")/.." && pwd)
export LC_ALL=C TZ=UTC0
unset GZIP TAR_OPTIONS
here=$PWD
out=$here/release

die() { echo "release.sh: $*" >&2; exit 1; }
say() { echo "release.sh: $*"; }

goal=distcheck with_static=yes
while [ $# != 0 ]; do
	case $1 in
	--no-check) goal=dist ;;
	--no-static) with_static=no ;;
	-*) die "what is $1?" ;;
	*) break ;;
	esac
	shift
done
[ -f Makefile ] || die "$here is not configured: run ./bootstrap or ./configure"

tar=
for name in ${TAR:-} tar gtar; do
	case $($name --version 2>/dev/null) in *GNU*) tar=$name; break ;; esac
done
[ -n "$tar" ] || die "GNU tar is missing: no other sorts the files and sets their owners"

# ---- version and time ----

version=$(sed -n 's/^AC_INIT(\[flametty\], \[\(.*\)\])$/\1/p' "$top/configure.ac")
newest=$(sed -n '/^[0-9]/{p;q;}' "$top/NEWS")
[ "${newest%%, *}" = "$version" ] ||
	die "configure.ac has version $version, NEWS begins with '$newest'"
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
	day=${newest#*, }
	SOURCE_DATE_EPOCH=$(date -u -d "$day 00:00" +%s 2>/dev/null ||
		date -u -j -f '%F %T' "$day 00:00:00" +%s) || die "no date in NEWS: '$newest'"
fi
export SOURCE_DATE_EPOCH

sums() { if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }

# ---- the source ----

rm -rf "$out"
mkdir -p "$out"
archive=flametty-$version.tar.gz
say "make $goal, time $SOURCE_DATE_EPOCH"
# ustar: no names of users, no times of access. gzip -n: no name, no time.
into="--format=ustar --sort=name --mtime=@$SOURCE_DATE_EPOCH --mode=u=rwX,go=rX"
into="$into --owner=0 --group=0 --numeric-owner"
${MAKE:-make} -s $goal GZIP_ENV='--best -n' am__tar="$tar $into -chf - \"\$\$tardir\"" >release/log 2>&1 ||
	{ tail -n 60 release/log >&2; die "make $goal failed"; }
rm release/log
mv "$archive" "$out"

# ---- static programs ----

if [ $with_static = yes ]; then
	[ $# != 0 ] || set -- x86_64 aarch64
	mkdir -p static
	rm -rf static/tree
	for arch in "$@"; do
		compiler=$arch-linux-gnu-gcc
		[ "$arch" != "$(uname -m)" ] || compiler=gcc
		command -v "$compiler" >/dev/null ||
			{ say "no static program for $arch: $compiler is missing"; continue; }
		# Objects of an earlier build may be newer than the files of the archive.
		rm -rf "static/$arch/flametty"
		if [ ! -d static/tree ]; then
			mkdir static/tree
			$tar xzf "$out/$archive" -C static/tree --strip-components=1
		fi
		static/tree/packaging/static.sh "$arch"
		mv "flametty-$version-linux-$arch" "flametty-$version-linux-$arch.spdx.json" "$out"
	done
fi

# ---- packages of npm ----

set -- "$out"/flametty-"$version"-linux-* programs/flametty-"$version"-*-*
for program in "$@"; do
	shift
	case $program in *.json) continue ;; esac
	[ ! -f "$program" ] || set -- "$@" "$program"
done
if [ $# != 0 ]; then
	"$top/packaging/npm/npm.sh" "$out/npm" "$@"
	for package in "$out"/npm/*/; do
		name=$(basename "$package")
		# shellcheck disable=SC2086
		$tar $into --transform 's,^\.,package,' -C "$package" -cf - . | gzip --best -n >"$out/$name-$version.tgz"
	done
	rm -r "$out/npm"
fi

(cd "$out" && sums flametty-* >SHA256SUMS && cat SHA256SUMS)
if [ -n "${RELEASE_KEY:-}" ]; then
	"$top/packaging/sign.sh" "$RELEASE_KEY" "$out/SHA256SUMS"
	say "SHA256SUMS.sig: signed with $RELEASE_KEY"
else
	say "not signed: RELEASE_KEY is not set"
fi
