#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What an agent reads until it knows the culprit, its caller and its hottest line; see tokens.py.
# The recordings are in ../shared beside the sources, or in $PLANTED.
case ${FLAMETTY:-./flametty} in
/*) program=${FLAMETTY:-} ;;
*) program=$PWD/${FLAMETTY:-flametty} ;;
esac
cd "$(dirname "$0")/.." || exit 99
[ -x "$program" ] || { echo "no program: $program"; exit 99; }
planted=${PLANTED:-../shared/planted}
[ -d "$planted" ] || { echo "no $planted here"; exit 77; }
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
LC_ALL=C.UTF-8 exec python3 tests/tokens.py "$program" "$planted"
