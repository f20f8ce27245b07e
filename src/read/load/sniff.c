/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sniff_file() gives the answer of sniff_reader() for the first SNIFF_FIRST bytes, but without
 * a stream and its buffers. Where a stream would change these bytes, it gives none. */
#include "config.h"

#include "read/load/sniff.h"

#include "base/alloc.h"
#include "base/json/json_number.h"
#include "base/json/outline.h"
#include "base/quoted.h"
#include "base/str.h"
#include "base/stream/unpack.h"
#include "read/reader.h"
#include "read/text_line.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_prof_report(const char *text, size_t len);
static bool is_dtrace(const char *text, size_t len);

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

static bool is_json_kind(const struct kind *k, const struct outline *outline)
{
	return k->a && outline_has(outline, k->a, k->value) &&
		(!k->b || outline_has(outline, k->b, 0));
}

static bool is_text_kind(const struct kind *k, const char *text, size_t len)
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
		if (is_json_kind(&kinds[i], outline))
			return kinds[i].name;
	if (outline->top == '{' || outline->top == '[')
		return "JSON of another kind, no profile (flametty formats lists what is read)";
	return "a JSON value, not a profile";
}

/* The next line of a text, without blanks around it. *at: moved past it. False at the end; a line
 * without a newline may be cut off and does not count. */
static bool next_line(struct str text, size_t *at, struct str *line)
{
	const char *from = text.p + *at;
	const char *stop = *at < text.len ? memchr(from, '\n', text.len - *at) : NULL;

	if (!stop)
		return false;
	*line = text_line_trimmed((struct str){ from, (size_t)(stop - from) });
	*at += (size_t)(stop - from) + 1;
	return true;
}

/* Whether the words of the line, which blanks separate, are those of `words`, which one blank
 * separates. */
static bool has_words(struct str line, const char *words)
{
	size_t i = 0;

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
	static const char first[] = "Statistical profiling result from ";
	struct str line;
	size_t at = 0;

	if (len >= strlen(first) && memcmp(text, first, strlen(first)) == 0)
		return true;
	for (int i = 0; i < LOOK_LINES && next_line((struct str){ text, len }, &at, &line); i++)
		if (has_words(line, "ticks total nonlib name") ||
		    has_words(line, "ticks parent name"))
			return true;
	return false;
}

/* An aggregation of stacks: lines such as "libc.so.1`read+0x5", and below each stack a line that is
 * its count. The heading is printed unless DTrace is quiet. */
static bool is_dtrace(const char *text, size_t len)
{
	struct str line;
	bool is_stack = false;
	size_t at = 0;

	for (int i = 0; i < LOOK_LINES && next_line((struct str){ text, len }, &at, &line); i++) {
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
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (n == strlen(words[i]) && memcmp(text, words[i], n) == 0)
			return true;
	return json_number_is(text, n);
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
		if (is_text_kind(&kinds[k], text, len))
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

/* ==== sniff ==== */

#define SNIFF_PAD 64u /* bytes after the text that a scanner may look at */

/* The reader with the highest score for a document, or NULL. */
static const struct reader *ask(const struct outline *outline)
{
	const struct reader *best = NULL;
	int score = 0;

	for (size_t i = 0; readers[i]; i++) {
		int n = readers[i]->sniff(outline);

		if (n > score) {
			score = n;
			best = readers[i];
		}
	}
	return best;
}

/* Report what a document without a reader is. */
static void refuse(const struct outline *outline, const char *kind, struct error *err)
{
	if (!kind && (outline->err.kind == ERR_SYNTAX || outline->err.kind == ERR_LIMIT))
		error_set(err, ERR_UNKNOWN, outline->err.offset, "%s", outline->err.text);
	else
		error_set(err, ERR_UNKNOWN, 0, "%s", kind ? kind : not_a_profile_json(outline));
}

const struct reader *sniff_reader(struct outline *outline, struct str head, bool is_all,
				  bool is_last, struct error *err)
{
	const char *kind = not_a_profile_bytes(head.p, head.len);
	const struct reader *reader;
	bool is_known;

	outline_look(outline, head.p, head.len, is_all);
	reader = ask(outline);
	/* The first line is enough to name text that is not JSON. */
	is_known = kind
		? memchr(head.p, '\n', head.len) != NULL || memchr(head.p, '\0', head.len) != NULL
		: outline->is_whole;
	if (!reader && (is_known || is_all || is_last))
		refuse(outline, kind, err);
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

/* Whether a stream would unpack or convert a document that begins with `head`. */
static bool is_encoded(const char *head, size_t len)
{
	return unpack_format_of(head, len) != UNPACK_PLAIN || decode_is_needed(head, len) ||
		quoted_is_needed(head, len < QUOTED_HEAD ? len : QUOTED_HEAD);
}

bool sniff_file(const char *path, const struct reader **reader)
{
	char head[SNIFF_FIRST + SNIFF_PAD];
	struct outline outline;
	struct error err = ERROR_INIT;
	ptrdiff_t len = read_head(path, head, SNIFF_FIRST);

	if (len <= 0 || is_encoded(head, (size_t)len))
		return false;
	memset(head + len, 0, SNIFF_PAD);
	*reader = sniff_reader(&outline, (struct str){ head, (size_t)len },
			       (size_t)len < SNIFF_FIRST, false, &err);
	return *reader || err.kind != ERR_NONE;
}
