/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognises common non-profile files, in order to name them in the error message. To add a kind
 * of file, add a row to one of the tables. The first row that matches counts. */
#include "config.h"

#include "load/not_a_profile.h"

#include "base/alloc.h"
#include "json/json_number.h"

#include <stdbool.h>
#include <string.h>

#define HEAP_SNAPSHOT                                                                              \
	"a heap snapshot: a graph of objects, which has no calls; DevTools shows it (Memory, "     \
	"Load). To see which calls allocate, record with node --heap-prof"

const char *not_a_profile_json(const struct outline *outline)
{
	/* Members a and b (if set) must exist. value: the first byte of a's value; 0: any. */
	static const struct {
		const char *a;
		char value;
		const char *b, *name;
	} known[] = {
		{ "snapshot", '{', "nodes", HEAP_SNAPSHOT },
		{ "snapshot", '{', "strings", HEAP_SNAPSHOT },
		{ "snapshot", '{', "edges", HEAP_SNAPSHOT },
		{ "traceEvents", 0, NULL, "a Chrome trace, but its traceEvents is no array" },
		{ "meta", '{', "threads", "a Firefox Profiler file, not a V8 profile" },
		{ "code", '[', "ticks",
		  "a preprocessed --prof log of V8, which is not read; record with --cpu-prof" },
		{ "log", '{', NULL, "an HTTP archive (HAR), not a profile" },
		{ "mappings", '"', NULL, "a source map, not a profile" },
		{ "sections", '[', "version", "a source map, not a profile" },
		{ "result", '[', NULL, "coverage of V8, not a profile" },
		{ "ranges", '[', "url", "coverage of Chrome, not a profile" },
		{ "functions", '[', NULL, "coverage of V8, not a profile" },
		{ "statementMap", '{', NULL, "coverage of Istanbul, not a profile" },
		{ "lighthouseVersion", 0, NULL, "a Lighthouse report, not a profile" },
		{ "constants", '{', "events", "a network log of Chrome, not a profile" },
	};

	if (outline->top == '\0')
		return "the file is empty";
	if (outline->top == '[' && !outline->element)
		return "an empty JSON array, not a profile";
	if (outline->top == '{' && outline->n_keys == 0)
		return "an empty JSON object, not a profile";
	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (outline_has(outline, known[i].a, known[i].value) &&
		    (!known[i].b || outline_has(outline, known[i].b, 0)))
			return known[i].name;
	if (outline->top == '{' || outline->top == '[')
		return "JSON of another kind, no profile (flametty formats lists what is read)";
	return "a JSON value, not a profile";
}

static const struct magic {
	const char *bytes;
	size_t len;
	const char *name;
} magics[] = {
	{ "PK\003\004", 4, "a zip archive; unpack it first" },
	{ "\037\213", 2, "gzip data inside gzip data; unpack it once" },
	{ "\050\265\057\375", 4,
	  "zstd data; this flametty was built without libzstd, or it is packed twice" },
	{ "\004\042\115\030", 4,
	  "lz4 data; this flametty was built without liblz4, or it is packed twice" },
	{ "\002\041\114\030", 4, "lz4 data in its old form; unpack it first" },
	{ "BZh", 3, "bzip2 data; unpack it first" },
	{ "\375"
	  "7zXZ",
	  5, "xz data; unpack it first" },
	{ "PERFILE2", 8,
	  "recorded by perf, binary data; `perf script -i FILE > out.txt` makes text of it, "
	  "which is read" },
	{ "v8-version,", 11,
	  "a --prof log of V8, text, which is not read; record with --cpu-prof" },
	{ "\177ELF", 4, "a program, binary data" },
};

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

const char *not_a_profile_bytes(const char *text, size_t len)
{
	const char *name;
	size_t i = 0;

	while (i < len && memchr(" \t\r\n", text[i], 4))
		i++;
	if (i == len)
		return "the file is empty";
	for (size_t k = 0; k < ARRAY_LEN(magics); k++)
		if (len >= magics[k].len && memcmp(text, magics[k].bytes, magics[k].len) == 0)
			return magics[k].name;
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
