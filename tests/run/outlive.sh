#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What flametty run sets for the programs that it starts never keeps one from starting: when the run
# is over and its folder gone, for other users, in a program that empties TMPDIR, with folders that
# another user has put in the place of ours.
#
# usage: tests/run/outlive.sh        NODE is the program of Node.js that is used
set -u

command=run
. "$(dirname "$0")/lib.sh"
ulimit -c 0
chmod 755 "$work"
cat >"$work/app.js" <<'EOS'
console.log('ran ' + Object.keys(require.cache).length);
EOS
chmod 644 "$work/app.js"
app=$work/app.js

# ---- a daemon ----
# It starts programs again after the run has ended, with the variables of the run.
cat >"$work/daemon.js" <<'EOS'
const { spawn, spawnSync } = require('child_process'), fs = require('fs');
const [, , app, log, role] = process.argv;
if (!role) {
	spawn(process.execPath, [__filename, app, log, 'daemon'], { detached: true, stdio: 'ignore' }).unref();
} else {
	const folder = process.env.FLAMETTY_RUN;
	const timer = setInterval(() => {
		if (fs.existsSync(folder))
			return;
		clearInterval(timer);
		const { status, stdout, stderr } = spawnSync(process.execPath, [app]);
		fs.writeFileSync(log + '.new', JSON.stringify([status, String(stdout), String(stderr)]));
		fs.renameSync(log + '.new', log);
	}, 50);
}
EOS
run 0 -o "$work/prof" -- "$NODE" "$work/daemon.js" "$app" "$work/daemon.log"
wait_until 'test -s "$work/daemon.log"' || failed "the daemon starts nothing"
[ "$(cat "$work/daemon.log" 2>/dev/null)" = '[0,"ran 1\n",""]' ] ||
	failed "a daemon after the run: $(cat "$work/daemon.log" 2>/dev/null)"

# ---- variables that are kept ----
run 0 -o "$work/prof" -- "$NODE" -e 'const fs = require("fs"), { NODE_OPTIONS: a, FLAMETTY_RUN: b } = process.env;
	fs.writeFileSync(process.argv[1], `NODE_OPTIONS=${JSON.stringify(a)} FLAMETTY_RUN=${b}`)' "$work/kept"
grep -q -e --require "$work/kept" || failed "NODE_OPTIONS: $(cat "$work/kept")"
later() { (eval "export $(sed "s/=\"\\(.*\\)\" FL/='\\1' FL/; s/\\\\\\\\\"/\"/g; s/\\\\\"/\"/g" "$work/kept")"; "$@") >"$work/later" 2>&1; }
later "$NODE" "$app"
[ "$(cat "$work/later")" = 'ran 1' ] || failed "a week later: $(cat "$work/later")"

# Another user makes a folder of the name: its script is not loaded.
folder=$(sed 's/.*FLAMETTY_RUN=//' "$work/kept")
planted() {
	later "$NODE" "$app"
	[ "$(cat "$work/later")" = 'ran 1' ] || failed "$1: $(cat "$work/later")"
}
mkdir -p "$folder" && echo 'console.log("planted")' >"$folder/hook.cjs"
chmod 777 "$folder"
planted "a folder that others can write to"
chmod 755 "$folder" && chmod 666 "$folder/hook.cjs"
planted "a script that others can write to"
chmod 644 "$folder/hook.cjs"
mv "$folder/hook.cjs" "$work/hook.cjs" && ln -s "$work/hook.cjs" "$folder/hook.cjs"
planted "a link"
if [ "$(id -u)" = 0 ]; then
	rm "$folder/hook.cjs" && cp "$work/hook.cjs" "$folder/hook.cjs"
	chown -R 65534 "$folder"
	planted "a folder of another user"
fi
rm -rf "$folder"
# A script that cannot be run: of a version of Node.js that is too old for it, say.
mkdir "$folder" && chmod 700 "$folder" && echo 'syntax error' >"$folder/hook.cjs" && chmod 600 "$folder/hook.cjs"
planted "a script with an error"
rm -rf "$folder"

# ---- TMPDIR is emptied ----
mkdir "$work/tmp"
TMPDIR=$work/tmp
run 1 -- sh -c 'rm -rf "$TMPDIR"/*; "$0" "$1"' "$NODE" "$app"
has out '^ran 1$' "TMPDIR is emptied"
has err 'folder of the recording was removed' "TMPDIR is emptied"
TMPDIR=$work

# ---- other users ----
if [ "$(id -u)" = 0 ] && "$NODE" -e 'process.setgid(65534); process.setuid(65534)'; then
	run 0 -- "$NODE" -e 'process.setgid(65534); process.setuid(65534);
		require("child_process").execFileSync(process.execPath, [process.argv[1]], { stdio: "inherit" })' "$app"
	has out '^ran 1$' "a child after setuid()"
	run 0 -- "$NODE" -e 'process.setgid(65534); process.setuid(65534);
		new (require("worker_threads").Worker)(process.argv[1])' "$app"
	has out '^ran 1$' "a worker after setuid()"
	if command -v setpriv >/dev/null; then
		run 0 -- setpriv --reuid=65534 --regid=65534 --clear-groups "$NODE" "$app"
		has out '^ran 1$' "the whole command as another user"
	fi
fi

# ---- places for the script ----
cmp -s "$FLAMETTY_HOOK/run_preload.cjs" "$(dirname "$0")/../../src/record/run_preload.cjs" || failed "the script in FLAMETTY_HOOK"
[ "$(ls "$FLAMETTY_HOOK")" = run_preload.cjs ] || failed "left in FLAMETTY_HOOK"
FLAMETTY_HOOK=relative
run 1 -- "$NODE" "$app"
has err 'absolute' "a relative path"
[ ! -s "$work/out" ] || failed "the command was started"
mkdir "$work/shared" && chmod 777 "$work/shared"
FLAMETTY_HOOK=$work/shared
run 1 -- "$NODE" "$app"
has err 'other users can replace' "a folder for all users"
# The home is below /tmp or the like, where all users can write.
if [ "$(id -u)" = 0 ] && setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$FLAMETTY" 2>/dev/null && [ -k /tmp ] && [ -x /tmp ] && [ -z "${work##/tmp/*}" ]; then
	unset FLAMETTY_HOOK
	mkdir "$work/home" && chmod 777 "$work" && chown 65534 "$work/home"
	(HOME=$work/home setpriv --reuid=65534 --regid=65534 --clear-groups "$FLAMETTY" run -- "$NODE" "$app") \
		>"$work/out" 2>"$work/err"
	has err 'other users can replace' "a home that others can replace"
	[ -e "$work/home/.local/share/flametty/run_preload.cjs" ] || failed "no copy in the home"
	chmod 755 "$work"
	export FLAMETTY_HOOK
fi
# The user's own group may write, as it does with umask 002, if no other user is in it.
if unshare -m true 2>/dev/null && command -v setpriv >/dev/null; then
	cat >"$work/home.sh" <<'EOS'
# home.sh FOLDER MEMBERS PROGRAM...
folder=$1 members=$2
shift 2
mount -t tmpfs none "$folder" && mount -t tmpfs -o mode=755 none /mnt || exit 77
echo 'ann:x:61234:61234::/:/bin/sh' >"$folder/passwd" && mount --bind "$folder/passwd" /etc/passwd &&
	echo "ann:x:61234:$members" >"$folder/group" && mount --bind "$folder/group" /etc/group || exit 77
mkdir -p /mnt/home/.local/share && chown -R 61234:61234 /mnt/home && chmod -R 775 /mnt/home
HOME=/mnt/home TMPDIR=/mnt/home exec setpriv --reuid=61234 --regid=61234 --clear-groups "$@"
EOS
	mkdir "$work/files"
	for members in '' ben; do
		(unset FLAMETTY_HOOK
			exec unshare -m sh "$work/home.sh" "$work/files" "$members" "$FLAMETTY" run -- "$NODE" "$app") \
			>"$work/out" 2>"$work/err"
		case $?:$members in
		77:* | 126:* | 127:*) ;;
		0:) has out '^ran 1$' "a home of the user's own group" ;;
		1:ben) has err 'other users can replace' "a home of a group" ;;
		*) failed "a home of a group: members '$members'" ;;
		esac
	done
fi
FLAMETTY_HOOK=/dev/null/no
run 1 -- "$NODE" "$app"
has err 'cannot' "a place that cannot be"
exit $((n_failed > 0))
