# SPDX-License-Identifier: GPL-2.0-or-later
# What tests of the command line begin with: $FLAMETTY is the program, $top the sources, both absolute;
# bad TEXT says what is wrong and makes $failed 1.
set -u
FLAMETTY=${FLAMETTY:-flametty}
case $FLAMETTY in /*) ;; *) FLAMETTY=$PWD/$FLAMETTY ;; esac
export FLAMETTY
[ -x "$FLAMETTY" ] || { echo "no program: $FLAMETTY"; exit 99; }
top=$(cd "$(dirname "$0")/.." && pwd)
failed=0

bad() { echo "$*"; failed=1; }

# needs TOOL...: skip the test where one of them is missing.
needs() { for tool; do command -v "$tool" >/dev/null || { echo "skipped: no $tool here"; exit 77; }; done; }

# use_work: make the directory $work, which goes at the end.
use_work() {
	work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
	trap 'rm -rf "$work"' EXIT
	trap 'exit 1' HUP INT TERM
}
