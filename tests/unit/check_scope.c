/* SPDX-License-Identifier: GPL-2.0-or-later */
/* No option loses time: self times, dropped time and time that was not sampled add up to the range,
 * for all combinations of options on random profiles. Spans and functions are compared with a count
 * over each sample. Failures print the seed. */
#include "config.h"

#include "model/build/track_builder.h"
#include "suite.h"

#include "analyse/functions.h"
#include "analyse/scope.h"
#include "analyse/totals.h"
#include "analyse/view/scoped.h"

#include "random_profile.h"
#include "story.h"

#define SEEDS 8
#define OPTIONS 8

static int seed;
static unsigned options;

/* Option k of OPTIONS, as the command line gives it. */
static void add_option(struct scope *s, const struct profile *p, int k)
{
	static const struct {
		enum transform_kind kind;
		const char *pattern;
	} row[OPTIONS] = {
		{ TRANSFORM_FOCUS, "f[0-5]" },      { TRANSFORM_KEEP, "f|idle" },
		{ TRANSFORM_DROP, "f6|stat" },      { TRANSFORM_MERGE, "main\\.js$" },
		{ TRANSFORM_COLLAPSE, "left-pad" }, { TRANSFORM_DROP, NULL },
		{ TRANSFORM_FOLD, NULL },           { TRANSFORM_RECURSION, NULL },
	};
	struct error err = ERROR_INIT;

	ck_assert_msg(scope_add(s, p, row[k].kind, row[k].pattern, &err), "%s", err.text);
}

static void make_scope(struct scope *s, const struct profile *p, unsigned bits,
		       enum view_group group)
{
	scope_all(s, p);
	for (int k = 0; k < OPTIONS; k++)
		if (bits >> k & 1)
			add_option(s, p, k);
	s->group = group;
	random_range(p, &s->t0, &s->t1);
}

/* ---- sums ---- */

static void check_lane_sum(const struct scoped *sc, const struct scope *s, const struct lane *lane)
{
	int64_t t0 = s->t0 > lane->t0 ? s->t0 : lane->t0, t1 = s->t1 < lane->t1 ? s->t1 : lane->t1,
		self = 0, unsampled = t1 > t0 ? t1 - t0 : 0;
	const struct lane *file = scoped_original(sc, lane);
	struct totals t;
	struct view v;

	for (size_t i = 0; i < file->samples.n; i++) {
		int64_t from = samples_time(&file->samples, i) > t0
			? samples_time(&file->samples, i)
			: t0,
			to = samples_time(&file->samples, i + 1) < t1
			? samples_time(&file->samples, i + 1)
			: t1;

		if (to > from && file->samples.leaf[i] != NODE_ROOT)
			unsampled -= to - from;
	}
	view_init(&v, sc->profile, &lane, 1);
	totals_init(&t, &v);
	totals_compute(&t, t0, t1);
	for (frame_id f = 0; f < t.n_frames; f++)
		self += t.frame_self[f];
	ck_assert_msg(self + unsampled + scoped_dropped(sc, lane, t0, t1) ==
			      (t1 > t0 ? t1 - t0 : 0),
		      "seed %d, options %x, group %d: self %lld", seed, options, (int)s->group,
		      (long long)self);
	totals_done(&t);
	view_done(&v);
}

static void view_of(const struct scope *scope, const struct profile *p, struct view *view)
{
	struct view_work *work = scope_view_begin(scope, p, view);

	ck_assert_ptr_nonnull(work);
	ck_assert(view_work(work, BUDGET_UNLIMITED));
	view_end(work);
}

/* The view of all lanes and the transformed profile have the same times. */
static void check_same(const struct scoped *sc, const struct scope *s)
{
	struct view v, w;
	struct totals a, b;
	struct totals_counts x, y;
	const struct lane *lanes[8];

	for (uint32_t i = 0; i < sc->profile->n_lanes; i++)
		lanes[i] = &sc->profile->lanes[i];
	view_of(s, sc->original, &v);
	view_init(&w, sc->profile, lanes, sc->profile->n_lanes);
	ck_assert_uint_eq(v.n_frames, w.n_frames);
	totals_init(&a, &v);
	totals_init(&b, &w);
	totals_compute(&a, s->t0, s->t1);
	totals_compute(&b, s->t0, s->t1);
	totals_counts(&a, &x);
	totals_counts(&b, &y);
	for (frame_id f = 0; f < v.n_frames; f++) {
		ck_assert_msg(a.frame_self[f] == b.frame_self[f] &&
				      a.frame_total[f] == b.frame_total[f] &&
				      x.spans[f] == y.spans[f],
			      "seed %d, options %x, group %d, frame %u", seed, options,
			      (int)s->group, (unsigned)f);
	}
	totals_counts_done(&x);
	totals_counts_done(&y);
	totals_done(&a);
	totals_done(&b);
	view_done(&v);
	view_done(&w);
}

START_TEST(nothing_is_lost)
{
	struct profile *p;

	seed = _i;
	p = random_profile(seed, 40, 60, 1 + seed % 3);
	for (options = 0; options < 1u << OPTIONS; options++) {
		for (enum view_group group = GROUP_FUNCTION; group < GROUP_COUNT; group++) {
			struct scope s;
			struct scoped sc;
			struct error err = ERROR_INIT;

			make_scope(&s, p, options, group);
			ck_assert(scoped_init(&sc, p, &s, &err));
			for (uint32_t i = 0; i < sc.profile->n_lanes; i++)
				check_lane_sum(&sc, &s, &sc.profile->lanes[i]);
			check_same(&sc, &s);
			story_sound(sc.profile);
			scoped_done(&sc);
			scope_done(&s);
		}
	}
	profile_free(p);
}
END_TEST

/* ---- functions by hand ---- */

#define ROWS_MAX 64

struct open_span {
	frame_id frame;
	node_id node;
	int64_t t0;
};

struct hand {
	struct function *list;
	struct open_span open[ROWS_MAX];
	int n_open;
};

static void hand_close(struct hand *h, int rows, int64_t t)
{
	while (h->n_open > rows) {
		const struct open_span *o = &h->open[--h->n_open];
		struct function *f = &h->list[o->frame];
		int64_t ns = t - o->t0;

		f->longest = f->n_spans == 0 || ns > f->longest ? ns : f->longest;
		f->shortest = f->n_spans == 0 || ns < f->shortest ? ns : f->shortest;
		f->n_spans++;
		f->spans_ns += ns;
	}
}

/* The stack of a node, outermost first; -1: dropped. */
static int stack_of(const struct view *v, node_id node, node_id *out)
{
	int n;

	if (node == VIEW_DROPPED)
		return -1;
	n = v->tree->rows[node];
	ck_assert_int_le(n, ROWS_MAX);
	for (int k = n; k-- > 0; node = v->tree->parent[node])
		out[k] = node;
	return n;
}

static void hand_sample(struct hand *h, const struct view *v, const node_id *stack, int n,
			int64_t t0, int64_t t1)
{
	for (int k = 0; k < n; k++) {
		frame_id f = v->tree->frame[stack[k]];
		bool is_first = true;

		for (int j = 0; j < k; j++)
			is_first &= v->tree->frame[stack[j]] != f;
		h->list[f].total += is_first ? t1 - t0 : 0;
	}
	if (n > 0)
		h->list[v->tree->frame[stack[n - 1]]].self += t1 - t0;
	for (int k = h->n_open; k < n; k++)
		h->open[h->n_open++] = (struct open_span){ v->tree->frame[stack[k]], stack[k], t0 };
}

/* The rows that stay open from sample i to i + 1 where these are of siblings with one frame. */
static int rows_kept(const struct view *v, uint32_t source, size_t i)
{
	const struct view_source *of = &v->sources[source];
	const struct lane *lane = of->lane;
	const struct samples *sm = &lane->samples;
	node_id both = calltree_common(&lane->tree, sm->leaf[i], sm->leaf[i + 1]), caller;

	if (samples_shared(sm, i) >= lane->tree.rows[both])
		return ROWS_MAX;
	if (!of->map)
		return samples_shared(sm, i);
	caller = of->place[calltree_ancestor(&lane->tree, both, samples_shared(sm, i))];
	return caller == VIEW_DROPPED ? 0 : v->tree->rows[caller];
}

/* Samples without length count only where the whole profile has no length. A span that such a
 * sample interrupts begins anew. Where samples go from one node of the file to a sibling with the
 * same frame, which check_cpu_rules and check_blocks_cover count by the nodes of the file, only
 * their callers stay open, also in a view with a tree of its own. */
static void hand_lane(struct hand *h, const struct view *v, uint32_t source, const struct scope *s)
{
	const struct samples *sm = &v->sources[source].lane->samples;
	node_id stack[ROWS_MAX];
	int64_t end = 0;

	h->n_open = 0;
	for (size_t i = 0; i < sm->n; i++) {
		int64_t t0 = samples_time(sm, i) > s->t0 ? samples_time(sm, i) : s->t0,
			t1 = samples_time(sm, i + 1) < s->t1 ? samples_time(sm, i + 1) : s->t1;
		int n = stack_of(v, view_node(v, source, sm->leaf[i]), stack), same = 0,
		    most = i ? rows_kept(v, source, i - 1) : ROWS_MAX;

		while (same < h->n_open && same < n && same < most &&
		       h->open[same].node == stack[same])
			same++;
		hand_close(h, same, end);
		if (t1 > t0 && n >= 0)
			hand_sample(h, v, stack, n, t0, t1);
		if (t1 > t0)
			end = t1;
	}
	hand_close(h, 0, end);
}

static void check_functions(const struct view *v, const struct scope *s)
{
	struct hand h = { .list = xcalloc(v->n_frames, sizeof *h.list) };
	struct functions f;

	functions_init(&f, v, s->t0, s->t1);
	for (uint32_t i = 0; i < v->n_sources; i++)
		hand_lane(&h, v, i, s);
	for (frame_id k = 0; k < v->n_frames; k++) {
		const struct function *a = &f.list[k], *b = &h.list[k];

		ck_assert_msg(a->self == b->self && a->total == b->total,
			      "seed %d, options %x, frame %u: self %lld, %lld; total %lld, %lld",
			      seed, options, (unsigned)k, (long long)a->self, (long long)b->self,
			      (long long)a->total, (long long)b->total);
		ck_assert_msg(a->n_spans == b->n_spans && a->longest == b->longest &&
				      a->shortest == b->shortest && a->spans_ns == b->spans_ns,
			      "seed %d, options %x, frame %u: %llu spans, %llu; longest %lld, %lld",
			      seed, options, (unsigned)k, (unsigned long long)a->n_spans,
			      (unsigned long long)b->n_spans, (long long)a->longest,
			      (long long)b->longest);
	}
	free(h.list);
	functions_done(&f);
}

/* The other two counts agree. */
static void check_totals(const struct view *v, const struct scope *s)
{
	struct functions f;
	struct totals t;
	struct totals_counts c;

	functions_init(&f, v, s->t0, s->t1);
	totals_init(&t, v);
	totals_compute(&t, s->t0, s->t1);
	totals_counts(&t, &c);
	ck_assert_int_eq(t.dropped_ns, f.dropped_ns);
	for (frame_id k = 1; k < v->n_frames; k++) {
		ck_assert_int_eq(t.frame_self[k], f.list[k].self);
		ck_assert_int_eq(t.frame_total[k], f.list[k].total);
		ck_assert_msg(c.spans[k] == f.list[k].n_spans,
			      "seed %d, options %x: %llu spans, %llu", seed, options,
			      (unsigned long long)c.spans[k],
			      (unsigned long long)f.list[k].n_spans);
		ck_assert(f.list[k].n_spans == 0 ||
			  (functions_mean(&f.list[k]) <= f.list[k].longest &&
			   functions_mean(&f.list[k]) >= f.list[k].shortest));
	}
	totals_counts_done(&c);
	totals_done(&t);
	functions_done(&f);
}

START_TEST(functions_by_hand)
{
	struct profile *p;

	seed = 100 + _i;
	p = random_profile(seed, 30, 80, 1 + seed % 2);
	for (int k = 0; k < 100; k++) {
		struct scope s;
		struct view v;

		options = k < 10 ? 0 : (unsigned)random_below(1u << OPTIONS);
		make_scope(&s, p, options,
			   k < 20 ? GROUP_FUNCTION : (enum view_group)random_below(GROUP_COUNT));
		view_of(&s, p, &v);
		check_functions(&v, &s);
		check_totals(&v, &s);
		view_done(&v);
		scope_done(&s);
	}
	profile_free(p);
}
END_TEST

/* ---- options ---- */

static struct profile *threads(void)
{
	struct builder *b = builder_new(&(struct builder_options){ 0 });
	struct error err = ERROR_INIT;

	builder_input(b, "threads.cpuprofile");
	random_seed(3);
	for (int64_t tid = 0; tid < 4; tid++)
		random_lane(b, tid, 5, 5);
	track_builder_name(b, 1, 1, "worker 1", 8);
	track_builder_name(b, 1, 2, "worker 2", 8);
	track_builder_name(b, 1, 3, "Compositor", 10);
	return builder_finish(b, &err);
}

/* The lanes that a selector names, as `0110`, or its error. */
static void select_is(const struct profile *p, const char *selector, const char *expect)
{
	struct error err = ERROR_INIT;
	struct scope s;
	struct buf out = { 0 };

	scope_all(&s, p);
	if (!scope_select(&s, p, selector, &err))
		buf_adds(&out, err.text);
	else
		for (uint32_t i = 0; i < p->n_lanes; i++)
			buf_addc(&out, !s.is_lane || s.is_lane[i] ? '1' : '0');
	ck_assert_msg(strcmp(buf_text(&out), expect) == 0, "%s: %s, not %s", selector,
		      buf_text(&out), expect);
	buf_done(&out);
	scope_done(&s);
}

START_TEST(selectors)
{
	struct profile *p = threads();

	ck_assert_uint_eq(p->n_lanes, 4);
	ck_assert_int_eq(p->lanes[0].tid, 0);
	select_is(p, "all", "1111");
	select_is(p, "main", "1000");
	select_is(p, "2", p->lanes[1].id == 2 ? "0100" : "");
	select_is(p, "1,4", "1001");
	select_is(p, "1:0", "1000");
	select_is(p, "1:9", "no lane '1:9'");
	select_is(p, "9", "no lane '9'");
	select_is(p, "main,missing", "no lane 'missing'");
	select_is(p, "", "1111");
	select_is(p, "threads", "1111");
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		char expect[5] = "0000";

		expect[i] = '1';
		select_is(p,
			  p->lanes[i].tid == 0 ? "main" : profile_text(p, p->lanes[i].thread_name),
			  expect);
	}
	profile_free(p);
}
END_TEST

static void set_is(const struct profile *p, const char *pattern, const char *name, bool expect)
{
	struct error err = ERROR_INIT;
	uint8_t *is = frame_set_find(p, p->frames.frames, p->frames.n, pattern, &err);
	bool has = false;

	ck_assert_msg(is != NULL, "%s", err.text);
	for (frame_id f = 1; f < p->frames.n; f++)
		has |= is[f] && strcmp(profile_text(p, p->frames.frames[f].name), name) == 0;
	ck_assert_msg(has == expect, "/%s/: %s", pattern, name);
	free(is);
}

START_TEST(patterns)
{
	struct profile *p = story_load(
		"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'children':[2,3]},"
		"{'id':2,'callFrame':{'functionName':'parseBody','url':'file:///a/node_modules/body/x.js'}},"
		"{'id':3,'callFrame':{'functionName':'write','url':'file:///a/Out.js'}}],"
		"'startTime':0,'endTime':9,'samples':[2,3],'timeDeltas':[0,4]}");
	struct error err = ERROR_INIT;

	set_is(p, "PARSEB", "parseBody", false);
	set_is(p, "parseb", "parseBody", true);
	set_is(p, "parseB", "parseBody", true);
	set_is(p, "^body$", "parseBody", true);
	set_is(p, "out\\.js", "write", true);
	set_is(p, "^w.*e$", "write", true);
	set_is(p, "parse|write", "write", true);
	set_is(p, "parse", "write", false);
	ck_assert(!frame_set_check("a(", &err));
	ck_assert_msg(strstr(err.text, "'a(' is no pattern") != NULL, "%s", err.text);
	ck_assert(frame_set_check("", &err));
	profile_free(p);
}
END_TEST

START_TEST(described)
{
	struct profile *p = random_profile(5, 10, 10, 1);
	struct error err = ERROR_INIT;
	struct buf out = { 0 };
	struct scope s;

	scope_all(&s, p);
	ck_assert(scope_is_plain(&s));
	scope_describe(&s, p, &out);
	ck_assert_str_eq(buf_text(&out), "");
	ck_assert(scope_add(&s, p, TRANSFORM_FOCUS, "f1\033", &err) &&
		  scope_add(&s, p, TRANSFORM_DROP, NULL, &err) &&
		  scope_add(&s, p, TRANSFORM_RECURSION, NULL, &err));
	s.group = GROUP_PACKAGE;
	s.filter = "x";
	ck_assert(!scope_is_plain(&s));
	scope_describe(&s, p, &out);
	ck_assert_str_eq(buf_text(&out),
			 "focus /f1^[/, drop idle, fold recursion, by package, rows with /x/");
	buf_done(&out);
	scope_done(&s);
	profile_free(p);
}
END_TEST

/* ---- many small lanes ---- */

#define LANES 300
#define SAMPLES 500
#define STEP 4096u /* units of work */

/* Each sample of the lanes is work at least once. */
START_TEST(calls_of_many_lanes_are_rebuilt_in_steps)
{
	struct profile *p = random_profile(1, 40, SAMPLES, LANES);
	struct transform drop = { .kind = TRANSFORM_DROP, .by = BY_FUNCTION, .id = 3 };
	const struct scope scope = { .t1 = p->t1, .transforms = &drop, .n_transforms = 1 };
	struct error err = ERROR_INIT;
	struct budget budget;
	struct scoped scoped;
	struct scoped_work *work = scoped_begin(&scoped, p, &scope, &err);
	unsigned n = 0;

	ck_assert_ptr_nonnull(work);
	do {
		budget = budget_steps(1, STEP);
		n++;
	} while (!scoped_work(work, &budget));
	scoped_end(work);
	ck_assert_uint_eq(scoped.profile->n_lanes, LANES);
	ck_assert_uint_gt(n, LANES * SAMPLES / STEP);
	scoped_done(&scoped);
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *sums = suite_case(suite, "sums", 120);
	TCase *words = suite_case(suite, "options", SUITE_SECONDS);

	tcase_add_test(sums, calls_of_many_lanes_are_rebuilt_in_steps);
	tcase_add_loop_test(sums, nothing_is_lost, 0, SUITE_CASES(SEEDS));
	tcase_add_loop_test(sums, functions_by_hand, 0, SUITE_CASES(40));
	tcase_add_test(words, selectors);
	tcase_add_test(words, patterns);
	tcase_add_test(words, described);
}

int main(void)
{
	return suite_run("scope", add_tests);
}
