#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The image of packaging/container: built by buildah where it runs, otherwise its files as the
# Containerfile copies them. It holds the program and /tmp, has its labels and its user, and the
# program runs there as that user.
#
# usage: tests/package/container.sh [PROGRAM]
# PROGRAM: flametty-VERSION-linux-ARCHITECTURE, a static one (default: ./flametty with its libraries
# laid beside it).
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
[ "$(id -u)" = 0 ] && unshare -npmf --mount-proc true 2>/dev/null || { echo "skipped: no namespaces here"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
passed=0 failed=0 skipped=0
ok() { passed=$((passed + 1)); }
bad() { echo "FAILED: $*"; failed=$((failed + 1)); }
is() { if [ "$2" = "$3" ]; then ok; else bad "$1: '$2', not '$3'"; fi; }

version=$(sed -n 's/^AC_INIT(\[flametty\], \[\(.*\)\])$/\1/p' "$top/configure.ac")
program=${1:-}
libraries=
if [ -z "$program" ]; then
	program=$work/flametty-$version-linux-$(uname -m)
	cp "${FLAMETTY:-$PWD/flametty}" "$program" || exit 99
	libraries=$(ldd "$program" | grep -o '/[^ ]*')
fi
root=$work/context/root
"$top/packaging/container/image.sh" "$program" "$work/context" || exit 1
wanted_user=$(sed -n 's/^USER //p' "$work/context/Containerfile")
is user "$wanted_user" 1000:1000

if command -v buildah >/dev/null && buildah --version >/dev/null 2>&1; then
	export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
	buildah=(buildah --root "$work/store" --runroot "$work/run")
	if "$top/packaging/container/image.sh" "$program" "$work/built" "${buildah[@]}" bud -t flametty \
		>"$work/log" 2>&1 && "${buildah[@]}" push flametty "oci:$work/image:flametty" >>"$work/log" 2>&1; then
		python3 - "$work/image" "$work/unpacked" "$version" <<'END2' && ok || bad "the image is not as it should be"
import json, os, subprocess, sys
image, to, version = sys.argv[1:]
blob = lambda d: f"{image}/blobs/{d['digest'].replace(':', '/')}"
manifest = json.load(open(blob(json.load(open(f"{image}/index.json"))["manifests"][0])))
config = json.load(open(blob(manifest["config"])))["config"]
os.mkdir(to)
for layer in manifest["layers"]:
    subprocess.run(["tar", "xpf", blob(layer), "-C", to], check=True)
labels = config["Labels"]
assert labels["org.opencontainers.image.version"] == version, labels
assert labels["org.opencontainers.image.licenses"] == "GPL-2.0-or-later", labels
assert config["User"] == "1000:1000" and config["Entrypoint"] == ["/flametty"], config
print("image:", sum(layer["size"] for layer in manifest["layers"]), "bytes packed")
END2
		[ ! -d "$work/unpacked" ] || root=$work/unpacked
	else
		tail -n 5 "$work/log"
		echo "skipped: buildah does not run here"
		skipped=$((skipped + 1))
	fi
else
	echo "skipped: no buildah here: the files are those that the Containerfile copies"
	skipped=$((skipped + 1))
fi
is files "$(cd "$root" && find . -mindepth 1 | sort | tr '\n' ' ')" "./flametty ./tmp "
is "mode of /tmp" "$(stat -c %a "$root/tmp")" 1777

for library in $libraries; do
	mkdir -p "$root${library%/*}" && cp "$library" "$root$library"
done
# in_image ARGUMENT...: as the user of the image, in namespaces of its own.
in_image() {
	unshare -npmf --propagation private sh -c 'exec chroot --userspec=1000:1000 "$@"' sh "$root" /flametty "$@"
}
chmod 755 "$work"
is version "$(in_image --version | head -n 1)" "$("$program" --version | head -n 1)"
cp "$top/tests/input/small.cpuprofile" "$root/tmp/"
chmod 644 "$root/tmp/small.cpuprofile"
in_image report /tmp/small.cpuprofile | grep -q main && ok || bad "no report"
in_image --render=80x24 /tmp/small.cpuprofile | grep -q 'main thread' && ok || bad "no screen"
is "a folder for recordings" "$(in_image run -o /tmp/x/ -- /flametty --version 2>&1 | grep -c 'Permission denied')" 0
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
