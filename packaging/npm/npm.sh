#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Write the npm packages of a release, as folders: flametty, which is a launcher, and one for each
# program, which npm takes on its system only. Called by release.sh, which packs them.
#
# usage: packaging/npm/npm.sh FOLDER PROGRAM...
# Each PROGRAM is called flametty-VERSION-SYSTEM-ARCHITECTURE; all have one version.
#
# No package has a script that runs at installation. The package of a system holds the command, too:
# it is complete by itself, and nothing else is asked of a registry.
set -eu
umask 022
export LC_ALL=C
[ $# -ge 2 ] || { sed -n 's/^# \(usage: .*\)/\1/p' "$0" >&2; exit 2; }
top=$(cd "$(dirname "$0")/../.." && pwd)
folder=$1
shift
mkdir -p "$folder/flametty/bin" "$folder/flametty/man"

die() { echo "npm.sh: $*" >&2; exit 1; }

# The parts of a package.json that all have: NAME, then what it is.
begin_package() {
	mkdir -p "$folder/$1"
	cp "$top/COPYING" "$folder/$1/"
	cat <<JSON
{
  "name": "$1",
  "version": "$version",
  "description": "$2",
  "license": "GPL-2.0-or-later",
  "homepage": "https://example.org/flametty",
  "keywords": ["profiler", "cpuprofile", "flame chart", "terminal"],
JSON
}

version= optional=
for program in "$@"; do
	name=${program##*/}
	name=${name#flametty-}
	arch=${name##*-} name=${name%-*}
	system=${name##*-} own=${name%-*}
	[ -f "$program" ] || die "no file $program"
	[ -z "$version" ] || [ "$version" = "$own" ] || die "two versions: $version, $own"
	version=$own
	case $version in
	[0-9]*.[0-9]*.[0-9]*) ;;
	*) die "$program is not called flametty-VERSION-SYSTEM-ARCHITECTURE" ;;
	esac
	case $system in linux | darwin) ;; *) die "$program: npm has no system $system here" ;; esac
	case $arch in
	x86_64) cpu=x64 ;;
	aarch64 | arm64) cpu=arm64 ;;
	*) die "$program: npm has no architecture $arch here" ;;
	esac
	package=flametty-$system-$cpu
	# The programs need no libc: no member says which one is wanted.
	{
		begin_package "$package" "flametty for $system on $cpu: one file"
		cat <<JSON
  "os": ["$system"],
  "cpu": ["$cpu"],
  "bin": { "flametty": "flametty" },
  "files": ["flametty"],
  "preferUnplugged": true
}
JSON
	} >"$folder/$package.json"
	mv "$folder/$package.json" "$folder/$package/package.json"
	cp "$program" "$folder/$package/flametty"
	chmod 755 "$folder/$package/flametty"
	printf 'The program of the package flametty for %s on %s. It is complete by itself.\n' \
		"$system" "$cpu" >"$folder/$package/README.md"
	optional="$optional${optional:+,}
    \"$package\": \"$version\""
done

{
	begin_package flametty "Where a JavaScript program spends its time: a flame chart in the terminal"
	cat <<JSON
  "os": ["linux", "darwin"],
  "bin": { "flametty": "bin/flametty" },
  "man": [$(cd "$top/man" && printf '"./man/%s"\n' flametty*.[157] | paste -s -d , -)],
  "files": ["bin", "man"],
  "optionalDependencies": {$optional
  }
}
JSON
} >"$folder/package.json"
mv "$folder/package.json" "$folder/flametty/package.json"
cp "$top/packaging/npm/launcher.sh" "$folder/flametty/bin/flametty"
chmod 755 "$folder/flametty/bin/flametty"
cp "$top"/man/flametty*.[157] "$folder/flametty/man/"
cp "$top/packaging/npm/README.md" "$folder/flametty/README.md"
chmod -R u=rwX,go=rX "$folder/flametty"
