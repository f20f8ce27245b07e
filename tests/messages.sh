#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each line on standard error begins with the name of the program: of commands that fail in all the
# ways that need no terminal, with wrong values of all options, and with warnings.
set -u
FLAMETTY=${FLAMETTY:-$PWD/flametty}
input=$(cd "$(dirname "$0")/input" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
HOME=$work TMPDIR=$work XDG_RUNTIME_DIR=$work LC_ALL=C
export HOME TMPDIR XDG_RUNTIME_DIR LC_ALL
unset XDG_CONFIG_HOME XDG_DATA_HOME FLAMETTY_HOOK NODE_OPTIONS
n=0 n_lines=0 n_failed=0

# try ARGUMENT...: what the program says on standard error.
try() {
	n=$((n + 1))
	"$FLAMETTY" "$@" >/dev/null 2>"$work/err" </dev/null
	status=$?
	n_lines=$((n_lines + $(wc -l <"$work/err")))
	if grep -v '^flametty: ' "$work/err" >"$work/bad" || [ $status -gt 128 ]; then
		n_failed=$((n_failed + 1))
		echo "FAILED: flametty $*: status $status"
		head -5 "$work/bad" | sed 's/^/    /'
	fi
}

# ---- each option, with a value that is none, an empty one, and without one ----
"$FLAMETTY" --help | grep -o -e '--[a-z][a-z-]*' | sort -u >"$work/options"
[ "$(wc -l <"$work/options")" -gt 50 ] || { echo "FAILED: --help lists no options"; n_failed=1; }
while read -r option; do
	case $option in --help | --version) continue ;; esac
	for command in report export diff; do
		try $command "$option=no
such value" "$input/no-such-file"
		try $command "$option=" "$input/no-such-file"
		try $command "$input/no-such-file" "$option"
	done
	for command in run attach live watch; do
		try $command "$option=no
such value" --render=80x24 -t 1ms -- /no/such/program
	done
done <"$work/options"

# ---- commands ----
try --no-such-option
try -Q
try reprot
try report
try diff "$input/no-such-file"
try report "no
such
file"
printf '{"nodes":[\nflametty\n' >"$work/cut.cpuprofile"
: >"$work/empty"
printf 'a\nb\n' >"$work/text
of two lines"
try report "$work/cut.cpuprofile" "$work/empty" "$work/text
of two lines"
for file in "$input"/*; do
	try report "$file"
done
profile=$input/heavy-twice.cpuprofile
[ -f "$profile" ] || profile=$(ls "$input"/*.cpuprofile | head -1)
try report --fail-if='self(render) > 5%
x' "$profile"
try report --fail-if='total(re(x) > 5' "$profile"
try report --fail-if='gc > -1%' "$profile"
try export -f html -o /no/such/folder/file "$profile"
try export -f folded -o "$work" "$profile"
try report --config "$work/no-such-file" "$profile"
printf 'set no such\nbind\nwidth\n\n  --nothing\n' >"$work/config"
try --config "$work/config" report "$profile"
try report --config="$work/config" "$profile"
TERM=no-such-terminal try "$profile"
try completion nothing
for command in run attach live watch; do
	try $command
	try $command --interval=much x
	try $command 0
	try $command 4194999
	try $command 127.0.0.1:1
	try $command --report $$
	try $command -o "$work/empty" no-such-program
done
try run -- /dev/null
try run -- sh -c 'exit 3'
HOME='' try run -- true
FLAMETTY_HOOK=relative try run -- true
TMPDIR=/no/such try run -- true
if command -v node >/dev/null 2>&1; then
	try run -- node -v
	try run -- sh -c 'NODE_OPTIONS= node -e 1; exec 2>/dev/null; node -e "process.abort()"
		node -e "setInterval(() => {}, 3)" & sleep 0.5; kill $!; exit 1'
fi
echo "messages: $n commands, $n_lines lines, $n_failed of them not as they should be"
[ "$n_failed" = 0 ] && [ "$n_lines" -gt 100 ]
