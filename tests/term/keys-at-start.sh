#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --keys are pressed on the first picture, with the culprit that it selects: the terminal shows the
# texts that --render prints. A key that does not exist opens no terminal.
. "$(dirname "$0")/lib.sh"

# Blocks may be cells with a ground.
texts() { sed 's/[▁▂▃▄▅▆▇█▏▎▍▌▋▊▉▐▕░▒▓│┃]/ /g; s/ *|*$//'; }
shows() { screen | texts >"$work/is" && cmp -s "$work/is" "$work/expect"; }

open 120 40
for keys in w '!' '2' 'nS'; do
	"$FLAMETTY" --render=120x40 --keys="$keys" "$profile" | texts >"$work/expect"
	view "--keys='$keys' \"\$profile\""
	wait_until shows "the picture of --render --keys=$keys"
	keys Z Z
	wait_for 'status 0'
	run clear
	wait_gone 'status 0'
done
run "\"\$FLAMETTY\" --keys='<Nothing>' \"\$profile\"; echo \"status \$?\""
wait_for 'no such key: <Nothing>'
wait_for 'status 2'
