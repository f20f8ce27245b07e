#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# make install puts program, manual, completions, documents and examples where a system looks for
# them, readable for everybody; make uninstall leaves no file and no folder of its own.
#
# usage: tests/package/install.sh       from the folder of a build
set -u
[ -x flametty ] || { echo "nothing is built in $PWD"; exit 99; }
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR
root="$work/a root"
failed=0

bad() { echo "$*"; failed=1; }

run() { "$@" >"$work/log" 2>&1 || { echo "$* fails:"; tail -n 40 "$work/log"; exit 1; }; }

# installed DOCUMENTS ARGUMENT...: with these arguments of make, the documents go to that folder.
installed() {
	doc=$root/usr/$1
	shift
	(umask 077 && run make -s install prefix=/usr DESTDIR="$root" "$@") || exit 1
	# shellcheck disable=SC2046
	printf '%s\n' bin/flametty $(cd "$top/man" && for page in *.[1-9]; do echo "share/man/man${page##*.}/$page"; done) \
		share/flametty/run_preload.cjs share/bash-completion/completions/flametty share/zsh/site-functions/_flametty \
		share/fish/vendor_completions.d/flametty.fish "${doc#"$root/usr/"}/NEWS" \
		"${doc#"$root/usr/"}/README" | sort >"$work/wanted"
	(cd "$root/usr" && find . -type f | sed 's|^\./||') | grep -v "^${doc#"$root/usr/"}/examples/" |
		sort | diff "$work/wanted" - || bad "these files are not those that should be there ($*)"
	# All of data/, nothing else.
	diff -r "$top/data" "$doc/examples" || bad "the examples are not those of data/ ($*)"
	find "$root" -type f ! -perm -444 >"$work/hidden"
	[ ! -s "$work/hidden" ] || bad "not for everybody: $(cat "$work/hidden")"
	"$root/usr/bin/flametty" report "$doc"/examples/http-server/*.cpuprofile >"$work/report" &&
		grep -q formatPrice "$work/report" || bad "the installed program does not report an example"
	run make -s uninstall prefix=/usr DESTDIR="$root" "$@"
	find "$root" ! -type d -o -type d -name '*flametty*' >"$work/left"
	[ ! -s "$work/left" ] || bad "left by make uninstall: $(cat "$work/left")"
}

installed share/doc/flametty
installed share/doc/packages/flametty docdir=/usr/share/doc/packages/flametty
# Files of others stay.
mkdir -p "$root/usr/share/doc/flametty/examples/mine"
echo mine >"$root/usr/share/doc/flametty/examples/mine/file"
run make -s uninstall prefix=/usr DESTDIR="$root"
[ -f "$root/usr/share/doc/flametty/examples/mine/file" ] || bad "make uninstall removes files of others"
exit $failed
