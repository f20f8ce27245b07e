/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A ring of chunks: any stretch of it is what one recording would have there, and it never holds
 * more than its limits allow. */
#include "config.h"

#include "suite.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/json/cursor.h"
#include "base/units.h"
#include "record/remote/join.c"
#include "record/remote/ring.c"

#include <stdlib.h>
#include <string.h>

#define NODES 40
#define SAMPLES 2000

/* Bytes that it uses, about. */
static size_t ring_bytes(const struct ring *r)
{
	return join_bytes(r->join);
}

/* A recording: a random tree, and which node was there when. */
struct recording {
	int parent[NODES];
	int sample[SAMPLES];
	int64_t us[SAMPLES];
};

static void make_recording(struct recording *r, unsigned seed)
{
	srandom(seed);
	r->parent[0] = -1;
	for (int i = 1; i < NODES; i++)
		r->parent[i] = (int)(random() % i);
	for (int i = 0; i < SAMPLES; i++) {
		r->sample[i] = (int)(random() % NODES);
		r->us[i] = (i > 0 ? r->us[i - 1] : 100000) + 1 + random() % 2000;
	}
}

/* The samples [from, to) as V8 would send them: only nodes that have samples, with new ids. tag: a
 * part of the names, so that chunks with different tags share no node. */
static void write_chunk(const struct recording *r, int from, int to, int tag, struct buf *out)
{
	int id[NODES] = { 0 }, n = 0;
	int64_t last = r->us[from] - 7;
	bool is_first = true;

	id[0] = 1;
	for (int i = from; i < to; i++)
		for (int k = r->sample[i]; k >= 0; k = r->parent[k])
			id[k] = 1;
	for (int i = 0; i < NODES; i++)
		id[i] = id[i] ? ++n + from : 0;
	buf_adds(out, "{\"nodes\":[");
	for (int i = 0; i < NODES; i++) {
		if (!id[i])
			continue;
		buf_addf(out,
			 "%s{\"id\":%d,\"callFrame\":{\"functionName\":\"f%d.%d\"},"
			 "\"positionTicks\":[{\"line\":%d,\"ticks\":1}]",
			 is_first ? "" : ",", id[i], i, i ? tag : 0, i + 1);
		is_first = false;
		if (i > 0)
			buf_addf(out, ",\"parent\":%d", id[r->parent[i]]);
		buf_addc(out, '}');
	}
	buf_addf(out, "],\"startTime\":%lld,\"endTime\":%lld,\"samples\":[", (long long)last,
		 (long long)r->us[to - 1] + 1);
	for (int i = from; i < to; i++)
		buf_addf(out, "%s%d", i > from ? "," : "", id[r->sample[i]]);
	buf_adds(out, "],\"timeDeltas\":[");
	for (int i = from; i < to; i++) {
		buf_addf(out, "%s%lld", i > from ? "," : "", (long long)(r->us[i] - last));
		last = r->us[i];
	}
	buf_adds(out, "]}");
}

static void add(struct ring *ring, const struct recording *r, int from, int to, int tag)
{
	struct error err = ERROR_INIT;
	struct buf out = { 0 };
	struct str text;

	write_chunk(r, from, to, tag, &out);
	text = (struct str){ out.data, out.len };
	for (int i = 0; i < CURSOR_PAD; i++)
		buf_addc(&out, ' ');
	text.p = out.data;
	ck_assert_msg(ring_add(ring, text, &err), "%s", err.text);
	buf_done(&out);
}

static void add_all(struct ring *ring, const struct recording *r)
{
	for (int at = 0; at < SAMPLES;) {
		int end = at + 1 + (int)(random() % 120);
		int from = at > 5 ? at - (int)(random() % 5) : at;

		add(ring, r, from, end < SAMPLES ? end : SAMPLES, 0);
		at = end;
	}
}

/* The number in the name of a node of make_recording(). */
static int number_of(const struct chunk_node *node)
{
	const char *name = strstr(node->frame.p, ":\"f");
	ck_assert_ptr_nonnull(name);
	return (int)strtol(name + 3, NULL, 10);
}

/* The stretch has exactly the samples of the recording, the first of which begins at t0. */
static void ck_stretch(const struct ring *ring, const struct recording *r, int64_t t0, int64_t t1)
{
	struct buf out = { 0 };
	struct chunk s = { 0 };
	int from = 0, to;
	size_t len;

	while (from + 1 < SAMPLES && r->us[from + 1] <= t0)
		from++;
	for (to = from; to < SAMPLES && r->us[to] < t1; to++)
		;
	ck_assert_int_eq(ring_write(ring, t0, t1, &out), from < to);
	if (from < to) {
		len = out.len;
		for (int i = 0; i < CURSOR_PAD; i++)
			buf_addc(&out, ' ');
		ck_assert(chunk_read(&s, (struct str){ out.data, len }));
		ck_assert_int_eq((int)s.n_samples, to - from);
		ck_assert_int_eq(s.end_us,
				 t1 < r->us[SAMPLES - 1] + 1 ? t1 : r->us[SAMPLES - 1] + 1);
		for (int i = from; i < to; i++) {
			const struct chunk_sample *sample = &s.samples[i - from];
			uint32_t node = sample->node;

			ck_assert_int_eq(sample->time_us,
					 i == from && r->us[i] < t0 ? t0 : r->us[i]);
			for (int k = r->sample[i]; k >= 0; k = r->parent[k]) {
				ck_assert_int_eq(number_of(&s.nodes[node]), k);
				node = s.nodes[node].parent;
			}
			ck_assert_uint_eq(node, CHUNK_NO_NODE);
		}
	}
	chunk_done(&s);
	buf_done(&out);
}

START_TEST(a_stretch_is_what_one_recording_has_there)
{
	for (int seed = 0; seed < SUITE_CASES(20); seed++) {
		struct ring *ring = ring_new((struct ring_limits){ 0 });
		struct recording r;

		make_recording(&r, (unsigned)seed);
		add_all(ring, &r);
		ck_assert_uint_eq(ring_samples(ring), SAMPLES);
		ck_assert_int_eq(ring_first_us(ring), r.us[0]);
		ck_assert_int_eq(ring_last_us(ring), r.us[SAMPLES - 1]);
		ck_stretch(ring, &r, r.us[0], r.us[SAMPLES - 1] + 1);
		for (int i = 0; i < 10; i++) {
			int64_t t0 = r.us[0] + random() % (r.us[SAMPLES - 1] - r.us[0]);

			ck_stretch(ring, &r, t0, t0 + 1 + random() % 100000);
			ck_stretch(ring, &r, r.us[100], r.us[200]);
		}
		ring_free(ring);
	}
}
END_TEST

/* A whole stretch has the samples of the same stretch, and begins and ends as it was asked for. */
START_TEST(a_whole_stretch_goes_beyond_what_there_is)
{
	static const int64_t beyond[] = { 0, 1, 70000 };

	for (size_t i = 0; i < ARRAY_LEN(beyond); i++) {
		struct ring *ring = ring_new((struct ring_limits){ 0 });
		struct buf part = { 0 }, whole = { 0 };
		struct chunk s = { 0 };
		struct recording r;
		int64_t t0, t1;
		size_t len;

		make_recording(&r, (unsigned)i);
		add_all(ring, &r);
		t0 = r.us[0] - beyond[i];
		t1 = r.us[SAMPLES - 1] + 1 + beyond[i];
		ck_assert(ring_write(ring, t0, t1, &part));
		ck_assert(ring_write_whole(ring, t0, t1, &whole));
		ck_assert_int_eq(strcmp(buf_text(&part), buf_text(&whole)) == 0, beyond[i] == 0);
		len = whole.len;
		for (int k = 0; k < CURSOR_PAD; k++)
			buf_addc(&whole, ' ');
		ck_assert(chunk_read(&s, (struct str){ whole.data, len }));
		ck_assert_int_eq((int)s.n_samples, SAMPLES);
		ck_assert_int_eq(s.start_us, t0);
		ck_assert_int_eq(s.end_us, t1);
		chunk_done(&s);
		/* Where there is no sample, nothing is written. */
		buf_clear(&whole);
		ck_assert(!ring_write_whole(ring, r.us[0] - 10, r.us[0] - 5, &whole));
		ck_assert_uint_eq(whole.len, 0);
		buf_done(&part);
		buf_done(&whole);
		ring_free(ring);
	}
}
END_TEST

/* What is dropped does not change what stays: nor does the tidying, which the many names cause. */
START_TEST(the_oldest_chunks_are_dropped)
{
	for (int seed = 0; seed < SUITE_CASES(20); seed++) {
		struct ring *ring = ring_new((struct ring_limits){ .us = 300000 });
		struct recording r;

		make_recording(&r, (unsigned)seed);
		for (int i = 0; i < 100; i++) {
			struct recording other;

			make_recording(&other, (unsigned)(seed + i + 1));
			for (int k = 0; k < SAMPLES; k++)
				other.us[k] -= 90000000 - 800000 * (int64_t)i;
			add(ring, &other, 0, 60, i);
		}
		add_all(ring, &r);
		ck_assert_int_ge(ring_first_us(ring), r.us[SAMPLES - 1] - 300000);
		/* At most one chunk less than there is room for. */
		ck_assert_int_le(ring_first_us(ring), r.us[SAMPLES - 1] - 300000 + 125 * 2000);
		ck_stretch(ring, &r, ring_first_us(ring), r.us[SAMPLES - 1] + 1);
		ck_stretch(ring, &r, r.us[SAMPLES - 1] - 50000, r.us[SAMPLES - 1] - 20000);
		ring_free(ring);
	}
}
END_TEST

/* A recording of hours, each chunk with functions of its own: neither chunks nor nodes nor texts
 * of what was dropped stay. */
static size_t most_bytes(struct ring *ring, const struct recording *r, int from, int to)
{
	size_t most = 0;

	for (int i = from; i < to; i++) {
		struct recording now = *r;

		for (int k = 0; k < SAMPLES; k++)
			now.us[k] += i * (int64_t)1000000;
		add(ring, &now, 0, 100, i + 1);
		if (ring_bytes(ring) > most)
			most = ring_bytes(ring);
	}
	return most;
}

START_TEST(memory_is_flat_after_thousands_of_chunks)
{
	struct ring *ring = ring_new((struct ring_limits){ .us = 60000000 });
	struct recording r;
	size_t early;

	make_recording(&r, 1);
	early = most_bytes(ring, &r, 0, 300);
	ck_assert_uint_le(most_bytes(ring, &r, 300, 4000), early + early / 10);
	ring_free(ring);
}
END_TEST

START_TEST(there_are_never_more_bytes_than_the_limit)
{
	size_t limit = 200000;
	struct ring *ring = ring_new((struct ring_limits){ .bytes = limit });
	struct recording r;

	make_recording(&r, 1);
	ck_assert_uint_le(most_bytes(ring, &r, 0, 1000), limit);
	ck_assert_uint_gt(ring_bytes(ring), limit / 2);
	ck_assert_uint_gt(ring_samples(ring), 1000);
	ring_free(ring);
}
END_TEST

START_TEST(the_last_chunk_stays_whatever_its_size)
{
	struct ring *ring = ring_new((struct ring_limits){ .us = 1, .bytes = 1 });
	struct recording r;

	make_recording(&r, 1);
	add_all(ring, &r);
	ck_assert_uint_gt(ring_samples(ring), 0);
	ck_assert_int_eq(ring_last_us(ring), r.us[SAMPLES - 1]);
	ring_free(ring);
}
END_TEST

START_TEST(what_is_no_profile_leaves_the_ring_as_it_was)
{
	static const char broken[] = "{\"nodes\":[{\"id\":1,\"callFrame\":{}}],\"startTime\":1,"
				     "\"samples\":[1],\"timeDeltas\":[x]}                ";
	struct ring *ring = ring_new((struct ring_limits){ 0 });
	struct error err = ERROR_INIT;
	struct recording r;
	struct buf out = { 0 };

	ck_assert(!ring_write(ring, 0, INT64_MAX, &out));
	ck_assert_uint_eq(ring_samples(ring), 0);
	ck_assert_int_eq(ring_first_us(ring), 0);
	make_recording(&r, 1);
	add_all(ring, &r);
	ck_assert(!ring_add(ring, (struct str){ broken, strlen(broken) - CURSOR_PAD }, &err));
	ck_stretch(ring, &r, r.us[0], r.us[SAMPLES - 1] + 1);
	ring_free(ring);
	buf_done(&out);
}
END_TEST

/* The texts from number `from` on; `next`: the number of the next one to come. */
static void ck_requests_from(const struct ring *ring, uint64_t from, const char *expect,
			     uint64_t next)
{
	struct buf out = { 0 };

	ck_assert_uint_eq(ring_requests(ring, from, &out), next);
	ck_assert_str_eq(buf_text(&out), expect);
	buf_done(&out);
}

/* Texts of requests go with the chunks of their time, and count as bytes. */
START_TEST(requests_are_dropped_as_chunks_are)
{
	struct ring *ring = ring_new((struct ring_limits){ .us = 5000000, .bytes = 400000 });
	struct recording r;
	char large[300000] = "";

	make_recording(&r, 1);
	ck_requests_from(ring, 0, "", 0);
	ring_add_requests(ring, (struct str){ "v1,a", 4 });
	ck_requests_from(ring, 0, "v1,a\n", 1);
	ck_requests_from(ring, 1, "", 1);
	most_bytes(ring, &r, 0, 4);
	ring_add_requests(ring, (struct str){ "k1", 2 });
	ck_requests_from(ring, 0, "v1,a\nk1\n", 2);
	ck_requests_from(ring, 1, "k1\n", 2);
	most_bytes(ring, &r, 4, 7);
	ck_requests_from(ring, 0, "k1\n", 2);
	ck_requests_from(ring, 2, "", 2);
	memset(large, 'x', sizeof large);
	for (int i = 7; i < 12; i++) {
		ring_add_requests(ring, (struct str){ large, sizeof large });
		most_bytes(ring, &r, i, i + 1);
		ck_assert_uint_le(ring_bytes(ring) + ring->text_bytes, 400000);
		ck_assert_uint_eq(ring->n_texts, i == 7 ? 2 : 1);
	}
	ring_free(ring);
}
END_TEST

START_TEST(times_have_a_wall_clock)
{
	int64_t now = clock_wall_ns(), of_now = ring_wall_ns(clock_ns() / NS_PER_US);

	ck_assert_int_lt(llabs(of_now - now), 60 * NS_PER_S);
	ck_assert_int_lt(
		llabs(ring_wall_ns(clock_ns() / NS_PER_US - 3600000000) + 3600 * NS_PER_S - now),
		60 * NS_PER_S);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_test(tc, a_stretch_is_what_one_recording_has_there);
	tcase_add_test(tc, a_whole_stretch_goes_beyond_what_there_is);
	tcase_add_test(tc, the_oldest_chunks_are_dropped);
	tcase_add_test(tc, memory_is_flat_after_thousands_of_chunks);
	tcase_add_test(tc, there_are_never_more_bytes_than_the_limit);
	tcase_add_test(tc, the_last_chunk_stays_whatever_its_size);
	tcase_add_test(tc, what_is_no_profile_leaves_the_ring_as_it_was);
	tcase_add_test(tc, requests_are_dropped_as_chunks_are);
	tcase_add_test(tc, times_have_a_wall_clock);
}

int main(void)
{
	return suite_run("ring", add_tests);
}
