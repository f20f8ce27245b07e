/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The size of the input selects which pictures and exports are tried, so that each run stays short
 * and an input always does the same. Besides what sanitizers find, these must hold:
 * 1. A failure has a text, and an offset of -1 or at least 0.
 * 2. JSON output is JSON by json-c's strict rules, except for events of a file that is not JSON,
 *    which are copied as they are.
 * 3. An export can be read again by the reader of its format.
 * 4. Neither the stretches of the stream nor the read-ahead thread change the result: a text with
 *    blank lines in front gives the same lanes, warnings and failures, at offsets shifted by as
 *    much. */
#include "config.h"

#include "fuzz.h"

#include "base/alloc.h"
#include "base/json/json_read.h"
#include "base/quoted.h"
#include "findings/findings.h"
#include "read/load/file_set.h"
#include "read/load/load_file.h"
#include "read/trace/event_reader.h"
#include "read/trace/trace_copy.h"
#include "ui/app.h"
#include "write/export/export.h"
#include "write/report/report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void fuzz_found(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	/* Not the stream, which a target may have closed. */
	vdprintf(STDERR_FILENO, format, args);
	va_end(args);
	dprintf(STDERR_FILENO, "\n");
	abort();
}

/* ---- what is done with a profile ---- */

/* The error in a text; NULL: it is JSON. */
static const char *not_json(const char *text, size_t len, size_t *bad_at)
{
	/* Trees of a report are nested as deep as the calls. */
	struct json_tokener *tok = json_tokener_new_ex(10000);
	const char *why;

	json_tokener_set_flags(tok, JSON_TOKENER_STRICT);
	json_object_put(json_text_parse(tok, text, len, bad_at, &why));
	json_tokener_free(tok);
	return why;
}

static void check_json(const char *what, const struct buf *text)
{
	size_t bad_at;
	const char *why = not_json(buf_text(text), text->len, &bad_at);

	if (why)
		fuzz_found("%s: no JSON at byte %zu: %s", what, bad_at, why);
}

static void report(const struct profile *p, const struct report *form)
{
	struct report_options options = { .top = 10, .with = ~0u };
	struct sink *sink = sink_open_memory();
	struct scoped scoped;
	struct error err = ERROR_INIT;

	scope_all(&options.scope, p);
	if (scoped_init(&scoped, p, &options.scope, &err))
		form->write(&scoped, &options, sink);
	if (form == &report_json)
		check_json("report", sink_buf(sink));
	scoped_done(&scoped);
	scope_done(&options.scope);
	sink_drop(sink);
}

/* Read the text of an export like any other file. NULL: it is empty. */
static struct profile *load_again(const struct export_format *format, const struct buf *text)
{
	struct builder_options options = { 0 };
	struct file_hints hints = { .pid = LANE_NO_ID, .tid = LANE_NO_ID };
	struct error err = ERROR_INIT;
	struct stream *stream = stream_open_memory(buf_text(text), text->len, SIZE_MAX);
	struct builder *b = builder_new(&options);
	struct profile *p = NULL;

	builder_input(b, "export");
	if (load_file_stream(stream, &hints, reader_find(format->name), b, &err)) {
		p = builder_finish(b, &err);
		err.kind = ERR_NONE; /* it may be empty */
	} else {
		builder_free(b);
	}
	stream_close(stream);
	if (err.kind == ERR_SYNTAX)
		fuzz_found("export as %s is not read again: byte %" PRId64 ": %s", format->name,
			   err.offset, err.text);
	return p;
}

struct profile *fuzz_export(const struct profile *p, const struct export_format *format,
			    bool is_slices, uint32_t lane)
{
	struct export_options options = { .is_slices = is_slices,
					  .is_merged = is_slices,
					  .is_counts = is_slices,
					  .lane = lane,
					  .copy = trace_copy };
	struct sink *sink = sink_open_memory();
	struct profile *back = NULL;
	struct error err = ERROR_INIT;

	scope_all(&options.scope, p);
	format->write(p, &options, sink);
	/* Nothing is written if the lane has no samples. */
	if (reader_find(format->name) && (!format->is_by_lane || sink_buf(sink)->len > 0)) {
		if (format != &export_folded && !format->is_binary)
			check_json(format->name, sink_buf(sink));
		back = load_again(format, sink_buf(sink));
	}
	sink_close(sink, &err);
	scope_done(&options.scope);
	return back;
}

void fuzz_grid(const struct grid *grid)
{
	for (int row = 0; row < grid->rows; row++)
		for (int col = 0; col < grid->cols; col++) {
			const struct cell *c = grid_at(grid, row, col);
			bool is_rest = c->ch == 0 && col > 0 && grid_at(grid, row, col - 1)->ch;

			if ((c->ch < ' ' && !is_rest) || (c->ch >= 0x7F && c->ch < 0xA0))
				fuzz_found("row %d, column %d has character %u", row, col,
					   (unsigned)c->ch);
		}
}

static void draw(const struct profile *p, size_t pick)
{
	static const char *const keys[] = {
		"",    "jjj8zG", "4",       "5E",      "6E",          "7jj<Enter>", "9jjjj<Enter>",
		"2jj", "3",      "jjxfob6", "os]]]]w", "/a<Enter>n*", "xpxi5",      "F ]oh}}{{",
	};
	struct app_options options = { .t0 = p->window_t0,
				       .t1 = p->window_t1,
				       .has_idle = pick % 2,
				       .events = { .read = event_read } };
	struct app *app = app_new(p, &options);
	struct grid grid = { 0 };
	struct error err = ERROR_INIT;

	app_resize(app, 24, 80);
	if (!script_play(&app, keys[pick % ARRAY_LEN(keys)], NULL, &err))
		fuzz_found("keys %s: %s", keys[pick % ARRAY_LEN(keys)], err.text);
	grid_init(&grid, 24, 80);
	do {
		app_update(app, BUDGET_UNLIMITED);
		app_draw(app, &grid);
	} while (app_wait_ms(app) >= 0 && (app_timeout(app), true));
	fuzz_grid(&grid);
	grid_done(&grid);
	app_free(app);
}

static void use(const struct profile *p, size_t pick)
{
	size_t n_formats = 0, n_reports = 0;

	while (reports[n_reports])
		n_reports++;
	while (export_formats[n_formats])
		n_formats++;
	report(p, reports[pick % n_reports]);
	profile_free(fuzz_export(p, export_formats[pick / n_reports % n_formats], pick % 2, 0));
	draw(p, pick);
}

/* ---- where it comes from ---- */

/* Give the bytes as a file, so that they can be read a second time. Returns its path, valid until
 * the next call. One file without a name serves the whole run. */
static const char *path_of(const uint8_t *data, size_t size)
{
	static FILE *file;
	static char path[32];

	if (!file)
		file = tmpfile();
	if (!file || ftruncate(fileno(file), 0) != 0 ||
	    pwrite(fileno(file), data, size, 0) != (ssize_t)size)
		fuzz_found("no temporary file");
	snprintf(path, sizeof path, "/dev/fd/%d", fileno(file));
	return path;
}

/* ---- blank lines before it ---- */

/* Where a stream in memory ends its stretches. */
#define STRETCH ((size_t)1 << 18)

/* Whether the bytes are text with one byte a character, not compressed: then blank lines may be put
 * before it. */
static bool is_plain(const uint8_t *data, size_t size)
{
	return size >= 4 && data[0] >= ' ' && data[0] < 0x7F && data[0] != '(' && data[1] &&
		data[2] && data[3];
}

/* A failure of the whole file has offset 0. */
static void add_offset(struct buf *out, int64_t offset, size_t pad)
{
	buf_addf(out, " @%" PRId64, offset < (int64_t)pad ? offset : offset - (int64_t)pad);
}

static void summarise(const struct profile *p, size_t pad, struct buf *out)
{
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *l = &p->lanes[i];

		buf_addf(out,
			 "lane kind %d [%" PRId64 ", %" PRId64 ") %" PRIu64
			 " spans %d deep %zu slices",
			 (int)l->kind, l->t0, l->t1, l->n_spans, l->max_depth, l->slices.n);
		for (size_t k = 0; k < l->slices.n && k < 8; k++)
			add_offset(out, slice_offset(&l->slices, k), pad);
		buf_addc(out, '\n');
	}
	for (uint32_t i = 0; i < p->n_inputs; i++) {
		for (size_t k = 0; k < p->inputs[i].n_warnings; k++) {
			const struct warning *w = &p->inputs[i].warnings[k];

			buf_addf(out, "%s %" PRIu64, warning_name(w->kind), w->count);
			add_offset(out, w->offset, pad);
			buf_addc(out, '\n');
		}
	}
}

/* The result for the text behind `pad` newlines. */
static void tell(const struct reader *reader, const uint8_t *data, size_t size, size_t pad,
		 struct buf *out)
{
	struct builder_options options = { .is_raw = size % 2 != 0 };
	struct builder *b = builder_new(&options);
	struct file_hints hints = { .pid = LANE_NO_ID, .tid = LANE_NO_ID };
	struct error err = ERROR_INIT;
	struct profile *p = NULL;
	char *text = xmalloc(pad + size);
	struct stream *stream;

	memset(text, '\n', pad);
	memcpy(text + pad, data, size);
	stream = stream_open_memory(text, pad + size, SIZE_MAX);
	builder_input(b, "text");
	stream_set_ahead(stream, pad ? 0 : SIZE_MAX);
	if (load_file_stream(stream, &hints, reader, b, &err))
		p = builder_finish(b, &err);
	else
		builder_free(b);
	if (p) {
		summarise(p, pad, out);
	} else {
		buf_addf(out, "%d %s", (int)err.kind, err.text);
		add_offset(out, err.offset, pad);
	}
	profile_free(p);
	stream_close(stream);
	free(text);
}

static void read_moved(const struct reader *reader, const uint8_t *data, size_t size)
{
	struct buf here = { 0 }, moved = { 0 };

	/* A document in a line or string is looked for only at the beginning of a file. */
	if (quoted_is_needed(data, size))
		return;
	tell(reader, data, size, 0, &here);
	tell(reader, data, size, STRETCH - size * (size % 7 + 1) / 8, &moved);
	if (strcmp(buf_text(&here), buf_text(&moved)) != 0)
		fuzz_found(
			"the end of a stretch within the text makes a difference:\n%s\nit was\n%s",
			buf_text(&moved), buf_text(&here));
	buf_done(&here);
	buf_done(&moved);
}

/* ---- entries ---- */

static void check_error(const struct error *err)
{
	if (err->kind == ERR_NONE || !*err->text)
		fuzz_found("a failure without a word: kind %d", (int)err->kind);
	if (err->offset < -1)
		fuzz_found("offset %" PRId64, err->offset);
}

/* The findings of each lane alone, as the screen has them, in a window. */
static void find_in(const struct profile *p, int64_t t0, int64_t t1)
{
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];
		struct findings_all all;

		findings_all_init(&all,
				  &(struct findings_wanted){ .profile = p,
							     .lanes = &lane,
							     .n_lanes = 1,
							     .t0 = t0,
							     .t1 = t1 });
		findings_all_done(&all);
	}
}

struct profile *fuzz_load(const uint8_t *data, size_t size)
{
	struct builder_options options = { .is_raw = size % 2 != 0 };
	struct builder *b = builder_new(&options);
	struct error err = ERROR_INIT;

	if (load_file(&(struct load_file_order){ .path = path_of(data, size) }, b, NULL, NULL,
		      &err))
		return builder_finish(b, &err);
	builder_free(b);
	return NULL;
}

int fuzz_findings(const uint8_t *data, size_t size)
{
	struct profile *p = fuzz_load(data, size);

	if (p) {
		int64_t third = p->t1 / 3;

		find_in(p, 0, p->t1);
		find_in(p, third, 2 * third);
		find_in(p, p->t1 - 1, p->t1);
		for (size_t i = 0; reports[i]; i++)
			report(p, reports[i]);
		draw(p, size);
	}
	profile_free(p);
	return 0;
}

int fuzz_read(const struct reader *reader, const uint8_t *data, size_t size)
{
	struct builder_options options = { .is_raw = size % 2 != 0 };
	struct builder *b = builder_new(&options);
	struct profile *p = NULL;
	struct error err = ERROR_INIT;
	struct buf message = { 0 };
	struct fingerprint print = { 0 };
	const char *path = path_of(data, size);

	if (load_file(&(struct load_file_order){ .path = path, .reader = reader }, b, NULL, &print,
		      &err))
		p = builder_finish(b, &err);
	else
		builder_free(b);
	if (p) {
		use(p, size);
	} else {
		check_error(&err);
		file_error_format(path, &print, &err, &message);
	}
	if (size % 4 == 0 && reader != &reader_pprof && is_plain(data, size))
		read_moved(reader, data, size);
	profile_free(p);
	fingerprint_done(&print);
	buf_done(&message);
	return 0;
}

/* Make the bytes the standard input. A pipe holds 64 KiB without a reader. */
static void put_in(const uint8_t *data, size_t size)
{
	int ends[2];

	if (size > 65536)
		size = 65536;
	if (pipe(ends) != 0 || write(ends[1], data, size) != (ssize_t)size ||
	    dup2(ends[0], STDIN_FILENO) < 0)
		fuzz_found("no pipe");
	close(ends[0]);
	close(ends[1]);
}

int fuzz_pipe(const uint8_t *data, size_t size)
{
	struct builder_options options = { .is_raw = size % 2 != 0 };
	struct builder *b = builder_new(&options);
	struct file_set set = { 0 };
	struct progress progress = { 0 };
	const char *name = NULL;
	struct buf messages = { 0 };
	struct error err = ERROR_INIT;
	struct profile *p;

	put_in(data, size);
	if (!file_set_add(&set, "-", NULL, &err))
		fuzz_found("standard input is not taken: %s", err.text);
	if (file_set_load(&set, b, &progress, &name, &messages) && messages.len == 0)
		fuzz_found("a failure without a word");
	p = builder_finish(b, &err);
	if (p)
		use(p, size);
	profile_free(p);
	buf_done(&messages);
	file_set_done(&set);
	return 0;
}

/* ---- mutation ---- */

size_t fuzz_insert(uint8_t *data, size_t size, size_t most, size_t at, const char *text)
{
	size_t n = strlen(text);

	if (n > most - size)
		return size;
	memmove(data + at + n, data + at, size - at);
	memcpy(data + at, text, n);
	return size + n;
}

/* A value of a text: bytes [from, to). */
struct value {
	size_t from, to;
};

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* The end of the string that begins at `at`. */
static size_t string_end(const uint8_t *text, size_t size, size_t at)
{
	for (at++; at < size && text[at] != '"'; at++)
		at += text[at] == '\\';
	return at < size ? at + 1 : size;
}

static size_t value_end(const uint8_t *text, size_t size, size_t at)
{
	size_t depth = 0;

	while (at < size) {
		uint8_t c = text[at];

		if (depth == 0 && strchr(",]}", c))
			return at;
		depth += c == '[' || c == '{';
		depth -= c == ']' || c == '}';
		at = c == '"' ? string_end(text, size, at) : at + 1;
		if (depth == 0 && strchr("\"]}", c))
			return at;
	}
	return size;
}

/* Find a value behind a random place: what follows `:`, `,` or `[`. A member of an object counts
 * with its key. */
static bool find_value(const uint8_t *text, size_t size, uint32_t *seed, struct value *v)
{
	size_t at = next_random(seed) % size;

	while (at < size && (!text[at] || !strchr(":,[{", text[at])))
		at++;
	if (++at >= size)
		return false;
	v->from = at;
	v->to = value_end(text, size, at);
	/* After a key the value follows. */
	if (v->to < size && text[v->to] == ':')
		v->to = value_end(text, size, v->to + 1);
	return v->to > v->from;
}

/* Put `n` bytes in the place of a value. Returns the new size; as it was: there is no room. */
static size_t put(uint8_t *text, size_t size, size_t most, struct value v, const void *bytes,
		  size_t n)
{
	if (n > v.to - v.from && n - (v.to - v.from) > most - size)
		return size;
	memmove(text + v.from + n, text + v.to, size - v.to);
	memcpy(text + v.from, bytes, n);
	return size - (v.to - v.from) + n;
}

size_t fuzz_mutate_json(uint8_t *text, size_t size, size_t most, uint32_t seed)
{
	static const char *const extremes[] = {
		"0",
		"-1",
		"1",
		"4294967295",
		"4294967296",
		"2147483648",
		"9007199254740993",
		"9223372036854775807",
		"-9223372036854775808",
		"18446744073709551616",
		"2305843009213693951",
		"1e308",
		"-1e18",
		"1e-308",
		"0.5",
		"null",
		"true",
		"{}",
		"[]",
		"\"\"",
		"\"\\u0000\"",
		"\"\\ud83d\"",
	};
	struct value one, other;
	uint8_t *copy;
	size_t n;

	if (!find_value(text, size, &seed, &one) || !find_value(text, size, &seed, &other))
		return size;
	n = one.to - one.from;
	switch (next_random(&seed) % 5) {
	case 0: /* delete, with a comma */
		one.to += one.to < size && text[one.to] == ',';
		return put(text, size, most, one, "", 0);
	case 1: { /* twice, or many times */
		size_t times = next_random(&seed) % 4 ? 2 : 2 + next_random(&seed) % 64;

		copy = xmalloc((n + 1) * times);
		for (size_t i = 0; i < times; i++) {
			memcpy(copy + i * (n + 1), text + one.from, n);
			copy[i * (n + 1) + n] = ',';
		}
		size = put(text, size, most, one, copy, (n + 1) * times - 1);
		free(copy);
		return size;
	}
	case 2: { /* one in the place of another */
		copy = xmalloc(n);
		memcpy(copy, text + one.from, n);
		size = put(text, size, most, other, copy, n);
		free(copy);
		return size;
	}
	default: {
		const char *word = extremes[next_random(&seed) % ARRAY_LEN(extremes)];
		uint8_t *colon = text[one.from] == '"'
			? memchr(text + one.from, ':', one.to - one.from)
			: NULL;

		if (colon)
			one.from = (size_t)(colon - text) + 1;
		return put(text, size, most, one, word, strlen(word));
	}
	}
}

/* Half of the changes of a text that begins like JSON keep it JSON. Weak: a target may have its
 * own. */
__attribute__((weak)) size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
						     unsigned seed)
{
	size_t at = size > 0 && strchr("fjmwck", data[0]) ? 1 : 0;

	if (size > 2 && seed % 2 && (data[at] == '{' || data[at] == '['))
		return fuzz_mutate_json(data, size, max_size, seed);
	return LLVMFuzzerMutate(data, size, max_size);
}
