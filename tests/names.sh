#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Names and sizes of the sources.
#
# 1. The prefix of an exported function is the name of its file, of its room, or of the section of
#    the file that it stands in: span.c exports span_*, and below `/* ==== times ====` times_*. The
#    list below has the exceptions, each with a reason.
# 2. A file has at most 1,000 lines. A line has at most 100 columns, where a tab goes to the next
#    multiple of 8; a long string counts as nothing, as texts are easier to find in one piece.
# 3. A limit is called X_MAX or X_MIN, as in the headers of C.
# 4. The guard of a header is its path: FLAMETTY_MODEL_SPAN_H.
#
# usage: names.sh [--list]     --list: print the violations, but do not fail
set -u
cd "$(dirname "$0")/.." || exit 99
is_list=${1:-}
LC_ALL=C
export LC_ALL

# file, prefix (extended regular expression), reason
exceptions() {
	cat <<'END'
src/base/alloc.c x[a-z]+ the names of malloc() and its relatives, with the usual x
src/base/alloc.c die(_set_hook|_[sg]et_rescue)? what xmalloc() does when memory is short, for all
src/main.c main the language says so
src/model/slices.c slice_.* one slice of the list
src/model/slices.c lane_(opens|count_slices) a lane made of slices
src/model/span.c samples_.* the struct that spans are found in
END
}

# file: the functions that it exports, each with its section (- before the first). A definition begins in the first column and has its brace in
# the first column, too; the return type may stand on a line of its own.
exported() {
	awk '
		BEGIN { section = "-" }
		/^\/\* ==== .* ====/ { section = $0; sub(/^\/\* ==== /, "", section); sub(/ ====.*/, "", section); gsub(/ /, "_", section) }
		/^[A-Za-z_].*\(/ && !/;[[:space:]]*$/ || /^[a-z_][a-z_0-9]*\(/ {
			head = $0
			is_static = head ~ /^static|^typedef/ || (head ~ /^[a-z_0-9]+\(/ && last ~ /^static/)
			sub(/\(.*/, "", head)
			sub(/.*[ *]/, "", head)
			name = is_static ? "" : head
		}
		/^\{/ { if (name != "") print name, section; name = "" }
		/^[^{].*;[[:space:]]*$/ { name = "" }
		{ last = $0 }
	' "$1"
}

# folder: all names that break rule 1.
names() {
	find "$1" -name '*.c' | sort | while read -r file; do
		exported "$file" | sed "s,^,$file ,"
	done | awk -v list="$(exceptions)" '
		BEGIN {
			n = split(list, lines, "\n")
			for (i = 1; i <= n; i++) {
				split(lines[i], word, " ")
				more[word[1]] = more[word[1]] "|" word[2]
			}
		}
		{
			base = room = $1
			sub(/.*\//, "", base)
			sub(/\.c$/, "", base)
			sub(/.*src\//, "", room)
			sub(/\/.*/, "", room)
			sub(/\.c$/, "", room)
			if ($2 !~ "^((" base "|" room "|" $3 ")(_.*)?" more[$1] ")$")
				print $1 ": exports " $2 "()"
		}'
}

# folder: all lines and files that break rule 2.
sizes() {
	find "$1" -name '*.[ch]' | sort | while read -r file; do
		awk -v file="$file" '
			{
				line = $0
				while (at = index(line, "\t")) {
					blanks = substr("        ", 1, 8 - (at - 1) % 8)
					line = substr(line, 1, at - 1) blanks substr(line, at + 1)
				}
			}
			{ gsub(/[\200-\277]/, "", line) } # bytes of a character after the first
			{ whole = length(line); gsub(/"([^"\\]|\\.)*"/, "", line) }
			length(line) > 100 { print file ":" FNR ": " whole " columns" }
			END { if (NR > 1000) print file ": " NR " lines" }
		' "$file"
	done
}

# folder: all names that break rule 3.
limits() { grep -rnoE --include='*.[ch]' '\b([A-Z0-9_]+_)?(MOST|LEAST)(_[A-Z0-9_]+)?\b' "$1"; }

# folder: all headers that break rule 4. Lists that are included several times have no guard.
guards() {
	(cd "$1" && find . -name '*.h' | sed 's,^\./,,' | LC_ALL=C sort) | while read -r file; do
		guard=$(sed -n 's/^#ifndef \(FLAMETTY_[A-Z0-9_]*_H\)$/\1/p' "$1/$file" | head -n 1)
		want=FLAMETTY_$(printf %s "$file" | tr 'a-z/.-' 'A-Z___')
		[ -z "$guard" ] || [ "$guard" = "$want" ] || echo "$file: its guard is $guard, not $want"
	done
}

found=$(names src; sizes src; limits src; guards src)
if [ -n "$found" ]; then
	printf '%s\n' "$found"
	[ "$is_list" = --list ]
	exit
fi

# The test of the test: each of these must be found.
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
{
	printf 'static int a(void)\n{\n}\n\nint one_b(int x,\n\t  int y)\n{\n}\n\nint c(int x,\n\t  int y)\n{\n}\n\n'
	printf '#define F_MOST 1\n'
	printf 'struct thing *\nd(void)\n{\n\tint e = f(%s);\n}\n' \
		111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111
	yes 'int g;' | head -n 1000
} >"$work/one.c"
mkdir "$work/room" && printf '#ifndef FLAMETTY_OTHER_TWO_H\n' >"$work/room/two.h"
printf '#ifndef FLAMETTY_ROOM_THREE_H\n' >"$work/room/three.h"
found=$(names "$work"; sizes "$work" | sed 's/.*one/one/'; limits "$work" | sed 's/.*one/one/'; guards "$work")
want="$work/one.c: exports c()
$work/one.c: exports d()
one.c:19: 110 columns
one.c: 1020 lines
one.c:15:F_MOST
room/two.h: its guard is FLAMETTY_OTHER_TWO_H, not FLAMETTY_ROOM_TWO_H"
[ "$found" = "$want" ] && exit 0
printf 'expected:\n%s\nfound:\n%s\n' "$want" "$found"
exit 1
