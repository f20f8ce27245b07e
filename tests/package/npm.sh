#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The packages of npm: packed, installed from the files into an empty project, run, ended by signals,
# stopped and continued on a terminal, removed. The launcher becomes the program, so status and
# signals are those of the program; what it costs is measured.
#
# usage: tests/package/npm.sh [--all] [PROGRAM]
# PROGRAM: flametty-VERSION-linux-ARCHITECTURE (default: ./flametty under such a name).
# --all: also from a registry that this test starts on this machine, with npm, pnpm and yarn, where
# they are in PATH.
set -u
export LC_ALL=C.UTF-8
top=$(cd "$(dirname "$0")/../.." && pwd)
is_all=no
if [ "${1:-}" = --all ]; then is_all=yes; shift; fi
for tool in node npm python3; do
	command -v $tool >/dev/null || { echo "skipped: no $tool here"; exit 77; }
done
case $(uname -sm) in
"Linux x86_64") cpu=x64 ;;
"Linux aarch64") cpu=arm64 ;;
*) echo "skipped: no package for $(uname -sm)"; exit 77 ;;
esac
work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
# Settings and caches of this test only; a registry that is not there.
export HOME=$work npm_config_cache=$work/cache npm_config_registry=http://127.0.0.1:9/ \
	npm_config_update_notifier=false npm_config_fetch_retries=0 npm_config_audit=false npm_config_fund=false \
	YARN_CACHE_FOLDER=$work/yarn
profile=$top/tests/input/small.cpuprofile
passed=0 failed=0 skipped=0

ok() { passed=$((passed + 1)); }
bad() { echo "FAILED: $*"; failed=$((failed + 1)); }
is() { if [ "$2" = "$3" ]; then ok; else bad "$1: '$2', not '$3'"; fi; }
# quietly WHAT COMMAND...: its output is shown when it fails.
quietly() {
	local what=$1
	shift
	if "$@" >"$work/log" 2>&1; then ok; else bad "$what:"; tail -n 20 "$work/log"; fi
}

version=$(sed -n 's/^AC_INIT(\[flametty\], \[\(.*\)\])$/\1/p' "$top/configure.ac")
program=${1:-}
if [ -z "$program" ]; then
	program=$work/flametty-$version-linux-$(uname -m)
	cp "${FLAMETTY:-$PWD/flametty}" "$program" || exit 99
fi

# ---- packed ----

"$top/packaging/npm/npm.sh" "$work/packages" "$program" || exit 1
package=flametty-linux-$cpu
for name in flametty "$package"; do
	cd "$work/packages/$name" || exit 99
	quietly "npm pack $name" npm pack --pack-destination "$work"
	is "files of $name that npm leaves out" "$(tar tzf "$work/$name-$version.tgz" | sort)" \
		"$(find . -type f | sed 's,^\.,package,' | sort)"
	is "scripts of $name" "$(node -p 'Object.keys(require("./package.json").scripts || {}).length')" 0
done
cd "$work" || exit 99

# ---- status, signals and a terminal ----

cat >"$work/same.py" <<'PY'
# usage: same.py PROGRAM LAUNCHER PROFILE: both end in the same way; what differs is printed.
import os, pty, select, signal, subprocess, sys, time
program, launcher, profile = sys.argv[1:]
# A shell starts commands in the background with signals ignored; the program leaves them so.
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
    signal.signal(number, signal.SIG_DFL)

def ended(command, sent=None):
    """How the process ends: its status, or minus the number of the signal."""
    p = subprocess.Popen([command, "--version" if sent is None else "report", "/dev/stdin"][:2 if sent is None else 3],
                         stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if sent is not None:
        # Not the shell of the launcher.
        for _ in range(500):
            if "flametty" in os.path.basename(os.readlink(f"/proc/{p.pid}/exe")):
                break
            time.sleep(0.01)
        time.sleep(0.2)
        p.send_signal(sent)
    return p.wait(timeout=20)

def state(pid):
    return open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0]

def on_terminal(command):
    """A screen, a resized one, stopped by a signal, continued, and left by q."""
    pid, fd = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(command, [command, profile])
    seen = bytearray()
    def read_until(done, what):
        end = time.time() + 20
        while not done():
            if time.time() > end:
                sys.exit(f"{command}: {what}: {bytes(seen[-300:])}")
            if select.select([fd], [], [], 0.05)[0]:
                try:
                    seen.extend(os.read(fd, 65536))
                except OSError:
                    time.sleep(0.05)
    read_until(lambda: "main thread".encode() in seen, "no screen")
    seen.clear()
    import fcntl, struct, termios
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 132, 0, 0))
    read_until(lambda: len(seen) > 500, "SIGWINCH draws nothing")
    # A new session has no shell that could continue it: sent from here, SIGSTOP is what is left.
    os.kill(pid, signal.SIGSTOP)
    read_until(lambda: state(pid) == "T", "it does not stop")
    os.kill(pid, signal.SIGCONT)
    read_until(lambda: state(pid) != "T", "it does not continue")
    os.write(fd, b"q")
    status = []
    def gone():
        p, s = os.waitpid(pid, os.WNOHANG)
        status[:] = [s] if p else []
        return bool(p)
    read_until(gone, "q does not end it")
    return status[0]

def in_shell(command):
    """Ctrl-Z gives the terminal back to the shell, fg shows the screen again."""
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", PS1="ready> ")
        os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
    seen = bytearray()
    def wait_for(text, what):
        end = time.time() + 20
        while text.encode() not in seen:
            if time.time() > end:
                sys.exit(f"{command}: {what}: {bytes(seen[-300:])}")
            if select.select([fd], [], [], 0.05)[0]:
                seen.extend(os.read(fd, 65536))
        seen.clear()
    wait_for("ready> ", "no shell")
    os.write(fd, f"{command} {profile}\n".encode())
    wait_for("main thread", "no screen")
    os.write(fd, b"\x1a")
    wait_for("Stopped", "Ctrl-Z does not stop it")
    os.write(fd, b"fg\n")
    wait_for("main thread", "fg shows no screen")
    os.write(fd, b"q")
    wait_for("ready> ", "q does not come back to the shell")
    os.write(fd, b"echo status=$?\n")
    wait_for("status=0", "another status")
    os.write(fd, b"exit\n")
    os.waitpid(pid, 0)

for sent in (None, signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGKILL):
    a, b = ended(program, sent), ended(launcher, sent)
    if a != b or (sent and a != -sent and a < 128):
        sys.exit(f"{sent}: {a} of the program, {b} of the launcher")
a, b = on_terminal(program), on_terminal(launcher)
if a != b:
    sys.exit(f"on a terminal: {a} of the program, {b} of the launcher")
in_shell(launcher)

def cost(command):
    start = time.perf_counter()
    subprocess.run([command, "--version"], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start
pairs = [(cost(program), cost(launcher)) for _ in range(21)]
more = sorted(b - a for a, b in pairs)[len(pairs) // 2] * 1000
ratio = sorted(b / a for a, b in pairs)[len(pairs) // 2]
print(f"the launcher takes {more:.1f} ms more than the program, {ratio:.1f} times as long")
sys.exit(more >= 60 and "more than 60 ms")
PY

# checked WHAT: the command of the project in this folder, as far as it is the launcher.
checked() {
	local command=node_modules/.bin/flametty
	is "$1: report" "$($command report --top=3 "$profile" 2>&1)" "$("$program" report --top=3 "$profile" 2>&1)"
	$command --no-such-option >/dev/null 2>&1
	is "$1: status of wrong usage" $? 2
	$command report /nowhere >/dev/null 2>&1
	is "$1: status of no file" $? "$("$program" report /nowhere >/dev/null 2>&1; echo $?)"
	is "$1: an argument with a blank" "$($command report 'a  b' 2>&1)" "$("$program" report 'a  b' 2>&1)"
}

project() { rm -rf "$work/p"; mkdir "$work/p" && cd "$work/p" && echo '{"name":"p","version":"1.0.0"}' >package.json && : >yarn.lock; }

# ---- from the files, without a registry ----

project
quietly "one file" npm install --offline "$work/$package-$version.tgz"
checked "one file"
is "npx" "$(npx --offline flametty --version)" "$("$program" --version)"
quietly "removed" npm uninstall "$package"
is "left of one file" "$(find . -name '*flametty*')" ""

project
quietly "both files" npm install --offline "$work/$package-$version.tgz" "$work/flametty-$version.tgz"
checked "both files"
launcher=$work/p/node_modules/flametty/bin/flametty
# A command of the project may be that of either package.
if python3 "$work/same.py" "$work/p/node_modules/$package/flametty" "$launcher" "$profile"; then ok; else bad "not the same"; fi
quietly "removed" npm uninstall flametty "$package"
is "left of both" "$(find . -name '*flametty*')" ""

# ---- what is missing ----

project
mkdir -p node_modules/flametty/bin node_modules/.bin other
cp "$work/packages/flametty/bin/flametty" node_modules/flametty/bin/
ln -s ../flametty/bin/flametty node_modules/.bin/flametty
message=$(node_modules/.bin/flametty --version 2>&1)
is "status without the program" $? 1
case $message in *"$package is not installed"*--omit=optional*) ok ;; *) bad "message: $message" ;; esac
printf '#!/bin/sh\necho FreeBSD riscv64\n' >other/uname && chmod +x other/uname
message=$(PATH=$work/p/other:$PATH node_modules/.bin/flametty --version 2>&1)
is "status on another system" $? 1
case $message in *"no program for FreeBSD riscv64"*) ok ;; *) bad "message: $message" ;; esac

# ---- from a registry on this machine ----

if [ $is_all = yes ]; then
	cat >"$work/registry.js" <<'JS'
'use strict';
// usage: registry.js FOLDER PORT_FILE: the packages in the folder, read only.
const fs = require('fs'), http = require('http'), crypto = require('crypto'), zlib = require('zlib');
const [folder, out] = process.argv.slice(2), packages = {};
for (const file of fs.readdirSync(folder).filter(f => f.endsWith('.tgz'))) {
	const bytes = fs.readFileSync(`${folder}/${file}`), name = file.replace(/-[0-9][^-]*\.tgz$/, '');
	const manifest = JSON.parse(fs.readFileSync(`${folder}/packages/${name}/package.json`));
	packages[name] = { bytes, file, manifest };
}
http.createServer((request, response) => {
	const at = `http://127.0.0.1:${request.socket.localPort}`, path = decodeURIComponent(request.url).slice(1);
	const found = packages[path], tarball = Object.values(packages).find(p => path.endsWith(`/-/${p.file}`));
	if (tarball)
		return response.end(tarball.bytes);
	if (!found)
		return response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not_found"}');
	const { name, version } = found.manifest, dist = {
		tarball: `${at}/${name}/-/${found.file}`,
		shasum: crypto.createHash('sha1').update(found.bytes).digest('hex'),
		integrity: 'sha512-' + crypto.createHash('sha512').update(found.bytes).digest('base64')
	};
	response.setHeader('content-type', 'application/json');
	response.end(JSON.stringify({ _id: name, name, 'dist-tags': { latest: version },
		// Managers may take no version that is a few days old.
		time: { [version]: '2020-01-01T00:00:00.000Z' },
		versions: { [version]: { ...found.manifest, _id: `${name}@${version}`, dist } } }));
}).listen(0, '127.0.0.1', function () { fs.writeFileSync(out, String(this.address().port)); });
JS
	node "$work/registry.js" "$work" "$work/port" &
	server=$!
	for _ in $(seq 100); do [ ! -s "$work/port" ] || break; sleep 0.1; done
	npm_config_registry=http://127.0.0.1:$(cat "$work/port")/
	export YARN_REGISTRY=$npm_config_registry
	# from_registry MANAGER ADD REMOVE OPTION...
	from_registry() {
		local manager=$1 add=$2 remove=$3
		shift 3
		if ! command -v "$manager" >/dev/null; then
			echo "skipped: no $manager here"
			skipped=$((skipped + 1))
			return
		fi
		project
		printf 'registry=%s\n' "$npm_config_registry" >.npmrc
		quietly "$manager $add" "$manager" "$add" "$@" flametty
		checked "$manager"
		python3 "$work/same.py" "$program" node_modules/.bin/flametty "$profile" >"$work/log" 2>&1 && ok ||
			bad "$manager: $(cat "$work/log")"
		quietly "$manager $remove" "$manager" "$remove" flametty
		is "left by $manager" "$(find node_modules node_modules/.bin -maxdepth 1 -name '*flametty*' 2>/dev/null)" ""
	}
	from_registry npm install uninstall
	from_registry pnpm add remove
	# Settings of yarn from 2 on; yarn 1 ignores them.
	export YARN_NODE_LINKER=node-modules YARN_NPM_REGISTRY_SERVER=${npm_config_registry%/} \
		YARN_UNSAFE_HTTP_WHITELIST=127.0.0.1 YARN_ENABLE_TELEMETRY=0 YARN_ENABLE_IMMUTABLE_INSTALLS=false
	from_registry yarn add remove
	project
	quietly "without optional packages" npm install --omit=optional flametty
	case $(node_modules/.bin/flametty --version 2>&1) in *"$package is not installed"*) ok ;; *) bad "omitted: no message" ;; esac
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
