#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fish completes commands, options, their words and files from the script that the program writes.
command -v fish >/dev/null || { echo "fish is missing"; exit 77; }
program=${FLAMETTY:-./flametty}
case $program in /*) ;; *) program=$PWD/$program ;; esac
work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
"$program" --completion=fish >script || exit 1
touch other.json
HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work XDG_CACHE_HOME=$work
export HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME
cat >test.fish <<'END'
source script
set failed 0
# The words that complete a line, without their descriptions.
function check
	set found (complete -C $argv[1] | string replace -r '=?\t.*' '' | sort | string join ' ')
	if test "$found" != "$argv[2]"
		echo "after '$argv[1]': $found, not $argv[2]"
		set failed 1
	end
end
check 'flametty rep' 'report'
check 'flametty --the' '--theme'
check 'flametty --theme=da' '--theme=dark'
check 'flametty export -f ' 'cpuprofile csv d3 folded html json md pprof speedscope svg trace'
check 'flametty report -f ' 'csv grep json md text'
check 'flametty oth' 'other.json'
check 'flametty report oth' 'other.json'
check 'flametty schema ' 'diff fleet report watch'
check 'flametty schema re' 'report'
exit $failed
END
exec fish --no-config test.fish
