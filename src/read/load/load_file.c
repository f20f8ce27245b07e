/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The way from a path to lanes: open the file, choose the reader, let it read. */
#include "config.h"

#include "read/load/load_file.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fingerprint.h"
#include "base/json/json_number.h"
#include "base/json/outline.h"
#include "base/progress.h"
#include "base/quoted.h"
#include "base/str.h"
#include "base/stream/stream.h"
#include "base/stream/unpack.h"
#include "base/text.h"
#include "base/units.h"
#include "model/build/builder.h"
#include "model/build/track_builder.h"
#include "read/reader.h"
#include "read/text_line.h"
#include "read/trace/trace_copy.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ==== not a profile ====
 *
 * Recognises common non-profile files, in order to name them in the error message. A message says
 * what the file is and, where there is a way, what to do: which tool opens it, or which file of the
 * same program is read. To add a kind of file, add a row to the table. The first row that matches
 * counts. */

#define LOOK_LINES 400
#define HEAP_SNAPSHOT                                                                              \
	"a heap snapshot: a graph of objects, which has no calls; DevTools shows it (Memory, "     \
	"Load). To see which calls allocate, record with node --heap-prof"
#define SAFARI                                                                                     \
	"a timeline recording of Safari's Web Inspector, which is not read; Web Inspector opens "  \
	"it (Timelines, Import), and speedscope, too, whose export is read"
#define REACT                                                                                      \
	"an export of the profiler of React DevTools, which is not read; that profiler opens it "  \
	"(Load profile). A trace of Chrome DevTools (Performance) has React's tracks, and is read"
#define ANGULAR                                                                                    \
	"a recording of Angular DevTools, which is not read; its profiler opens it. A trace of "   \
	"Chrome DevTools (Performance) after ng.enableProfiling() has the same, and is read"

static bool is_prof_report(const char *text, size_t len);
static bool is_dtrace(const char *text, size_t len);

/* A kind is known by one of three: the first bytes; a test of the first bytes; or, of JSON, the
 * members a and b (if set), which must exist. */
static const struct kind {
	const char *name;
	struct str bytes;
	bool (*is)(const char *text, size_t len);
	const char *a;
	char value; /* the first byte of a's value; 0: any */
	const char *b;
} kinds[] = {
#define BYTES(text) .bytes = { text, sizeof(text) - 1 }
	{ "a zip archive; unpack it first", BYTES("PK\003\004") },
	{ "gzip data inside gzip data; unpack it once", BYTES("\037\213") },
	{ "zstd data; this flametty was built without libzstd, or it is packed twice",
	  BYTES("\050\265\057\375") },
	{ "lz4 data; this flametty was built without liblz4, or it is packed twice",
	  BYTES("\004\042\115\030") },
	{ "lz4 data in its old form; unpack it first", BYTES("\002\041\114\030") },
	{ "bzip2 data; unpack it first", BYTES("BZh") },
	{ "xz data; unpack it first", BYTES("\3757zXZ") },
	{ "recorded by perf, binary data; `perf script -i FILE > out.txt` makes text of it, which "
	  "is read",
	  BYTES("PERFILE2") },
	{ "a --prof log of V8, text, which is not read; record with --cpu-prof",
	  BYTES("v8-version,") },
	{ "a program, binary data", BYTES("\177ELF") },
	{ "a report of node --prof-process, text, which is not read; record with node --cpu-prof",
	  .is = is_prof_report },
	{ "stacks of DTrace, text, which is not read; stackcollapse.pl of FlameGraph makes folded "
	  "stacks of it, which are read",
	  .is = is_dtrace },
	/* Of JSON. */
	{ HEAP_SNAPSHOT, .a = "snapshot", .value = '{', .b = "nodes" },
	{ HEAP_SNAPSHOT, .a = "snapshot", .value = '{', .b = "strings" },
	{ HEAP_SNAPSHOT, .a = "snapshot", .value = '{', .b = "edges" },
	{ "a Chrome trace, but its traceEvents is no array", .a = "traceEvents" },
	{ SAFARI, .a = "recording.instrumentTypes", .value = '[' },
	{ SAFARI, .a = "recording.sampleStackTraces", .value = '[' },
	{ SAFARI, .a = "recording.displayName", .b = "overview" },
	{ REACT, .a = "dataForRoots" },
	{ REACT, .a = "commitData", .value = '[', .b = "initialTreeBaseDurations" },
	{ ANGULAR, .a = "buffer", .value = '[', .b = "version" },
	{ "a Firefox Profiler file, not a V8 profile", .a = "meta", .value = '{', .b = "threads" },
	{ "a preprocessed --prof log of V8, which is not read; record with --cpu-prof", .a = "code",
	  .value = '[', .b = "ticks" },
	{ "an HTTP archive (HAR), not a profile", .a = "log", .value = '{' },
	{ "a source map, not a profile", .a = "mappings", .value = '"' },
	{ "a source map, not a profile", .a = "sections", .value = '[', .b = "version" },
	{ "coverage of V8, not a profile", .a = "result", .value = '[' },
	{ "coverage of Chrome, not a profile", .a = "ranges", .value = '[', .b = "url" },
	{ "coverage of V8, not a profile", .a = "functions", .value = '[' },
	{ "coverage of Istanbul, not a profile", .a = "statementMap", .value = '{' },
	{ "a Lighthouse report, not a profile", .a = "lighthouseVersion" },
	{ "a network log of Chrome, not a profile", .a = "constants", .value = '{', .b = "events" },
};

static bool is_not_json_kind(const struct kind *k, const char *text, size_t len)
{
	if (k->is)
		return k->is(text, len);
	return k->bytes.p && len >= k->bytes.len && memcmp(text, k->bytes.p, k->bytes.len) == 0;
}

/* Describe a JSON document. Static text. */
static const char *not_a_profile_json(const struct outline *outline)
{
	if (outline->top == '\0')
		return "the file is empty";
	if (outline->top == '[' && !outline->element)
		return "an empty JSON array, not a profile";
	if (outline->top == '{' && outline->n_keys == 0)
		return "an empty JSON object, not a profile";
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (kinds[i].a && outline_has(outline, kinds[i].a, kinds[i].value) &&
		    (!kinds[i].b || outline_has(outline, kinds[i].b, 0)))
			return kinds[i].name;
	if (outline->top == '{' || outline->top == '[')
		return "JSON of another kind, no profile (flametty formats lists what is read)";
	return "a JSON value, not a profile";
}

/* Whether the words of the line, which blanks separate, are those of `words`, which one blank
 * separates. */
static bool has_words(struct str line, const char *words)
{
	size_t i = 0;

	line = text_line_trimmed(line);
	for (; i < line.len && *words; words++) {
		if (*words != line.p[i++])
			return false;
		while (*words == ' ' && i < line.len && text_line_is_blank(line.p[i]))
			i++;
	}
	return i == line.len && !*words;
}

static bool is_prof_report(const char *text, size_t len)
{
	struct str rest = { text, len }, line;

	if (str_begins(rest, "Statistical profiling result from "))
		return true;
	for (int i = 0; i < LOOK_LINES && text_line_take(&rest, false, &line); i++)
		if (has_words(line, "ticks total nonlib name") ||
		    has_words(line, "ticks parent name"))
			return true;
	return false;
}

/* An aggregation of stacks: lines such as "libc.so.1`read+0x5", and below each stack a line that is
 * its count. The heading is printed unless DTrace is quiet. */
static bool is_dtrace(const char *text, size_t len)
{
	struct str rest = { text, len }, line;
	bool is_stack = false;

	for (int i = 0; i < LOOK_LINES && text_line_take(&rest, false, &line); i++) {
		line = text_line_trimmed(line);
		if (has_words(line, "CPU ID FUNCTION:NAME") ||
		    (is_stack && line.len && strspn(line.p, "0123456789") >= line.len))
			return true;
		is_stack = line.len && (is_stack || memchr(line.p, '`', line.len));
	}
	return false;
}

/* A message of protocol buffers often begins with field 1 as a message: byte 0A, which is a line
 * feed in text, and its length. In pprof that field has two small numbers, the type and unit of
 * samples; if its reader does not know the message, that is damaged. */
static const char *protobuf(const char *text, size_t len)
{
	if (len < 4 || text[0] != '\n')
		return NULL;
	if (text[1] >= 2 && text[1] <= 6 && text[2] == 0x08)
		return "a pprof profile that is damaged";
	for (size_t i = 1; i < 16 && i < len; i++)
		if ((unsigned char)text[i] < 0x20 && !strchr("\t\r\n", text[i]))
			return "binary data of protocol buffers, as in a Perfetto trace, which "
			       "is not read";
	return NULL;
}

/* Whether the text begins with a whole token of JSON, or with one that has no fixed end. */
static bool begins_as_json(const char *text, size_t len)
{
	static const char *const words[] = { "true", "false", "null" };
	size_t n = 0;

	if (strchr("{[\"", text[0]))
		return true;
	while (n < len && !memchr(" \t\r\n,]}", text[n], 7))
		n++;
	return STR_IN(((struct str){ text, n }), words) || json_number_is(text, n);
}

/* Describe a file by its first bytes. NULL: it may be JSON. */
static const char *not_a_profile_bytes(const char *text, size_t len)
{
	const char *name;
	size_t i = 0;

	while (i < len && memchr(" \t\r\n", text[i], 4))
		i++;
	if (i == len)
		return "the file is empty";
	for (size_t k = 0; k < ARRAY_LEN(kinds); k++)
		if (is_not_json_kind(&kinds[k], text, len))
			return kinds[k].name;
	name = protobuf(text, len);
	if (name)
		return name;
	if (len - i > 1 && text[i] == '/' && (text[i + 1] == '/' || text[i + 1] == '*'))
		return "begins with a comment, and JSON has no comments";
	if (text[i] == '<')
		return "HTML or XML, not JSON";
	if ((unsigned char)text[i] < 0x20 || (unsigned char)text[i] >= 0x7F)
		return "binary data, not JSON";
	if (!begins_as_json(text + i, len - i))
		return "text, neither JSON, folded stacks nor what perf script prints";
	return NULL;
}

/* ==== sniff ====
 *
 * sniff_file() gives the answer of sniff_reader() for the first SNIFF_FIRST bytes, but without
 * a stream and its buffers, and for nodes at the beginning without looking at all of them. Where a
 * stream would change these bytes, it gives none. */

/* How much of a document to look at: SNIFF_FIRST bytes at first, SNIFF_MAX at last. */
#define SNIFF_FIRST ((size_t)64 << 10)
#define SNIFF_MAX ((size_t)64 << 20)

#define SNIFF_PAD 64u /* bytes after the text that a scanner may look at */

/* How much of a file is looked at to find that it begins with a list of nodes. */
#define SNIFF_NODES ((size_t)4 << 10)

/* Whether the members of a document leave it open that it has this format. */
static bool may_be(const struct reader *r, const struct outline *o)
{
	if (o->n_keys == 0)
		return true;
	if (r->is_not_json)
		return o->err.kind != ERR_NONE;
	return (!r->members || outline_has_any(o, r->members)) &&
		!(r->foreign && outline_has_any(o, r->foreign));
}

/* Find the reader of a document that begins with `head`. outline: for the work; keeps what was
 * found. is_all: that is the whole document; is_last: there will be no further call. Returns NULL
 * without an error when more bytes may tell, with ERR_UNKNOWN when there is no reader. */
static const struct reader *sniff_reader(struct outline *outline, struct str head, bool is_all,
					 bool is_last, struct error *err)
{
	const char *kind = not_a_profile_bytes(head.p, head.len);
	const struct reader *reader = NULL;
	bool is_known;
	int score = 0;

	outline_look(outline, head.p, head.len, is_all);
	/* The one with the highest score. */
	for (size_t i = 0; readers[i]; i++) {
		int n = may_be(readers[i], outline) ? readers[i]->sniff(outline) : 0;

		if (n > score) {
			score = n;
			reader = readers[i];
		}
	}
	/* The first line is enough to name text that is not JSON. */
	is_known = kind
		? memchr(head.p, '\n', head.len) != NULL || memchr(head.p, '\0', head.len) != NULL
		: outline->is_whole;
	if (reader || !(is_known || is_all || is_last))
		return reader;
	if (!kind && (outline->err.kind == ERR_SYNTAX || outline->err.kind == ERR_LIMIT))
		error_set(err, ERR_UNKNOWN, outline->err.offset, "%s", outline->err.text);
	else
		error_set(err, ERR_UNKNOWN, 0, "%s", kind ? kind : not_a_profile_json(outline));
	return reader;
}

/* Read the beginning of a regular file. Returns the number of bytes; -1: it cannot be read. */
static ptrdiff_t read_head(const char *path, char *head, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;
	ptrdiff_t len = 0, n = -1;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		while ((n = read(fd, head + len, size - (size_t)len)) > 0)
			len += n;
	close(fd);
	return n < 0 ? -1 : len;
}

/* Whether a document begins with a list of nodes that goes on: that is a profile of V8, whatever
 * follows. The rest of `head` would take most of the time of looking at a directory of them. */
static bool begins_with_nodes(const char *head, size_t len)
{
	struct outline outline;

	if (len < SNIFF_NODES + SNIFF_PAD)
		return false;
	outline_look(&outline, head, SNIFF_NODES, false);
	return outline.err.kind == ERR_NONE && outline.top == '{' && outline.n_keys == 1 &&
		outline_has_list(&outline, "nodes", "{");
}

bool sniff_file(const char *path, const struct reader **reader)
{
	char head[SNIFF_FIRST + SNIFF_PAD];
	struct outline outline;
	struct error err = ERROR_INIT;
	ptrdiff_t len = read_head(path, head, SNIFF_FIRST);
	size_t n = (size_t)len;

	/* A stream might unpack or convert the document. */
	if (len <= 0 || unpack_format_of(head, n) != UNPACK_PLAIN || decode_is_needed(head, n) ||
	    quoted_is_needed(head, n < QUOTED_HEAD ? n : QUOTED_HEAD))
		return false;
	if (begins_with_nodes(head, n)) {
		*reader = &reader_cpuprofile;
		return true;
	}
	memset(head + len, 0, SNIFF_PAD);
	*reader = sniff_reader(&outline, (struct str){ head, n }, n < SNIFF_FIRST, false, &err);
	return *reader || err.kind != ERR_NONE;
}

/* ==== file error ====
 *
 * The line number of an error is found by reading the file a second time, up to the offset. */

static int64_t line_of(const char *path, const struct fingerprint *print, int64_t offset)
{
	struct error err = ERROR_INIT;
	struct stream *stream;
	static const size_t size = 65536;
	int64_t line = 1, at = 0;
	char *block;

	stream = print && offset >= 0 ? stream_open_again(path, print, NULL, &err) : NULL;
	if (!stream)
		return 0;
	block = xmalloc(size);
	while (at < offset) {
		ptrdiff_t n = stream_read(stream, block, size, &err);

		if (n <= 0)
			break;
		for (ptrdiff_t i = 0; i < n && at < offset; i++, at++)
			line += block[i] == '\n';
	}
	free(block);
	if (!stream_compare(stream, &err))
		line = 0;
	stream_close(stream);
	return line;
}

void file_error_format(const char *path, const struct fingerprint *print, const struct error *err,
		       struct buf *out)
{
	bool is_placed = err->offset >= 0 && err->kind != ERR_CANCELLED;
	int64_t line = is_placed ? line_of(path, print, err->offset) : 0;

	text_visible(out, strcmp(path, "-") == 0 ? "(standard input)" : path,
		     strcmp(path, "-") == 0 ? 16 : strlen(path));
	buf_addc(out, ':');
	if (line > 0)
		buf_addf(out, "%" PRId64 ":", line);
	if (is_placed)
		buf_addf(out, " byte %" PRId64 ":", err->offset);
	buf_addc(out, ' ');
	text_visible(out, err->text, strlen(err->text));
}

/* ==== file hints ====
 *
 * Node.js names its profiles PREFIX.YYYYMMDD.HHMMSS.PID.TID.SEQ[.EXT]. The prefix has no dot.
 * The date is the local time of the start. Deno uses CPU.MILLISECONDS.PID.cpuprofile. No other
 * name is understood. */

#define NO_NUMBER INT64_MIN

/* The number that the `len` bytes at `p` are; NO_NUMBER if they are not 1 to 15 digits. */
static int64_t number_part(const char *p, size_t len)
{
	int64_t v = 0;

	if (len == 0 || len > 15)
		return NO_NUMBER;
	for (size_t i = 0; i < len; i++) {
		if (p[i] < '0' || p[i] > '9')
			return NO_NUMBER;
		v = v * 10 + (p[i] - '0');
	}
	return v;
}

/* The same for the id of a process or thread, which may be negative. */
static int64_t id_part(const char *p, size_t len)
{
	bool is_negative = len > 1 && *p == '-';
	int64_t v = number_part(p + is_negative, len - is_negative);

	return is_negative && v != NO_NUMBER ? -v : v;
}

/* Take YYYYMMDD and HHMMSS as the date. Names made by hand may have any digits there: if they are
 * no date, they are only text. */
static void take_date(struct file_hints *hints, int64_t date, int64_t time)
{
	int64_t month = date / 100 % 100, day = date % 100;

	if (date / 10000 < 1970 || month < 1 || month > 12 || day < 1 || day > 31 ||
	    time / 10000 > 23 || time / 100 % 100 > 59 || time % 100 > 60) {
		snprintf(hints->date_text, sizeof hints->date_text, "%04d-%02d-%02d %02d:%02d:%02d",
			 (int)(date / 10000), (int)month, (int)day, (int)(time / 10000),
			 (int)(time / 100 % 100), (int)(time % 100));
		return;
	}
	hints->has_date = true;
	hints->date_s = date_days(date / 10000, month, day) * 86400 + time / 10000 * 3600 +
		time / 100 % 100 * 60 + time % 100;
}

static void take_deno(struct file_hints *hints, const char *name)
{
	size_t len, pid_len;
	int64_t ms, pid;

	if (strncmp(name, "CPU.", 4) != 0)
		return;
	name += 4;
	len = strcspn(name, ".");
	/* 13 digits are the years 2001 to 2286. Fewer could be a date. */
	if (len != 13 || !name[len])
		return;
	ms = number_part(name, len);
	name += len + 1;
	pid_len = strcspn(name, ".");
	pid = id_part(name, pid_len);
	if (ms < 0 || pid == NO_NUMBER || !strstr(name + pid_len, ".cpuprofile"))
		return;
	hints->pid = pid;
	hints->has_date = true;
	hints->is_utc = true;
	hints->date_s = ms / 1000;
}

void file_hints_parse(const char *path, struct file_hints *hints)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *at = name;
	int64_t part[6] = { 0 };
	size_t n = 0;

	*hints = (struct file_hints){ .pid = LANE_NO_ID, .tid = LANE_NO_ID, .seq = -1 };
	while (n < 6) {
		size_t len = strcspn(at, ".");

		/* The prefix may be any text. */
		part[n] = n == 0 ? 0 : n == 3 || n == 4 ? id_part(at, len) : number_part(at, len);
		if (part[n] == NO_NUMBER || (n == 1 && len != 8) || (n == 2 && len != 6))
			break;
		n++;
		if (!at[len])
			break;
		at += len + 1;
	}
	if (n < 6) {
		take_deno(hints, name);
		return;
	}
	hints->pid = part[3];
	hints->tid = part[4];
	hints->seq = part[5];
	take_date(hints, part[1], part[2]);
}

/* ==== load file ==== */

/* Examine a growing part of the document, until its format is known. */
static const struct reader *pick(struct scan *s, struct error *err)
{
	ALLOC_LOCAL struct outline *outline = xmalloc(sizeof *outline);
	const struct reader *best = NULL;

	for (size_t size = SNIFF_FIRST; !best; size *= 8) {
		bool is_all;
		struct str head;

		if (!scan_window(s, size, &head))
			break;
		is_all = head.len < size;
		if (head.len == 0 && stream_facts(s->stream).damage)
			error_set(err, ERR_UNKNOWN, 0, "%s", stream_facts(s->stream).damage);
		else
			best = sniff_reader(outline, head, is_all, size >= SNIFF_MAX, err);
		if (err->kind != ERR_NONE)
			break;
	}
	return best;
}

void load_file_note(struct stream *stream, const struct scan *s, struct builder *b)
{
	const struct stream_facts facts = stream_facts(stream);
	char detail[32];

	if (facts.damage)
		builder_warn_text(b, WARN_COMPRESSION, -1, facts.damage);
	if (facts.is_converted)
		builder_warn(b, WARN_ENCODING, 0);
	if (facts.n_before) {
		snprintf(detail, sizeof detail, "%" PRId64 " bytes", facts.n_before);
		builder_warn_text(b, WARN_PREFIX, 0, detail);
	}
	if (facts.is_quoted)
		builder_warn(b, WARN_QUOTED, facts.n_before);
	for (uint64_t i = 0; i < s->n_trailing; i++)
		builder_warn(b, WARN_TRAILING_COMMA, s->first_trailing);
}

bool load_file_stream(struct stream *stream, const struct file_hints *hints,
		      const struct reader *forced, struct builder *b, struct error *err)
{
	const struct reader *reader = forced;
	struct stream_facts facts;
	struct scan s;
	bool ok;

	scan_init(&s, stream, err);
	if (!reader)
		reader = pick(&s, err);
	ok = reader && reader->read(&s, b, hints, err);
	if (ok)
		load_file_note(stream, &s, b);
	facts = stream_facts(stream);
	if (facts.is_stopped && ok) {
		builder_warn_stopped(b);
	} else if (facts.is_stopped) {
		*err = (struct error)ERROR_INIT;
		ok = error_set(err, ERR_CANCELLED, -1, "stopped before there was anything to show");
	}
	/* On failure the read position is past the error, so report the file size instead. */
	if (reader) {
		struct input *in = builder_this_input(b);

		in->format = reader->name;
		in->compression = facts.compression;
		in->bytes = ok || facts.file_size < 0 ? facts.file_bytes : facts.file_size;
	}
	scan_done(&s);
	return ok && err->kind == ERR_NONE;
}

struct profile *load_file_memory(const struct str *texts, size_t n, struct error *err)
{
	struct builder *b = builder_new(&(struct builder_options){ 0 });
	struct file_hints hints = { .pid = LANE_NO_ID, .tid = LANE_NO_ID };
	bool is_good = true;

	for (size_t i = 0; is_good && i < n; i++) {
		struct stream *stream = stream_open_memory(texts[i].p, texts[i].len, SIZE_MAX);

		builder_input(b, "slice");
		is_good = load_file_stream(stream, &hints, NULL, b, err);
		stream_close(stream);
	}
	if (is_good)
		return builder_finish(b, err);
	builder_free(b);
	return NULL;
}

bool load_file_has_sides(const char *path)
{
	struct error err = ERROR_INIT;
	struct stream *stream = strcmp(path, "-") == 0 ? NULL : stream_open(path, NULL, &err);
	const struct reader *reader;
	struct outline *outline;
	struct scan s;
	struct str head;
	bool has = false;

	if (!stream)
		return false;
	scan_init(&s, stream, &err);
	reader = pick(&s, &err);
	if (reader && reader->has_sides && scan_window(&s, SNIFF_FIRST, &head)) {
		outline = xcalloc(1, sizeof *outline);
		outline->text = head.p;
		outline->len = head.len;
		outline->is_all = head.len < SNIFF_FIRST;
		has = reader->has_sides(outline);
		free(outline);
	}
	scan_done(&s);
	stream_close(stream);
	return has;
}

void load_file_fingerprint(struct stream *stream, struct builder *b, struct fingerprint *print)
{
	struct fingerprint now;

	stream_take_fingerprint(stream, &now);
	builder_input_fingerprint(b, &now);
	if (!print) {
		fingerprint_done(&now);
		return;
	}
	fingerprint_done(print);
	*print = now;
}

/* Begin an input with what its name says. */
static void begin_input(struct builder *b, const char *path, const struct file_hints *hints)
{
	char name[32];

	builder_input(b, path);
	if (hints->has_date)
		builder_input_date(b, hints->date_s, hints->is_utc);
	else if (*hints->date_text)
		builder_this_input(b)->date_text = builder_input_text(b, hints->date_text,
								      strlen(hints->date_text));
	if (hints->seq >= 0)
		builder_this_input(b)->seq = hints->seq;
	/* Node.js numbers the workers of a process from 1 on. Thread 0 is the main thread. */
	if (hints->pid != LANE_NO_ID && hints->tid > 0)
		track_builder_name(
			b, hints->pid, hints->tid, name,
			(size_t)snprintf(name, sizeof name, "worker %" PRId64, hints->tid));
}

bool load_file(const struct load_file_order *order, struct builder *b, struct progress *progress,
	       struct fingerprint *print, struct error *err)
{
	const char *path = order->path;
	struct stream *stream;
	struct file_hints hints;
	bool ok;

	file_hints_parse(path, &hints);
	stream = print && print->is_known ? stream_open_again(path, print, progress, err)
					  : stream_open(path, progress, err);
	if (!stream)
		return false;
	stream_set_unpack_limits(stream, &order->limits);
	if (print && !print->is_known)
		*print = stream_identity(stream);
	begin_input(b, path, &hints);
	ok = load_file_stream(stream, &hints, order->reader, b, err) && stream_compare(stream, err);
	load_file_fingerprint(stream, b, print);
	stream_close(stream);
	if (ok) {
		uint32_t input;
		struct notes *notes = track_builder_notes(b, &input);

		trace_copy_find_notes(builder_this_input(b), input, path, notes);
	}
	return ok;
}

struct apart_input *load_file_apart(const struct load_file_order *order, struct apart *a,
				    struct fingerprint *print)
{
	struct load_file_order one = *order;
	struct error err = ERROR_INIT;
	struct apart_input *input;

	/* Its profiles alone are known to need nothing of the files before. */
	if (!one.reader && !sniff_file(one.path, &one.reader))
		return NULL;
	if (one.reader != &reader_cpuprofile)
		return NULL;
	input = load_file(&one, a->builder, NULL, print, &err) ? apart_take(a) : NULL;
	if (!input)
		apart_end(a);
	return input;
}

bool load_file_give(const char *path, struct builder *b, struct apart_map *map,
		    struct apart_input *input)
{
	struct file_hints hints;

	file_hints_parse(path, &hints);
	begin_input(b, path, &hints);
	if (apart_give(b, map, input))
		return true;
	builder_input_drop(b);
	return false;
}
