#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The rooms of src/, and what each may know. The tables below are the rule.
#
# 1. A folder includes only what its row in `allowed` names: folders, or single headers.
# 2. It includes no system header, and uses no word of stdio, that its row in `closed` forbids.
# 3. Directly below src/ are main.c and at most 14 folders. A folder has at most 40 modules
#    (NAME.c, NAME.h or both).
# 4. The doors of a room are its headers that other rooms include. Each room has the number of
#    doors that its row in `doors` states; a change that closes one lowers it.
# 5. config.h comes first in each .c and is in no header; a path in an #include begins below src/.
#    After its own header, the headers of a file stand in the order of their names.
#
# usage: layers.sh [--doors] [SOURCE-FOLDER]
# Without an argument: checks src/, and then itself. --doors: prints the doors and who uses them.
set -u
here=$(dirname "$0")
LC_ALL=C
export LC_ALL

# folder, or file: what it may include. A name stands for the folder and those in it; with a `!` it
# is taken out again; the last word that fits counts. The longest row that fits a file counts.
allowed='
base           : base !base/json
base/json      : base
model          : base model !base/json !base/stream !model/build
model/build    : base model !base/json !base/stream
source         : base model source !model/build
read           : base model read source !read/load
read/load      : base model read source
findings       : base model findings !base/json !base/stream !model/build
analyse        : base model findings analyse !base/json !base/stream !model/build
draw           : base model findings analyse draw !base/json !base/stream !model/build
write/report   : base model findings analyse draw write/report !base/json !model/build base/json/json_writer.h
write/export   : base model findings analyse write !base/json !model/build base/json/json_writer.h
ui             : base model findings analyse draw ui !base/json !base/stream !model/build
term           : base draw term ui/app.h ui/key.h !base/json !base/stream
record/remote  : base record/remote
cli            : base model source read analyse write term ui cli !model/build
record         : base model source read findings analyse cli record
session        : base model source read findings analyse draw write/export ui term cli record session !model/build
main.c         : base model read findings analyse write ui cli record session !model/build
'

# folder: words for what is closed to it (`patterns`). The longest row that fits a file counts.
closed='
base           : curses json
base/json      : curses files clock_h stdio
model          : curses json files clock_h stdio
source         : curses
read           : curses
findings       : curses json files clock clock_h stdio
analyse        : curses json files clock clock_h stdio
draw           : curses json files clock clock_h stdio
write/report   : curses json clock_h
write/export   : curses json files clock_h
ui             : curses json files clock clock_h stdio
term           : json
record         : curses json
cli            : curses json
session        : curses json
main.c         : curses json
'

# room: number of its doors.
doors='
analyse  : 34
base     : 34
cli      : 7
draw     : 21
findings : 4
model    : 26
read     : 9
record   : 8
session  : 2
source   : 3
term     : 6
ui       : 9
write    : 9
'

# What the words of `closed` mean: patterns of system headers, of our clock, of stdio. PCRE2 is
# hidden behind base/pattern everywhere.
patterns='
curses  ^(n?curses\.h|ncursesw?/.*|term\.h|panel\.h|menu\.h|form\.h)$
json    ^(json-c/.*|json\.h|json_.*\.h)$
clock   ^(time\.h|sys/time\.h|sys/times\.h)$
files   ^(fcntl\.h|sys/stat\.h|sys/mman\.h|dirent\.h|unistd\.h)$
'

# Print what is wrong in the tree $1; nothing when all is well.
check_tree() {
	(cd "$1" && find . -name '*.[ch]' | sed 's,^\./,,' | sort | ALLOWED=$allowed CLOSED=$closed \
		DOORS=$doors PATTERNS=$patterns DOORS_ONLY=${doors_only:-} xargs awk '
	function table(text, to,    n, lines, i, at, key) {
		n = split(text, lines, "\n")
		for (i = 1; i <= n; i++) {
			at = index(lines[i], ":")
			if (!at) continue
			key = substr(lines[i], 1, at - 1)
			gsub(/ /, "", key)
			to[key] = substr(lines[i], at + 1)
		}
	}
	# The longest row of the table that fits the path; "": none.
	function row(path, in_table,    key) {
		for (key = path; key != ""; ) {
			if (key in in_table) return key
			if (!match(key, /\/[^\/]*$/)) return ""
			key = substr(key, 1, RSTART - 1)
		}
		return ""
	}
	function below(name, folder) { return name == folder || index(name, folder "/") == 1 }
	function may(list, name,    n, words, i, found) {
		n = split(list, words, " ")
		for (i = 1; i <= n; i++) {
			if (substr(words[i], 1, 1) == "!") {
				if (below(name, substr(words[i], 2))) found = 0
			} else if (below(name, words[i])) found = 1
		}
		return found
	}
	function bad(text) { if (!ENVIRON["DOORS_ONLY"]) print text }
	BEGIN {
		table(ENVIRON["ALLOWED"], allowed)
		table(ENVIRON["CLOSED"], closed)
		table(ENVIRON["DOORS"], doors)
		n = split(ENVIRON["PATTERNS"], lines, "\n")
		for (i = 1; i <= n; i++)
			if (split(lines[i], part, " ") == 2) pattern[part[1]] = part[2]
		calls = "(^|[^A-Za-z0-9_.>])((f?open|fdopen|freopen|popen|printf|fprintf|vprintf|vfprintf|puts|fputs|putchar|fputc|fgets|getchar|fgetc|fread|fwrite|perror|scanf|fscanf|getenv|setlocale)[ \t]*\\(|(FILE|stdin|stdout|stderr)([^A-Za-z0-9_]|$))"
	}
	FNR == 1 {
		file = FILENAME
		room = file; sub(/\/.*/, "", room)
		is_header = file ~ /\.h$/
		has_first = 0
		rule = row(file, allowed)
		forbidden = " " closed[row(file, closed)] " "
		folder = file; if (!sub(/\/[^\/]*$/, "", folder)) folder = ""
		stem = file; sub(/\.[ch]$/, "", stem)
		if (folder == "" && file != "main.c") bad(file ": belongs into a room")
		else if (rule == "") bad(file ": belongs to no layer")
		if (!(stem in stems)) { stems[stem] = 1; modules[folder]++ }
		if (folder != "") rooms[room] = 1
	}
	/^[ \t]*#[ \t]*include[ \t]*["<]/ {
		line = $0
		sub(/^[ \t]*#[ \t]*include[ \t]*/, "", line)
		quote = substr(line, 1, 1)
		name = substr(line, 2)
		sub(/[">].*/, "", name)
		if (!is_header && !has_first++ && name != "config.h")
			bad(file ": the first include must be \"config.h\"")
		if (is_header && name == "config.h") bad(file ": a header may not include config.h")
		if (quote == "\"" && name != "config.h" && name ~ /\//) {
			if (last_line == NR - 1 && name < last)
				bad(file ": \"" name "\" comes before \"" last "\"")
			last = name == stem ".h" ? "" : name
			last_line = NR
			if (name ~ /\.\./) bad(file ": includes \"" name "\" by a relative path")
			else if (rule != "" && !may(allowed[rule], name))
				bad(file ": may not include \"" name "\", only:" allowed[rule])
			if (name == "base/clock.h" && forbidden ~ / clock /)
				bad(file ": may not include \"" name "\", the clock: work within a budget")
			other = name; sub(/\/.*/, "", other)
			if (other != room) {
				if (!(name in users)) n_doors[other]++
				users[name] = users[name] " " file
			}
		}
		if (quote == "<") {
			for (word in pattern)
				if (forbidden ~ (" " (word == "clock" ? "clock_h" : word) " ") && name ~ pattern[word])
					bad(file ": may not include <" name ">")
			if (name ~ /^pcre2/ && file != "base/pattern.c") bad(file ": may not include <" name ">")
		}
		next
	}
	# Comments and strings may speak of files.
	forbidden ~ / stdio / && !/^[ \t]*(\/\*|\*)/ {
		line = $0
		gsub(/"([^"\\]|\\.)*"/, "", line)
		sub(/\/\/.*/, "", line)
		gsub(/\/\*[^*]*\*\//, "", line)
		if (line ~ calls) {
			sub(/^[ \t]*/, "", line)
			bad(file ": no streams in this layer: " line)
		}
	}
	END {
		for (folder in modules)
			if (modules[folder] > 40) bad(folder ": " modules[folder] " modules, at most 40")
		n_rooms = 0
		for (room in rooms) n_rooms++
		if (n_rooms > 14) bad(n_rooms " rooms, at most 14")
		for (room in rooms)
			if (n_doors[room] + 0 != doors[room] + 0)
				bad(room ": " n_doors[room] + 0 " doors, the table says " doors[room] + 0)
		if (ENVIRON["DOORS_ONLY"]) {
			for (name in users) print name ":" users[name]
		}
	}')
}

if [ "${1:-}" = --doors ]; then
	doors_only=yes check_tree "${2:-$here/../src}" | sort
	exit 0
fi
if [ $# -gt 0 ]; then
	check_tree "$1" | sort
	exit 0
fi

found=$(check_tree "$here/../src" | sort)
if [ -n "$found" ]; then
	printf '%s\n' "$found"
	exit 1
fi

# The test of the test: bad lines planted in a copy of the tree must all be found.
copy=$(mktemp -d) || exit 99
trap 'rm -rf "$copy"' EXIT
cp -R "$here/../src" "$copy/src"
chmod -R u+w "$copy/src"
planted() { # each line: file, bad line, complaint that must come
	cat <<'END'
base/buf.c|#include "model/profile.h"|may not include "model/profile.h"
base/planted.c|#include "base/json/scan.h"|may not include "base/json/scan.h"
model/span.c|#include "read/reader.h"|may not include "read/reader.h"
model/span.h|#include <curses.h>|may not include <curses.h>
model/calltree.c|#include <json-c/json.h>|may not include <json-c/json.h>
base/json/planted.c|#include "model/profile.h"|may not include "model/profile.h"
model/lane.h|#include "model/build/builder.h"|may not include "model/build/builder.h"
analyse/planted.c|#include "model/build/builder.h"|may not include "model/build/builder.h"
model/build/planted.c|#include "base/json/scan.h"|may not include "base/json/scan.h"
read/planted.c|#include "read/load/load.h"|may not include "read/load/load.h"
read/planted.c|#include "analyse/totals.h"|may not include "analyse/totals.h"
read/planted.c|#  include <ncursesw/curses.h>|may not include <ncursesw/curses.h>
findings/planted.c|#include "analyse/totals.h"|may not include "analyse/totals.h"
analyse/planted.c|static FILE *planted;|no streams in this layer: static FILE
analyse/planted.c|void planted(void) { printf("x"); }|no streams in this layer: void planted
analyse/search.c|#include <pcre2.h>|may not include <pcre2.h>
analyse/search.c|#include "base/clock.h"|may not include "base/clock.h", the clock
analyse/totals.c|#include <time.h>|may not include <time.h>
draw/overview.c|#include "base/clock.h"|may not include "base/clock.h", the clock
ui/app.c|#include "base/clock.h"|may not include "base/clock.h", the clock
draw/planted.h|#include <time.h>|may not include <time.h>
draw/planted.h|#include "ui/key.h"|may not include "ui/key.h"
draw/planted.c|#include "../term/term.h"|includes "../term/term.h" by a relative path
ui/key.c|#include "term/term.h"|may not include "term/term.h"
ui/key.c|#include "read/reader.h"|may not include "read/reader.h"
write/report/planted.c|#include "ui/app.h"|may not include "ui/app.h"
write/report/planted.c|#include "write/export/export.h"|may not include "write/export/export.h"
write/export/planted.c|#include "read/reader.h"|may not include "read/reader.h"
write/export/planted.c|#include <fcntl.h>|may not include <fcntl.h>
term/term.c|#include "model/profile.h"|may not include "model/profile.h"
term/term.c|#include "ui/chart/chart_keys.h"|may not include "ui/chart/chart_keys.h"
record/remote/planted.c|#include "cli/run.h"|may not include "cli/run.h"
cli/options.c|#include "record/attach.h"|may not include "record/attach.h"
cli/run.c|#include "session/session.h"|may not include "session/session.h"
session/session.c|#include "write/report/report.h"|may not include "write/report/report.h"
main.c|#include "term/loop.h"|may not include "term/loop.h"
main.c|#include "draw/screen.h"|may not include "draw/screen.h"
other/planted.c|#include "base/buf.h"|belongs to no layer
loose.c|#include "config.h"|belongs into a room
ui/order.c|#include "ui/state.h"|the first include must be "config.h"
ui/order.c|#include "ui/key.h"|"ui/key.h" comes before "ui/state.h"
base/planted.h|#include "config.h"|a header may not include config.h
END
}
planted | while IFS='|' read -r file line complaint; do
	mkdir -p "$copy/src/$(dirname "$file")"
	printf '%s\n' "$line" >>"$copy/src/$file"
done
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40; do
	echo '#include "config.h"' >"$copy/src/other/many_$i.c"
done
mkdir "$copy/src/another" && echo '#include "config.h"' >"$copy/src/another/planted.c"
check_tree "$copy/src" >"$copy/found"
{
	planted
	cat <<'END'
||other: 41 modules, at most 40
||15 rooms, at most 14
||doors, the table says
END
} | (
	failed=0
	while IFS='|' read -r file line complaint; do
		[ -z "$file" ] || complaint="$file: $complaint"
		grep -q -F -e "$complaint" "$copy/found" && continue
		echo "not noticed: $complaint $line"
		failed=1
	done
	exit $failed
)
