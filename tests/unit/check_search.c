/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Patterns; then searches over random profiles of several lanes, with recursion: what is
 * counted and in which order matches come is compared with a look at every sample and
 * every frame of its stack. A failure prints the seed, which is the number of the loop. */
#include "config.h"

#include "suite.h"

#include "analyse/cover.h"
#include "analyse/event_order.h"
#include "analyse/search.h"
#include "analyse/search_slices.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "model/build/builder.h"
#include "model/build/cpu_builder.h"
#include "story.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEEDS 1500
#define N_LANES 3

static uint64_t rng;

static uint64_t below(uint64_t n)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (rng >> 11) % n;
}

/* ---- patterns ---- */

START_TEST(patterns_match)
{
	static const struct {
		const char *pattern, *text;
		bool is_plain;
		int from, end; /* -1: no match */
	} cases[] = {
		{ "parse", "JSON.parse", false, 5, 10 },
		{ "parse", "parseJSON", false, 0, 5 },
		{ "parse", "ReParse", false, 2, 7 },   /* small letters match both */
		{ "Parse", "reparse", false, -1, -1 }, /* a capital is meant */
		{ "Parse", "reParse", false, 2, 7 },
		{ "\\S+arse", "PARSE", false, 0, 5 }, /* no capital: it stands behind a backslash */
		{ "\\p{Lu}x", "aXX", false, 1, 3 },
		{ "\\x{41}b", "AB", false, 0, 2 },
		{ "\303\244", "\303\204", false, 0, 2 }, /* umlauts have a case too */
		{ "\303\204", "\303\244", false, -1, -1 },
		{ "a.c", "abc", false, 0, 3 },
		{ "a.c", "abc", true, -1, -1 },
		{ "a.c", "xA.C", true, 1, 4 },
		{ "\\S", "a\\s", true, -1, -1 }, /* taken literally, S is a capital */
		{ "([", "f([])", true, 1, 3 },
		{ "^get|set$", "offset", false, 3, 6 },
		{ "\346\274\242.", "x\346\274\242\345\255\227", false, 1, 7 },
		{ "b",
		  "\xff\xfe"
		  "b",
		  false, 6, 6 },               /* no UTF-8: each byte is U+FFFD */
		{ "b", "b\303", false, 0, 1 }, /* nor is half a character at the end */
		{ "x*", "abc", false, 0, 0 },
		{ "(?=b)", "ab", false, 1, 1 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		struct pattern *p = pattern_new(cases[i].pattern, strlen(cases[i].pattern),
						cases[i].is_plain, &err);
		size_t from = 99, end = 99;
		bool has;

		ck_assert_msg(p != NULL, "%s: %s", cases[i].pattern, err.text);
		has = pattern_find(p, cases[i].text, strlen(cases[i].text), &from, &end);
		ck_assert_msg(has == (cases[i].from >= 0), "%s in %s", cases[i].pattern,
			      cases[i].text);
		if (has && (unsigned char)cases[i].text[0] != 0xff) {
			ck_assert_msg(from == (size_t)cases[i].from, "%s in %s", cases[i].pattern,
				      cases[i].text);
			ck_assert_msg(end == (size_t)cases[i].end, "%s in %s", cases[i].pattern,
				      cases[i].text);
		}
		ck_assert(end <= strlen(cases[i].text) || !has);
		ck_assert_uint_eq(pattern_failures(p), 0);
		pattern_free(p);
	}
}
END_TEST

START_TEST(bad_patterns_say_why)
{
	static const struct {
		const char *pattern;
		int64_t offset;
	} cases[] = { { "a(b", 3 },
		      { "[a", 2 },
		      { "*", 0 },
		      { "a)", 1 },
		      { "\\", 1 },
		      { "a{2,1}", 6 },
		      { "(?<n>a)(?<n>b)", 12 },
		      { "\xff", 0 } };

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;

		ck_assert_msg(pattern_new(cases[i].pattern, strlen(cases[i].pattern), false,
					  &err) == NULL,
			      "%s", cases[i].pattern);
		ck_assert_int_eq(err.kind, ERR_SYNTAX);
		ck_assert(err.text[0] != '\0');
		ck_assert_msg(llabs((long long)(err.offset - cases[i].offset)) <= 1,
			      "%s: at %" PRId64, cases[i].pattern, err.offset);
	}
}
END_TEST

/* A pattern that backtracks too much is given up, with a message. */
START_TEST(costly_patterns_end)
{
	static const char *const patterns[] = { "(a+)+$", "(a|aa)+$",         "(.*)*x$",
						"(a*)*b", "(?:a?){30}a{30}$", "(x+x+)+y" };
	char text[4000];

	memset(text, 'a', sizeof text - 2);
	memcpy(text + sizeof text - 2, "!", 2);
	for (size_t i = 0; i < ARRAY_LEN(patterns); i++) {
		struct error err = ERROR_INIT;
		struct pattern *p = pattern_new(patterns[i], strlen(patterns[i]), false, &err);
		int64_t began = clock_ns();

		ck_assert_ptr_nonnull(p);
		for (int k = 0; k < 10; k++)
			ck_assert(!pattern_find(p, text, strlen(text), NULL, NULL));
		ck_assert_msg(clock_ns() - began < 5 * INT64_C(1000000000), "%s", patterns[i]);
		pattern_free(p);
	}
}
END_TEST

/* ---- long texts, which are matched in pieces ---- */

#define LONG_BYTES 300000

static char *long_text;

static enum pattern_result look(const char *pattern, size_t len, size_t *n_looks)
{
	struct error err = ERROR_INIT;
	struct pattern *p = pattern_new(pattern, strlen(pattern), false, &err);
	enum pattern_result result;
	struct budget step;

	ck_assert_msg(p != NULL, "%s", err.text);
	*n_looks = 0;
	do {
		step = budget_steps(1, 1);
		result = pattern_look(p, long_text, len, &step);
		++*n_looks;
	} while (result == PATTERN_BUSY);
	ck_assert_uint_eq(pattern_failures(p), 0);
	pattern_free(p);
	return result;
}

/* Where a match begins and how far it goes does not matter, nor does what is around it. */
START_TEST(a_long_text_matches_as_a_whole)
{
	static const struct {
		const char *pattern;
		bool has;
	} cases[] = {
		{ "needle", true },
		{ "^x+needle", true },
		{ "needlex+$", true },
		{ "^x.*needle.*x$", true },
		{ "(?<=xxx)n(?=eed)", true },
		{ "(?<!x)n", false },
		{ "^needle", false },
		{ "needle$", false },
		{ "x$", true },
		{ "\\bx{200}", true },
		{ "\\bneedle", false },
		{ "needle.*needle", false },
		{ "z", false },
		{ "x\\z", true },
		{ "$", true },
		{ "y?$", true },
	};
	static const size_t places[] = { 1024,  2048,  32768,  33792,  65536,
					 66560, 98304, 131072, 163840, LONG_BYTES - 300 };

	long_text = xmalloc(LONG_BYTES);
	for (size_t k = 0; k < ARRAY_LEN(places) * 8; k++) {
		/* Around the ends of pieces, and of what they see. */
		size_t at = places[k / 8] + k % 8 - 7, n_looks;

		memset(long_text, 'x', LONG_BYTES);
		memcpy(long_text + at, "needle", 6);
		for (size_t i = 0; i < ARRAY_LEN(cases); i++)
			ck_assert_msg((look(cases[i].pattern, LONG_BYTES, &n_looks) ==
				       PATTERN_YES) == (cases[i].has),
				      "%s at %zu", cases[i].pattern, at);
	}
	free(long_text);
}
END_TEST

START_TEST(a_long_text_is_matched_in_steps)
{
	size_t n_looks;

	long_text = xmalloc(LONG_BYTES);
	memset(long_text, 'x', LONG_BYTES);
	ck_assert_int_eq(look("y[0-9]", LONG_BYTES, &n_looks), PATTERN_NO);
	ck_assert_uint_ge(n_looks, LONG_BYTES / 1024);
	ck_assert_int_eq(look("y[0-9]", 4000, &n_looks), PATTERN_NO);
	ck_assert_uint_eq(n_looks, 1);
	free(long_text);
}
END_TEST

/* Characters of several bytes at the ends of pieces, and bytes that are no characters. */
START_TEST(a_long_text_need_not_be_ascii)
{
	size_t n_looks;

	long_text = xmalloc(LONG_BYTES);
	for (size_t i = 0; i < LONG_BYTES; i++)
		long_text[i] = "\346\274\242"[i % 3];
	ck_assert_int_eq(look("\346\274\242$", LONG_BYTES, &n_looks), PATTERN_YES);
	ck_assert_int_eq(look("x", LONG_BYTES, &n_looks), PATTERN_NO);
	long_text[LONG_BYTES / 2] = '\xff';
	ck_assert_int_eq(look("\357\277\275", LONG_BYTES, &n_looks), PATTERN_YES);
	ck_assert_int_eq(look("x", LONG_BYTES, &n_looks), PATTERN_NO);
	free(long_text);
}
END_TEST

/* A match that would have to see too much is given up, and a costly one. */
START_TEST(a_long_text_is_given_up)
{
	static const char *const patterns[] = { "x.*y", "(x+x+)+y" };
	size_t len = (size_t)5 << 20;

	long_text = xmalloc(len);
	memset(long_text, 'x', len);
	for (size_t i = 0; i < ARRAY_LEN(patterns); i++) {
		struct error err = ERROR_INIT;
		struct pattern *p = pattern_new(patterns[i], strlen(patterns[i]), false, &err);
		size_t from, end;

		ck_assert_int_eq(pattern_look(p, long_text, len, BUDGET_UNLIMITED), PATTERN_NO);
		ck_assert_uint_eq(pattern_failures(p), 1);
		ck_assert(!pattern_find(p, long_text, len, &from, &end));
		ck_assert_uint_eq(pattern_failures(p), 2);
		/* A short text after it has all of the limits again. */
		ck_assert(pattern_find(p, "xxxxy", 5, &from, &end));
		ck_assert_uint_eq(end, 5);
		pattern_free(p);
	}
	free(long_text);
}
END_TEST

/* ---- random profiles ---- */

static void add_lane(struct builder *b, int lane, uint32_t n_nodes, uint32_t n_frames,
		     size_t n_samples)
{
	uint32_t frames[64], last = 1;
	struct error err = ERROR_INIT;
	int64_t most = 1 + (int64_t)below(4);

	cpu_builder_begin(b);
	for (uint32_t i = 0; i < n_frames; i++) {
		char name[16], url[24];
		int len = snprintf(name, sizeof name, "f%u", i),
		    url_len = snprintf(url, sizeof url, "file:///m%u.js", i % 5);

		frames[i] = cpu_builder_frame(
			b,
			&(struct cpu_frame){ i == 1 ? "(idle)" : name, i == 1 ? 6 : (size_t)len,
					     url, i == 1 ? 0 : (size_t)url_len, "1", 1, 1, 1 });
	}
	for (uint32_t i = 0; i < n_nodes; i++) {
		uint32_t node = cpu_builder_node(b, cpu_builder_slot(b, i + 1),
						 frames[below(n_frames)], -1);

		if (i)
			cpu_builder_parent(
				b, node, cpu_builder_slot(b, below(2) ? i : 1 + (int64_t)below(i)));
	}
	cpu_builder_start_time(b, 0);
	for (size_t i = 0; i < n_samples; i++) {
		int64_t delta = below(4) ? (int64_t)below((uint64_t)most + 1) : 0;
		uint32_t slot;

		if (i == 0 || below(3))
			last = 1 + (uint32_t)below(n_nodes);
		slot = cpu_builder_slot(b, last);
		cpu_builder_samples(b, &slot, 1);
		cpu_builder_deltas(b, &delta, 1);
	}
	ck_assert(cpu_builder_end(b, 1, lane, &err));
}

static struct profile *make(void)
{
	struct builder_options options = { .is_raw = true };
	struct builder *b = builder_new(&options);
	struct error err = ERROR_INIT;
	struct profile *p;

	builder_input(b, "random");
	for (int lane = 0; lane < N_LANES; lane++)
		add_lane(b, lane, 2 + (uint32_t)below(60), 2 + (uint32_t)below(20), 1 + below(400));
	p = builder_finish(b, &err);
	ck_assert_msg(p != NULL, "%s", err.text);
	return p;
}

/* ---- by looking at each sample ---- */

struct found {
	struct search_at list[20000];
	size_t n;
};

static int in_order(const void *a, const void *b)
{
	const struct search_at *x = a, *y = b;

	if (x->span.t0 != y->span.t0)
		return x->span.t0 < y->span.t0 ? -1 : 1;
	if (x->lane != y->lane)
		return x->lane < y->lane ? -1 : 1;
	if (x->span.first != y->span.first)
		return x->span.first < y->span.first ? -1 : 1;
	return x->span.depth - y->span.depth;
}

/* All matched spans with time, in order. */
static void find_all(const struct profile *p, const uint8_t *matches, const uint8_t *is_shown,
		     struct found *found)
{
	found->n = 0;
	for (uint32_t k = 0; k < p->n_lanes; k++) {
		const struct lane *l = &p->lanes[k];

		for (int depth = 0; is_shown[k] && depth < l->tree.max_rows; depth++) {
			struct span span;

			for (size_t i = 0;
			     i < l->samples.n && span_next(&l->samples, &l->tree, depth, i, &span);
			     i = span.end)
				if (matches[l->tree.frame[span.node]] && span.t1 > span.t0)
					found->list[found->n++] = (struct search_at){ k, span };
		}
	}
	qsort(found->list, found->n, sizeof found->list[0], in_order);
}

static bool is_matched(const struct profile *p, const struct lane *l, const uint8_t *matches,
		       node_id node)
{
	(void)p;
	for (; node != NODE_ROOT; node = l->tree.parent[node])
		if (matches[l->tree.frame[node]])
			return true;
	return false;
}

static void check_count(const struct profile *p, struct search *search, const struct found *all,
			int64_t t0, int64_t t1)
{
	static uint8_t seen[256];
	uint32_t lanes[N_LANES], n = 0;
	struct search_count count;
	uint64_t n_spans = 0;
	uint32_t n_functions = 0;
	int64_t ns = 0, sampled = 0;

	memset(seen, 0, sizeof seen);
	for (uint32_t k = 0; k < p->n_lanes; k++) {
		const struct samples *s = &p->lanes[k].samples;

		if (below(3) == 0)
			continue;
		lanes[n++] = k;
		for (size_t i = 0; i < s->n; i++) {
			int64_t from = samples_time(s, i) > t0 ? samples_time(s, i) : t0,
				end = samples_time(s, i + 1) < t1 ? samples_time(s, i + 1) : t1;

			if (end <= from || s->leaf[i] == NODE_ROOT)
				continue;
			sampled += end - from;
			ns += is_matched(p, &p->lanes[k], search->matches, s->leaf[i]) ? end - from
										       : 0;
		}
		for (size_t i = 0; i < all->n; i++) {
			const struct search_at *at = &all->list[i];
			frame_id f = p->lanes[k].tree.frame[at->lane == k ? at->span.node : 0];

			if (at->lane != k || at->span.t0 >= t1 || at->span.t1 <= t0)
				continue;
			n_spans++;
			n_functions += !seen[f];
			seen[f] = 1;
		}
	}
	search_count_init(&count, lanes, n, t0, t1);
	while (!search_count_step(&count, search, a_step()))
		;
	ck_assert_int_eq(count.ns, ns);
	ck_assert_int_eq(count.sampled_ns, sampled);
	ck_assert_uint_eq(count.n_functions, n_functions);
	ck_assert_msg(count.n_spans == n_spans,
		      "%" PRIu64 " spans, not %" PRIu64 ", [%" PRId64 ", %" PRId64 ")",
		      count.n_spans, n_spans, t0, t1);
	search_count_done(&count);
}

static void check_walk(struct search *search, const uint8_t *is_shown, const struct found *all)
{
	struct search_at at;
	bool has = search_next(search, is_shown, NULL, false, &at);

	for (size_t i = 0; i < all->n; i++) {
		ck_assert_msg(has, "%zu of %zu", i, all->n);
		ck_assert_msg(in_order(&at, &all->list[i]) == 0 &&
				      at.span.node == all->list[i].span.node &&
				      at.span.t1 == all->list[i].span.t1,
			      "%zu", i);
		has = search_next(search, is_shown, &at, false, &at);
	}
	ck_assert(!has);
	has = search_next(search, is_shown, NULL, true, &at);
	for (size_t i = all->n; i-- > 0;) {
		ck_assert_msg(has && in_order(&at, &all->list[i]) == 0, "back at %zu", i);
		has = search_next(search, is_shown, &at, true, &at);
	}
	ck_assert(!has);
	for (int64_t t = -1; all->n && t <= all->list[all->n - 1].span.t0 + 1;
	     t += 1 + (int64_t)below(50000)) {
		size_t i = 0;

		while (i < all->n && all->list[i].span.t0 < t)
			i++;
		has = search_from(search, is_shown, t, &at);
		ck_assert(has == (i < all->n) && (!has || in_order(&at, &all->list[i]) == 0));
	}
}

static void check_rows(const struct profile *p, struct search *search, const struct found *all,
		       int64_t t0, int64_t t1)
{
	for (uint32_t k = 0; k < p->n_lanes; k++) {
		struct match_rows *m = match_rows_new(search_lane(search, k));

		/* In steps, after a count that is left unfinished. */
		if (m) {
			ck_assert(!match_rows_has(m, t0, t1, 0));
			match_rows_make(m, t0 - 1, t1, a_step());
			while (!match_rows_make(m, t0, t1, a_step()))
				;
		}
		for (int depth = 0; m && depth < p->lanes[k].tree.max_rows; depth++) {
			bool has = false;

			for (size_t i = 0; i < all->n && !has; i++)
				has = all->list[i].lane == k && all->list[i].span.depth == depth &&
					all->list[i].span.t0 < t1 && all->list[i].span.t1 > t0;
			ck_assert(match_rows_has(m, t0, t1, depth) == has);
			ck_assert(match_rows_has(m, t0, t1, depth) == has);
		}
		match_rows_free(m);
	}
}

static void start(struct search *search, const struct profile *p)
{
	struct error err = ERROR_INIT;
	char text[32];

	if (below(4) == 0) {
		search_init_frame(search, p, 1 + (frame_id)below(p->frames.n - 1));
		return;
	}
	if (below(5) == 0)
		snprintf(text, sizeof text, "m%d\\.js", (int)below(5));
	else
		snprintf(text, sizeof text, "f%d$|f%d$", (int)below(20), (int)below(20));
	ck_assert(search_init(search, p, text, strlen(text), false, &err));
	while (!search_match(search, a_step()))
		;
}

START_TEST(counts_and_walks_agree_with_a_look_at_everything)
{
	static struct found all, shown;
	static const uint8_t every[N_LANES] = { 1, 1, 1 };

	for (int seed = 1; seed <= SEEDS; seed++) {
		struct search search;
		uint8_t is_shown[N_LANES];
		struct profile *p;

		rng = (uint64_t)seed * UINT64_C(0x9E3779B97F4A7C15);
		p = make();
		start(&search, p);
		for (int k = 0; k < N_LANES; k++)
			is_shown[k] = below(4) > 0;
		find_all(p, search.matches, every, &all);
		find_all(p, search.matches, is_shown, &shown);
		check_walk(&search, is_shown, &shown);
		for (int k = 0; k < 12; k++) {
			int64_t t0 = (int64_t)below((uint64_t)p->t1 + 1),
				t1 = t0 + 1 + (int64_t)below((uint64_t)(p->t1 - t0) + 1);

			if (k == 0) {
				t0 = 0;
				t1 = p->t1 > 0 ? p->t1 : 1;
			}
			check_count(p, &search, &all, t0, t1);
			check_rows(p, &search, &all, t0, t1);
		}
		search_done(&search);
		profile_free(p);
	}
}
END_TEST

START_TEST(a_costly_pattern_is_given_up)
{
	struct builder_options options = { .is_raw = true };
	struct builder *b = builder_new(&options);
	struct error err = ERROR_INIT;
	static const char pattern[] = "^(a+)+$";
	struct search search;
	struct profile *p;
	char name[200];
	int64_t began;
	uint32_t slot;

	builder_input(b, "costly");
	cpu_builder_begin(b);
	memset(name, 'a', sizeof name);
	for (uint32_t i = 0; i < 20000; i++) {
		int len = snprintf(name + 100, sizeof name - 100, "%u", i);

		cpu_builder_node(b, cpu_builder_slot(b, i + 1),
				 cpu_builder_frame(b,
						   &(struct cpu_frame){ name, 100 + (size_t)len, "",
									0, "1", 1, 1, 1 }),
				 -1);
		if (i)
			cpu_builder_parent(b, i, cpu_builder_slot(b, 1));
	}
	slot = cpu_builder_slot(b, 2);
	cpu_builder_samples(b, &slot, 1);
	ck_assert(cpu_builder_end(b, 1, 1, &err));
	p = builder_finish(b, &err);
	ck_assert_ptr_nonnull(p);
	ck_assert(search_init(&search, p, pattern, strlen(pattern), false, &err));
	began = clock_ns();
	while (!search_match(&search, a_step()))
		;
	ck_assert(search.is_costly && search.n_functions == 0);
	ck_assert(clock_ns() - began < 5 * INT64_C(1000000000));
	search_done(&search);
	profile_free(p);
}
END_TEST

/* Slices without time count, and those that end where the range begins do not. */
START_TEST(slices_are_counted)
{
	static const struct {
		int64_t t0, t1;
		uint64_t n;
		int64_t ns;
	} cases[] = {
		{ 0, 30000, 4, 20000 }, { 10000, 20000, 2, 10000 }, { 10001, 20000, 1, 9999 },
		{ 0, 10000, 1, 10000 }, { 20001, 30000, 0, 0 },     { 20000, 30000, 1, 0 },
	};
	struct profile *p = story_load(
		"{'traceEvents':[{'ph':'X','name':'a1','pid':1,'tid':1,'ts':0,'dur':10},"
		"{'ph':'X','name':'a2','pid':1,'tid':1,'ts':10,'dur':10},{'ph':'X','name':'a3','pid':1,'tid':1,'ts':10,'dur':0},"
		"{'ph':'X','name':'a4','pid':1,'tid':1,'ts':20,'dur':0},{'ph':'X','name':'b','pid':1,'tid':1,'ts':20,'dur':10}]}");
	struct error err = ERROR_INIT;
	struct search search;

	ck_assert(search_init(&search, p, "a", 1, false, &err));
	ck_assert(search_match(&search, BUDGET_UNLIMITED));
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct search_count count;
		uint32_t lane = 0;

		search_count_init(&count, &lane, 1, cases[i].t0, cases[i].t1);
		ck_assert(search_count_step(&count, &search, BUDGET_UNLIMITED));
		ck_assert_msg(count.n_spans == cases[i].n && count.ns == cases[i].ns,
			      "case %zu: %" PRIu64 " spans, %" PRId64 " ns", i, count.n_spans,
			      count.ns);
		search_count_done(&count);
	}
	search_done(&search);
	search_done(&search); /* of a search that is done: no effect */
	profile_free(p);
}
END_TEST

/* Hits are some slices; a match is each of them, and no other one. */
START_TEST(slices_match_by_themselves)
{
	uint8_t is_shown[64];

	memset(is_shown, 1, sizeof is_shown);
	for (int seed = 1; seed <= SEEDS; seed++) {
		struct buf text = { 0 };
		struct error err = ERROR_INIT;
		struct event_hits hits = { 0 };
		const struct lane *lane;
		struct search search;
		struct search_at at;
		struct event_at event;
		struct profile *p;
		size_t n = 0;

		rng = (uint64_t)seed * UINT64_C(0x9E3779B97F4A7C15);
		buf_adds(&text, "{'traceEvents':[");
		for (int i = 0, t = 0; i < 60; i++, t += (int)below(4))
			buf_addf(&text,
				 "%s{'ph':'X','name':'f%d','pid':1,'tid':1,'ts':%d,'dur':%d}",
				 i ? "," : "", (int)below(3), t, (int)below(12));
		buf_adds(&text, "]}");
		p = story_load(buf_text(&text));
		lane = &p->lanes[0];
		ck_assert_uint_le(p->n_lanes, sizeof is_shown);
		hits.at = xcalloc(lane->slices.n + 1, sizeof *hits.at);
		for (int64_t offset = 0; offset < (int64_t)text.len; offset++)
			for (size_t k = 0; k < lane->slices.n; k++)
				if (slice_offset(&lane->slices, k) == offset && below(3) == 0)
					hits.at[hits.n++] = EVENT_AT(0, offset);
		ck_assert(search_init(&search, p, "arg:x", 5, false, &err));
		ck_assert(!search_match(&search, BUDGET_UNLIMITED));
		search_slices_take(&search, &hits);
		while (!search_match(&search, a_step()))
			;
		for (bool has = search_next(&search, is_shown, NULL, false, &at); has;
		     has = search_next(&search, is_shown, &at, false, &at)) {
			if (at.lane)
				continue;
			n++;
			ck_assert(slice_is_hit(&lane->slices, slice_of_span(lane, &at.span), 0,
					       &hits));
			ck_assert(lane->tree.rows[at.span.node] == at.span.depth + 1);
		}
		ck_assert_uint_eq(n, hits.n);
		for (bool has = events_first(lane, 0, &event); has;
		     has = events_next(lane, &event)) {
			struct span span;

			ck_assert(events_span(lane, &event, &span));
			ck_assert(
				search_slices_has(&search, 0, &span) ==
				slice_is_hit(&lane->slices, slice_of_span(lane, &span), 0, &hits));
		}
		search_done(&search);
		profile_free(p);
		free(hits.at);
		buf_done(&text);
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "search", 120);

	tcase_add_test(tc, patterns_match);
	tcase_add_test(tc, bad_patterns_say_why);
	tcase_add_test(tc, costly_patterns_end);
	tcase_add_test(tc, a_long_text_matches_as_a_whole);
	tcase_add_test(tc, a_long_text_is_matched_in_steps);
	tcase_add_test(tc, a_long_text_need_not_be_ascii);
	tcase_add_test(tc, a_long_text_is_given_up);
	tcase_add_test(tc, counts_and_walks_agree_with_a_look_at_everything);
	tcase_add_test(tc, slices_are_counted);
	tcase_add_test(tc, slices_match_by_themselves);
	tcase_add_test(tc, a_costly_pattern_is_given_up);
}

int main(void)
{
	return suite_run("search", add_tests);
}
