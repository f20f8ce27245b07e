#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# e starts the user's editor on the code of the function, and the same screen comes back.
. "$(dirname "$0")/lib.sh"

# Editors that note their words, and those that fail, wait or change the terminal.
mkdir "$work/bin" "$work/my bin"
cat >"$work/bin/stub" <<'END'
#!/bin/sh
printf '%s' "${0##*/}" >>"$work/words"
for word; do printf '|%s' "${word#"$work"/}" >>"$work/words"; done
echo >>"$work/words"
END
cat >"$work/bin/failing" <<'END'
#!/bin/sh
exit 3
END
cat >"$work/bin/killed" <<'END'
#!/bin/sh
stty raw -echo
printf '\033[?1049h\033[?1003h'
kill -KILL $$
END
cat >"$work/bin/waiting" <<'END'
#!/bin/sh
echo "editing ${1} ${2##*/}"
read -r line
echo "got $line" >>"$work/words"
END
chmod +x "$work"/bin/*
for name in code emacs vim nano hx micro kak; do cp "$work/bin/stub" "$work/bin/$name"; done
cp "$work/bin/stub" "$work/my bin/ed"
mkdir "$work/lib"
i=0
while [ $((i += 1)) -le 20 ]; do echo "line $i"; done >"$work/server.js"
echo 'x' >"$work/-lib.js"
cat >"$work/one.cpuprofile" <<END
{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},"children":[2]},
{"id":2,"callFrame":{"functionName":"outer","scriptId":"1","url":"file://$work/server.js","lineNumber":11,"columnNumber":6},"children":[3]},
{"id":3,"callFrame":{"functionName":"inner","scriptId":"2","url":"-lib.js","lineNumber":4,"columnNumber":0}}],
"startTime":0,"endTime":4000,"samples":[3,3,3,3],"timeDeltas":[0,1000,1000,1000]}
END
touch -d '2001-01-01' "$work/server.js" "$work/-lib.js"
PATH=$work/bin:$PATH
cd "$work" || exit 99

# start COMMAND: with that editor, on the function outer.
start() {
	run "clear; VISUAL=\"$1\" \"\$FLAMETTY\" --no-config one.cpuprofile; echo \"status \$?\""
	wait_for 'one.cpuprofile'
	wait_steady
	keys k
	wait_for 'server.js:12:7'
}
stop() {
	keys q
	check_sane
}
wrote() { wait_until "grep -q -F -x -e '$1' '$work/words'" "the words $1"; }

open 100 30
before=
while read -r command words; do
	start "$command"
	keys e
	wait_for ': opened in'
	wrote "$words"
	[ "$(tells alternate_on)" = 1 ] || fail "not back on the alternate screen"
	[ "$(tells mouse_any_flag)" = 1 ] || fail "the mouse is off"
	stop
done <<'END'
code code|-g|server.js:12:7
emacs emacs|+12:7|server.js
vim vim|+call cursor(12,7)|server.js
nano nano|+12,7|server.js
hx hx|server.js:12:7
micro micro|server.js:12:7
kak kak|server.js|+12:7
END

# The same screen, except for the message.
picture() { screen | sed '$d'; }
start "'$work/my bin/ed' -w"
wait_steady
before=$(picture)
keys e
wait_for 'opened in ed'
wrote 'ed|-w|+12|server.js'
[ "$(picture)" = "$before" ] || fail "another picture: $before"
# The line with the cursor of the source pane.
keys S
wait_for 'line 12'
keys g j e
wrote 'ed|-w|+2|server.js'
wait_for 'server.js:2: opened'
keys q
# A name that looks like an option.
keys j
wait_for 'inner'
keys e
wrote 'ed|-w|+5|./-lib.js'
touch "$work/-lib.js"
wait_for 'opened in ed'
touch -d '2030-01-01' "$work/-lib.js"
keys j e
wait_for 'newer than the profile'
rm "$work/-lib.js"
keys e
wait_for 'no such file: -lib.js'
stop

start failing
keys e
wait_for 'failing ended with status 3'
stop

start killed
keys e
wait_for 'killed was ended by signal 9'
stop

start no-such-editor
keys e
wait_for 'cannot run no-such-editor'
stop

# The editor has the terminal with its lines and its keys, is stopped and continued, and the
# terminal changes its size meanwhile.
start waiting
keys e
wait_for 'editing +12 server.js'
[ "$(tells alternate_on)" = 0 ] || fail "on the alternate screen in the editor"
[ "$(tells mouse_any_flag)" = 0 ] || fail "the mouse is on in the editor"
keys C-z
wait_for Stopped
resize 80 24
run fg
run 'some text'
wait_for 'opened in waiting'
wrote 'got some text'
wait_steady
[ "$(screen | wc -l)" -le 24 ] || fail "the size is not followed"
stop
