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
	record/attach.c | record/attach.h | record/attach_names.c | record/attach_names.h) echo base remote cli/run.h record/attach.h record/attach_names.h ;;
	record/run_command.c | record/run_command.h) echo base remote cli/run.h record/run_command.h record/run_folder.h record/run_guard.h record/run_hook.h record/run_place.h record/run_slices.h record/run_spawn.h record/run_tally.h record/run_watch.h ;;
	record/run_folder.c | record/run_folder.h) echo base record/run_command.h record/run_folder.h ;;
	record/run_guard.c | record/run_guard.h) echo base record/run_folder.h record/run_guard.h ;;
	record/run_hook.c | record/run_hook.h) echo base record/run_hook.h run_hook_lines.h ;;
	record/run_place.c | record/run_place.h) echo base record/run_place.h run_preload_lines.h run_preload_path.h cli/user_file.h ;;
	record/run_slices.c | record/run_slices.h) echo base json/cursor.h remote/join.h record/run_slices.h record/run_tally.h cli/user_file.h ;;
	record/run_spawn.c | record/run_spawn.h) echo base record/run_hook.h record/run_spawn.h ;;
	record/run_tally.c | record/run_tally.h) echo base json remote record/run_tally.h ;;
	record/run_watch.c | record/run_watch.h) echo base remote record/run_tally.h record/run_watch.h ;;
	record/watch_command.c | record/watch_command.h) echo base remote analysis/pattern.h cli/run.h record/attach_names.h record/watch_command.h record/watch_files.h record/watch_find.h record/watch_limit.h record/watch_line.h record/watch_process.h record/watch_settings.h record/watch_thread.h ;;
	record/watch_find.c | record/watch_find.h) echo base remote analysis/pattern.h record/watch_find.h ;;
	record/watch_process.c | record/watch_process.h) echo base remote json/cursor.h record/watch_line.h record/watch_process.h record/watch_thread.h ;;
	record/watch_settings.c | record/watch_settings.h) echo base cli/options.h record/watch_line.h record/watch_settings.h record/watch_thread.h ;;
	record/watch_thread.c | record/watch_thread.h) echo base model build load analysis sourcemap/maps.h remote/ring.h record/watch_files.h record/watch_limit.h record/watch_line.h record/watch_thread.h ;;
	record/watch_files.c | record/watch_files.h) echo base record/watch_files.h ;;
	record/watch_limit.c | record/watch_limit.h) echo base record/watch_limit.h ;;
	record/watch_line.c | record/watch_line.h) echo base analysis/blame.h record/watch_line.h ;;
	term/loop.c | term/loop.h) echo base layout term ui/app.h ui/key.h ;;
	term) echo base layout ui/key.h term ;;
	main.c) echo base model reader load/source_reader.h analysis report export ui/keymap.h record/attach.h cli/completion.h cli/diff_command.h cli/export_files.h cli/format_option.h cli/gate_options.h cli/report_wish.h cli/options.h cli/options_shell.h cli/scope_options.h cli/run.h record/run_command.h session/session.h session/session_live.h cli/theme_option.h cli/version.h record/watch_command.h record/watch_line.h ;;
	record/live_feed.c | record/live_feed.h) echo base remote record/attach.h record/attach_names.h cli/run.h record/live_feed.h ;;
	session/session_live.c | session/session_live.h) echo base load/load.h load/source_reader.h model remote/process.h remote/ring.h ui term record/attach_names.h record/live_feed.h cli/run.h session/session_host.h session/session_live.h session/session_shown.h ;;
	cli/charset.c | cli/charset.h) echo base cli/charset.h ;;
	cli/version.c | cli/version.h) echo base json/json_text.h analysis/pattern.h term/builtin.h term/term.h cli/version.h ;;
	cli/diff_command.c | cli/diff_command.h) echo base model load analysis report/diff.h ui/chart/diff.h cli/gate_options.h cli/run.h cli/scope_options.h cli/diff_command.h ;;
	cli/theme_option.c | cli/theme_option.h) echo base term/palette.h term/theme.h term/theme_file.h cli/theme_option.h cli/user_file.h ;;
	cli/user_config.c | cli/user_config.h) echo base ui/line/preferences.h ui/line/setting.h cli/options.h cli/theme_option.h cli/user_file.h cli/user_config.h ;;
	cli/user_file.c | cli/user_file.h) echo base cli/user_file.h ;;
	cli/report_wish.c | cli/report_wish.h) echo base model load/source_reader.h report cli/run.h cli/report_wish.h ;;
	cli/export_files.c | cli/export_files.h) echo base model analysis export cli/export_files.h ;;
	cli/format_option.c | cli/format_option.h) echo base reader/reader.h report/report.h report/diff.h export/export.h cli/run.h record/watch_line.h cli/format_option.h ;;
	cli/gate_options.c | cli/gate_options.h) echo base model analysis report cli/options.h cli/run.h cli/gate_options.h ;;
	cli/line_history.c | cli/line_history.h) echo base ui/search/prompt.h cli/user_file.h cli/line_history.h ;;
	session/session_host.c | session/session_host.h) echo base model analysis export ui term load/realign.h load/split_lanes.h reader/trace/trace_copy.h cli/run.h cli/export_files.h cli/report_wish.h session/session_edit.h session/session_follow.h cli/theme_option.h cli/user_file.h cli/line_history.h session/session_host.h ;;
	session/session_edit.c | session/session_edit.h) echo base ui/app.h term/term.h load/code_file.h cli/editor.h cli/run.h session/session_edit.h ;;
	cli/editor.c | cli/editor.h) echo base cli/editor.h ;;
	session/session.c | session/session.h) echo base model load analysis layout ui term reader/trace/event.h reader/trace/event_reader.h cli/run.h cli/scope_options.h session/session.h session/session_compare.h session/session_follow.h session/session_host.h session/session_shown.h ;;
	session/session_shown.c | session/session_shown.h) echo base model analysis load/realign.h load/split_lanes.h ui cli/diff_command.h cli/run.h cli/scope_options.h session/session_host.h session/session_shown.h ;;
	session/session_compare.c | session/session_compare.h) echo base model load/load.h ui cli/diff_command.h cli/run.h session/session_compare.h session/session_follow.h session/session_host.h session/session_shown.h cli/user_file.h ;;
	session/session_follow.c | session/session_follow.h) echo base model load cli/run.h session/session_follow.h ;;
	cli/run.c | cli/run.h) echo base model load analysis/scope.h term/term.h ui/line/preferences.h cli/charset.h cli/options.h cli/scope_options.h cli/user_config.h cli/run.h ;;
	cli/scope_options.c | cli/scope_options.h) echo base model load/load.h load/split_lanes.h analysis cli/options.h cli/scope_options.h ;;
	cli/completion.c | cli/completion.h) echo base cli/options.h cli/options_table.h cli/completion.h ;;
	cli/options_shell.c | cli/options_shell.h) echo base cli/options_shell.h ;;
	cli/options.c | cli/options.h | cli/options_help.c | cli/options_table.c | cli/options_table.h) echo base cli/options.h cli/options_table.h ;;
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
cli/options.c|#include "ui/app.h"|may not include "ui/app.h"
cli/scope_options.c|#include "ui/app.h"|may not include "ui/app.h"
cli/run.c|#include "session/session.h"|may not include "session/session.h"
session/session.c|#include "report/report.h"|may not include "report/report.h"
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
