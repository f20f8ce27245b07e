# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# read_by PROGRAM [FILE|FOLDER...]: run a test of exports, a program of this folder; see README here.
read_by() {
	FLAMETTY=${FLAMETTY:-$PWD/flametty}
	[ -x "$FLAMETTY" ] || { echo "no program: $FLAMETTY"; exit 99; }
	command -v python3 >/dev/null || { echo "no python3"; exit 77; }
	program=$1
	shift
	exec python3 -B "$(dirname "$0")/$program" "$FLAMETTY" "$@"
}
