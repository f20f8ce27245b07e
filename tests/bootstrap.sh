#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What ./bootstrap would install on each system, with which command: with a package manager that
# only writes down how it was called, on a machine that has no compiler and no library. And what it
# does where it cannot install.
set -u
top=$(cd "${srcdir:-$(dirname "$0")/..}" && pwd)
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failed=0
mkdir "$work/tools" "$work/tree"
cp "$top/bootstrap" "$top/configure.ac" "$top/Makefile.am" "$work/tree"
chmod -R u+w "$work/tree"
for tool in awk cat dirname env find grep sed sh tail uname; do
	# Not command -v, which in some shells names a tool that is part of the shell.
	path=$(IFS=:; for folder in $PATH; do [ -x "$folder/$tool" ] && echo "$folder/$tool" && break; done)
	[ -n "$path" ] || { echo "no $tool here"; exit 77; }
	ln -s "$path" "$work/tools/$tool"
done

# fake FOLDER NAME LINE...: a program in FOLDER.
fake() {
	file=$work/$1/$2
	shift 2
	{ echo '#!/bin/sh'; printf '%s\n' "$@"; } >"$file"
	chmod +x "$file"
}

# machine NAME PACKAGER UID: one with that package manager, which installs nothing, and that user.
# id and uname are functions: some shells of busybox prefer commands of their own to those in PATH.
machine() {
	machine=$1
	mkdir "$work/$machine"
	fake "$machine" "$2" "echo $2 \"\$@\" >>'$work/called'" "exit 1"
	functions="id() { echo $3; }"
}

# runs TASK: what bootstrap calls, without the folder of the machine; its words go to the file said.
runs() {
	rm -f "$work/called"
	(
		cd "$work/tree" && unset CC CI PKG_CONFIG_PATH && PATH=$work/$machine:$work/tools
		sh -c "$functions
			. ./bootstrap" ./bootstrap "$1" </dev/null
	) >"$work/said" 2>&1 && echo "$machine: $1 succeeds" >>"$work/called"
	[ -f "$work/called" ] || : >"$work/called"
}

# calls TASK [LINE...]: bootstrap calls exactly these.
calls() {
	task=$1
	shift
	runs "$task"
	: >"$work/wanted"
	[ $# = 0 ] || printf '%s\n' "$@" >"$work/wanted"
	diff "$work/wanted" "$work/called" && return
	echo "$machine: ./bootstrap $task"
	cat "$work/said"
	failed=1
}

# says TEXT
says() {
	grep -q -F -e "$1" "$work/said" && return
	echo "$machine: does not say '$1':"
	cat "$work/said"
	failed=1
}

fedora="dnf install -y -q gcc make autoconf automake pkgconf-pkg-config ncurses-devel json-c-devel pcre2-devel zlib-devel"
machine fedora dnf 0
# The second call is without the optional packages.
calls build "$fedora libzstd-devel lz4-devel" "$fedora"
says "could not install gcc make"
calls packages "$fedora check check-devel tmux libzstd-devel lz4-devel mandoc" "$fedora check check-devel tmux"
calls static "$fedora cmake libzstd-devel lz4-devel" "$fedora cmake"

alpine="apk add -q --no-cache gcc musl-dev make autoconf automake pkgconf ncurses-dev json-c-dev pcre2-dev zlib-dev"
machine alpine apk 0
calls build "$alpine zstd-dev lz4-dev" "$alpine"
calls packages "$alpine check-dev tmux zstd-dev lz4-dev mandoc" "$alpine check-dev tmux"

arch="--needed --noconfirm gcc make autoconf automake pkgconf ncurses json-c pcre2 zlib"
machine arch pacman 0
if [ -e /var/lib/pacman/sync/core.db ]; then arch="pacman -S $arch"; else arch="pacman -Sy $arch"; fi
calls build "$arch zstd lz4" "$arch"
calls packages "$arch check tmux zstd lz4" "$arch check tmux"

# apt-get: the lists of packages are fetched if they do not know the packages.
debian="apt-get install -y -q --no-install-recommends gcc libc6-dev make autoconf automake pkg-config libncurses-dev libjson-c-dev libpcre2-dev zlib1g-dev"
machine debian apt-get 0
fake debian apt-cache "exit 1"
calls build "apt-get update -q" "$debian libzstd-dev liblz4-dev" "apt-get update -q" "$debian"
fake debian apt-cache "exit 0"
calls build "$debian libzstd-dev liblz4-dev" "apt-get update -q" "$debian libzstd-dev liblz4-dev" "$debian" "apt-get update -q" "$debian"

# macOS: its compiler is not Homebrew's; Homebrew needs no root.
mac="brew install -q make autoconf automake pkgconf ncurses json-c pcre2 zlib"
machine mac brew 501
functions="$functions; uname() { echo Darwin; }"
fake mac cc "exit 0"
calls build "brew --prefix" "$mac zstd lz4" "$mac"
rm "$work/mac/cc"
calls build "brew --prefix"
says "run xcode-select --install"

# shellcheck disable=SC2016
as_root='case $1 in -n) shift ;; esac; exec "$@"'
# A user: with sudo, with doas, with neither, and without any package manager.
machine user apk 1000
fake user sudo "$as_root"
fake user true "exit 0"
calls build "$alpine zstd-dev lz4-dev" "$alpine"
rm "$work/user/sudo"
calls build
says "neither root nor sudo: please run as root: $alpine zstd-dev lz4-dev"
fake user doas "$as_root"
calls build "$alpine zstd-dev lz4-dev" "$alpine"

mkdir "$work/none"
machine=none
calls build
says "no known package manager here: please install cc make autoconf automake pkg-config ncursesw json-c libpcre2-8 zlib"
exit $failed
