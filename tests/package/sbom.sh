#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What packaging/sbom.sh writes is SPDX 2.3 and names each library that static.sh builds, with its
# version, licence, source and checksum.
#
# usage: sbom.sh [PROGRAM]     PROGRAM: a static program with its .spdx.json, whose versions are
#                              compared with what PROGRAM --version says
set -u
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
if [ $# != 0 ]; then
	program=$1
else
	program=$work/flametty-1.2-linux-x86_64
	printf '#!/bin/sh\necho "static program: musl 1, zlib 2, zstd 3, lz4 4, pcre2 5, ncurses 6, json-c 7"\n' >"$program"
	chmod +x "$program"
	mkdir "$work/source"
	n=0
	for name in musl zlib zstd lz4 pcre2 ncurses json-c; do
		n=$((n + 1))
		echo "1:$n+dfsg~1-$n" >"$work/source/$name.version"
		printf 'debian %s\n%064d  %s_%s.orig.tar.xz\n%064d  %s.debian.tar.xz\n' $name $n $name $n 9 $name >"$work/source/$name.archives"
	done
	# One that comes from a folder, and one of a build before there were checksums.
	sed -i.old 1s/.*/folder/ "$work/source/lz4.archives"
	rm "$work/source/zlib.archives"
	for round in 1 2; do
		"$top/packaging/sbom.sh" "$program" 1.2 "$work/source" "${CC:-cc}" || exit 1
		cp "$program.spdx.json" "$work/$round"
	done
	cmp "$work/1" "$work/2" || exit 1
fi
sed -n 's/^build_\([a-z0-9_]*\)() {$/\1/p' "$top/packaging/static.sh" | grep -v flametty | tr _ - >"$work/built"
"$program" --version >"$work/said"
python3 -B - "$program" "$work/built" "$work/said" "$([ $# = 0 ] && echo made)" <<'END'
import hashlib, json, re, sys

program, built, said, made = sys.argv[1:]
text = open(program + ".spdx.json", encoding="utf-8").read()
d = json.loads(text)
assert d["spdxVersion"] == "SPDX-2.3" and d["dataLicense"] == "CC0-1.0", d
assert d["SPDXID"] == "SPDXRef-DOCUMENT" and d["name"] and d["documentNamespace"].startswith("https://")
assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", d["creationInfo"]["created"]), d["creationInfo"]
assert d["creationInfo"]["creators"]
packages = {p["name"]: p for p in d["packages"]}
for p in d["packages"]:
    for member in ("SPDXID", "versionInfo", "downloadLocation", "licenseConcluded", "copyrightText"):
        assert p.get(member), (p["name"], member)
    assert re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", p["SPDXID"]), p["SPDXID"]
libraries = [line.strip() for line in open(built)]
assert set(packages) == set(libraries) | {"flametty", "libgcc"}, (sorted(packages), libraries)
sum_of = hashlib.sha256(open(program, "rb").read()).hexdigest()
assert packages["flametty"]["checksums"][0]["checksumValue"] == sum_of
links = {(r["spdxElementId"], r["relationshipType"], r["relatedSpdxElement"]) for r in d["relationships"]}
assert ("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-flametty") in links
for name in libraries + ["libgcc"]:
    assert ("SPDXRef-flametty", "STATIC_LINK", packages[name]["SPDXID"]) in links, name
versions = dict(re.findall(r"(\S+) ([0-9][^\s,]*)", re.search("static program: (.*)", open(said).read())[1]))
for name in libraries:
    p, version = packages[name], re.sub(r"^\d+:", "", packages[name]["versionInfo"])
    prefix = versions[name] if name != "ncurses" else versions[name][:3]
    assert version.startswith(prefix), (name, version, versions[name])
    if not made or name not in ("zlib",):
        assert "SHA-256 " in p["sourceInfo"], name
    if made:
        assert ("externalRefs" in p) == (name not in ("lz4", "zlib")), name
        assert "externalRefs" not in p or "@1%3A" in p["externalRefs"][0]["referenceLocator"], p
print(f"{len(packages)} packages, all with version and licence")
END
