#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A source outside the current directory is read when the user says so: asked once per folder, only
# in the source pane, never in the middle of typing. FLAMETTY_SECURE asks nothing and starts nothing.
. "$(dirname "$0")/lib.sh"

work=$(cd "$work" && pwd -P)
mkdir -p "$work/cwd" "$work/srv/app/lib" "$work/bin"
echo '{}' >"$work/srv/app/package.json"
echo 'outerText();' >"$work/srv/app/outer.js"
echo 'innerText();' >"$work/srv/app/lib/inner.js"
echo 'besideText();' >"$work/srv/app/lib/beside.js"
echo '{"version":3,"sources":["typed.ts"],"sourcesContent":["typedText();"],"names":[],"mappings":"AAAA"}' \
	>"$work/srv/app/outer.js.map"
cat >"$work/cwd/one.cpuprofile" <<END
{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},"children":[2]},
{"id":2,"callFrame":{"functionName":"outer","scriptId":"1","url":"file://$work/srv/app/outer.js","lineNumber":0,"columnNumber":0},"children":[3]},
{"id":3,"callFrame":{"functionName":"inner","scriptId":"2","url":"file://$work/srv/app/lib/inner.js","lineNumber":0,"columnNumber":0},"children":[4]},
{"id":4,"callFrame":{"functionName":"beside","scriptId":"3","url":"file://$work/srv/app/lib/beside.js","lineNumber":0,"columnNumber":0}}],
"startTime":0,"endTime":4000,"samples":[4,4,4,4],"timeDeltas":[0,1000,1000,1000]}
END
cd "$work/cwd" || exit 99

# start [VARIABLE=VALUE]: show the profile, with the function outer selected.
start() {
	run "clear; $* \"\$FLAMETTY\" --no-config one.cpuprofile; echo \"status \$?\""
	wait_for 'one.cpuprofile'
	wait_steady
	keys k k
	wait_for 'outer.js:1'
}
stop() {
	keys -l ':quit'
	keys Enter
	check_sane
}
count() { screen | grep -c -F -e "$1"; }

open 130 40
# Nothing is asked as long as no source is to be shown.
start
sleep 1
[ "$(count 'read /')" = 0 ] || fail 'asked without the source pane'
keys S
wait_for "read $work/srv/app/outer.js?  y yes   n no   a always below $work/srv/app"
# Another function of another folder: after a pause.
keys Tab
keys j
wait_for "read $work/srv/app/lib/inner.js?"
keys y
wait_for 'innerText();'
# y is about the files beside it, too.
keys j
wait_for 'besideText();'
keys k k
wait_for "read $work/srv/app/outer.js?"
keys n
# The pane says "not read" below the question, too.
wait_gone 'read /'
wait_for 'outer.js: not read'
wait_steady
[ "$(count 'read /')" = 0 ] || fail 'asked again after n'
keys j k
wait_for 'outer.js: not read'
sleep 1
[ "$(count 'read /')" = 0 ] || fail 'asked again for the folder'
stop

# What is typed at once is no answer: Syyy copies, and waits for the second key of a pair.
start
keys -l 'Syyy'
wait_for 'outer.js: not read'
sleep 1
[ "$(count 'read /')" = 0 ] || fail 'asked in the middle of a pair of keys'
keys y
wait_for "read $work/srv/app/outer.js?"
[ "$(count 'outerText')" = 0 ] || fail 'keys of a burst were an answer'
# Always: with source maps, now and at the next start.
keys a
wait_for 'typedText();'
keys Tab
keys j
wait_for 'innerText();'
stop
[ "$(cat "$work/flametty/folders")" = "$work/srv/app" ] || fail "folders: $(cat "$work/flametty/folders")"
run "clear; \"\$FLAMETTY\" --no-config --no-sources one.cpuprofile"
wait_for 'one.cpuprofile'
wait_steady
keys k k S
wait_for 'not read: --no-sources is on'
stop
run "clear; \"\$FLAMETTY\" --no-config one.cpuprofile"
wait_for 'one.cpuprofile'
wait_steady
keys k k
wait_for 'typed.ts:1'
keys S
wait_for 'typedText();'
stop
# Only the interface takes that for an answer.
"$FLAMETTY" report --table=lines one.cpuprofile >"$work/out" 2>"$work/err"
grep -q -F "3 source files were not read" "$work/err" || fail "report: $(cat "$work/err")"
rm "$work/flametty/folders"

# ---- FLAMETTY_SECURE ----
printf '#!/bin/sh\ntouch "%s/edited"\n' "$work" >"$work/bin/editor"
chmod +x "$work/bin/editor"
start FLAMETTY_SECURE=1 "VISUAL=$work/bin/editor"
keys S
wait_for 'outer.js: not read'
sleep 1
[ "$(count 'read /')" = 0 ] || fail 'FLAMETTY_SECURE: asked'
keys e
wait_for 'FLAMETTY_SECURE is set: no editor'
keys -l ':export folded out.txt'
keys Enter
wait_for 'FLAMETTY_SECURE is set: no export'
keys -l ':write-config'
keys Enter
wait_for 'FLAMETTY_SECURE is set: no file of settings is written'
stop
[ ! -e "$work/edited" ] && [ ! -e out.txt ] || fail 'FLAMETTY_SECURE: an editor or an export'
for command in 'export one.cpuprofile' 'run -- true' 'attach 1' 'watch 1' 'live 1' 'fleet --export=tables .'; do
	# shellcheck disable=SC2086
	said=$(FLAMETTY_SECURE=1 "$FLAMETTY" $command 2>&1) && fail "$command: status 0"
	case $said in
	'flametty: FLAMETTY_SECURE is set: no '*) ;;
	*'no option'* | *'without attach'*) ;;
	*) fail "$command: $said" ;;
	esac
done
FLAMETTY_SECURE=1 "$FLAMETTY" report one.cpuprofile >"$work/out" 2>/dev/null || fail 'FLAMETTY_SECURE: report'
FLAMETTY_SECURE=0 "$FLAMETTY" export --format=folded one.cpuprofile >"$work/out" 2>/dev/null || fail 'FLAMETTY_SECURE=0'
exit 0
