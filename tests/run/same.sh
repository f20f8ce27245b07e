#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs behave the same with and without flametty run: the table same/cases, each command plain and
# recorded. Exit status, standard output, standard error without the lines of flametty, and the files
# in the folder must be equal, byte for byte; the time may be longer by a few seconds, for slow
# machines. Without --all only the short form of the table.
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
names=("$@")
[ ${#names[@]} = 0 ] || is_all=yes
. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
command -v setsid >/dev/null || { echo "setsid is missing"; exit 77; }
ulimit -c 0
# npm looks for newer versions of itself now and then.
export NPM_CONFIG_UPDATE_NOTIFIER=false NPM_CONFIG_CACHE=$work/npm
unset FORCE_COLOR NODE_V8_COVERAGE
chmod 755 "$work"
same=$work/same
n_cases=0 n_same=0

# perform KIND HOW COMMAND: leaves $work/KIND.out, .err, .status, .files, .ms.
perform() {
	local kind=$1 how=$2 command=$3 begun pid i
	rm -rf "$same" && cp -r "$here/same" "$same" && chmod 755 "$same" "$same/program"
	begun=$(date +%s%N)
	(
		cd "$same" || exit 99
		# As from a terminal, or a service: nothing is ignored. What hangs is ended by SIGALRM.
		if [ "$kind" = plain ]; then
			set -- bash -c "$command"
		else
			# The first word of a pipe is what is recorded.
			set -- bash -c "$(recorded "$command")"
		fi
		exec env N="$NODE" FLAMETTY="$FLAMETTY" PROF="$work/prof" setsid perl -e '
			$SIG{$_} = "DEFAULT" for qw(INT QUIT HUP TERM PIPE); alarm 40; exec @ARGV' "$@"
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
	while kill -0 -- "-$pid" 2>/dev/null && [ $i -lt 60 ]; do i=$((i + 1)); sleep 0.05; done
	kill -KILL -- "-$pid" 2>/dev/null
	(cd "$same" && find . ! -name . | sort && find . -type f -exec md5sum {} + | sort) >"$work/$kind.files"
}

# The command with flametty run before what is executed: after variables, before redirections.
recorded() {
	local run="exec_run() { exec \"\$FLAMETTY\" run -o \"\$PROF\" -- \"\$@\"; }; run() { \"\$FLAMETTY\" run -o \"\$PROF\" -- \"\$@\"; };"
	echo "$run $(sed -E 's/(^|\| |&& |\|\| )((PATH|NODE_OPTIONS|NODE_V8_COVERAGE)=[^ ]+(:\$PATH)? )?(\$N|npm|sh) /\1\2"$FLAMETTY" run -o "$PROF" -- \5 /g' <<<"$1")"
}

# compare NAME: a line of the table.
compare() {
	local what differs= p r
	grep -v '^flametty: ' "$work/recorded.err" >"$work/recorded.err2"
	mv "$work/recorded.err2" "$work/recorded.err"
	# The shell names its own number.
	for what in plain recorded; do sed -i -E 's/(bash|sh): line [0-9]+: +[0-9]+ /\1: /; s/(bash: [A-Z][a-z]+) .*/\1/; s/\(node:[0-9]+\)/(node)/; s/^\[[0-9]+:0x[0-9a-f]+\]/[]/' "$work/$what.err"; done
	for what in status out err files; do
		cmp -s "$work/plain.$what" "$work/recorded.$what" || differs="$differs $what"
	done
	p=$(cat "$work/plain.ms") r=$(cat "$work/recorded.ms")
	[ "$r" -lt $((p + 4000)) ] || differs="$differs time"
	n_cases=$((n_cases + 1))
	[ -n "$differs" ] || n_same=$((n_same + 1))
	printf '%-5s %-40s %4s %4s  %6d %6d  %s\n' "$version" "$1" "$(cat "$work/plain.status")" \
		"$(cat "$work/recorded.status")" "$p" "$r" "${differs:-same}"
	[ -n "$differs" ] || return
	for what in out err files; do
		diff "$work/plain.$what" "$work/recorded.$what" | head -n 8 | sed 's/^/        /'
	done
}

is_wanted() {
	local name
	[ ${#names[@]} -gt 0 ] || return 0
	for name in "${names[@]}"; do [[ $1 != *"$name"* ]] || return 0; done
	return 1
}

cases() {
	local name how command
	version=$("$NODE" -p 'process.versions.node.split(".").slice(0, 2).join(".")')
	while IFS='|' read -r name how command; do
		name=${name% } how=${how// /} command=${command# }
		case $name in '' | '#'*) continue ;; +*) name=${name#+} ;; *) [ $is_all = yes ] || continue ;; esac
		is_wanted "$name" || continue
		perform plain "$how" "$command"
		rm -rf "$work/prof"
		perform recorded "$how" "$command"
		compare "$name"
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
