#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# README, HACKING and NEWS say what the tree and the program say.
#
# 1. README has at most 120 lines.
# 2. The picture in README is what the program draws: the first block of lines that are set in by
#    four blanks, at the size that the line above it names.
# 3. The tour in HACKING has one line for each file of src/ (NAME.c and NAME.h share a line), and
#    no line for anything else. A folder is a heading `src/FOLDER/: ...`, its files follow, set in
#    by four blanks.
#    No title of a section, `/* ==== NAME ====`, stands twice in a file. Its line of the tour names
#    each section that has not the name of the file.
# 4. Makefile.am names each file of src/ and data/, and each program and script of tests/, so that
#    none is left out of the tests or of a release.
# 5. Paths in README, HACKING, NEWS, CONTRIBUTING and SECURITY.md exist; NAME stands for any name. A release has
#    no .ci.
# 6. The files that the four stories of HACKING name exist below src/.
# 7. So do the files that comments in src/ and tests/ name; headers of the C library aside.
#
# usage: papers.sh     from the top folder, with the program in FLAMETTY or ./flametty
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
program=${FLAMETTY:-./flametty}
[ -x "$program" ] || { echo "no program: $program"; exit 99; }
case $program in /*) ;; *) program=$PWD/$program ;; esac
cd "$top" || exit 99
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
LC_ALL=C.UTF-8
export LC_ALL
unset NO_COLOR COLORTERM COLUMNS LINES
failed=0

bad() { echo "$*"; failed=1; }

# agree WHAT HERE THERE: two sorted lists are equal. WHAT names those only in HERE, then a `|`, then
# those only in THERE.
agree() {
	[ -s "$2" ] || bad "no list at all: ${1%|*}"
	only=$(LC_ALL=C comm -23 "$2" "$3" | tr '\n' ' ')
	[ -z "$only" ] || bad "${1%|*}: $only"
	only=$(LC_ALL=C comm -13 "$2" "$3" | tr '\n' ' ')
	[ -z "$only" ] || bad "${1#*|}: $only"
}

# ---- 1 ----
lines=$(wc -l <README)
[ "$lines" -le 120 ] || bad "README has $lines lines, at most 120 are allowed"

# ---- 2 ----
size=$(sed -n 's/.* in \([0-9]*x[0-9]*\):$/\1/p' README | head -n 1)
if [ -n "$size" ]; then
	awk '/^    / { seen = 1; print substr($0, 5); next } seen { exit }' README >"$work/picture"
	"$program" --render="$size" data/http-server </dev/null | sed 's/ *|$//' >"$work/drawn"
	diff "$work/drawn" "$work/picture" >"$work/diff" ||
		bad "README's picture (>) is not what the program draws (<):
$(cat "$work/diff")"
else
	bad "README does not name the size of its picture"
fi

# ---- 3 ----
find src -name '*.[ch]' | sed 's/\.[ch]$//' | LC_ALL=C sort -u >"$work/files"
awk '
	/^[0-9] / { inside = / TOUR$/ }
	inside && /^src\/[^ ]*: / { folder = $1; sub(/:$/, "", folder); next }
	inside && folder && /^    [^ ]/ { print folder $1 }
' HACKING | LC_ALL=C sort >"$work/tour"
agree "files of src/ without a line in HACKING|lines in HACKING without a file" "$work/files" "$work/tour"

awk '
	/^[0-9] / { inside = / TOUR$/ }
	inside && /^src\/[^ ]*: / { folder = $1; sub(/:$/, "", folder); file = ""; next }
	/^ *$/ { file = "" }
	inside && folder && /^    [^ ]/ { file = folder $1; $1 = "" }
	file { gsub(/[^A-Za-z0-9_]+/, " "); n = split($0, word, " ")
		for (i = 1; i <= n; i++) print file, word[i] }
' HACKING | sort -u >"$work/words"
find src -name '*.[ch]' | xargs grep -H -o '^/\* ==== .* ====' | sed 's,/\* ==== ,,; s, ====$,,; s/ /_/g; s/:/ /' |
	sort >"$work/titles"
twice=$(uniq -d "$work/titles" | tr '\n' ' ')
[ -z "$twice" ] || bad "titles that a file has twice: $twice"
sed 's/\.[ch] / /' "$work/titles" | awk '{ name = $1; sub(/.*\//, "", name) } name != $2' | sort -u >"$work/sections"
lacking=$(comm -23 "$work/sections" "$work/words" | tr ' ' ':' | tr '\n' ' ')
[ -z "$lacking" ] || bad "sections that their line of the tour does not name: $lacking"

# ---- 4 ----
find src -name '*.[ch]' | LC_ALL=C sort >"$work/files"
tr ' \t' '\n\n' <Makefile.am | grep -x -E 'src/[a-z_0-9/]*\.[ch]' | LC_ALL=C sort -u >"$work/made"
agree "not in Makefile.am|only in Makefile.am" "$work/files" "$work/made"
# A program is named without its .c.
{ find data -type f; find tests -name '*.[ch]' -o -name '*.sh'; } | LC_ALL=C sort >"$work/files"
tr ' \t' '\n\n' <Makefile.am | sed 's/.*/&\n&.c/' | LC_ALL=C sort -u >"$work/made"
missing=$(LC_ALL=C comm -23 "$work/files" "$work/made" | tr '\n' ' ')
[ -z "$missing" ] || bad "not in Makefile.am: $missing"

# ---- 5 ----
for paper in README HACKING NEWS CONTRIBUTING SECURITY.md; do
	grep -o -E '(^|[ (`"])(src|tests|man|data|\.ci)/[A-Za-z_0-9./*-]*' $paper |
		sed -e 's/^[ (`"]//' -e 's/[.,:]*$//' | LC_ALL=C sort -u |
		while read -r path; do
			case $path in *NAME*) continue ;; .ci/*) [ -d .ci ] || continue ;; esac
			# shellcheck disable=SC2086
			set -- $path
			[ -e "$1" ] || [ -e "$1.c" ] || echo "$paper: no such path: $path"
		done
done >"$work/paths"
[ ! -s "$work/paths" ] || bad "$(cat "$work/paths")"

# ---- 6 ----
for path in $(awk '/^8 FOUR STORIES/ { inside = 1 } /^9 / { inside = 0 } inside' HACKING |
	grep -o -E '[a-z_]+(/[a-z_]+)+\.[ch]'); do
	[ -e "src/$path" ] || bad "a story of HACKING names no file: src/$path"
done

# ---- 7 ----
find src tests Makefile.am -type f | sed 's,.*/,,' | LC_ALL=C sort -u >"$work/names"
{ find src tests -name '*.[ch]' -exec sed -n 's/^#include <\(.*\)>.*/\1/p' {} +; printf '%s\n' config.h unistd.h \
	run_hook_lines.h run_preload_lines.h run_preload_path.h requests_lines.h; } >>"$work/names"
find src tests -name '*.[ch]' | while read -r file; do
	awk -v file="$file" '{
		text = ""
		while (length($0)) {
			if (inside) {
				at = index($0, "*/")
				text = text " " (at ? substr($0, 1, at - 1) : $0)
				$0 = at ? substr($0, at + 2) : ""
				inside = !at
			} else {
				at = index($0, "/*")
				$0 = at ? substr($0, at + 2) : ""
				inside = at > 0
			}
		}
		text = " " text
		while (match(text, /[^A-Za-z0-9_.\/][a-z][a-z0-9_\/]*\.[ch]([^a-z0-9_.(]|$)/)) {
			name = substr(text, RSTART + 1, RLENGTH - 1)
			sub(/\.c.*/, ".c", name)
			sub(/\.h.*/, ".h", name)
			print file ":" NR, name
			text = substr(text, RSTART + RLENGTH)
		}
	}' "$file"
done >"$work/named"
awk 'NR == FNR { known[$1] = 1; next } { base = $2; sub(/.*\//, "", base) } !(base in known)' "$work/names" "$work/named" >"$work/unknown"
[ -s "$work/named" ] || bad "no comment in src/ names a file"
[ ! -s "$work/unknown" ] || bad "comments name files that do not exist:
$(cat "$work/unknown")"
exit $failed
