/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a process sends to `flametty attach`. The first byte tells what the rest is:
 *
 * `f` frames of a WebSocket connection: the same parts come out however they are cut;
 * `j` profiles, one a line, that are joined and kept in a ring: the result is JSON and a CPU
 * profile with as many samples, and a broken one changes nothing; `m` messages of an inspector, one
 * a line, that follow the answers to the first calls of a recording; `w`: the same with workers of
 * Node.js, `c`: with those of Chromium. They take the way of a real connection, over a pair of
 * sockets.
 *
 * `r`: texts of requests.cjs, one a line; they become a trace, which is read, and its parts have no
 * more than the whole; `k`: lines of what is measured: of pulls (`p`), profiles (`{`) and texts of
 * requests (`v`), which become counters. */
#include "config.h"

#include "fuzz.h"

#include "base/alloc.h"
#include "base/json/cursor.h"
#include "base/json/json_read.h"
#include "record/metric_log.h"
#include "record/remote/join.h"
#include "record/remote/record.h"
#include "record/remote/recorder.h"
#include "record/remote/ring.h"
#include "record/request_trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- frames ---- */

/* Where pieces end: a sequence of lengths that begins with a seed. */
static size_t next_piece(uint32_t *seed, size_t left)
{
	size_t n;

	*seed = *seed * 1664525u + 1013904223u;
	n = *seed >> 24 & 1 ? 1 + (*seed >> 26) : 1;
	return n < left ? n : left;
}

/* All parts as text. seed 0: in one piece. */
static void add_parts(const char *bytes, size_t size, uint32_t seed, struct buf *out)
{
	struct frames f = { 0 };
	struct error err = ERROR_INIT;

	for (size_t at = 0; at < size;) {
		size_t piece = seed ? next_piece(&seed, size - at) : size - at;

		for (size_t end = at + piece; at < end;) {
			struct frames_part part;
			size_t n;

			if (!frames_read(&f, bytes + at, end - at, &n, &part, &err)) {
				if (err.kind == ERR_NONE || !*err.text)
					fuzz_found("a broken frame without a word");
				buf_addf(out, "!%s", err.text);
				return;
			}
			if (n > end - at || (n == 0 && part.kind == FRAMES_NOTHING))
				fuzz_found("%zu of %zu bytes are taken", n, end - at);
			at += n;
			if (part.kind != FRAMES_NOTHING)
				buf_add(out, part.bytes, part.len);
			if (part.kind == FRAMES_CONTROL)
				buf_addf(out, "<%d>", (int)part.opcode);
			if (part.is_last)
				buf_addc(out, '|');
		}
	}
}

static void read_frames(const char *bytes, size_t size)
{
	struct buf whole = { 0 }, pieces = { 0 };

	add_parts(bytes, size, 0, &whole);
	for (uint32_t seed = 1; seed < 9; seed++) {
		add_parts(bytes, size, seed, &pieces);
		if (pieces.len != whole.len ||
		    memcmp(buf_text(&pieces), buf_text(&whole), whole.len) != 0)
			fuzz_found("pieces change the frames:\n%s\nthey were\n%s",
				   buf_text(&pieces), buf_text(&whole));
		buf_clear(&pieces);
	}
	buf_done(&whole);
	buf_done(&pieces);
}

/* ---- profiles ---- */

struct seen {
	uint64_t n; /* samples */
	int64_t first_us, last_us;
};

/* The text is a profile whose times do not fall. */
static struct seen check_profile(const struct buf *text)
{
	struct seen seen = { 0 };
	struct json_tree tree = { 0 };
	const struct json_value *root, *samples, *deltas, *d;
	const char *why = "";
	size_t bad_at = 0;
	int64_t us = 0, delta = 0;

	root = json_tree_parse(&tree, (struct str){ text->data, text->len }, &bad_at, &why);
	samples = json_tree_member(root, "samples", JSON_ARRAY);
	deltas = json_tree_member(root, "timeDeltas", JSON_ARRAY);
	if (!samples || !deltas || !json_tree_integer(root, "startTime", &us))
		fuzz_found("no profile at byte %zu: %s", bad_at, why);
	d = deltas->first;
	for (const struct json_value *s = samples->first; s; s = s->next, d = d->next) {
		if (!d || !json_tree_is_integer(d, &delta) || (seen.n > 0 && delta < 0))
			fuzz_found("sample %" PRIu64 " has no delta, or goes back by it", seen.n);
		us += delta;
		if (seen.n++ == 0)
			seen.first_us = us;
		seen.last_us = us;
	}
	if (d)
		fuzz_found("more than %" PRIu64 " deltas", seen.n);
	json_tree_done(&tree);
	return seen;
}

/* The joined profile has what join.h says. */
static void check_joined(const struct join *j)
{
	struct buf out = { 0 };
	struct seen seen;

	join_write(j, &out);
	seen = check_profile(&out);
	if (seen.n != join_samples(j) || seen.first_us != join_first_us(j) ||
	    seen.last_us != join_last_us(j))
		fuzz_found("%" PRIu64 " samples from %" PRId64 " to %" PRId64, seen.n,
			   seen.first_us, seen.last_us);
	buf_done(&out);
}

/* What a ring has, and its second half. */
static void check_ring(const struct ring *r)
{
	int64_t first = ring_first_us(r), last = ring_last_us(r);
	struct buf out = { 0 };

	if (ring_write(r, first, last + 1, &out) && check_profile(&out).n != ring_samples(r))
		fuzz_found("the ring has %" PRIu64 " samples", ring_samples(r));
	buf_clear(&out);
	if (ring_write(r, first + (last - first) / 2, last + 1, &out))
		check_profile(&out);
	buf_done(&out);
}

/* Call a function with each line; CURSOR_PAD bytes after it can be read. */
static void for_lines(const char *bytes, size_t size, void (*call)(void *ctx, struct str line),
		      void *ctx)
{
	for (const char *at = bytes, *end = bytes + size; at < end;) {
		const char *eol = memchr(at, '\n', (size_t)(end - at));
		size_t len = (size_t)((eol ? eol : end) - at);
		char *copy = xcalloc(len + CURSOR_PAD, 1);

		memcpy(copy, at, len);
		call(ctx, (struct str){ copy, len });
		free(copy);
		at += len + 1;
	}
}

struct joined {
	struct join *join;
	struct ring *ring;
};

static void join_line(void *ctx, struct str line)
{
	struct joined *joined = ctx;
	struct join *j = joined->join;
	struct error err = ERROR_INIT;
	struct buf before = { 0 }, after = { 0 };

	join_write(j, &before);
	if (!join_add(j, line, &err)) {
		join_write(j, &after);
		if (err.kind == ERR_NONE || !*err.text)
			fuzz_found("a broken profile without a word");
		if (strcmp(buf_text(&before), buf_text(&after)) != 0)
			fuzz_found("a broken profile changes what was joined:\n%s\nit was\n%s",
				   buf_text(&after), buf_text(&before));
	}
	buf_done(&before);
	buf_done(&after);
	err = (struct error)ERROR_INIT;
	if (!ring_add(joined->ring, line, &err) && err.kind == ERR_NONE)
		fuzz_found("a profile is refused without a word");
	check_ring(joined->ring);
}

static void join_profiles(const char *bytes, size_t size)
{
	struct ring_limits limits = { .us = 2000, .bytes = size % 2 ? 600 : 0 };
	struct joined joined = { join_new(), ring_new(limits) };

	for_lines(bytes, size, join_line, &joined);
	check_joined(joined.join);
	join_free(joined.join);
	ring_free(joined.ring);
}

/* ---- messages ---- */

static void add_message(void *ctx, struct str line)
{
	struct buf *out = ctx;

	/* A final frame of text. */
	buf_addc(out, (char)0x81);
	buf_addc(out, 126);
	buf_addc(out, (char)(line.len >> 8));
	buf_addc(out, (char)line.len);
	buf_add(out, line.p, line.len);
}

/* The answers that recorder_begin() waits for. */
static void add_answers(struct buf *out, char kind)
{
	int last = kind == 'm' ? 4 : kind == 'w' ? 8 : 10;

	for (int id = 2; id <= last; id += 2) {
		char text[64];

		if (id == 8 && kind == 'c')
			snprintf(text, sizeof text, "{\"error\":{\"message\":\"no\"},\"id\":8}");
		else
			snprintf(text, sizeof text, "{\"id\":%d,\"result\":{}}", id);
		if (id != 6) /* of the first chunk: the input may have it */
			add_message(out, (struct str){ text, strlen(text) });
	}
}

static void take_chunk(void *ctx, const struct recorder_chunk *chunk)
{
	struct error err = ERROR_INIT;

	if (!chunk->title || chunk->thread > 10000)
		fuzz_found("thread %u has no name", (unsigned)chunk->thread);
	join_add(ctx, chunk->profile, &err);
}

static void take_note(void *ctx, const char *text)
{
	(void)ctx;
	if (!*text)
		fuzz_found("a note without a word");
}

static void record_messages(char kind, const char *bytes, size_t size)
{
	struct join *j = join_new();
	struct recorder_options options = { .interval_us = 1000,
					    .chunk_ms = (int)(size % 2) * 1000,
					    .has_workers = kind != 'm',
					    .on_chunk = take_chunk,
					    .on_note = take_note,
					    .ctx = j };
	struct target target = { .inspector = INSPECTOR_INIT };
	struct error err = ERROR_INIT;
	struct recorder *r;
	struct buf stream = { 0 };
	int ends[2];

	add_answers(&stream, kind);
	for_lines(bytes, size, add_message, &stream);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) != 0 ||
	    send(ends[1], stream.data, stream.len, 0) != (ssize_t)stream.len)
		fuzz_found("no sockets");
	shutdown(ends[1], SHUT_WR);
	target.inspector.socket.connection.fd = ends[0];
	r = recorder_new(&target, &options);
	if (recorder_begin(r, &err) && size % 3 != 0)
		recorder_run(r, connection_deadline(5000));
	recorder_end(r, 5000);
	recorder_free(r);
	inspector_close(&target.inspector);
	check_joined(j);
	join_free(j);
	close(ends[1]);
	buf_done(&stream);
}

/* ---- requests and measures ---- */

/* A trace of our own is read like that of a file. */
static void check_trace(const struct buf *text)
{
	struct profile *p;

	if (!text->len)
		return;
	p = fuzz_load((const uint8_t *)text->data, text->len);
	if (!p && strstr(buf_text(text), "\"ph\":\"X\""))
		fuzz_found("a trace of our own is not read");
	profile_free(p);
}

static void write_requests(const struct request_source *source, struct request_range range,
			   struct request_counts *counts)
{
	struct sink *sink = sink_open_memory();
	struct error err = ERROR_INIT;

	request_trace_write(source, 1, range, sink, counts);
	check_trace(sink_buf(sink));
	sink_close(sink, &err);
}

static void check_requests(const char *bytes, size_t size)
{
	struct request_source source = { .pid = 1,
					 .tid = (int64_t)(size % 2),
					 .process = "a",
					 .thread = "",
					 .texts = { bytes, size } };
	struct request_counts all = { 0 }, part = { 0 };
	struct request_reader reader;

	write_requests(&source, REQUEST_RANGE_ALL, &all);
	write_requests(&source, (struct request_range){ 1000, 5000 }, &part);
	if (part.n_served > all.n_served || part.n_calls > all.n_calls)
		fuzz_found("a part has %" PRIu64 " requests and %" PRIu64 " calls", part.n_served,
			   part.n_calls);
	/* As in a recording that goes on: what is old is forgotten. */
	request_reader_init(&reader);
	source.reader = &reader;
	for (int64_t us = 1000; us < 5000; us += 2000)
		write_requests(&source, (struct request_range){ us, us + 2000 }, &part);
	request_reader_forget(&reader, INT64_MAX);
	request_reader_done(&reader);
}

static void measure_line(void *ctx, struct str line)
{
	struct metric_log *log = ctx;

	if (line.len == 0)
		return;
	if (line.p[0] == 'p')
		metric_log_pull(log, (struct str){ line.p + 1, line.len - 1 });
	else if (line.p[0] == 'v')
		metric_log_requests(log, line);
	else
		metric_log_chunk(log, line);
}

static void check_measures(const char *bytes, size_t size)
{
	struct metric_log *log = metric_log_new(size % 2 ? 2000000 : 0);
	struct metric_process process = { log, 7, "a", "worker", "" };
	struct buf out = { 0 };

	for_lines(bytes, size, measure_line, log);
	metric_log_write(&process, 1, metric_log_first(&process, 1), metric_log_last(log), &out);
	check_trace(&out);
	buf_clear(&out);
	metric_log_write(&process, 1, INT64_MIN, INT64_MAX, &out);
	check_trace(&out);
	metric_log_sum(log, &out);
	buf_done(&out);
	metric_log_free(log);
}

/* ---- the whole ---- */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *bytes = (const char *)data + 1;

	if (size == 0 || size > 60000)
		return 0;
	switch (data[0]) {
	case 'f':
		read_frames(bytes, size - 1);
		break;
	case 'j':
		join_profiles(bytes, size - 1);
		break;
	case 'c':
	case 'm':
	case 'w':
		record_messages((char)data[0], bytes, size - 1);
		break;
	case 'r':
		check_requests(bytes, size - 1);
		break;
	case 'k':
		check_measures(bytes, size - 1);
		break;
	default:
		break;
	}
	return 0;
}
