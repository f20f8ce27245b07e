#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Records the programs of tests/judged/programs anew, one after the other, with the installed node:
# programs/NAME.cpuprofile.gz, or programs/NAME/ for a program with worker threads.
# Usage: tests/judged/record.sh [NAME...]. The paths of the machine are replaced.
set -eu
cd "$(dirname "$0")/programs"
here=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
for name in ${*:-$(ls ./*.js)}; do
    name=$(basename "$name" .js)
    options=$(awk -F'\t' -v n="$name" '$1 == n { print $5 }' ../programs.tsv)
    mkdir "$work/$name"
    node $options --cpu-prof --cpu-prof-dir="$work/$name" "$name.js" >/dev/null
    sed -i "s|file://$here|file:///home/dev/judged|g; s|\"$here|\"/home/dev/judged|g" "$work/$name"/*.cpuprofile
    rm -rf "$name" "$name.cpuprofile.gz"
    set -- "$work/$name"/*.cpuprofile
    if [ $# = 1 ]; then
        gzip -9n <"$1" >"$name.cpuprofile.gz"
    else
        mkdir "$name"
        for file; do gzip -9n <"$file" >"$name/$(basename "$file").gz"; done
    fi
done
