#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Make the context of the image, and build it with what is here.
#
# usage: packaging/container/image.sh PROGRAM FOLDER [COMMAND...]
# PROGRAM: a static one, flametty-VERSION-linux-ARCHITECTURE. FOLDER must not be there. COMMAND:
# `docker build -t flametty`, `podman build -t flametty` or `buildah bud -t flametty`; without it
# only the folder is made.
set -eu
umask 022
[ $# -ge 2 ] || { sed -n 's/^# \(usage: .*\)/\1/p' "$0" >&2; exit 2; }
top=$(cd "$(dirname "$0")/../.." && pwd)
program=$1 folder=$2
shift 2
version=${program##*/flametty-}
version=${version%-linux-*}
[ ! -e "$folder" ] || { echo "image.sh: $folder is there already" >&2; exit 1; }
mkdir -p "$folder/root/tmp"
chmod 1777 "$folder/root/tmp"
cp "$program" "$folder/root/flametty"
chmod 755 "$folder/root/flametty"
cp "$top/packaging/container/Containerfile" "$folder/Containerfile"
[ $# = 0 ] || "$@" --build-arg VERSION="$version" -f "$folder/Containerfile" "$folder"
