#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The examples in data/ci are YAML, and the options of their flametty commands are right: with other
# files, none of the commands ends as wrong usage.
. "$(dirname "$0")/lib.sh"
cd "$top" || exit 99
use_work
profile=$PWD/tests/input/small.cpuprofile
[ -f "$profile" ] || { echo "no profile: $profile"; exit 99; }
python3 -c 'import yaml' 2>/dev/null || { echo "skipped: python3 without yaml"; exit 77; }

for file in data/ci/*.yml; do
	# The commands, which all jobs have in one of two places.
	python3 - "$file" >"$work/commands" <<'END' || { echo "FAILED: $file: no YAML"; exit 1; }
import sys, yaml
job = yaml.safe_load(open(sys.argv[1]))
lines = [s["run"] for s in job["jobs"]["profile"]["steps"] if "run" in s] \
    if "jobs" in job else job["profile"]["script"]
print("\n".join(line for line in lines if line.startswith("flametty ")))
END
	[ -s "$work/commands" ] || { echo "FAILED: $file: no command"; exit 1; }
	while read -r line; do
		# The names of the examples become runs of one small profile.
		line=$(printf '%s\n' "$line" | sed -e 's,>[a-z]*\.md$,,' -e 's,>>"[^"]*"$,,' \
			-e "s,base/prof/\*,$profile," -e "s,prof/\*,$profile," -e "s, prof *\$, $profile,")
		(eval "\"\$FLAMETTY\" ${line#flametty }") >"$work/out" 2>"$work/stderr"
		status=$?
		[ "$status" != 2 ] && [ -s "$work/out" ] && continue
		echo "FAILED: $file: $line: exit status $status"
		cat "$work/stderr"
		exit 1
	done <"$work/commands"
done
