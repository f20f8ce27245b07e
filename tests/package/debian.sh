#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The Debian package: built from a release, checked by lintian, installed in a fresh Debian, used
# there, and removed without a trace.
#
# usage: tests/package/debian.sh [RELEASE.tar.gz]      (default: make dist makes one)
# Needs root, debootstrap, dpkg-dev, debhelper and lintian; it is skipped where they are missing.
# RECIPES_CHECK=yes: with the tests of the source.
# DEBIAN_SUITE: which Debian to install it in (default: that of this machine).
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
for tool in debootstrap dpkg-buildpackage dh lintian; do
	command -v $tool >/dev/null || { echo "no $tool here"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "needs root"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
trap 'umount -q "$work/root/proc"; rm -rf "$work"' EXIT
passed=0 failed=0

# check WHAT COMMAND...: its output is shown when it fails.
check() {
	local what=$1
	shift
	if "$@" >"$work/log" 2>&1; then passed=$((passed + 1)); else
		failed=$((failed + 1))
		echo "$what fails:"
		tail -n 40 "$work/log"
	fi
}

release=${1:-}
if [ -z "$release" ]; then
	cd "$top" && make -s dist || exit 99
	release=$(echo "$top"/flametty-*.tar.gz)
fi
version=${release##*flametty-}
version=${version%.tar.gz}
cp "$release" "$work/flametty_$version.orig.tar.gz" && cd "$work" && tar xf "flametty_$version.orig.tar.gz" &&
	cp -r "$top/debian" "flametty-$version" || exit 99

options="parallel=$(nproc)"
[ "${RECIPES_CHECK:-no}" = yes ] || options="nocheck $options"
# Its log is kept for the counts of the tests.
build() { cd "$work/flametty-$version" && DEB_BUILD_OPTIONS=$options dpkg-buildpackage -us -uc >"$work/built" 2>&1 || { tail -n 100 "$work/built"; return 1; }; }
ran_tests() { grep -E '^# (PASS|SKIP|FAIL|ERROR): ' "$work/built" | tee "$work/counts" && grep -q '^# PASS: *[1-9]' "$work/counts"; }
# A tag without an explanation in debian/ fails.
is_clean() { ! lintian --allow-root --pedantic -I "$work"/*.changes | grep '^[EWIP]:'; }

check "the build of the package" build
if [ "${RECIPES_CHECK:-no}" = yes ]; then
	check "running the tests of the source" ran_tests
	cat "$work/counts"
fi
check "lintian" is_clean
package=$(echo "$work"/flametty_*.deb)
[ -f "$package" ] || { echo "no package"; exit 1; }

suite=${DEBIAN_SUITE:-$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")}
debootstrap --variant=minbase "$suite" "$work/root" >"$work/log" 2>&1 || { tail "$work/log"; echo "debootstrap fails"; exit 77; }
mount -t proc proc "$work/root/proc"
cp "$package" "$work/root/flametty.deb"
inside() { chroot "$work/root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive sh -c "$*"; }
files() { inside 'find / -xdev \( -path /proc -o -path /var/cache -o -path /var/lib -o -path /var/log -o -path /tmp \) -prune -o -print' | sort; }

files >"$work/before"
check "the installation" inside 'apt-get install -y -q --no-install-recommends ./flametty.deb'
examples=/usr/share/doc/flametty/examples
cp -r "$work/flametty-$version/data" "$work/root/tmp/data"
check "the examples, not compressed" inside "diff -r /tmp/data $examples"
sed -n 's/^Test-Command: //p' "$top/debian/tests/control" >"$work/tests"
while read -r command; do check "$command" inside "$command"; done <"$work/tests"
check "flametty --version" inside 'flametty --version | grep -F "$(dpkg-query -W -f="\${Version}" flametty | sed "s/-[^-]*$//")"'
check "the removal" inside 'apt-get purge -y -q --autoremove flametty'
files >"$work/after"
check "removing all files" diff "$work/before" "$work/after"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
