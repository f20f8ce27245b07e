/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recorder and a target that has sent all its messages before. Their order is that of the calls;
 * the numbers of the calls are even, from 2 on. */
#include "config.h"

#include "suite.h"
#include "temp_folder.h"

#include "base/alloc.h"
#include "base/units.h"
#include "record/remote/recorder.c"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define END_MS 20000

struct fake {
	int fd;
	struct buf stream;
	pthread_t thread;
	struct buf notes;
	size_t n_chunks;
	enum recorder_news news;
	bool is_whole; /* the last chunks have come */
	struct buf calls;
};

static void add_message(struct fake *f, const char *text)
{
	size_t len = strlen(text);

	buf_addc(&f->stream, (char)0x81);
	buf_addc(&f->stream, 127);
	for (int i = 7; i >= 0; i--)
		buf_addc(&f->stream, (char)((uint64_t)len >> 8 * i & 0xff));
	buf_add(&f->stream, text, len);
}

static void add_answer(struct fake *f, int id)
{
	char text[64];

	snprintf(text, sizeof text, "{\"id\":%d,\"result\":{}}", id);
	add_message(f, text);
}

#define STARTED                                                                                    \
	"{\"method\":\"Profiler.consoleProfileStarted\",\"params\":{\"title\":\"flametty\"}}"

static const char profile[] =
	"{\"nodes\":[{\"id\":1,\"callFrame\":{}}],\"startTime\":1,\"endTime\":9,"
	"\"samples\":[1],\"timeDeltas\":[1]";

/* The end of the recording between two chunks; its profile has `len` bytes. */
static void add_finished(struct fake *f, size_t len)
{
	struct buf text = { 0 };

	buf_adds(&text, "{\"method\":\"Profiler.consoleProfileFinished\",\"params\":{\"profile\":");
	buf_adds(&text, profile);
	for (size_t i = sizeof profile; i < len; i++)
		buf_addc(&text, ' ');
	buf_adds(&text, "},\"title\":\"flametty\"}}");
	add_message(f, buf_text(&text));
	buf_done(&text);
}

static void *send_all(void *ctx)
{
	struct fake *f = ctx;

	for (size_t at = 0; at < f->stream.len;) {
		ssize_t n = send(f->fd, f->stream.data + at, f->stream.len - at, MSG_NOSIGNAL);

		if (n <= 0)
			break;
		at += (size_t)n;
	}
	shutdown(f->fd, SHUT_WR);
	return NULL;
}

static void count_chunk(void *ctx, const struct recorder_chunk *chunk)
{
	struct fake *f = ctx;

	f->n_chunks++;
	ck_assert(chunk->profile.len > 0);
}

static void take_note(void *ctx, const char *text)
{
	struct fake *f = ctx;

	buf_addf(&f->notes, "%s\n", text);
}

/* Append the calls that were sent: frames with lengths of 16 bits or less. */
static void read_calls(int fd, struct buf *calls)
{
	unsigned char bytes[8192];
	ssize_t n = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);

	for (ssize_t at = 0; at + 6 <= n;) {
		ssize_t len = bytes[at + 1] & 0x7f, head = len == 126 ? 4 : 2;

		if (head == 4)
			len = bytes[at + 2] << 8 | bytes[at + 3];
		for (ssize_t i = 0; i < len && at + head + 4 + i < n; i++)
			buf_addc(calls,
				 (char)(bytes[at + head + 4 + i] ^ bytes[at + head + i % 4]));
		buf_addc(calls, '\n');
		at += head + 4 + len;
	}
}

/* Record until the stream ends, or the recording ends by itself; then take what is left. */
static void record(struct fake *f, int chunk_ms, bool has_workers)
{
	struct recorder_options options = { .interval_us = 1000,
					    .chunk_ms = chunk_ms,
					    .has_workers = has_workers,
					    .on_chunk = count_chunk,
					    .on_note = take_note,
					    .ctx = f };
	struct target target = { .inspector = INSPECTOR_INIT };
	struct error err = ERROR_INIT;
	struct recorder *r;
	int ends[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	f->fd = ends[1];
	target.inspector.socket.connection.fd = ends[0];
	ck_assert_int_eq(pthread_create(&f->thread, NULL, send_all, f), 0);
	r = recorder_new(&target, &options);
	ck_assert_msg(recorder_begin(r, &err), "%s", err.text);
	f->news = recorder_run(r, connection_deadline(END_MS));
	f->is_whole = recorder_end(r, END_MS);
	recorder_free(r);
	read_calls(ends[1], &f->calls);
	inspector_close(&target.inspector);
	close(ends[1]);
	pthread_join(f->thread, NULL);
	buf_done(&f->stream);
}

static void done(struct fake *f)
{
	buf_done(&f->notes);
	buf_done(&f->calls);
}

static void begin(struct fake *f)
{
	*f = (struct fake){ 0 };
	for (int id = 2; id <= 6; id += 2)
		add_answer(f, id);
}

#define LONG_MS 1000000

START_TEST(a_chunk_of_more_than_8_mb_stops_the_recording)
{
	for (size_t more = 0; more < 2; more++) {
		struct fake f;

		begin(&f);
		add_finished(&f, RECORDER_CHUNK_MAX + more);
		record(&f, LONG_MS, false);
		ck_assert_uint_eq(f.n_chunks, 1);
		ck_assert_int_eq(f.news, more ? RECORDER_STOPPED : RECORDER_GONE);
		ck_assert(!strstr(buf_text(&f.notes), "recording stopped: a slice of 8 MB") ==
			  !more);
		done(&f);
	}
}
END_TEST

/* Answer the calls of a change, of which `id` is the first. The recording between the chunks ends
 * too early, or when it is told. */
static void add_change(struct fake *f, int id, bool is_early)
{
	struct buf stop = { 0 };

	add_message(f, STARTED);
	add_answer(f, id);
	if (is_early)
		add_finished(f, 0);
	buf_addf(&stop, "{\"id\":%d,\"result\":{\"profile\":%s}}}", id + 2, profile);
	add_message(f, buf_text(&stop));
	add_answer(f, id + 4);
	if (!is_early)
		add_finished(f, 0);
	add_answer(f, id + 6);
	buf_done(&stop);
}

START_TEST(at_a_change_two_chunks_and_the_time_between_them_come)
{
	struct fake f;

	begin(&f);
	add_change(&f, 8, false);
	add_change(&f, 16, false);
	record(&f, 0, false);
	ck_assert_uint_eq(f.n_chunks, 4);
	ck_assert_uint_eq(f.notes.len, 0);
	done(&f);
}
END_TEST

START_TEST(recordings_between_chunks_that_the_program_ends_are_counted)
{
	struct fake f;

	begin(&f);
	for (int i = 0; i < 10; i++)
		add_change(&f, 8 + 8 * i, true);
	record(&f, 0, false);
	ck_assert_uint_eq(f.n_chunks, 20);
	ck_assert_str_eq(buf_text(&f.notes),
			 "the program ended 10 recordings between slices by console.profileEnd(): "
			 "some milliseconds are missing each time\n");
	done(&f);
}
END_TEST

START_TEST(where_the_console_was_replaced_chunks_have_gaps)
{
	struct fake f;

	begin(&f);
	for (int id = 8; id <= 14; id += 2)
		add_answer(&f, id);
	record(&f, 0, false);
	ck_assert_ptr_nonnull(strstr(buf_text(&f.notes), "slices have gaps between them"));
	done(&f);
}
END_TEST

/* Node.js 18 and 20 would not survive some evaluations then. */
START_TEST(a_program_that_ends_gives_its_last_chunk_and_evaluates_nothing)
{
	struct buf last = { 0 };
	const char *change, *end;
	struct fake f;

	begin(&f);
	/* The calls of a change are not answered yet. */
	add_message(&f, "{\"method\":\"NodeRuntime.waitingForDisconnect\"}");
	add_change(&f, 8, false);
	buf_addf(&last, "{\"id\":16,\"result\":{\"profile\":%s}}}", profile);
	add_message(&f, buf_text(&last));
	record(&f, 0, false);
	ck_assert_int_eq(f.news, RECORDER_LEAVES);
	ck_assert(f.is_whole);
	ck_assert_uint_eq(f.n_chunks, 3);
	change = strstr(buf_text(&f.calls), "console.profileEnd");
	ck_assert_ptr_nonnull(change);
	end = strstr(change, "Profiler.stop");
	ck_assert_ptr_nonnull(end);
	ck_assert_ptr_null(strstr(end, "Runtime.evaluate"));
	ck_assert_ptr_null(strstr(end, "Profiler.disable"));
	buf_done(&last);
	done(&f);
}
END_TEST

START_TEST(a_worker_that_ends_early_is_told)
{
	struct fake f;

	begin(&f);
	add_answer(&f, 10);
	add_message(&f,
		    "{\"method\":\"NodeWorker.attachedToWorker\",\"params\":{\"sessionId\":\"w\","
		    "\"workerInfo\":{\"type\":\"worker\",\"title\":\"[worker 2] pool-1\"}}}");
	add_message(
		&f,
		"{\"method\":\"NodeWorker.detachedFromWorker\",\"params\":{\"sessionId\":\"w\"}}");
	record(&f, LONG_MS, true);
	ck_assert_ptr_nonnull(strstr(buf_text(&f.notes), "worker 2 (pool-1) ended 0."));
	done(&f);
}
END_TEST

/* ---- memory ---- */

static void put_resident(int kb)
{
	char path[400];
	FILE *file;

	snprintf(path, sizeof path, "%s/71", temp_folder);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%s/71/status", temp_folder);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fprintf(file, "Name:\tnode\nVmRSS:\t%d kB\n", kb);
	fclose(file);
	snprintf(path, sizeof path, "%s/71/stat", temp_folder);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs("71 (node) S 1 1 1 0 0 0 0 0 0 0 1 1 0 0 20 0 1 0 5 0\n", file);
	fclose(file);
}

#define SECOND NS_PER_S

START_TEST(growth_beyond_256_mb_is_too_much)
{
	struct process p = { .pid = 71, .resident_kb = 1000 };
	struct growth g;

	growth_begin(&g, temp_folder, &p, false, 0);
	put_resident(1000 + (int)GROWTH_MAX_KB);
	ck_assert_int_eq(growth_look(&g, SECOND), 0);
	put_resident(1001 + (int)GROWTH_MAX_KB);
	ck_assert_int_eq(growth_look(&g, SECOND + SECOND / 2), 0); /* too early to look */
	ck_assert_int_eq(growth_look(&g, 2 * SECOND), GROWTH_MAX_KB + 1);
}
END_TEST

START_TEST(heaps_grow_from_their_least)
{
	struct heap_growth h = { 0 };
	int64_t slot = 1000000, parts;

	/* The first look grows by nothing; then from the least of the last HEAP_SLOTS parts. */
	ck_assert_int_eq(heap_growth_count(&h, 500, slot, &parts), 0);
	ck_assert_int_eq(heap_growth_count(&h, 700, slot, &parts), 200);
	ck_assert_int_eq(heap_growth_count(&h, 400, slot + 1, &parts), 0);
	ck_assert_int_eq(heap_growth_count(&h, 700, slot + 2, &parts), 300);
	ck_assert_int_eq(heap_growth_count(&h, 650, slot + HEAP_SLOTS, &parts), 250);
	ck_assert_int_eq(parts, HEAP_SLOTS);
	ck_assert_int_eq(heap_growth_count(&h, 710, slot + HEAP_SLOTS + 1, &parts), 60);
	/* A gap in the looks, as of a process that was stopped. */
	ck_assert_int_eq(heap_growth_count(&h, 900, slot + 10 * HEAP_SLOTS, &parts), 0);
	/* After a profile it counts anew. */
	memset(h.least_kb, 0, sizeof h.least_kb);
	ck_assert_int_eq(heap_growth_count(&h, 2000, slot + 10 * HEAP_SLOTS, &parts), 0);
	ck_assert_int_eq(heap_growth_count(&h, 2100, slot + 10 * HEAP_SLOTS + 1, &parts), 0);
	ck_assert_int_eq(heap_growth_count(&h, 2150, slot + 10 * HEAP_SLOTS + 1, &parts), 50);
}
END_TEST

START_TEST(without_an_end_only_growth_within_a_minute_counts)
{
	struct process p = { .pid = 71, .resident_kb = 1000 };
	struct growth g;

	growth_begin(&g, temp_folder, &p, true, 0);
	for (int i = 1; i < 10; i++) {
		put_resident(1000 + i * 200000);
		ck_assert_int_eq(growth_look(&g, i * 61 * SECOND), 0);
	}
	put_resident(1000 + 9 * 200000 + (int)GROWTH_MAX_KB + 1);
	ck_assert_int_eq(growth_look(&g, 9 * 61 * SECOND + 2 * SECOND), GROWTH_MAX_KB + 1);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_checked_fixture(tc, temp_folder_make, temp_folder_remove);
	tcase_add_test(tc, a_chunk_of_more_than_8_mb_stops_the_recording);
	tcase_add_test(tc, at_a_change_two_chunks_and_the_time_between_them_come);
	tcase_add_test(tc, recordings_between_chunks_that_the_program_ends_are_counted);
	tcase_add_test(tc, where_the_console_was_replaced_chunks_have_gaps);
	tcase_add_test(tc, a_program_that_ends_gives_its_last_chunk_and_evaluates_nothing);
	tcase_add_test(tc, a_worker_that_ends_early_is_told);
	tcase_add_test(tc, growth_beyond_256_mb_is_too_much);
	tcase_add_test(tc, heaps_grow_from_their_least);
	tcase_add_test(tc, without_an_end_only_growth_within_a_minute_counts);
}

int main(void)
{
	return suite_run("recorder", add_tests);
}
