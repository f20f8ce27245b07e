#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Build one file that runs on any Linux of an architecture: flametty with musl and all libraries
# inside.
#
# usage: packaging/static.sh [x86_64|aarch64]       (default: this machine)
# The program is flametty-VERSION-linux-ARCHITECTURE in the current folder; beside it, .spdx.json says
# what it is made of (packaging/sbom.sh). Works in static/ there,
# and keeps the built libraries; they are built again when their version, this file or the compiler
# has changed.
#
# Sources of the libraries: Debian's source packages, which apt checks by their signatures; nothing
# is installed and no file of the system is changed. Or, where there is no apt, or for other
# versions:
#   STATIC_SOURCES=DIR   a folder with one archive for each of musl, zlib, zstd, lz4, pcre2, ncurses
#                        and json-c, called NAME-VERSION.tar.* or NAME_VERSION.orig.tar.* (libzstd_...,
#                        too, as Debian calls it). Changes of Debian are not made to them.
# Another architecture needs gcc for it (gcc-aarch64-linux-gnu). SOURCE_DATE_EPOCH is honoured; two
# builds with the same compiler and sources are the same bytes.
#
# How it works: musl is built first. A specs file makes the compiler of this machine use it: headers,
# library, and the start files of a program that is static and position-independent. (The wrapper
# musl-gcc of Debian links a dynamic program when it is asked for -static-pie.) The libraries are
# built with that compiler into one prefix, then flametty from the files of this tree.
# Addresses that change with the place of the program are a list of bits (RELR), a hundredth of the
# usual table, which would be 230 kB. The start files of musl know it from 1.2.4 on; older ones get
# it here.
# Without relro: only the dynamic linker of musl protects that part, and for pages of 64 kB, which
# aarch64 may have, it would be filled up with 40 kB of zeros. Without the checked functions of
# _FORTIFY_SOURCE, which musl does not have, and without the mark of shadow stacks: musl's longjmp()
# does not know them. tests/hardening.sh looks at the program.
set -eu
umask 022
top=$(cd "$(dirname "$0")/.." && pwd)
here=$PWD
arch=${1:-$(uname -m)}
case $arch in x86_64 | aarch64) ;; *) echo "static.sh: no static build for $arch" >&2; exit 2 ;; esac
work=$here/static
prefix=$work/$arch
jobs=$(nproc 2>/dev/null || echo 2)
export LC_ALL=C TZ=UTC0

die() { echo "static.sh: $*" >&2; exit 1; }
say() { echo "static.sh: $*"; }

gcc=gcc tools=
if [ "$arch" != "$(uname -m)" ]; then tools=$arch-linux-gnu-; gcc=${tools}gcc; fi
for tool in $gcc ${tools}ar ${tools}strip make cmake pkg-config; do
	command -v "$tool" >/dev/null || die "$tool is missing (Debian: apt-get install gcc make cmake pkg-config${tools:+ gcc-$(echo "$arch" | tr _ -)-linux-gnu})"
done

# ---- sources ----

# apt's own settings, with the source packages of the same places. Changes no file of the system.
private_apt() {
	lists=$work/apt
	[ -f "$lists/ready" ] && return 0
	command -v apt-get >/dev/null && command -v dpkg-source >/dev/null ||
		die "no apt-get and dpkg-source here: set STATIC_SOURCES (see the head of this file)"
	mkdir -p "$lists/parts" "$lists/state/lists/partial" "$lists/cache/archives/partial"
	for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
		[ -f "$file" ] || continue
		sed -n 's/^deb /deb-src /p' "$file" >"$lists/parts/$(basename "$file" .list).list"
	done
	for file in /etc/apt/sources.list.d/*.sources; do
		[ -f "$file" ] || continue
		sed 's/^Types:.*/Types: deb-src/' "$file" >"$lists/parts/$(basename "$file")"
	done
	cat >"$lists/apt.conf" <<END
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$lists/parts";
Dir::State::lists "$lists/state/lists";
Dir::Cache "$lists/cache";
APT::Sandbox::User "";
END
	APT_CONFIG=$lists/apt.conf apt-get -q update >"$lists/log" 2>&1 || { tail "$lists/log" >&2; die "apt-get update failed"; }
	: >"$lists/ready"
}

# debian_source NAME PACKAGE: unpack the newest version that can be had, with Debian's changes.
debian_source() {
	private_apt
	mkdir -p "$work/source"
	for version in $(APT_CONFIG=$work/apt/apt.conf apt-cache showsrc --only-source "$2" 2>/dev/null |
		sed -n 's/^Version: //p' | sort -rVu); do
		rm -rf "$work/archives/$2" "$work/source/$1"
		mkdir -p "$work/archives/$2"
		(cd "$work/archives/$2" && APT_CONFIG=$work/apt/apt.conf apt-get -q source --download-only "$2=$version") \
			>>"$work/apt/log" 2>&1 || continue
		(cd "$work/archives/$2" && dpkg-source -x ./*.dsc "$work/source/$1") \
			>>"$work/apt/log" 2>&1 || continue
		{ echo "debian $2"; (cd "$work/archives/$2" && sha256sum ./*.tar.* | sed 's, \./, ,' | grep -v '\.asc$'); } \
			>"$work/source/$1.archives"
		echo "$version" >"$work/source/$1.version"
		return 0
	done
	tail "$work/apt/log" >&2
	die "no source of $2"
}

# archive_of NAME PACKAGE: set `archive` and `version` from the one archive in STATIC_SOURCES.
archive_of() {
	archive=
	for file in "$STATIC_SOURCES/$1"[-_][0-9]*.tar.* "$STATIC_SOURCES/$2"[-_][0-9]*.tar.*; do
		case $file in *.asc | *.sig | *.debian.tar.* | *"*"*) continue ;; esac
		[ -z "$archive" ] || [ "$archive" = "$file" ] ||
			die "two archives of $1: $(basename "$archive"), $(basename "$file")"
		archive=$file
	done
	[ -n "$archive" ] || die "no archive of $1 in $STATIC_SOURCES"
	version=$(basename "$archive")
	version=${version#"$1"[-_]}
	version=${version#"$2"[-_]}
	version=${version%.tar.*}
	version=${version%.orig}
}

# source_of NAME PACKAGE: its files in source/NAME, its version in source/NAME.version.
source_of() {
	mkdir -p "$work/source"
	known=$(cat "$work/source/$1.version" 2>/dev/null) || known=
	if [ -z "${STATIC_SOURCES:-}" ]; then
		[ -z "$known" ] || return 0
		say "source of $1"
		debian_source "$1" "$2"
		return 0
	fi
	archive_of "$1" "$2"
	[ "$known" != "$version" ] || return 0
	say "source of $1"
	rm -rf "$work/source/$1" "$work/source/$1.version"
	mkdir "$work/source/$1"
	tar -xf "$archive" -C "$work/source/$1" --strip-components=1 || die "cannot unpack $archive"
	{ echo folder; (cd "$STATIC_SOURCES" && sha256sum "$(basename "$archive")"); } >"$work/source/$1.archives"
	echo "$version" >"$work/source/$1.version"
}

# ---- libraries ----

# All that a library is made from.
key() {
	cat "$work/source/musl.version" "$work/source/$1.version"
	cksum <"$top/packaging/static.sh"
	$gcc --version | head -n 1
}

# begin NAME PACKAGE: a fresh copy of its files, as the current folder; false: it is built already.
begin() {
	source_of "$1" "$2"
	[ "$(cat "$prefix/built/$1" 2>/dev/null)" != "$(key "$1")" ] || return 1
	say "$1 $(cat "$work/source/$1.version") for $arch"
	mkdir -p "$work/build/$arch" "$prefix/built" "$prefix/bin"
	# The program is linked again, too.
	rm -rf "$prefix/built/$1" "$work/build/$arch/$1" "$prefix/flametty"
	cp -a "$work/source/$1" "$work/build/$arch/$1"
	cd "$work/build/$arch/$1"
}

# run COMMAND...: quietly; its output is shown when it fails.
run() {
	"$@" >"$work/log" 2>&1 || { tail -n 40 "$work/log" >&2; die "failed: $*"; }
}

maps="-ffile-prefix-map=$work/build/$arch=. -ffile-prefix-map=$prefix=."
# Nothing unwinds the stack. (For aarch64 each of the two switches alone leaves the tables.)
no_tables="-fno-unwind-tables -fno-asynchronous-unwind-tables"
# Those that are called in inner loops are built for speed, the others for size.
hard="-fstack-protector-strong -fstack-clash-protection"
flags="-O2 -fPIE -ffunction-sections -fdata-sections $no_tables $hard $maps"

# In the start files: an even entry of the list is the place of an address; an odd one has a bit for
# each of the 63 words behind the last place.
add_relr() {
	cat >relr <<'END'
	size_t *relr = 0, relr_size = 0, *place = 0;
	for (i=0; dynv[i]; i+=2) {
		if (dynv[i] == 36) relr = (void *)(base + dynv[i+1]);
		if (dynv[i] == 35) relr_size = dynv[i+1];
	}
	for (; relr_size; relr++, relr_size -= sizeof *relr) {
		if (!(*relr & 1)) {
			place = (void *)(base + *relr);
			*place++ += base;
			continue;
		}
		for (i=0; *relr >> 1 >> i; i++)
			if (*relr >> 1 >> i & 1) place[i] += base;
		place += 8 * sizeof *relr - 1;
	}

END
	sed -i '/^	stage2_func dls2;$/r relr' ldso/dlstart.c
	grep -q relr_size ldso/dlstart.c || die "musl has other start files"
}

build_musl() {
	begin musl musl || return 0
	grep -q DT_RELR ldso/dlstart.c || add_relr
	# -Os, and -O3 for what is named.
	run ./configure --prefix="$prefix" --host="$arch-linux-gnu" --disable-shared --disable-wrapper \
		--enable-optimize=internal,malloc,string CC="$gcc" CROSS_COMPILE="$tools" \
		CFLAGS="-fPIE -ffunction-sections -fdata-sections $no_tables $maps"
	run make -j"$jobs" install
	# Start files: rcrt1.o moves the program to where it was loaded.
	cat >"$prefix/specs" <<END
%rename cpp_options old_cpp_options

*cpp_options:
-nostdinc -isystem $prefix/include -isystem include%s %(old_cpp_options)

*cc1:
%(cc1_cpu) -nostdinc -isystem $prefix/include -isystem include%s

*link_libgcc:
-L$prefix/lib -L .%s

*libgcc:
libgcc.a%s libgcc_eh.a%s

*startfile:
$prefix/lib/rcrt1.o $prefix/lib/crti.o crtbeginS.o%s

*endfile:
crtendS.o%s $prefix/lib/crtn.o

*link:
-static -pie --no-dynamic-linker -z text -z norelro -z pack-relative-relocs -z now -z noexecstack --build-id=sha1 --gc-sections -nostdlib

*esp_link_options:


*esp_options:


*esp_cpp_options:


END
	cat >"$prefix/bin/cc" <<END
#!/bin/sh
exec $gcc "\$@" -specs $prefix/specs
END
	chmod +x "$prefix/bin/cc"
	key musl >"$prefix/built/musl"
}

build_zlib() {
	begin zlib zlib || return 0
	run env CHOST="$arch-linux-gnu" AR="${tools}ar" RANLIB="${tools}ranlib" CC="$cc" CFLAGS="$flags" \
		./configure --static --prefix="$prefix"
	run make -j"$jobs" libz.a
	mkdir -p "$prefix/lib/pkgconfig"
	cp libz.a "$prefix/lib"
	cp zlib.h zconf.h "$prefix/include"
	cp zlib.pc "$prefix/lib/pkgconfig"
	key zlib >"$prefix/built/zlib"
}

# Only what reads, once: a second copy for BMI2 has 40 kB.
build_zstd() {
	begin zstd libzstd || return 0
	run make -j"$jobs" -C lib libzstd.a CC="$cc" AR="${tools}ar" CFLAGS="$flags -DDYNAMIC_BMI2=0" ZSTD_LIB_COMPRESSION=0 \
		ZSTD_LIB_DICTBUILDER=0 ZSTD_LIB_DEPRECATED=0 ZSTD_LEGACY_SUPPORT=0
	cp lib/libzstd.a "$prefix/lib"
	cp lib/zstd.h lib/zstd_errors.h "$prefix/include"
	cat >"$prefix/lib/pkgconfig/libzstd.pc" <<END
Name: zstd
Description: fast lossless compression
Version: $(sed 's/[+-].*//' "$work/source/zstd.version")
Libs: -L$prefix/lib -lzstd
Cflags: -I$prefix/include
END
	key zstd >"$prefix/built/zstd"
}

build_lz4() {
	begin lz4 lz4 || return 0
	run make -j"$jobs" -C lib liblz4.a CC="$cc" AR="${tools}ar" CFLAGS="$flags"
	cp lib/liblz4.a "$prefix/lib"
	cp lib/lz4.h lib/lz4frame.h "$prefix/include"
	cat >"$prefix/lib/pkgconfig/liblz4.pc" <<END
Name: lz4
Description: extremely fast lossless compression
Version: $(sed 's/[+-].*//' "$work/source/lz4.version")
Libs: -L$prefix/lib -llz4
Cflags: -I$prefix/include
END
	key lz4 >"$prefix/built/lz4"
}

build_pcre2() {
	begin pcre2 pcre2 || return 0
	run ./configure -q --host="$arch-linux-gnu" --prefix="$prefix" --disable-shared --enable-static \
		--disable-jit --disable-pcre2grep-libz --disable-pcre2grep-libbz2 CC="$cc" AR="${tools}ar" \
		RANLIB="${tools}ranlib" CFLAGS="$flags -Os"
	run make -j"$jobs" libpcre2-8.la
	cp .libs/libpcre2-8.a "$prefix/lib"
	cp src/pcre2.h "$prefix/include"
	cp libpcre2-8.pc "$prefix/lib/pkgconfig"
	key pcre2 >"$prefix/built/pcre2"
}

# Without descriptions of terminals: those of the server are read, and flametty has its own.
build_ncurses() {
	begin ncurses ncurses || return 0
	run ./configure -q --host="$arch-linux-gnu" --prefix="$prefix" --enable-widec --without-shared \
		--without-debug --without-cxx --without-cxx-binding --without-ada --without-progs \
		--without-tests --without-manpages --disable-db-install --disable-stripping \
		--enable-pc-files --with-pkg-config-libdir="$prefix/lib/pkgconfig" \
		--with-default-terminfo-dir=/usr/share/terminfo \
		--with-terminfo-dirs=/etc/terminfo:/lib/terminfo:/usr/share/terminfo:/usr/lib/terminfo \
		CC="$cc" AR="${tools}ar" RANLIB="${tools}ranlib" CFLAGS="$flags -Os" BUILD_CC=gcc
	run make -j"$jobs" libs
	run make install.libs install.includes
	sed -i 's/@[A-Z_]*@//g' "$prefix"/lib/pkgconfig/*.pc
	key ncurses >"$prefix/built/ncurses"
}

build_json_c() {
	begin json-c json-c || return 0
	mkdir -p build.static
	cd build.static
	run cmake .. -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$arch" -DCMAKE_C_COMPILER="$cc" \
		-DCMAKE_AR="$(command -v "${tools}ar")" -DCMAKE_RANLIB="$(command -v "${tools}ranlib")" \
		-DCMAKE_C_FLAGS="$flags -Os" -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib \
		-DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF -DBUILD_APPS=OFF -DDISABLE_WERROR=ON \
		-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY
	run make -j"$jobs" install
	key json-c >"$prefix/built/json-c"
}

# ---- the program ----

build_flametty() {
	[ -f "$top/configure" ] || die "no configure in $top: run ./bootstrap or autoreconf -fi there"
	mkdir -p "$prefix/flametty"
	cd "$prefix/flametty"
	static_maps="-ffile-prefix-map=$top=. -ffile-prefix-map=$prefix=."
	if [ ! -f Makefile ] || [ -n "$(find "$top/configure" -newer Makefile)" ]; then
		# A folder that is configured cannot be built elsewhere, too.
		[ ! -f "$top/config.status" ] ||
			die "$top is configured: run make distclean there, or use make static"
		run env PKG_CONFIG_LIBDIR="$prefix/lib/pkgconfig" PKG_CONFIG_PATH= PKG_CONFIG='pkg-config --static' \
			"$top/configure" -q --host="$arch-linux-musl" CC="$cc" AR="${tools}gcc-ar" \
			RANLIB="${tools}gcc-ranlib" CFLAGS="-O2" LDFLAGS="-Wl,-z,norelro" \
			CPPFLAGS="-DSTATIC_MUSL=$(sed 's/[-+].*//' "$work/source/musl.version")"
	fi
	own="-flto=auto -g0 -fPIE -ffunction-sections -fdata-sections $no_tables $hard $static_maps"
	# What reads files is built for speed, the rest for size. Some macros in headers of musl would
	# give warnings.
	fast=$(cd "$top" &&
		for file in src/base/json/*.c src/model/build/*.c src/model/*.c src/read/cpu/*.c src/read/trace/*.c; do
			echo "${file%.c}.o"
		done)
	# shellcheck disable=SC2086
	run make -s -j"$jobs" WARN_CFLAGS= CFLAGS="-O2 $own" $fast
	run make -s -j"$jobs" WARN_CFLAGS= CFLAGS="-Os $own" flametty
	version=$(sed -n 's/^#define PACKAGE_VERSION "\(.*\)"/\1/p' config.h)
	out=$here/flametty-$version-linux-$arch
	"${tools}strip" -o "$out" flametty
	"$top/packaging/sbom.sh" "$out" "$version" "$work/source" "$gcc"
	say "$(basename "$out"): $(wc -c <"$out") bytes"
}

mkdir -p "$prefix"
cc=$prefix/bin/cc
(build_musl)
(build_zlib)
(build_zstd)
(build_lz4)
(build_pcre2)
(build_ncurses)
(build_json_c)
(build_flametty)
