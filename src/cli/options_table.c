/* SPDX-License-Identifier: GPL-2.0-or-later */
/* To add an option: a row in the table, and an entry in man/flametty.1 (tests/man.sh compares
 * them). */
#include "config.h"

#include "cli/options_table.h"

#include "base/alloc.h"

#include <string.h>

static const struct option_row option_rows[] = {
	{ TAKE_TEXT, offsetof(struct options, format), 'f', "format", "NAME",
	  "report: {, }; export: {, }; diff: {, }"
#ifdef HAVE_REMOTE
	  "; watch: {, }"
#endif
	},
	{ TAKE_TEXT, offsetof(struct options, output), 'o', "output", "FILE",
	  "export: the file to write; standard output by default" },
	{ TAKE_FLAG, offsetof(struct options, is_forced), 0, "force", NULL,
	  "export: replace an existing file" },
	{ TAKE_FLAG, offsetof(struct options, is_samples), 0, "samples", NULL,
	  "export of traces: write samples as samples (the default)" },
	{ TAKE_FLAG, offsetof(struct options, is_slices), 0, "slices", NULL,
	  "export of traces: write samples as slices" },
	{ TAKE_WORD, offsetof(struct options, value), 0, "value", "{|}",
	  "export of folded stacks: their time in microseconds, or their number of samples" },
	{ TAKE_FLAG, offsetof(struct options, is_merged), 0, "merged", NULL,
	  "export of svg, html: merge the calls of a path, instead of time order" },
	{ TAKE_TEXT, offsetof(struct options, min_width), 0, "min-width", "PIXELS",
	  "export of svg, html: draw narrower boxes together (0.5)" },
	{ TAKE_WORDS, offsetof(struct options, with), 0, "with", "{,}",
	  "report: add these to JSON" },
	{ TAKE_WORD, offsetof(struct options, table), 0, "table", "NAME",
	  "report: lines as text, or the table for CSV: { }" },
	{ TAKE_FLAG, offsetof(struct options, is_raw_csv), 0, "raw-csv", NULL,
	  "report: no apostrophe before text in CSV that begins like a formula" },
	{ TAKE_TOP, 0, 0, "top", "N", "report, diff: rows of each table and list (10)" },
	{ TAKE_ROWS, 0, 0, "max-rows", "N",
	  "report: rows of a whole call tree or list of spans (1000000); 0: no limit" },
	{ TAKE_WORD, offsetof(struct options, sort), 0, "sort", "{|}",
	  "report: one table of functions, sorted by this; diff: what is compared" },
	{ TAKE_FLAG, offsetof(struct options, is_opened), 'i', "interactive", NULL,
	  "diff: open the comparison in the interface" },
	{ TAKE_RUNS, offsetof(struct options, n_before), 0, "before", "FILE...",
	  "diff: the runs before the change: all arguments up to the next option" },
	{ TAKE_RUNS, offsetof(struct options, n_after), 0, "after", "FILE...",
	  "diff: the runs after it" },
	{ TAKE_RUNS, offsetof(struct options, n_noise), 0, "noise", "FILE...",
	  "diff: runs of one program: how much they differ" },
	{ TAKE_WORD, offsetof(struct options, match), 0, "match", "{|}",
	  "diff: which functions are the same" },
	{ TAKE_TEXT, offsetof(struct options, per), 0, "per", "total|time|none|count:RE",
	  "diff: compare shares, times per second, times, or times per call of a function" },
	{ TAKE_TEXT, offsetof(struct options, floor), 0, "floor", "PERCENT",
	  "diff: test only functions with this share of the time (1%)" },
	{ TAKE_TEXT, offsetof(struct options, filter), 0, "filter", "RE",
	  "report: only rows whose name, URL or package matches" },
	{ TAKE_LIST, offsetof(struct options, fail_if), 0, "fail-if", "GATE",
	  "report, diff: exit with status 1 if, as in 'total(render) > 5%' or 'gc > 15%'" },
	{ TAKE_FLAG, offsetof(struct options, is_strict), 0, "strict", NULL,
	  "report, diff: exit with status 3 if there is too little to decide about a gate" },
	{ TAKE_TEXT, offsetof(struct options, lane), 0, "lane", "WHICH,...",
	  "only these lanes: a number, main, PID:TID, RE or all" },
	{ TAKE_TEXT, offsetof(struct options, lanes), 0, "lanes", "none|cat|label:KEY",
	  "a lane for each event category, or value of a label of samples" },
	{ TAKE_TEXT, offsetof(struct options, from), 0, "from", "TIME",
	  "start of the range: 1.2s, 350ms, 1200us or 40% from the start" },
	{ TAKE_TEXT, offsetof(struct options, to), 0, "to", "TIME", "end of the range" },
	{ TAKE_STEP, STEP_FOCUS, 0, "focus", "RE",
	  "only calls that match, as outermost calls, and what they call" },
	{ TAKE_STEP, STEP_ONLY, 0, "only", "RE", "only stacks with a match, whole" },
	{ TAKE_STEP, STEP_DROP, 0, "drop", "RE", "no stacks with a match" },
	{ TAKE_STEP, STEP_HIDE, 0, "hide", "RE",
	  "remove calls that match: their time goes to their callers" },
	{ TAKE_STEP, STEP_COLLAPSE, 0, "collapse", "RE",
	  "remove the callees of calls that match: their time goes to the match" },
	{ TAKE_FLAG, offsetof(struct options, has_folded_packages), 0, "fold-packages", NULL,
	  "join calls within a package into one call" },
	{ TAKE_FLAG, offsetof(struct options, has_merged_recursion), 0, "merge-recursion", NULL,
	  "join recursive calls with the outermost one" },
	{ TAKE_FLAG, offsetof(struct options, is_without_idle), 0, "no-idle", NULL,
	  "drop idle time" },
	{ TAKE_GROUP, offsetof(struct options, group), 0, "group", "{|}",
	  "what rows and boxes stand for" },
	{ TAKE_FLAG, offsetof(struct options, has_idle), 0, "idle", NULL,
	  "count idle time in percentages" },
	{ TAKE_FLAG, offsetof(struct options, is_raw), 0, "raw-samples", NULL,
	  "leave garbage collection at row 0 and single (program) samples as they are" },
	{ TAKE_FLAG, offsetof(struct options, is_whole), 0, "whole", NULL,
	  "keep events and samples that are far from all others in time" },
	{ TAKE_WORD, offsetof(struct options, gaps), 0, "gaps", "{|}",
	  "what JS self-profiles and perf have between samples: time without samples, or idle "
	  "time" },
	{ TAKE_LIST, offsetof(struct options, source_maps), 0, "source-map", "FILE",
	  "the source map of a script; may be given several times" },
	{ TAKE_LIST, offsetof(struct options, map_moves), 0, "map", "PREFIX=DIR",
	  "look for scripts and sources whose URL begins with PREFIX in DIR" },
	{ TAKE_TEXT, offsetof(struct options, source_root), 0, "source-root", "DIR",
	  "read the sources that source maps name from this directory" },
	{ TAKE_FLAG, offsetof(struct options, is_unmapped), 0, "no-source-maps", NULL,
	  "look for no source maps: names and lines as they are in the scripts" },
	{ TAKE_TEXT, offsetof(struct options, max_memory), 0, "max-memory", "SIZE",
	  "memory limit: 6G, 800M, 50%, or 0 for none. Of files that need more, --from, --to or "
	  "--lane load a part" },
	{ TAKE_TEXT, offsetof(struct options, max_unpacked), 0, "max-unpacked", "SIZE",
	  "limit of compressed data that becomes 300 times as much and more (1 GiB); 0: none" },
	{ TAKE_TEXT, offsetof(struct options, max_output), 0, "max-output", "SIZE",
	  "limit of the length of outputs with whole stacks (128 MiB and 2 KiB for each sample and "
	  "node); 0: none" },
	{ TAKE_FLAG, offsetof(struct options, is_recursive), 'r', "recursive", NULL,
	  "read the directories below a directory, too" },
	{ TAKE_TEXT, offsetof(struct options, format_in), 0, "format-in", "NAME",
	  "the format of the input; detected by default (flametty formats)" },
	{ TAKE_TEXT, offsetof(struct options, sample_type), 0, "sample-type", "NAME",
	  "which values of pprof profiles, or which event of perf, to show" },
	{ TAKE_FLAG, offsetof(struct options, is_following), 0, "follow", NULL,
	  "read files again when they change, and show what they have then" },
#ifdef HAVE_REMOTE
	{ TAKE_TEXT, offsetof(struct options, duration), 't', "duration", "TIME",
	  "attach: how long to record (10s)" },
	{ TAKE_TEXT, offsetof(struct options, interval), 0, "interval", "TIME",
	  "attach, live, run, watch: time between samples (1ms)" },
	{ TAKE_FLAG, offsetof(struct options, is_heap), 0, "heap", NULL,
	  "attach, run: record what is allocated, a sample for each 32kB, or --interval=SIZE" },
	{ TAKE_TEXT, offsetof(struct options, max_recording), 0, "max-recording", "SIZE",
	  "run: what is kept of each process and worker (256M), the newest; 0: all" },
	{ TAKE_FLAG, offsetof(struct options, has_workers), 0, "all", NULL,
	  "attach, live, watch: record the workers of the process, too" },
	{ TAKE_FLAG, offsetof(struct options, is_tree), 0, "tree", NULL,
	  "attach, live, watch: record the processes that it has started, too" },
	{ TAKE_FLAG, offsetof(struct options, is_report), 0, "report", NULL,
	  "attach, run: print the report of the recording instead of showing it" },
	{ TAKE_TEXT, offsetof(struct options, stall), 0, "stall", "TIME",
	  "watch: report tasks of at least this length (200ms); 0: none" },
	{ TAKE_TEXT, offsetof(struct options, gc), 0, "gc", "PERCENT[/TIME]",
	  "watch: report garbage collection that takes this much of the time, of 10 s by default" },
	{ TAKE_TEXT, offsetof(struct options, busy), 0, "busy", "PERCENT[/TIME]",
	  "watch: the same of all busy time" },
	{ TAKE_TEXT, offsetof(struct options, keep), 0, "keep", "TIME",
	  "watch: length of the profiles around events (30s)" },
	{ TAKE_TEXT, offsetof(struct options, max_files), 0, "max", "N",
	  "watch: no more profiles than this in the directory (20)" },
	{ TAKE_TEXT, offsetof(struct options, command_line), 0, "command-line", "RE",
	  "watch: processes whose command line matches, also those that begin later" },
#endif
	{ TAKE_SIZE, 0, 0, "render", "COLSxROWS",
	  "print the screen as text and exit; needs no terminal" },
	{ TAKE_TEXT, offsetof(struct options, keys), 0, "keys", "KEYS",
	  "press these keys first, as in 'wwl<Enter>'" },
	{ TAKE_FLAG, offsetof(struct options, has_roles), 0, "roles", NULL,
	  "with --render: also print what each cell means" },
	{ TAKE_WORD, offsetof(struct options, fold), 0, "fold", "{|}",
	  "what the chart draws in one row: code of packages and Node.js, only that of Node.js, "
	  "or nothing" },
	{ TAKE_WORD, offsetof(struct options, color), 0, "color", "{|}",
	  "use colours; auto obeys NO_COLOR" },
	{ TAKE_TEXT, offsetof(struct options, theme), 0, "theme", "{|}|FILE",
	  "the colours; auto asks the terminal for its background" },
	{ TAKE_FLAG, offsetof(struct options, is_ascii), 0, "ascii", NULL,
	  "draw with ASCII characters only" },
	{ TAKE_FLAG, offsetof(struct options, has_utf8), 0, "utf8", NULL,
	  "draw in UTF-8, whatever the locale" },
	{ TAKE_TEXT, offsetof(struct options, config), 0, "config", "FILE",
	  "read settings from this file; reports and exports read none without it" },
	{ TAKE_FLAG, offsetof(struct options, has_no_config), 0, "no-config", NULL,
	  "do not read the user's settings" },
	{ TAKE_WORD, offsetof(struct options, completion), 0, "completion", "{|}", NULL },
	{ TAKE_COMMAND, COMMAND_HELP, 'h', "help", NULL, "print this help and exit" },
	{ TAKE_COMMAND, COMMAND_VERSION, 'V', "version", NULL, "print the version and exit" },
};

_Static_assert(ARRAY_LEN(option_rows) <= 128, "the bits of options.given");

const struct option_row *options_table_row(size_t i)
{
	return i < ARRAY_LEN(option_rows) ? &option_rows[i] : NULL;
}

size_t options_table_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(option_rows); i++)
		if (strcmp(option_rows[i].name, name) == 0)
			return i;
	return SIZE_MAX;
}

const struct option_words *options_table_words(const struct option_words *words, const char *option,
					       int n)
{
	for (; words && words->option; words++)
		if (strcmp(words->option, option) == 0 && n-- == 0)
			return words;
	return NULL;
}

void options_table_text(const char *option, const char *text, const struct option_words *words,
			struct buf *out)
{
	for (int n = 0; *text; n++) {
		size_t before = strcspn(text, "{");
		const struct option_words *w = options_table_words(words, option, n);

		buf_add(out, text, before);
		text += before;
		if (*text == '{') {
			char separator[8] = "";
			size_t len = strcspn(++text, "}");

			memcpy(separator, text, len < sizeof separator ? len : 0);
			if (w)
				options_join(w->word, separator, separator, out);
			text += len + 1;
		}
	}
}
