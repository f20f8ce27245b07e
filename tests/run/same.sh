#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs behave the same with and without flametty run: the table same/cases, each command plain and
# recorded. Exit status, standard output, standard error without the lines of flametty, and the files
# in the folder must be equal, byte for byte; the time may be longer by a few seconds, for slow
# machines. Some programs race with their signal: where the two differ, the plain one is run again, up
# to five times, until it does what the recorded one did. Without --all only the short form of the
# table.
#
# usage: tests/run/same.sh [--all] [--nodes] [NAME...]
#        NODE is the program of Node.js that is used; --nodes: those of several versions, which npm
#        installs. NAME: only cases whose names contain it.
set -u
is_all=no versions=
while [ $# -gt 0 ]; do
	case $1 in
	--all) is_all=yes ;;
	--nodes) versions='18 20 22 24' ;;
	*) break ;;
	esac
	shift
done
[ $# = 0 ] || is_all=yes
# One a line.
names=$(printf "%s\n" "$@")
. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
for tool in setsid perl; do
	command -v $tool >/dev/null || { echo "$tool is missing"; exit 77; }
done
ulimit -c 0
# npm looks for newer versions of itself now and then.
export NPM_CONFIG_UPDATE_NOTIFIER=false NPM_CONFIG_CACHE=$work/npm
unset FORCE_COLOR NODE_V8_COVERAGE
chmod 755 "$work"
same=$work/same
n_cases=0 n_same=0

# perform KIND HOW COMMAND: leaves $work/KIND.out, .err, .status, .files, .ms.
perform() {
	kind=$1 how=$2 run_line=$3
	[ "$kind" = plain ] || run_line=$(recorded "$run_line")
	# The shell is in the group as well: one command takes its place.
	case $run_line in *' | '* | *' && '* | *' || '* | [A-Z]*) ;; *) run_line="exec $run_line" ;; esac
	rm -rf "$same" && cp -r "$here/same" "$same" && chmod 755 "$same" "$same/program"
	begun=$(date +%s%N)
	(
		cd "$same" || exit 99
		# As from a terminal, or a service: nothing is ignored. What hangs is ended by SIGALRM.
		exec env N="$NODE" FLAMETTY="$FLAMETTY" PROF="$work/prof" setsid perl -e '
			$SIG{$_} = "DEFAULT" for qw(INT QUIT HUP TERM PIPE); alarm 40; exec @ARGV' sh -c "$run_line"
	) >"$work/$kind.out" 2>"$work/$kind.err" </dev/null &
	pid=$!
	if [ "$how" != end ]; then
		i=0
		until [ -e "$same/ready" ] || [ $i = 500 ]; do i=$((i + 1)); sleep 0.02; done
		sleep 0.4
		case $how in
		pid:*) kill -s "${how#*:}" "$pid" ;;
		*) kill -s "${how#*:}" -- "-$pid" ;;
		esac
		case $how in twice:*) sleep 0.1; kill -s "${how#*:}" -- "-$pid" 2>/dev/null ;; esac
	fi
	wait "$pid" 2>/dev/null
	echo $? >"$work/$kind.status"
	echo $((($(date +%s%N) - begun) / 1000000)) >"$work/$kind.ms"
	# What the command has left behind may go on.
	i=0
	while kill -s 0 -- "-$pid" 2>/dev/null && [ $i -lt 60 ]; do i=$((i + 1)); sleep 0.05; done
	kill -s KILL -- "-$pid" 2>/dev/null
	(cd "$same" && find . ! -name . | sort && find . -type f -exec md5sum {} + | sort) >"$work/$kind.files"
}

# The command with flametty run before what is executed: after variables, before redirections.
recorded() {
	printf '%s\n' "$1" | sed -E 's/(^|\| |&& |\|\| )((PATH|NODE_OPTIONS|NODE_V8_COVERAGE)=[^ ]+(:\$PATH)? )?(\$N|npm|sh) /\1\2"$FLAMETTY" run -o "$PROF" -- \5 /g'
}

# Set $differs to what is not equal.
find_differences() {
	differs=
	grep -v '^flametty: ' "$work/recorded.err" >"$work/recorded.err2"
	mv "$work/recorded.err2" "$work/recorded.err"
	# The shell names its own number.
	for what in plain recorded; do sed -i -E 's/(bash|sh): line [0-9]+: +[0-9]+ /\1: /; s/(bash: [A-Z][a-z]+) .*/\1/; s/\(node:[0-9]+\)/(node)/; s/^\[[0-9]+:0x[0-9a-f]+\]/[]/' "$work/$what.err"; done
	for what in status out err files; do
		cmp -s "$work/plain.$what" "$work/recorded.$what" || differs="$differs $what"
	done
	p=$(cat "$work/plain.ms") r=$(cat "$work/recorded.ms")
	[ "$r" -lt $((p + 4000)) ] || differs="$differs time"
}

# compare NAME HOW COMMAND: a line of the table.
compare() {
	again=0
	find_differences
	while [ -n "$differs" ] && [ $again -lt 5 ]; do
		again=$((again + 1))
		perform plain "$2" "$3"
		find_differences
	done
	n_cases=$((n_cases + 1))
	[ -n "$differs" ] || n_same=$((n_same + 1))
	verdict=${differs:-same}
	[ -n "$differs" ] || [ $again = 0 ] || verdict="same as plain run $((again + 1))"
	printf '%-5s %-40s %4s %4s  %6d %6d  %s\n' "$version" "$1" "$(cat "$work/plain.status")" \
		"$(cat "$work/recorded.status")" "$p" "$r" "$verdict"
	[ -n "$differs" ] || return
	for what in out err files; do
		diff "$work/plain.$what" "$work/recorded.$what" | head -n 8 | sed 's/^/        /'
	done
}

is_wanted() {
	[ -n "$names" ] || return 0
	printf '%s\n' "$names" | (while read -r part; do case $1 in *"$part"*) exit 0 ;; esac; done; exit 1)
}

cases() {
	version=$("$NODE" -p 'process.versions.node.split(".").slice(0, 2).join(".")')
	while IFS='|' read -r name how command; do
		name=${name% } how=$(echo $how) command=${command# }
		case $name in '' | '#'*) continue ;; +*) name=${name#+} ;; *) [ $is_all = yes ] || continue ;; esac
		is_wanted "$name" || continue
		perform plain "$how" "$command"
		rm -rf "$work/prof"
		perform recorded "$how" "$command"
		compare "$name" "$how" "$command"
	done <"$here/same/cases"
}

printf '%-5s %-40s %9s  %13s\n' node case 'status' 'ms'
printf '%-5s %-40s %4s %4s  %6s %6s\n' '' '' plain rec plain rec
if [ -z "$versions" ]; then
	cases
else
	for major in $versions; do
		folder=${NODES:-$work/nodes}/n$major
		NODE=$folder/node_modules/node/bin/node
		[ -x "$NODE" ] || (mkdir -p "$folder" && cd "$folder" && npm install --silent --no-audit --no-fund "node@$major" >&2) ||
			{ echo "node@$major cannot be installed: skipped"; continue; }
		[ ! -x "$NODE" ] || cases
	done
fi
echo "$n_cases cases, $n_same the same"
[ "$n_cases" -gt 0 ] || exit 77
[ "$n_cases" = "$n_same" ]
