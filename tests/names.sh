#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Names and sizes of the sources.
#
# 1. The name of a file is the prefix of all functions that it exports: span.c exports span_*.
#    The list below has the exceptions, each with a reason.
# 2. A file has at most 500 lines. A line has at most 100 columns, where a tab goes to the next
#    multiple of 8; a long string counts as nothing, as texts are easier to find in one piece.
#
# usage: names.sh [--list]     --list: print what breaks the rules, but do not fail
set -u
cd "$(dirname "$0")/.." || exit 99
is_list=${1:-}
LC_ALL=C
export LC_ALL

# file, prefix (extended regular expression), reason
exceptions() {
	cat <<'END'
src/base/alloc.c x[a-z]+ the names of malloc() and its relatives, with the usual x
src/base/alloc.c die(_set_hook)? what xmalloc() does when memory is short, for all
src/main.c main the language says so
END
}

# file: the functions that it exports. A definition begins in the first column and has its brace in
# the first column, too; the return type may stand on a line of its own.
exported() {
	awk '
		/^[A-Za-z_].*\(/ && !/;[[:space:]]*$/ || /^[a-z_][a-z_0-9]*\(/ {
			head = $0
			is_static = head ~ /^static|^typedef/ || (head ~ /^[a-z_0-9]+\(/ && last ~ /^static/)
			sub(/\(.*/, "", head)
			sub(/.*[ *]/, "", head)
			name = is_static ? "" : head
		}
		/^\{/ { if (name != "") print name; name = "" }
		/^[^{].*;[[:space:]]*$/ { name = "" }
		{ last = $0 }
	' "$1"
}

names() {
	find src -name '*.c' | sort | while read -r file; do
		stem=$(basename "$file" .c)
		pattern="$stem(_.*)?"
		for more in $(exceptions | awk -v file="$file" '$1 == file { print $2 }'); do
			pattern="$pattern|$more"
		done
		exported "$file" | grep -v -E -x -e "$pattern" | sed "s,.*,$file: exports &(),"
	done
}

sizes() {
	find src -name '*.[ch]' | sort | while read -r file; do
		awk -v file="$file" '
			{
				line = $0
				while (at = index(line, "\t")) {
					blanks = sprintf("%*s", 8 - (at - 1) % 8, "")
					line = substr(line, 1, at - 1) blanks substr(line, at + 1)
				}
			}
			{ gsub(/[\200-\277]/, "", line) } # bytes of a character after the first
			{ whole = length(line); gsub(/"([^"\\]|\\.)*"/, "", line) }
			length(line) > 100 { print file ":" FNR ": " whole " columns" }
			END { if (NR > 500) print file ": " NR " lines" }
		' "$file"
	done
}

found=$(names; sizes)
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
[ "$is_list" = --list ]
