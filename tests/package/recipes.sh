#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The recipes in packaging/: looked at by the linters of their systems, and followed as far as
# their tools are here: built, packaged, the files compared, the program run. A step whose tool is
# missing is skipped, with the reason.
#
# usage: tests/package/recipes.sh [RELEASE.tar.gz]      (default: make dist makes one)
# RECIPES_CHECK=yes: with the tests of the source, where the recipe runs them.
set -u
export LC_ALL=C.UTF-8
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0
jobs=$(nproc 2>/dev/null || echo 2)
# The recipes say make; how fast the programs are is not looked at here.
export MAKEFLAGS=-j$jobs CFLAGS=${CFLAGS:--O0} LDFLAGS=
unset DESTDIR

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

# With RECIPES_CHECK=yes: that the recipe has run the tests of the source, whose counts are printed.
# It reads the log of the last check.
ran_tests() {
	[ "${RECIPES_CHECK:-no}" = yes ] || return 0
	grep -E '^# (PASS|SKIP|FAIL|ERROR): ' "$work/log" >"$work/counts"
	cat "$work/counts"
	check "$1 runs the tests of the source" grep -q '^# PASS: *[1-9]' "$work/counts"
}

# has TOOL WHAT: whether the tool is here; WHAT is skipped if not.
has() {
	command -v "$1" >/dev/null && return 0
	skipped=$((skipped + 1))
	echo "skipped: $2: no $1 here"
	return 1
}

# ---- the release, and its recipes ----

release=${1:-}
if [ -z "$release" ]; then
	cd "$top" && make -s dist || exit 99
	release=$(echo "$top"/flametty-[0-9]*.tar.gz)
fi
release=$(cd "$(dirname "$release")" && pwd)/${release##*/}
archive=${release##*/}
version=${archive#flametty-}
version=${version%.tar.gz}
address=https://flametty.test/home
recipes=$work/recipes
# The users of makepkg and of the server see them.
chmod 755 "$work"
check "the recipes of the release" "$top/packaging/recipes.sh" "$release" $address "$recipes"
[ -d "$recipes" ] || exit 1

no_placeholder() {
	local left
	left=$(grep -rn -e 0000000000000000 -e 'https\?://example' "$recipes")
	[ -z "$left" ] || { echo "$left"; return 1; }
	for file in alpine/APKBUILD arch/PKGBUILD homebrew/flametty.rb nix/package.nix rpm/flametty.spec; do
		grep -q "$version" "$recipes/$file" || { echo "no $version in $file"; return 1; }
		grep -q $address "$recipes/$file" || { echo "no $address in $file"; return 1; }
	done
}
check "version, checksums and address" no_placeholder

refused() { ! "$top/packaging/recipes.sh" "$@"; }
cp "$release" "$work/other.tar.gz"
check "an archive of another name is refused" refused "$work/other.tar.gz" $address "$work/no"
check "an address with a space is refused" refused "$release" "https://a b" "$work/no"
check "a folder that is there is refused" refused "$release" $address "$recipes"

# unpack FOLDER: the files of the release.
unpack() { mkdir -p "$1" && tar xzf "$release" -C "$1" --strip-components=1; }
unpack "$work/source" || exit 99

# installed ROOT [FILE...]: the files of the package are those that it should have, and FILE. What a
# package manager writes into var is not looked at.
installed() {
	local root=$1 examples=usr/share/doc/flametty/examples
	shift
	(cd "$root" && find . -path ./var -prune -o ! -type d -print | sed -e 's|^\./||' -e '/^[.]/d' -e '/\/[.]build-id\//d' -e 's|\(/man/.*\)\.gz$|\1|') |
		grep -v "^$examples/" | sort >"$work/got"
	# shellcheck disable=SC2046
	printf '%s\n' "$@" usr/bin/flametty \
		$(cd "$work/source/man" && for page in *.[1-9]; do echo "usr/share/man/man${page##*.}/$page"; done) \
		usr/share/bash-completion/completions/flametty \
		usr/share/zsh/site-functions/_flametty usr/share/fish/vendor_completions.d/flametty.fish \
		usr/share/flametty/run_preload.cjs usr/share/doc/flametty/NEWS usr/share/doc/flametty/README |
		grep . | sort | diff - "$work/got" || return 1
	diff -r "$work/source/data" "$root/$examples" || return 1
	find "$root/usr" ! -type l ! -perm 755 \( -type d -o -path '*/bin/*' \) >"$work/modes"
	find "$root/usr" -type f ! -path '*/bin/*' ! -perm 644 >>"$work/modes"
	[ ! -s "$work/modes" ] || { echo "modes:"; cat "$work/modes"; return 1; }
	"$root/usr/bin/flametty" report "$root/$examples"/http-server/*.cpuprofile | grep formatPrice
}

# removed ROOT: nothing of the package is left.
removed() {
	local left
	left=$(cd "$1" && { find . -path ./var -prune -o ! -type d -print; find . -name '*flametty*'; })
	[ -z "$left" ] || { echo "left: $left"; return 1; }
}

# ---- Homebrew ----

# Where Homebrew's own style agrees with these. It writes prefix/"name".
ruby_style() {
	rubocop --cache false --only Lint,Layout,Security,Naming --except Layout/SpaceAroundOperators \
		"$recipes/homebrew/flametty.rb" "$top/tests/package/formula.rb"
}
follow_formula() {
	unpack "$work/brew"
	ruby "$top/tests/package/formula.rb" "$recipes/homebrew/flametty.rb" "$work/brew" "$work/brew-prefix" &&
		[ -f "$work/brew-prefix/etc/bash_completion.d/flametty" ]
}
if has ruby "the formula of Homebrew"; then
	check "the syntax of the formula" ruby -wc "$recipes/homebrew/flametty.rb"
	check "the formula" follow_formula
fi
has rubocop "the style of the formula" && check "the style of the formula" ruby_style

# ---- Arch Linux ----

# as_user COMMAND...: makepkg does not work as root.
as_user() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid=65534 --regid=65534 --clear-groups env HOME="$work/arch" CCACHE_DISABLE=1 "$@"
	else "$@"; fi
}

arch_info() {
	cd "$work/arch" && as_user makepkg --printsrcinfo >"$work/srcinfo" &&
		grep -q "pkgver = $version" "$work/srcinfo" && grep -q "depends = json-c" "$work/srcinfo"
}
# The database of pacman knows none of the packages that it depends on.
arch_build() {
	local check=--nocheck
	[ "${RECIPES_CHECK:-no}" = no ] || check=--check
	cp "$release" "$work/arch"
	{
		cat /etc/makepkg.conf
		echo "PKGEXT=.pkg.tar.gz; CFLAGS='$CFLAGS'; MAKEFLAGS=$MAKEFLAGS"
	} >"$work/arch/makepkg.conf"
	[ "$(id -u)" != 0 ] || chown -R 65534:65534 "$work/arch"
	cd "$work/arch" && as_user makepkg --config "$work/arch/makepkg.conf" --nodeps $check --noconfirm </dev/null
}
arch_files() {
	mkdir "$work/arch-root" && tar xzf "$work"/arch/*.pkg.tar.gz -C "$work/arch-root" &&
		installed "$work/arch-root"
}
# in_pacman OPTION...: pacman with a system of its own, which has no other package.
in_pacman() {
	local root=$work/pacman-root
	mkdir -p "$root/var/lib/pacman" "$root/var/cache/pacman"
	pacman --config /dev/null --root "$root" --dbpath "$root/var/lib/pacman" \
		--cachedir "$root/var/cache/pacman" --logfile "$work/pacman.log" --hookdir "$work" --arch auto \
		--noconfirm "$@"
}
arch_install() { in_pacman -U --nodeps --nodeps "$work"/arch/*.pkg.tar.gz && in_pacman -Qkk flametty && installed "$work/pacman-root"; }
arch_remove() { in_pacman -R flametty && removed "$work/pacman-root"; }
# The file is sourced: its variables are used elsewhere, and some come from there. makepkg stops
# where cd fails.
arch_shellcheck() { shellcheck -s bash -e SC2034,SC2154,SC2164 "$recipes/arch/PKGBUILD"; }
cp -r "$recipes/arch" "$work/arch"
[ "$(id -u)" != 0 ] || chown 65534:65534 "$work/arch"
has shellcheck "PKGBUILD as a script" && check "PKGBUILD as a script" arch_shellcheck
if has makepkg "the package of Arch Linux"; then
	check "what makepkg reads in PKGBUILD" arch_info
	check "the package of Arch Linux" arch_build
	ran_tests PKGBUILD
	check "the files of the package of Arch Linux" arch_files
	if [ "$(id -u)" = 0 ] && has pacman "its installation"; then
		check "pacman -U" arch_install
		check "pacman -R" arch_remove
	fi
fi

# ---- Alpine Linux ----

# abuild is not in Debian. The functions of APKBUILD run as it would call them.
alpine_shell="sh"
command -v busybox >/dev/null && alpine_shell="busybox sh"
alpine_build() {
	mkdir -p "$work/alpine-src"
	cp "$release" "$work/alpine-src"
	unpack "$work/alpine-src/flametty-$version" || return 1
	cat >"$work/abuild" <<END
set -e
srcdir=$work/alpine-src pkgdir=$work/alpine-root
CBUILD=$(uname -m)-alpine-linux-gnu CHOST=$(uname -m)-alpine-linux-gnu
. "$recipes/alpine/APKBUILD"
[ "\$source" = $address/releases/$archive ]
cd "\$srcdir"
echo "\$sha512sums" | grep . | sha512sum -c -
cd "\$srcdir/\$pkgname-\$pkgver"
( build )
[ "${RECIPES_CHECK:-no}" = no ] || ( check )
( package )
END
	$alpine_shell "$work/abuild"
}
alpine_files() { installed "$work/alpine-root"; }
# Rules of Alpine's linter for the text.
alpine_text() {
	local line
	# shellcheck disable=SC1091,SC2154
	(
		. "$recipes/alpine/APKBUILD"
		case $pkgdesc in *.) echo "pkgdesc: ends with a dot"; exit 1 ;; esac
		[ ${#pkgdesc} -le 128 ] || { echo "pkgdesc: ${#pkgdesc} letters"; exit 1; }
	) || return 1
	line=$(grep -n '^ \|[ 	]$' "$recipes/alpine/APKBUILD")
	[ -z "$line" ] || { echo "spaces: $line"; return 1; }
	grep -q '^# Maintainer: .* <.*@.*>$' "$recipes/alpine/APKBUILD"
}
has shellcheck "APKBUILD as a script" &&
	check "APKBUILD as a script" shellcheck -s dash -e SC2034,SC2154 "$recipes/alpine/APKBUILD"
check "the text of APKBUILD" alpine_text
check "what APKBUILD does" alpine_build
ran_tests APKBUILD
check "the files of the package of Alpine Linux" alpine_files

# ---- Nix ----

# A nixpkgs that has every package by its name, and what the recipe uses of lib and stdenv.
# shellcheck disable=SC2016
nixpkgs='f: let
	known = {
		lib = { licenses.gpl2Plus = "gpl2Plus"; platforms.unix = [ "x86_64-linux" ]; };
		stdenv.mkDerivation = g: let made = g made; in made;
		fetchurl = source: source;
	};
	in f (builtins.mapAttrs (name: _: known.${name} or name) (builtins.functionArgs f))'
# nix_value ATTRIBUTE
nix_value() {
	NIX_STATE_DIR=$work/nix NIX_LOG_DIR=$work/nix nix-instantiate --store dummy:// --eval --strict --json \
		-E "(($nixpkgs) (import $recipes/nix/package.nix)).$1" 2>"$work/nix-error" || { cat "$work/nix-error" >&2; return 1; }
}
nix_values() {
	local sum
	sum=$(sha256sum <"$release")
	[ "$(nix_value version)" = "\"$version\"" ] && [ "$(nix_value src.url)" = "\"$address/releases/$archive\"" ] &&
		[ "$(nix_value src.sha256)" = "\"${sum%% *}\"" ] && nix_value buildInputs && nix_value checkInputs &&
		nix_value meta
}
if has nix-instantiate "the expression of Nix"; then
	check "the syntax of the expression of Nix" nix-instantiate --parse "$recipes/nix/package.nix"
	check "the values of the expression of Nix" nix_values
fi

# ---- RPM ----

# Documents lie as on Fedora.
rpm_build() {
	local check=--nocheck
	[ "${RECIPES_CHECK:-no}" = no ] || check=
	mkdir -p "$work/rpm/SOURCES" && cp "$release" "$work/rpm/SOURCES" &&
		rpmbuild -ba --nodeps $check --define "_topdir $work/rpm" --define '_docdir_fmt %%{NAME}' \
			"$recipes/rpm/flametty.spec"
}
rpm_files() {
	mkdir "$work/rpm-root" && cd "$work/rpm-root" && rpm2cpio "$work"/rpm/RPMS/*/flametty-[0-9]*.rpm |
		cpio -idm --quiet && installed "$work/rpm-root" usr/share/licenses/flametty/COPYING
}
# in_rpm OPTION...: rpm with a system of its own, which has no other package.
in_rpm() { rpm --root "$work/rpm-system" --dbpath /var/lib/rpm "$@"; }
rpm_install() {
	mkdir -p "$work/rpm-system" && in_rpm --initdb &&
		in_rpm -ivh --nodeps "$work"/rpm/RPMS/*/flametty-[0-9]*.rpm && in_rpm -V --nodeps flametty &&
		installed "$work/rpm-system" usr/share/licenses/flametty/COPYING
}
rpm_remove() { in_rpm -e flametty && removed "$work/rpm-system"; }
rpm_lint() {
	cat >"$work/rpmlint.toml" <<'END'
Filters = [
# What Fedora's rpm and its build machines do after that of Debian: strip, compress, sign.
"unstripped-binary-or-object", "manpage-not-compressed", "no-manual-page-for-binary", "no-signature",
"no-packager-tag",
# Tags that Fedora has not asked for since 2009, and names of licences that Debian's rpmlint does
# not know.
"no-buildroot-tag", "no-group-tag", "invalid-license GPL-2.0-or-later",
# Compressed files.
"file-not-utf8 .*\\.gz",
]
END
	rpmlint --config "$work/rpmlint.toml" --strict "$recipes/rpm/flametty.spec" \
		"$work"/rpm/RPMS/*/*.rpm "$work"/rpm/SRPMS/*.rpm
}
if has rpmspec "the recipe of RPM"; then
	check "what rpmspec reads in flametty.spec" rpmspec -P "$recipes/rpm/flametty.spec"
fi
if has rpmbuild "the package of RPM"; then
	check "the package of RPM" rpm_build
	ran_tests flametty.spec
	has cpio "the files of the package of RPM" && check "the files of the package of RPM" rpm_files
	if [ "$(id -u)" = 0 ]; then
		check "rpm -i" rpm_install
		check "rpm -e" rpm_remove
	fi
	has rpmlint "rpmlint" && check "rpmlint" rpm_lint
fi

# ---- debian/watch ----

# uscan finds a newer release on a page of this machine.
watch_finds() {
	mkdir -p "$work/web/releases"
	touch "$work/web/releases/flametty-0.0.9.tar.gz" "$work/web/releases/$archive" "$work/web/releases/other-9.tar.gz"
	(cd "$work/web" && exec python3 -u -m http.server --bind 127.0.0.1 0) >"$work/served" 2>&1 &
	server=$!
	for _ in $(seq 50); do grep -q ' port [0-9]' "$work/served" && break; sleep 0.1; done
	port=$(sed -n 's/.* port \([0-9]*\).*/\1/p' "$work/served")
	[ -n "$port" ] || { cat "$work/served"; return 1; }
	"$top/packaging/recipes.sh" "$release" "http://127.0.0.1:$port" "$work/watched" || return 1
	http_proxy='' no_proxy=127.0.0.1 uscan --no-download --dehs --package flametty --upstream-version 0.0.9 \
		--watchfile "$work/watched/debian/watch" >"$work/dehs" 2>&1
	cat "$work/dehs"
	grep -q "<upstream-version>$version<" "$work/dehs"
}
if [ ! -d "$top/debian" ]; then
	skipped=$((skipped + 1))
	echo "skipped: debian/watch: no debian/ in a release"
elif has uscan "debian/watch" && has python3 "debian/watch"; then
	check "debian/watch" watch_finds
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
