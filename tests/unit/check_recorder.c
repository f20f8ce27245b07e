/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recorder and a target that has sent all its messages before. Their order is that of the calls;
 * the numbers of the calls are even, from 2 on. */
#include "config.h"

#include "suite.h"
#include "temp_folder.h"

#include "base/alloc.h"
#include "base/units.h"
#include "remote/growth.h"
#include "remote/recorder.h"

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
	size_t n_slices;
	enum recorder_news news;
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
	"{\"method\":\"Profiler.consoleProfileStarted\",\"params\":{\"title\":\"flametty a\"}}"

/* The end of the first slice; its profile has `len` bytes. */
static void add_finished(struct fake *f, size_t len)
{
	static const char profile[] =
		"{\"nodes\":[{\"id\":1,\"callFrame\":{}}],\"startTime\":1,\"endTime\":9,"
		"\"samples\":[1],\"timeDeltas\":[1]";
	struct buf text = { 0 };

	buf_adds(&text, "{\"method\":\"Profiler.consoleProfileFinished\",\"params\":{\"profile\":");
	buf_adds(&text, profile);
	for (size_t i = sizeof profile; i < len; i++)
		buf_addc(&text, ' ');
	buf_adds(&text, "},\"title\":\"flametty a\"}}");
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

static void take_slice(void *ctx, const struct recorder_slice *slice)
{
	struct fake *f = ctx;

	f->n_slices++;
	ck_assert(slice->profile.len > 0);
}

static void take_note(void *ctx, const char *text)
{
	struct fake *f = ctx;

	buf_addf(&f->notes, "%s\n", text);
}

/* Record until the stream ends, or the recording ends by itself. */
static void record(struct fake *f, bool has_workers)
{
	struct recorder_options options = { .interval_us = 1000,
					    .slice_ms = 1000000,
					    .has_workers = has_workers,
					    .on_slice = take_slice,
					    .on_note = take_note,
					    .ctx = f };
	struct target target = { .inspector.socket.connection = CONNECTION_INIT };
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
	recorder_free(r);
	inspector_close(&target.inspector);
	close(ends[1]);
	pthread_join(f->thread, NULL);
	buf_done(&f->stream);
}

static void begin(struct fake *f)
{
	*f = (struct fake){ 0 };
	for (int id = 2; id <= 6; id += 2)
		add_answer(f, id);
}

START_TEST(a_slice_of_more_than_8_mb_stops_the_recording)
{
	for (size_t more = 0; more < 2; more++) {
		struct fake f;

		begin(&f);
		add_message(&f, STARTED);
		add_answer(&f, 8);
		add_finished(&f, RECORDER_SLICE_MOST + more);
		record(&f, false);
		ck_assert_uint_eq(f.n_slices, 1);
		ck_assert_int_eq(f.news, more ? RECORDER_STOPPED : RECORDER_GONE);
		ck_assert(!strstr(buf_text(&f.notes), "recording stopped: a slice of 8 MB") ==
			  !more);
		buf_done(&f.notes);
	}
}
END_TEST

START_TEST(slices_that_the_program_ends_are_begun_again_and_counted)
{
	struct fake f;

	begin(&f);
	for (int id = 8; id < 28; id += 2) {
		add_message(&f, STARTED);
		add_answer(&f, id);
		add_finished(&f, 0);
	}
	record(&f, false);
	ck_assert_uint_eq(f.n_slices, 10);
	ck_assert_str_eq(buf_text(&f.notes),
			 "the program ended 10 slices by console.profileEnd(): begun again, some "
			 "milliseconds are missing each time\n");
	buf_done(&f.notes);
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
	record(&f, true);
	ck_assert_ptr_nonnull(strstr(buf_text(&f.notes), "worker 2 (pool-1) ended 0."));
	buf_done(&f.notes);
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
	put_resident(1000 + (int)GROWTH_MOST_KB);
	ck_assert_int_eq(growth_look(&g, SECOND), 0);
	put_resident(1001 + (int)GROWTH_MOST_KB);
	ck_assert_int_eq(growth_look(&g, SECOND + SECOND / 2), 0); /* too early to look */
	ck_assert_int_eq(growth_look(&g, 2 * SECOND), GROWTH_MOST_KB + 1);
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
	put_resident(1000 + 9 * 200000 + (int)GROWTH_MOST_KB + 1);
	ck_assert_int_eq(growth_look(&g, 9 * 61 * SECOND + 2 * SECOND), GROWTH_MOST_KB + 1);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_checked_fixture(tc, temp_folder_make, temp_folder_remove);
	tcase_add_test(tc, a_slice_of_more_than_8_mb_stops_the_recording);
	tcase_add_test(tc, slices_that_the_program_ends_are_begun_again_and_counted);
	tcase_add_test(tc, a_worker_that_ends_early_is_told);
	tcase_add_test(tc, growth_beyond_256_mb_is_too_much);
	tcase_add_test(tc, without_an_end_only_growth_within_a_minute_counts);
}

int main(void)
{
	return suite_run("recorder", add_tests);
}
