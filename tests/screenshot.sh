#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# packaging/screen.svg is the first screen as the program draws it today. UPDATE=1 writes it again.
# papers.sh compares the text in README.
. "$(dirname "$0")/lib.sh"
use_work
cd "$top" || exit 99
sh packaging/screenshot.sh 120x34 "$FLAMETTY" data/http-server >"$work/screen.svg" 2>"$work/errors"
case $? in
0) ;;
77) cat "$work/errors"; exit 77 ;;
*) bad "$(cat "$work/errors")" ;;
esac
[ -z "${UPDATE:-}" ] || cp "$work/screen.svg" packaging/screen.svg
cmp packaging/screen.svg "$work/screen.svg" || bad "packaging/screen.svg is not what the program draws"
exit $failed
