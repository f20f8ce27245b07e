#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each layer includes only what it may know. The table below is the rule.
#
# usage: layers.sh [SOURCE-FOLDER]
# Without an argument: checks src/, and then itself.
set -u
here=$(dirname "$0")

# file or layer: the layers and single headers of ours that it may include
allowed() {
	case $1 in
	base) echo base ;;
	json) echo base json ;;
	model) echo base model ;;
	build) echo base model build ;;
	reader) echo base json model build reader ;;
	sourcemap) echo base json model sourcemap ;;
	load) echo base json model build reader load sourcemap ;;
	analysis) echo base model analysis ;;
	layout) echo base model analysis layout ;;
	report) echo base model analysis layout report ;;
	export) echo base model analysis report export ;;
	ui) echo base model analysis layout ui ;;
	remote) echo base json remote ;;
	attach.c | attach.h | attach_names.c | attach_names.h) echo base remote run.h attach.h attach_names.h ;;
	run_command.c | run_command.h) echo base remote run.h run_command.h run_folder.h run_guard.h run_hook.h run_place.h run_slices.h run_spawn.h run_tally.h run_watch.h ;;
	run_folder.c | run_folder.h) echo base run_command.h run_folder.h ;;
	run_guard.c | run_guard.h) echo base run_folder.h run_guard.h ;;
	run_hook.c | run_hook.h) echo base run_hook.h run_hook_lines.h ;;
	run_place.c | run_place.h) echo base run_place.h run_preload_lines.h run_preload_path.h user_file.h ;;
	run_slices.c | run_slices.h) echo base json/cursor.h remote/join.h run_slices.h run_tally.h user_file.h ;;
	run_spawn.c | run_spawn.h) echo base run_hook.h run_spawn.h ;;
	run_tally.c | run_tally.h) echo base json remote run_tally.h ;;
	run_watch.c | run_watch.h) echo base remote run_tally.h run_watch.h ;;
	watch_command.c | watch_command.h) echo base remote analysis/pattern.h run.h attach_names.h watch_command.h watch_files.h watch_find.h watch_limit.h watch_line.h watch_process.h watch_settings.h watch_thread.h ;;
	watch_find.c | watch_find.h) echo base remote analysis/pattern.h watch_find.h ;;
	watch_process.c | watch_process.h) echo base remote json/cursor.h watch_line.h watch_process.h watch_thread.h ;;
	watch_settings.c | watch_settings.h) echo base options.h watch_line.h watch_settings.h watch_thread.h ;;
	watch_thread.c | watch_thread.h) echo base model build load analysis sourcemap/maps.h remote/ring.h watch_files.h watch_limit.h watch_line.h watch_thread.h ;;
	watch_files.c | watch_files.h) echo base watch_files.h ;;
	watch_limit.c | watch_limit.h) echo base watch_limit.h ;;
	watch_line.c | watch_line.h) echo base analysis/blame.h watch_line.h ;;
	term/loop.c | term/loop.h) echo base layout term ui/app.h ui/key.h ;;
	term) echo base layout ui/key.h term ;;
	main.c) echo base model reader load/source_reader.h analysis report export ui/keymap.h attach.h completion.h diff_command.h export_files.h format_option.h gate_options.h report_wish.h options.h options_shell.h scope_options.h run.h run_command.h session.h session_live.h theme_option.h version.h watch_command.h watch_line.h ;;
	live_feed.c | live_feed.h) echo base remote attach.h attach_names.h run.h live_feed.h ;;
	session_live.c | session_live.h) echo base load/load.h load/source_reader.h model remote/process.h remote/ring.h ui term attach_names.h live_feed.h run.h session_host.h session_live.h session_shown.h ;;
	charset.c | charset.h) echo base charset.h ;;
	version.c | version.h) echo base json/json_text.h analysis/pattern.h term/builtin.h term/term.h version.h ;;
	diff_command.c | diff_command.h) echo base model load analysis report/diff.h ui/chart/diff.h gate_options.h run.h scope_options.h diff_command.h ;;
	theme_option.c | theme_option.h) echo base term/palette.h term/theme.h term/theme_file.h theme_option.h user_file.h ;;
	user_config.c | user_config.h) echo base ui/line/preferences.h ui/line/setting.h options.h theme_option.h user_file.h user_config.h ;;
	user_file.c | user_file.h) echo base user_file.h ;;
	report_wish.c | report_wish.h) echo base model load/source_reader.h report run.h report_wish.h ;;
	export_files.c | export_files.h) echo base model analysis export export_files.h ;;
	format_option.c | format_option.h) echo base reader/reader.h report/report.h report/diff.h export/export.h run.h watch_line.h format_option.h ;;
	gate_options.c | gate_options.h) echo base model analysis report options.h run.h gate_options.h ;;
	line_history.c | line_history.h) echo base ui/search/prompt.h user_file.h line_history.h ;;
	session_host.c | session_host.h) echo base model analysis export ui term load/realign.h load/split_lanes.h reader/trace/trace_copy.h run.h export_files.h report_wish.h session_edit.h session_follow.h theme_option.h user_file.h line_history.h session_host.h ;;
	session_edit.c | session_edit.h) echo base ui/app.h term/term.h load/code_file.h editor.h run.h session_edit.h ;;
	editor.c | editor.h) echo base editor.h ;;
	session.c | session.h) echo base model load analysis layout ui term reader/trace/event.h reader/trace/event_reader.h run.h scope_options.h session.h session_compare.h session_follow.h session_host.h session_shown.h ;;
	session_shown.c | session_shown.h) echo base model analysis load/realign.h load/split_lanes.h ui diff_command.h run.h scope_options.h session_host.h session_shown.h ;;
	session_compare.c | session_compare.h) echo base model load/load.h ui diff_command.h run.h session_compare.h session_follow.h session_host.h session_shown.h user_file.h ;;
	session_follow.c | session_follow.h) echo base model load run.h session_follow.h ;;
	run.c | run.h) echo base model load analysis/scope.h term/term.h ui/line/preferences.h charset.h options.h scope_options.h user_config.h run.h ;;
	scope_options.c | scope_options.h) echo base model load/load.h load/split_lanes.h analysis options.h scope_options.h ;;
	completion.c | completion.h) echo base options.h options_table.h completion.h ;;
	options_shell.c | options_shell.h) echo base options_shell.h ;;
	options.c | options.h | options_help.c | options_table.c | options_table.h) echo base options.h options_table.h ;;
	esac
}

# layer: a pattern (extended) of system headers that it may not include
forbidden_headers() {
	curses='n?curses\.h|ncursesw?/.*|term\.h|panel\.h|menu\.h|form\.h'
	json='json-c/.*|json\.h|json_.*\.h'
	clock='time\.h|sys/time\.h|sys/times\.h'
	files='fcntl\.h|sys/stat\.h|sys/mman\.h|dirent\.h|unistd\.h'
	case $1 in
	base) echo "$curses|$json" ;;
	json) echo "$curses|$files" ;;
	model) echo "$curses|$json|$files" ;;
	build) echo "$curses|$json|$files" ;;
	reader | load | sourcemap) echo "$curses" ;;
	analysis) echo "$curses|$json|$files|$clock" ;;
	layout) echo "$curses|$json|$files|$clock" ;;
	report) echo "$curses|$json" ;;
	export) echo "$curses|$json|$files" ;;
	ui) echo "$curses|$json|$files|$clock" ;;
	term) echo "$json" ;;
	*) echo "$curses|$json" ;;
	esac
}

# file: the same for libraries that one file hides from all others
hidden_headers() {
	case $1 in
	analysis/pattern.c) ;;
	*) echo '|pcre2.*\.h' ;;
	esac
}

# layer: whether it may look at the clock. The others are given a budget (base/budget.h).
may_see_clock() {
	case $1 in json | model | build | analysis | layout | ui | report | export) return 1 ;; esac
	return 0
}

# layer: whether files and streams of C are closed to it. <stdio.h> itself is not, it
# brings snprintf().
without_stdio() {
	case $1 in json | model | build | analysis | layout | ui) return 0 ;; esac
	return 1
}

stdio_words='(FILE|stdin|stdout|stderr)'
stdio_calls='(f?open|fdopen|freopen|popen|printf|fprintf|vprintf|vfprintf|puts|fputs|putchar|fputc|fgets|getchar|fgetc|fread|fwrite|perror|scanf|fscanf|getenv|setlocale)'

# Print what is wrong in the tree $1; nothing when all is well.
check_tree() {
	(cd "$1" && find . -name '*.[ch]' | sed 's,^\./,,' | sort) | while read -r file; do
		layer=${file%%/*}
		may=" $(allowed "$file") "
		[ "$may" != "  " ] || may=" $(allowed "$layer") "
		if [ "$may" = "  " ]; then
			echo "$file: belongs to no layer"
			continue
		fi
		sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*/\1/p' "$1/$file" | while read -r name; do
			[ "$name" != config.h ] || continue
			case $name in
			*..*) echo "$file: includes \"$name\" by a relative path"; continue ;;
			esac
			case $name in
			base/clock.h) may_see_clock "$layer" || { echo "$file: may not include \"$name\", the clock: work within a budget"; continue; } ;;
			esac
			case $may in
			*" ${name%%/*} "* | *" $name "*) ;;
			*) echo "$file: may not include \"$name\", only:$may" ;;
			esac
		done
		sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*<\([^>]*\)>.*/\1/p' "$1/$file" |
			grep -E -x -e "$(forbidden_headers "$layer")$(hidden_headers "$file")" | sed "s,.*,$file: may not include <&>,"
		if without_stdio "$layer"; then
			# Comments and strings may speak of files.
			sed -e 's,"\([^"\\]\|\\.\)*",,g' -e 's,//.*,,' -e 's,/\*[^*]*\*/,,g' -e '/^[[:space:]]*\(\/\*\|\*\)/d' "$1/$file" |
				grep -E "(^|[^[:alnum:]_.>])($stdio_calls[[:space:]]*\\(|$stdio_words([^[:alnum:]_]|\$))" |
				sed "s,^[[:space:]]*,$file: no streams in this layer: ,"
		fi
		case $file in
		*.h) grep -q '^#.*include.*"config.h"' "$1/$file" && echo "$file: a header may not include config.h" ;;
		*.c) first=$(sed -n 's/^#include[[:space:]]*//p' "$1/$file" | head -n 1)
			[ "$first" = '"config.h"' ] || echo "$file: the first include must be \"config.h\"" ;;
		esac
	done
}

if [ $# -gt 0 ]; then
	check_tree "$1"
	exit 0
fi

found=$(check_tree "$here/../src")
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
model/span.c|#include "reader/reader.h"|may not include "reader/reader.h"
model/span.h|#include <curses.h>|may not include <curses.h>
model/calltree.c|#include <json-c/json.h>|may not include <json-c/json.h>
json/planted.c|#include "model/profile.h"|may not include "model/profile.h"
model/lane.h|#include "build/builder.h"|may not include "build/builder.h"
analysis/planted.c|#include "build/builder.h"|may not include "build/builder.h"
build/planted.c|#include "json/scan.h"|may not include "json/scan.h"
reader/planted.c|#include "load/load.h"|may not include "load/load.h"
reader/planted.c|#include "analysis/totals.h"|may not include "analysis/totals.h"
reader/planted.c|#  include <ncursesw/curses.h>|may not include <ncursesw/curses.h>
analysis/planted.c|static FILE *planted;|no streams in this layer: static FILE
analysis/planted.c|void planted(void) { printf("x"); }|no streams in this layer: void planted
analysis/search.c|#include <pcre2.h>|may not include <pcre2.h>
analysis/search.c|#include "base/clock.h"|may not include "base/clock.h", the clock
analysis/totals.c|#include <time.h>|may not include <time.h>
layout/overview.c|#include "base/clock.h"|may not include "base/clock.h", the clock
ui/app.c|#include "base/clock.h"|may not include "base/clock.h", the clock
layout/planted.h|#include <time.h>|may not include <time.h>
layout/planted.h|#include "ui/key.h"|may not include "ui/key.h"
layout/planted.c|#include "../term/term.h"|includes "../term/term.h" by a relative path
ui/key.c|#include "term/term.h"|may not include "term/term.h"
ui/key.c|#include "reader/reader.h"|may not include "reader/reader.h"
report/planted.c|#include "ui/app.h"|may not include "ui/app.h"
export/planted.c|#include "reader/reader.h"|may not include "reader/reader.h"
export/planted.c|#include <fcntl.h>|may not include <fcntl.h>
term/term.c|#include "model/profile.h"|may not include "model/profile.h"
term/term.c|#include "ui/app.h"|may not include "ui/app.h"
term/loop.c|#include "reader/reader.h"|may not include "reader/reader.h"
options.c|#include "ui/app.h"|may not include "ui/app.h"
scope_options.c|#include "ui/app.h"|may not include "ui/app.h"
run.c|#include "session.h"|may not include "session.h"
session.c|#include "report/report.h"|may not include "report/report.h"
main.c|#include "term/loop.h"|may not include "term/loop.h"
other/planted.c|#include "base/buf.h"|belongs to no layer
END
}
planted | while IFS='|' read -r file line complaint; do
	mkdir -p "$copy/src/$(dirname "$file")"
	printf '%s\n' "$line" >>"$copy/src/$file"
done
check_tree "$copy/src" >"$copy/found"
planted | (
	failed=0
	while IFS='|' read -r file line complaint; do
		grep -q -F -e "$file: $complaint" "$copy/found" && continue
		echo "not noticed in $file: $line"
		failed=1
	done
	exit $failed
)
