#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Write what a static program is made of, as SPDX 2.3 JSON: PROGRAM.spdx.json. Called by static.sh.
#
# usage: packaging/sbom.sh PROGRAM VERSION SOURCES COMPILER
#   SOURCES    the folder static/source: NAME.version has the version of a library, and NAME.archives
#              where its source is from (`debian PACKAGE` or `folder`) and the SHA-256 of each archive
#   COMPILER   gcc, whose libgcc is in the program, too
#
# The time is SOURCE_DATE_EPOCH, or 1970: the same program has the same file.
set -eu
export LC_ALL=C TZ=UTC0
[ $# = 4 ] || { echo "usage: sbom.sh PROGRAM VERSION SOURCES COMPILER" >&2; exit 2; }
program=$1 own_version=$2 sources=$3 compiler=$4
name=$(basename "$program")

# The libraries inside: name, licence of the parts that are linked.
libraries='musl MIT
zlib Zlib
zstd BSD-3-Clause
lz4 BSD-2-Clause
pcre2 BSD-3-Clause
ncurses X11-distribute-modifications-variant
json-c MIT'

sha256() { if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -c1-64; }

# package NAME VERSION LICENCE MEMBER...: the members are further lines of JSON.
package() {
	printf '    {\n      "name": "%s",\n      "SPDXID": "SPDXRef-%s",\n      "versionInfo": "%s",\n' "$1" "$1" "$2"
	printf '      "downloadLocation": "NOASSERTION",\n      "filesAnalyzed": false,\n'
	printf '      "licenseConcluded": "%s",\n      "licenseDeclared": "%s",\n' "$3" "$3"
	shift 3
	for member; do printf '      %s,\n' "$member"; done
	printf '      "copyrightText": "NOASSERTION"\n    }'
}

library() {
	version=$(cat "$sources/$1.version")
	set -- "$1" "$version" "$2"
	archives=$sources/$1.archives
	if [ -f "$archives" ]; then
		from=$(sed -n '1s/^debian //p' "$archives")
		list=$(sed '1d; s/^\([0-9a-f]*\) [ *]*\(.*\)$/\2 (SHA-256 \1)/' "$archives" | sed '$!s/$/, /' | tr -d '\n')
		set -- "$@" "\"sourceInfo\": \"$list\""
		[ -z "$from" ] || set -- "$@" "\"externalRefs\": [{ \"referenceCategory\": \"PACKAGE-MANAGER\", \"referenceType\": \"purl\", \"referenceLocator\": \"pkg:deb/debian/$from@$(echo "$version" | sed 's/:/%3A/g; s/+/%2B/g')?arch=source\" }]"
	fi
	package "$@"
}

link() { printf ',\n    { "spdxElementId": "SPDXRef-flametty", "relationshipType": "STATIC_LINK", "relatedSpdxElement": "SPDXRef-%s" }' "$1"; }

sum=$(sha256 "$program")
created=$(date -u -d "@${SOURCE_DATE_EPOCH:-0}" +%FT%TZ 2>/dev/null || date -u -r "${SOURCE_DATE_EPOCH:-0}" +%FT%TZ)
{
	cat <<END
{
  "spdxVersion": "SPDX-2.3",
  "dataLicense": "CC0-1.0",
  "SPDXID": "SPDXRef-DOCUMENT",
  "name": "$name",
  "documentNamespace": "https://spdx.org/spdxdocs/$name-$sum",
  "creationInfo": { "created": "$created", "creators": ["Tool: sbom.sh of flametty $own_version"] },
  "packages": [
END
	package flametty "$own_version" GPL-2.0-or-later "\"packageFileName\": \"$name\"" \
		"\"primaryPackagePurpose\": \"APPLICATION\"" \
		"\"checksums\": [{ \"algorithm\": \"SHA256\", \"checksumValue\": \"$sum\" }]"
	echo "$libraries" | while read -r library licence; do
		echo ,
		library "$library" "$licence"
	done
	echo ,
	package libgcc "$($compiler --version | sed -n '1s/["\\]//g; 1p')" 'GPL-3.0-or-later WITH GCC-exception-3.1'
	printf '\n  ],\n  "relationships": [\n'
	printf '    { "spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-flametty" }'
	for library in $(echo "$libraries" | cut -d' ' -f1) libgcc; do link "$library"; done
	printf '\n  ]\n}\n'
} >"$program.spdx.json.new"
mv "$program.spdx.json.new" "$program.spdx.json"
