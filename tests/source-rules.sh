#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Which files a profile makes flametty read. A profile names files as it likes: none of them may
# show a line of a file outside the current directory, --source-root and --map. Each case here
# showed such a line before there were rules.
set -u
flametty=${FLAMETTY:-$PWD/flametty}
work=$(mktemp -d) || exit 99
work=$(cd "$work" && pwd -P)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
LC_ALL=C.UTF-8
export LC_ALL
unset NO_COLOR COLUMNS LINES FLAMETTY_SECURE

# profile URL FILE: a profile with all its time in line 1 of a script.
profile() {
	cat >"$2" <<-END
	{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,
	"columnNumber":-1},"children":[2]},{"id":2,"callFrame":{"functionName":"work","scriptId":"5",
	"url":"$1","lineNumber":0,"columnNumber":0},"positionTicks":[{"line":1,"ticks":4}]}],
	"startTime":0,"endTime":80000,"samples":[2,2,2,2],"timeDeltas":[0,20000,20000,20000]}
	END
}

wrong() {
	echo "source-rules: $*"
	failed=$((failed + 1))
}

# shown WORD ARGUMENT...: the word is in the output. hidden WORD ARGUMENT...: it is not.
shown() {
	word=$1
	shift
	timeout 60 "$flametty" "$@" >"$work/out" 2>"$work/err"
	if grep -q "$word" "$work/out"; then
		passed=$((passed + 1))
	else
		wrong "$*: no $word: $(cat "$work/err")"
	fi
}
hidden() {
	word=$1
	shift
	timeout 60 "$flametty" "$@" >"$work/out" 2>"$work/err"
	status=$?
	if [ $status -gt 1 ] || grep -q "$word" "$work/out" "$work/err"; then
		wrong "$*: status $status, $word: $(grep "$word" "$work/out" "$work/err")"
	else
		passed=$((passed + 1))
	fi
}
# noted TEXT: what the last command said.
noted() {
	grep -q -e "$1" "$work/err" && passed=$((passed + 1)) && return
	wrong "not said: $1, but: $(cat "$work/err")"
}

# each WORD WAY FILE [OPTION...]: by each way that shows lines.
each() {
	way=$1
	word=$2
	file=$3
	shift 3
	$way "$word" report --table=lines "$@" "$file"
	$way "$word" report --table=lines --format=csv "$@" "$file"
	$way "$word" report --table=lines --format=json "$@" "$file"
	$way "$word" report --source=work "$@" "$file"
	$way "$word" --render=100x40 --keys=S "$@" "$file"
}

mkdir -p "$work/cwd/lib" "$work/other/.next" "$work/home/.ssh" "$work/home/app/.next" "$work/home/app/.git"
echo "secretWord();" >"$work/secret.txt"
HOME=$work/home
export HOME
cd "$work/cwd" || exit 99

# ---- what is outside ----
profile "file://$work/secret.txt" abs.cpuprofile
each hidden secretWord abs.cpuprofile
hidden secretWord report --format=grep abs.cpuprofile
hidden secretWord report --format=md abs.cpuprofile
hidden secretWord diff abs.cpuprofile abs.cpuprofile
hidden secretWord export --format=html abs.cpuprofile
hidden secretWord fleet abs.cpuprofile
profile "$work/secret.txt" path.cpuprofile
each hidden secretWord path.cpuprofile
profile "../secret.txt" up.cpuprofile
each hidden secretWord up.cpuprofile
profile "file://$work/cwd/%2e%2e/secret.txt" percent.cpuprofile
each hidden secretWord percent.cpuprofile
profile "file://$work/cwd/../secret.txt" dots.cpuprofile
each hidden secretWord dots.cpuprofile
# A folder whose name begins like that of the current one.
mkdir "$work/cwd-2" && echo "secretWord();" >"$work/cwd-2/x.js"
profile "file://$work/cwd-2/x.js" begins.cpuprofile
each hidden secretWord begins.cpuprofile
# Beside the profile is no place of its own.
echo "secretWord();" >"$work/other/x.js"
profile "x.js" "$work/other/beside.cpuprofile"
each hidden secretWord "$work/other/beside.cpuprofile"

# ---- links ----
ln -s "$work/secret.txt" lib/link.js
profile "file://$work/cwd/lib/link.js" link.cpuprofile
each hidden secretWord link.cpuprofile
ln -s "$work/other" lib/folder
profile "file://$work/cwd/lib/folder/x.js" folder.cpuprofile
each hidden secretWord folder.cpuprofile
# A link that stays inside is one of the usual ones.
echo "insideWord();" >lib/inside.js
ln -s inside.js lib/same.js
profile "file://$work/cwd/lib/same.js" same.cpuprofile
each shown insideWord same.cpuprofile
ln -s "$work/cwd" "$work/alias"
profile "file://$work/alias/lib/inside.js" alias.cpuprofile
each shown insideWord alias.cpuprofile
# A link of --source-root leads to the folder that the user means.
ln -s "$work/other" "$work/root"
profile "file://$work/other/x.js" other.cpuprofile
each hidden secretWord other.cpuprofile
each shown secretWord other.cpuprofile --source-root="$work/root"
each shown secretWord other.cpuprofile --source-root="$work/other"
each shown secretWord other.cpuprofile --map="$work/other=$work/other"
each shown secretWord other.cpuprofile --source-root=..
each hidden secretWord other.cpuprofile --source-root="$work/other" --no-sources
each hidden insideWord same.cpuprofile --no-sources
# Pipes and devices are not opened.
mkfifo lib/pipe.js
profile "file://$work/cwd/lib/pipe.js" pipe.cpuprofile
each hidden secretWord pipe.cpuprofile

# ---- source maps ----
# map FILE SOURCE: a map of one place.
map() {
	echo '{"version":3,"sources":["'"$2"'"],"names":[],"mappings":"AAAA"}' >"$1"
}
echo "x();" >lib/m.js
map lib/m.js.map "../../secret.txt"
profile "file://$work/cwd/lib/m.js" maps.cpuprofile
each hidden secretWord maps.cpuprofile
map lib/m.js.map "file://$work/secret.txt"
each hidden secretWord maps.cpuprofile
map lib/m.js.map "inside.js"
each shown insideWord maps.cpuprofile
# A map itself is read by the same rules: what the comment of a script names, links, the file beside.
map "$work/outside.map" "inside.js"
rm lib/m.js.map
echo "//# sourceMappingURL=../../outside.map" >>lib/m.js
hidden inside.js report maps.cpuprofile
hidden outside.map report maps.cpuprofile
echo "//# sourceMappingURL=$work/secret.txt" >>lib/m.js
hidden secretWord report maps.cpuprofile
echo "x();" >lib/m.js
ln -s "$work/outside.map" lib/m.js.map
hidden inside.js report maps.cpuprofile
rm lib/m.js.map
cp "$work/outside.map" lib/m.js.map
shown inside.js report maps.cpuprofile
hidden inside.js report --no-sources maps.cpuprofile
map "$work/other/x.js.map" "x.ts"
hidden x.ts report other.cpuprofile
shown x.ts report --source-root="$work/other" other.cpuprofile
# A function gets its name from the text of a source.
echo "function secretWord() {}" >"$work/secret.js"
echo '{"version":3,"sources":["../../secret.js"],"names":[],"mappings":"UAAmB"}' >lib/m.js.map
profile "file://$work/cwd/lib/m.js" names.cpuprofile
sed -i 's/^"url":.*$/"url":"lib\/m.js","lineNumber":0,"columnNumber":10},"positionTicks":[]}],/' \
	names.cpuprofile
hidden secretWord report names.cpuprofile
shown secretWord report --source-root=.. names.cpuprofile
# What the user names is read wherever it is; what it names is not.
map "$work/outside.map" "../secret.txt"
rm lib/m.js.map
shown secret.txt report --source-map="$work/outside.map" maps.cpuprofile
each hidden secretWord maps.cpuprofile --source-map="$work/outside.map"
# The text in a map is data of the profile's user, not another file.
echo '{"version":3,"sources":["/nowhere/a.ts"],"sourcesContent":["contentWord();"],"names":[],"mappings":"AAAA"}' >lib/m.js.map
each shown contentWord maps.cpuprofile

# ---- hidden files ----
cd "$work/home" || exit 99
for file in .secret .ssh/id.js app/.env app/.git/config; do
	echo "secretWord();" >"$file"
	profile "file://$work/home/$file" p.cpuprofile
	each hidden secretWord p.cpuprofile
	each hidden secretWord p.cpuprofile --source-root=.
done
# Folders where tools lay the scripts of a project.
echo "builtWord();" >app/.next/page.js
echo "plainWord" >app/.next/secret
profile "file://$work/home/app/.next/page.js" p.cpuprofile
each shown builtWord p.cpuprofile
profile "file://$work/home/app/.next/secret" q.cpuprofile
each hidden plainWord q.cpuprofile
# A hidden folder of the home counts when an option names it, not because one works in it.
profile "file://$work/home/.ssh/id.js" p.cpuprofile
each shown secretWord p.cpuprofile --source-root=.ssh
each shown secretWord p.cpuprofile --map="file://$work/home/.ssh=.ssh"
cd .ssh || exit 99
each hidden secretWord ../p.cpuprofile
# The root directory is no place to read below.
cd / || exit 99
profile "file://$work/secret.txt" "$work/p.cpuprofile"
each hidden secretWord "$work/p.cpuprofile"
each shown secretWord "$work/p.cpuprofile" --source-root=/

# ---- the root directory of another process, as that of a container ----
if [ "$(id -u)" = 0 ] && python3 -c '' 2>/dev/null; then
	mkdir -p "$work/root-of/app"
	echo "insideWord();" >"$work/root-of/app/x.js"
	echo "secretWord();" >"$work/host.js"
	# Links of the container that lead to files of the host, for who follows them outside.
	ln -s "$work/host.js" "$work/root-of/app/absolute.js"
	ln -s "../../host.js" "$work/root-of/app/up.js"
	ln -s "/proc/self/cwd/host.js" "$work/root-of/app/magic.js"
	# With mounts of its own, as a container has them: else a root directory only.
	python3 -c 'import ctypes, os, sys, time
libc = ctypes.CDLL(None)
here = sys.argv[1].encode()
own = (libc.unshare(0x20000) == 0 and libc.mount(b"none", b"/", None, 0x44000, None) == 0 and
       libc.mount(here, here, None, 0x1000, None) == 0)
os.chdir(here)
if not own or libc.pivot_root(b".", b".") or libc.umount2(b".", 2):
    os.chroot(here)
os.chdir("/"); open("/ready", "w").close(); time.sleep(120)' "$work/root-of" &
	pid=$!
	while [ ! -e "$work/root-of/ready" ]; do sleep 0.05; done
	cd "$work/cwd" || exit 99
	profile "file:///app/x.js" c.cpuprofile
	each shown insideWord c.cpuprofile --map="/=/proc/$pid/root/"
	for name in absolute up magic; do
		profile "file:///app/$name.js" c.cpuprofile
		each hidden secretWord c.cpuprofile --map="/=/proc/$pid/root/"
		each hidden secretWord c.cpuprofile --map="/=/proc/$pid/root"
	done
	profile "file:///proc/$pid/root/app/x.js" c.cpuprofile
	each hidden insideWord c.cpuprofile
	# Of the container, too, only what is named is read, and nothing hidden.
	mkdir "$work/root-of/app/.ssh" "$work/root-of/etc"
	echo "secretWord();" | tee "$work/root-of/app/.ssh/key" >"$work/root-of/etc/x.js"
	profile "file:///app/.ssh/key" c.cpuprofile
	each hidden secretWord c.cpuprofile --map="/=/proc/$pid/root/"
	for url in "/proc/$pid/root/etc/x.js" /app/../etc/x.js; do
		profile "file://$url" c.cpuprofile
		each hidden secretWord c.cpuprofile --map="/app=/proc/$pid/root/app"
	done
	each shown secretWord c.cpuprofile --map="/app=/proc/$pid/root/app" \
		--source-root="/proc/$pid/root/etc"
	profile "file:///x.js" c.cpuprofile
	each shown insideWord c.cpuprofile --source-root="/proc/$pid/root/app"
	# The same without a slash at the end; it is no name for the root directory of the host.
	profile "file:///app/x.js" c.cpuprofile
	each shown insideWord c.cpuprofile --map="/=/proc/$pid/root"
	profile "file://$work/host.js" c.cpuprofile
	each hidden secretWord c.cpuprofile --map="/app=/proc/$pid/root"
	kill "$pid"
fi

# ---- what the program itself records ----
# It may be read, but not what another profile names that is opened beside it.
if node=$(command -v node); then
	cd "$work/cwd" || exit 99
	cat >"$work/other/own.js" <<-END
	const end = Date.now() + 200;
	function ownWord(n) { let s = 0; while (n--) s += Math.sqrt(n); return s; }
	while (Date.now() < end) ownWord(1e5);
	END
	profile "file://$work/secret.txt" abs.cpuprofile
	set -- run --render=120x40
	shown 'let s = 0' "$@" --keys="/ownWord<Enter>S" -- "$node" "$work/other/own.js"
	shown 'not read: it is not below' "$@" --keys=":diff abs.cpuprofile<Enter>/work<Enter>S" -- \
		"$node" "$work/other/own.js"
	hidden secretWord "$@" --keys=":diff abs.cpuprofile<Enter>/work<Enter>S" -- \
		"$node" "$work/other/own.js"
fi

# ---- FLAMETTY_SECURE ----
# The interface shows no line of a file that was not given.
cd "$work/cwd" || exit 99
profile "file://$work/cwd/lib/same.js" same.cpuprofile
echo "secretWord;work 12" >"$work/stacks.txt"
for keys in ":set theme=$work/secret.txt" ":set theme=../secret.txt" ":diff $work/stacks.txt"; do
	shown secretWord --render=120x20 --keys="$keys<Enter>" same.cpuprofile
	FLAMETTY_SECURE=1
	export FLAMETTY_SECURE
	hidden secretWord --render=120x20 --keys="$keys<Enter>" same.cpuprofile
	shown 'FLAMETTY_SECURE is set: no ' --render=120x20 --keys="$keys<Enter>" same.cpuprofile
	unset FLAMETTY_SECURE
done
shown 'secret.txt' --render=120x20 --keys=":export folded ../sec<Tab>" same.cpuprofile
FLAMETTY_SECURE=1
export FLAMETTY_SECURE
hidden 'secret.txt' --render=120x20 --keys=":export folded ../sec<Tab>" same.cpuprofile
hidden 'FLAMETTY_SECURE' --render=120x20 --keys=":diff 1ms,2ms 3ms,4ms<Enter>" same.cpuprofile
hidden 'FLAMETTY_SECURE' --render=120x20 --keys=":set theme=dark<Enter>" same.cpuprofile
unset FLAMETTY_SECURE

# ---- what is said ----
cd "$work/cwd" || exit 99
hidden secretWord report --table=lines other.cpuprofile
noted "1 source file was not read: it is not below the current directory; --source-root=$work/other reads it"
[ "$(grep -c 'not read' "$work/err")" = 1 ] || wrong "said twice: $(cat "$work/err")"
profile "file://$work/home/.ssh/id.js" p.cpuprofile
hidden secretWord report --table=lines p.cpuprofile
noted "1 source file was not read: it is hidden; --source-root=$work/home/.ssh reads it"
hidden secretWord report --table=lines --no-sources other.cpuprofile
[ ! -s "$work/err" ] || wrong "--no-sources: $(cat "$work/err")"
profile "file:///nowhere/at/all.js" gone.cpuprofile
hidden secretWord report --table=lines gone.cpuprofile
[ ! -s "$work/err" ] || wrong "a file that is not there: $(cat "$work/err")"

echo "source-rules: $passed passed, $failed failed"
[ $failed = 0 ]
