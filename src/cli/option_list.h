/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All options, one row each, in the order of --help:
 *
 *	OPTION(how, type, member, flags, letter, name, value, help)
 *	OPTION_OTHER(how, what, flags, letter, name, value, help)
 *
 * how       what becomes of the value: TAKE_ and this is a constant of enum take_how
 * type      of the member of struct options: `const char *` of a text, which is NULL if it is not
 *           given, int of a word and int64_t of bytes, which are -1 then
 * what      OTHER has no member of its own: which step or command it is, or 0
 * flags     OPTION_SETTING: a file of settings may have it; or 0
 * letter    of the short form; 0: none
 * value     what --help calls the value; NULL: it takes none
 * help      NULL: the option is for the build, and not listed
 *
 * A new option is a row here, and an entry in a page of man/ (tests/man.sh compares them). A file
 * that includes this one defines both macros first; they are undefined at the end. With
 * OPTION_MEMBERS, all rows are there, whatever the program is built with. */
/* clang-format off */
#ifdef HAVE_REMOTE
#define WATCH_FORMATS "; watch: {, }"
#else
#define WATCH_FORMATS ""
#endif
OPTION(TEXT, const char *, format, 0, 'f', "format", "NAME",
	"report: {, }; export: {, }; diff: {, }" WATCH_FORMATS)
OPTION(TEXT, const char *, output, 0, 'o', "output", "FILE",
	"export: the file to write; standard output by default")
OPTION(FLAG, bool, is_forced, 0, 0, "force", NULL,
	"export: replace an existing file")
OPTION(FLAG, bool, is_samples, 0, 0, "samples", NULL,
	"export of traces: write samples as samples (the default)")
OPTION(FLAG, bool, is_slices, 0, 0, "slices", NULL,
	"export of traces: write samples as slices; diff: compare slices, not samples")
OPTION(WORD, int, value, 0, 0, "value", "{|}",
	"export of folded stacks: their time in microseconds, or their number of samples")
OPTION(FLAG, bool, is_merged, 0, 0, "merged", NULL,
	"export of svg, html, d3: merge the calls of a path, instead of time order")
OPTION(PIXELS, double, min_width, 0, 0, "min-width", "PIXELS",
	"export of svg, html: draw narrower boxes together (0.5)")
OPTION(WORDS, unsigned, with, 0, 0, "with", "{,}",
	"report: add these to JSON")
OPTION(WORD, int, table, 0, 0, "table", "NAME",
	"report, fleet: the table for CSV: { }; lines, kinds, requests, origins, routes, waits, stalls also as text; diff: routes")
OPTION(FLAG, bool, is_raw_csv, OPTION_SETTING, 0, "raw-csv", NULL,
	"report: no apostrophe before text in CSV that begins like a formula")
OPTION_OTHER(TOP, 0, OPTION_SETTING, 0, "top", "N",
	"report, diff, fleet: rows of each table and list (10)")
OPTION_OTHER(ROWS, 0, OPTION_SETTING, 0, "max-rows", "N",
	"report: rows of a whole call tree or list of spans (1000000); 0: no limit")
OPTION(WORD, int, sort, 0, 0, "sort", "{|}",
	"report: one table of functions, sorted by this; diff: what is compared")
OPTION(FLAG, bool, is_opened, 0, 'i', "interactive", NULL,
	"diff, fleet: open the answer in the interface")
OPTION(RUNS, int, n_before, 0, 0, "before", "FILE...",
	"diff: the runs before the change: all arguments up to the next option; fleet: KEY=VALUE of the recordings before it")
OPTION(RUNS, int, n_after, 0, 0, "after", "FILE...",
	"diff: the runs after it; fleet: KEY=VALUE")
OPTION(RUNS, int, n_noise, 0, 0, "noise", "FILE...",
	"diff: runs of one program: how much they differ")
OPTION(WORD, int, match, 0, 0, "match", "{|}",
	"diff: which functions are the same")
OPTION(TEXT, const char *, per, 0, 0, "per", "total|time|none|count:RE",
	"diff: compare shares, times per second, times, or times per call of a function")
OPTION(SHARE, double, floor, 0, 0, "floor", "PERCENT",
	"diff: test only functions with this share of the time (1%)")
OPTION(TEXT, const char *, filter, 0, 0, "filter", "RE",
	"report: only rows whose name, URL or package matches")
OPTION(BYTES, int64_t, bytes, 0, 0, "size", "SIZE",
	"report in Markdown: at most this many bytes, the most valuable first, as in 1600 or 8k")
OPTION(TEXT, const char *, callers, 0, 0, "callers", "RE|ID",
	"report: who calls a function, and what part of its time is theirs")
OPTION(TEXT, const char *, callees, 0, 0, "callees", "RE|ID",
	"report: what a function calls")
OPTION(TEXT, const char *, lines_of, 0, 0, "source", "RE|ID",
	"report: the hottest lines of a function, with their texts")
OPTION(TEXT, const char *, spans_of, 0, 0, "spans", "RE|ID",
	"report: the outermost spans of a function, longest first")
OPTION(LIST, struct option_list, fail_if, 0, 0, "fail-if", "GATE",
	"report, diff: exit with status 1 if, as in 'total(render) > 5%' or 'gc > 15%'")
OPTION(FLAG, bool, is_strict, 0, 0, "strict", NULL,
	"report, diff: exit with status 3 if there is too little to decide about a gate")
OPTION(TEXT, const char *, lane, 0, 0, "lane", "WHICH,...",
	"only these lanes: a number, main, PID:TID, RE or all")
OPTION(TEXT, const char *, lanes, 0, 0, "lanes", "none|cat|label:KEY",
	"a lane for each event category, or value of a label of samples")
OPTION(TEXT, const char *, from, 0, 0, "from", "TIME",
	"start of the range: 1.2s, 350ms, 1200us or 40% from the start")
OPTION(TEXT, const char *, to, 0, 0, "to", "TIME",
	"end of the range")
OPTION_OTHER(STEP, STEP_FOCUS, 0, 0, "focus", "RE",
	"only calls that match, as outermost calls, and what they call")
OPTION_OTHER(STEP, STEP_ONLY, 0, 0, "only", "RE",
	"only stacks with a match, whole")
OPTION_OTHER(STEP, STEP_DROP, 0, 0, "drop", "RE",
	"no stacks with a match")
OPTION_OTHER(STEP, STEP_HIDE, 0, 0, "hide", "RE",
	"remove calls that match: their time goes to their callers")
OPTION_OTHER(STEP, STEP_COLLAPSE, 0, 0, "collapse", "RE",
	"remove the callees of calls that match: their time goes to the match")
OPTION_OTHER(STEP, STEP_DURING, 0, 0, "during", "[route:|request:|slice:]RE",
	"only the time of slices, or the CPU of requests, that match")
OPTION(FLAG, bool, has_folded_packages, OPTION_SETTING, 0, "fold-packages", NULL,
	"join calls within a package into one call")
OPTION(FLAG, bool, has_merged_recursion, OPTION_SETTING, 0, "merge-recursion", NULL,
	"join recursive calls with the outermost one")
OPTION(FLAG, bool, is_without_idle, OPTION_SETTING, 0, "no-idle", NULL,
	"drop idle time")
OPTION(GROUP, int, group, OPTION_SETTING, 0, "group", "{|}",
	"what rows and boxes stand for")
OPTION(FLAG, bool, has_idle, OPTION_SETTING, 0, "idle", NULL,
	"count idle time in percentages")
OPTION(FLAG, bool, is_raw, OPTION_SETTING, 0, "raw-samples", NULL,
	"leave garbage collection at row 0 and single (program) samples as they are")
OPTION(FLAG, bool, is_whole, 0, 0, "whole", NULL,
	"keep events and samples that are far from all others in time")
OPTION(WORD, int, gaps, OPTION_SETTING, 0, "gaps", "{|}",
	"what JS self-profiles and perf have between samples: time without samples, or idle "
	"time")
OPTION(LIST, struct option_list, source_maps, 0, 0, "source-map", "FILE",
	"the source map of a script; may be given several times")
OPTION(LIST, struct option_list, map_moves, 0, 0, "map", "PREFIX=DIR",
	"look for scripts and sources whose URL begins with PREFIX in DIR")
OPTION(TEXT, const char *, source_root, 0, 0, "source-root", "DIR",
	"read the sources that source maps name from this directory")
OPTION(FLAG, bool, is_sourceless, OPTION_SETTING, 0, "no-sources", NULL,
	"read no file that a profile names: neither sources nor source maps")
OPTION(FLAG, bool, is_unmapped, 0, 0, "no-source-maps", NULL,
	"look for no source maps: names and lines as they are in the scripts")
OPTION(MEMORY, int64_t, max_memory, OPTION_SETTING, 0, "max-memory", "SIZE",
	"memory limit: 6G, 800M, 50%, or 0 for none. Of files that need more, --from, --to or "
	"--lane load a part")
OPTION(BYTES, int64_t, max_unpacked, OPTION_SETTING, 0, "max-unpacked", "SIZE",
	"limit of compressed data that becomes 300 times as much and more (1 GiB); 0: none")
OPTION(BYTES, int64_t, max_output, OPTION_SETTING, 0, "max-output", "SIZE",
	"limit of the length of outputs with whole stacks (128 MiB and 2 KiB for each sample and "
	"node); 0: none")
OPTION(FLAG, bool, is_recursive, 0, 'r', "recursive", NULL,
	"read the directories below a directory, too")
OPTION(LIST, struct option_list, labels, 0, 0, "label", "KEY=VALUE",
	"a label of the files that follow, or of all if none follows; may be given several times")
OPTION(TEXT, const char *, label_from, 0, 0, "label-from", "TEMPLATE",
	"labels by the path below each directory, as '{version}/{host}/'")
OPTION(LIST, struct option_list, where, 0, 0, "where", "KEY=VALUE",
	"only files with this label; with several, all must hold")
OPTION(TEXT, const char *, by, 0, 0, "by", "hour|day|KEY",
	"fleet: what functions take over time, or by the values of a label")
OPTION(TEXT, const char *, export_dir, 0, 0, "export", "DIR",
	"fleet: write tables for DuckDB and ClickHouse there")
OPTION(TEXT, const char *, min_span, 0, 0, "min-span", "TIME",
	"fleet --export: also write the spans of at least this time")
OPTION(TEXT, const char *, sql, 0, 0, "sql", "duckdb|clickhouse",
	"fleet: print a query for that engine, as `stacks host=h07`")
OPTION(TEXT, const char *, format_in, 0, 0, "format-in", "NAME",
	"the format of the input; detected by default (flametty formats)")
OPTION(TEXT, const char *, sample_type, 0, 0, "sample-type", "NAME",
	"which values of pprof profiles, or which event of perf, to show")
OPTION(FLAG, bool, is_following, 0, 0, "follow", NULL,
	"read files again when they change, and show what they have then")
#if defined HAVE_REMOTE || defined OPTION_MEMBERS
OPTION(TEXT, const char *, duration, 0, 't', "duration", "TIME",
	"attach: how long to record (10s)")
OPTION(TEXT, const char *, interval, 0, 0, "interval", "TIME",
	"attach, live, run, watch: time between samples (1ms)")
OPTION(FLAG, bool, is_heap, 0, 0, "heap", NULL,
	"attach, run: record what is allocated, a sample for each 32kB, or --interval=SIZE")
OPTION(BYTES, int64_t, max_recording, 0, 0, "max-recording", "SIZE",
	"run: what is kept of each process and worker (256M), the newest; 0: all")
OPTION(FLAG, bool, has_workers, 0, 0, "all", NULL,
	"attach, live, watch: record the workers of the process, too")
OPTION(FLAG, bool, is_tree, 0, 0, "tree", NULL,
	"attach, live, watch: record the processes that it has started, too")
OPTION(FLAG, bool, is_all_node, 0, 0, "all-node", NULL,
	"attach, live, watch: record all processes that run JavaScript here")
OPTION(FLAG, bool, has_requests, 0, 0, "requests", NULL,
	"attach, live, run, watch: record also what Node.js serves and calls, and whose CPU it is")
OPTION(FLAG, bool, has_sockets, 0, 0, "sockets", NULL,
	"the same, and waits on connections of databases")
OPTION(FLAG, bool, has_jobs, 0, 0, "files", NULL,
	"the same, and jobs of the pool of threads: files, dns, crypto")
OPTION(FLAG, bool, has_query, 0, 0, "query", NULL,
	"with --requests: paths keep what follows '?'")
OPTION(FLAG, bool, is_report, 0, 0, "report", NULL,
	"attach, run: print the report of the recording instead of showing it")
OPTION(TEXT, const char *, stall, 0, 0, "stall", "TIME",
	"watch: report tasks of at least this length (200ms); 0: none")
OPTION(TEXT, const char *, gc, 0, 0, "gc", "PERCENT[/TIME]",
	"watch: report garbage collection that takes this much of the time, of 10 s by default")
OPTION(TEXT, const char *, busy, 0, 0, "busy", "PERCENT[/TIME]",
	"watch: the same of all busy time")
OPTION(TEXT, const char *, grow, 0, 0, "grow", "SIZE[/TIME]",
	"watch: say what grows where the memory does so, in 10 min by default")
OPTION(TEXT, const char *, keep, 0, 0, "keep", "TIME",
	"watch: length of the profiles around events (30s)")
OPTION(TEXT, const char *, max_files, 0, 0, "max", "N",
	"watch: profiles in the directory (20); the oldest goes")
OPTION(TEXT, const char *, command_line, 0, 0, "command-line", "RE",
	"watch: processes whose command line matches, also those that begin later")
#endif
OPTION(FLAG, bool, has_no_sandbox, 0, 0, "no-sandbox", NULL,
	"do not forbid the program what its command does not need")
OPTION_OTHER(SCREEN, 0, 0, 0, "render", "COLSxROWS",
	"print the screen as text and exit; needs no terminal")
OPTION(TEXT, const char *, keys, 0, 0, "keys", "KEYS",
	"press these keys first, as in 'wwl<Enter>'")
OPTION(FLAG, bool, has_roles, 0, 0, "roles", NULL,
	"with --render: also print what each cell means")
OPTION(WORD, int, fold, OPTION_SETTING, 0, "fold", "{|}",
	"what the chart draws in one row: code of packages and Node.js, only that of Node.js, "
	"or nothing")
OPTION(WORD, int, color, OPTION_SETTING, 0, "color", "{|}",
	"use colours; auto obeys NO_COLOR")
OPTION(TEXT, const char *, theme, OPTION_SETTING, 0, "theme", "{|}|FILE",
	"the colours; auto asks the terminal for its background")
OPTION(FLAG, bool, is_ascii, OPTION_SETTING, 0, "ascii", NULL,
	"draw with ASCII characters only")
OPTION(FLAG, bool, has_utf8, 0, 0, "utf8", NULL,
	"draw in UTF-8, whatever the locale")
OPTION(TEXT, const char *, config, 0, 0, "config", "FILE",
	"read settings from this file; reports and exports read none without it")
OPTION(FLAG, bool, has_no_config, 0, 0, "no-config", NULL,
	"do not read the user's settings")
OPTION(WORD, int, completion, 0, 0, "completion", "{|}",
	NULL)
OPTION_OTHER(COMMAND, COMMAND_HELP, 0, 'h', "help", NULL,
	"print this help and exit")
OPTION_OTHER(COMMAND, COMMAND_VERSION, 0, 'V', "version", NULL,
	"print the version and exit")
/* clang-format on */
#undef WATCH_FORMATS
#undef OPTION
#undef OPTION_OTHER
