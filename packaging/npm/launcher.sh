#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Becomes the program of this system, which is a package of its own beside this one or above it.
self=$0
while [ -L "$self" ]; do
	target=$(readlink "$self")
	case $target in /*) self=$target ;; *) self=${self%/*}/$target ;; esac
done
folder=$(cd "${self%/*}" && pwd -P)
case $(uname -sm) in
"Linux x86_64") name=flametty-linux-x64 ;;
"Linux aarch64" | "Linux arm64") name=flametty-linux-arm64 ;;
"Darwin x86_64") name=flametty-darwin-x64 ;;
"Darwin arm64") name=flametty-darwin-arm64 ;;
*)
	echo "flametty: there is no program for $(uname -sm) in npm: build it from the source" >&2
	exit 1
	;;
esac
while [ -n "$folder" ]; do
	program=$folder/node_modules/$name/flametty
	[ ! -x "$program" ] || exec "$program" "$@"
	folder=${folder%/*}
done
echo "flametty: the package $name is not installed: it is an optional dependency, which
--omit=optional or --no-optional leaves out; or no release has it" >&2
exit 1
