/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Patterns for event categories on random traces whose slices have one of a few names and any list
 * of categories: each slice matches by its own categories, in searches, lists of events, and
 * transforms, which are compared with the same changes of the stack of each moment. */
#include "config.h"

#include "trace_story.h"
#include "view_of.h"

#include "analyse/event_order.h"
#include "analyse/scope.h"
#include "analyse/search.h"
#include "analyse/totals.h"
#include "base/units.h"

#define CASES 400
#define MOST 24 /* slices */
#define DEEP 6
#define UNITS 60 /* of time, of a microsecond each */
#define NAMES 4
#define FOLDED NAMES /* the name of what is folded */

static const char *const cats[] = {
	"", "v8", "blink", "v8,blink", "blink, v8.gc", "disabled-v8", "a,b,c",
};
static const char *const patterns[] = { "^v8$", "v8", "^blink", "b", "^(v8|c)$", "," };

/* For each pattern: which of the categories have a word that matches. */
static const char matches[][N(cats) + 1] = {
	"0101000", "0101110", "0011100", "0011111", "0101001", "0000000",
};

struct slice {
	int t0, t1, name, cat;
};

struct trace {
	struct slice list[MOST];
	int n;
	unsigned seed;
};

/* A frame of a stack: cat -1: what is folded. */
struct on_stack {
	int name, cat;
};

struct stack {
	struct on_stack list[DEEP];
	int n;
};

static unsigned below(struct trace *t, unsigned n)
{
	t->seed = t->seed * 1103515245u + 12345u;
	return (t->seed >> 16) % n;
}

/* Slices in [t0, t1), side by side, and inside of each others. */
static void fill(struct trace *t, int t0, int t1, int depth)
{
	while (t0 < t1 && t->n < MOST && depth < DEEP) {
		struct slice *s = &t->list[t->n];
		int from = t0 + (int)below(t, 4), end = from + 1 + (int)below(t, 30);

		if (from >= t1)
			return;
		end = end < t1 ? end : t1;
		*s = (struct slice){ from, end, (int)below(t, NAMES), (int)below(t, N(cats)) };
		t->n++;
		fill(t, from + (int)below(t, 3), end, depth + 1);
		t0 = end;
	}
}

static struct profile *load_trace(const struct trace *t)
{
	struct buf text = { 0 };
	struct profile *p;

	for (int i = 0; i < t->n; i++) {
		const struct slice *s = &t->list[i];

		buf_addf(&text, "%c{'ph':'X','name':'%c','pid':1,'tid':1,'ts':%d,'dur':%d",
			 i ? ',' : '[', 'a' + s->name, s->t0, s->t1 - s->t0);
		if (*cats[s->cat])
			buf_addf(&text, ",'cat':'%s'", cats[s->cat]);
		buf_addc(&text, '}');
	}
	buf_addc(&text, ']');
	p = load(buf_text(&text));
	buf_done(&text);
	return p;
}

static bool is_match(int pattern, int cat)
{
	return cat >= 0 && matches[pattern][cat] == '1';
}

/* ---- searches and lists ---- */

static int count(const struct trace *t, int pattern)
{
	int n = 0;

	for (int i = 0; i < t->n; i++)
		n += is_match(pattern, t->list[i].cat);
	return n;
}

static bool find_span(const struct trace *t, int pattern, const struct profile *p,
		      const struct lane *lane, const struct span *span)
{
	int64_t zero = t->list[0].t0;

	for (int i = 0; i < t->n; i++) {
		const struct slice *s = &t->list[i];
		const char *name = profile_text(p, profile_node_frame(p, lane, span->node)->name);

		if (is_match(pattern, s->cat) && name[0] == 'a' + s->name &&
		    span->t0 == (s->t0 - zero) * NS_PER_US &&
		    span->t1 == (s->t1 - zero) * NS_PER_US)
			return true;
	}
	return false;
}

static void check_search(const struct trace *t, const struct profile *p, int k, const char *text)
{
	struct error err = ERROR_INIT;
	struct search search;
	struct search_at at;
	uint8_t is_shown[2] = { 1, 1 }, has[NAMES] = { 0 };
	int n = 0;

	ck_assert(search_init(&search, p, text, strlen(text), false, &err));
	while (!search_match(&search, a_step()))
		;
	for (bool is = search_next(&search, is_shown, NULL, false, &at); is;
	     is = search_next(&search, is_shown, &at, false, &at), n++)
		ck_assert(find_span(t, k, p, &p->lanes[at.lane], &at.span));
	ck_assert_int_eq(n, count(t, k));
	for (int i = 0; i < t->n; i++)
		has[t->list[i].name] |= is_match(k, t->list[i].cat);
	for (frame_id f = 1; f < p->frames.n; f++)
		ck_assert_int_eq(search.matches[f],
				 has[profile_text(p, p->frames.frames[f].name)[0] - 'a']);
	search_done(&search);
}

static void check_list(const struct trace *t, const struct profile *p, int k,
		       const struct match_set *set)
{
	const struct event_query query = { .profile = p,
					   .lane = &p->lanes[0],
					   .t1 = p->t1 + 1,
					   .set = *set };
	struct event_order order = { 0 };
	struct span span;

	event_order_begin(&order, &query);
	while (!event_order_work(&order, BUDGET_UNLIMITED))
		;
	ck_assert_uint_eq(order.n, (size_t)count(t, k));
	for (size_t i = 0; i < order.n; i++) {
		event_order_span(&order, i, false, &span);
		ck_assert(find_span(t, k, p, &p->lanes[0], &span));
	}
	event_order_done(&order);
}

START_TEST(slice_matches_by_its_own_categories)
{
	for (unsigned seed = 1; seed <= SUITE_CASES(CASES); seed++) {
		struct trace t = { .seed = seed };
		struct profile *p;

		fill(&t, 0, UNITS, 0);
		p = load_trace(&t);
		for (int k = 0; k < (int)N(patterns); k++) {
			struct error err = ERROR_INIT;
			struct match_set set;
			char text[20];

			snprintf(text, sizeof text, "cat:%s", patterns[k]);
			check_search(&t, p, k, text);
			ck_assert(frame_set_match(p, text, &set, &err));
			check_list(&t, p, k, &set);
			match_set_done(&set);
		}
		profile_free(p);
	}
}
END_TEST

/* ---- transforms ---- */

static void cut(struct stack *s, int from, int end)
{
	for (int i = 0; i < end - from; i++)
		s->list[i] = s->list[from + i];
	s->n = end - from;
}

static int first_match(const struct stack *s, int k)
{
	int i = 0;

	while (i < s->n && !is_match(k, s->list[i].cat))
		i++;
	return i;
}

/* Matches go, or become frames of which those in a row are one. */
static void merge(struct stack *s, int k, bool folds)
{
	struct stack to = { .n = 0 };

	for (int i = 0; i < s->n; i++) {
		bool is = is_match(k, s->list[i].cat);

		if (is && !folds)
			continue;
		if (is)
			s->list[i] = (struct on_stack){ FOLDED, -1 };
		if (!folds || s->list[i].name != FOLDED || !to.n ||
		    to.list[to.n - 1].name != FOLDED)
			to.list[to.n++] = s->list[i];
	}
	*s = to;
}

/* A match is the nearest one of its name around it. */
static void recursion(struct stack *s, int k)
{
	struct stack to = { .n = 0 };

	for (int i = 0; i < s->n; i++) {
		int outer = to.n;

		while (outer > 0 && to.list[outer - 1].name != s->list[i].name)
			outer--;
		if (outer > 0 && is_match(k, s->list[i].cat))
			to.n = outer;
		else
			to.list[to.n++] = s->list[i];
	}
	*s = to;
}

static void change(struct stack *s, enum transform_kind kind, int k)
{
	int first = first_match(s, k);

	switch (kind) {
	case TRANSFORM_FOCUS:
		cut(s, first, s->n);
		break;
	case TRANSFORM_KEEP:
		cut(s, 0, first < s->n ? s->n : 0);
		break;
	case TRANSFORM_DROP:
		cut(s, 0, first < s->n ? 0 : s->n);
		break;
	case TRANSFORM_COLLAPSE:
		cut(s, 0, first < s->n ? first + 1 : s->n);
		break;
	case TRANSFORM_MERGE:
	case TRANSFORM_FOLD:
		merge(s, k, kind == TRANSFORM_FOLD);
		break;
	default:
		recursion(s, k);
		break;
	}
}

struct sums {
	int64_t self[NAMES + 1], total[NAMES + 1], dropped;
};

static void add_stack(struct sums *sums, const struct stack *s)
{
	for (int name = 0; name <= NAMES; name++)
		for (int i = 0; i < s->n; i++)
			if (s->list[i].name == name) {
				sums->total[name] += NS_PER_US;
				break;
			}
	if (s->n)
		sums->self[s->list[s->n - 1].name] += NS_PER_US;
	else
		sums->dropped += NS_PER_US;
}

static void sum(const struct trace *t, const enum transform_kind kinds[2], const int k[2],
		struct sums *sums)
{
	*sums = (struct sums){ .dropped = 0 };
	for (int at = 0; at < UNITS; at++) {
		struct stack s = { .n = 0 };

		/* Outer slices come first. */
		for (int i = 0; i < t->n; i++)
			if (t->list[i].t0 <= at && at < t->list[i].t1)
				s.list[s.n++] = (struct on_stack){ t->list[i].name,
								   t->list[i].cat };
		if (s.n == 0)
			continue;
		change(&s, kinds[0], k[0]);
		if (s.n)
			change(&s, kinds[1], k[1]);
		add_stack(sums, &s);
	}
}

static void check_sums(const struct sums *want, const struct totals *t, unsigned seed)
{
	struct sums have = { .dropped = t->dropped_ns };

	for (frame_id f = 1; f < t->n_frames; f++) {
		const char *text = profile_text(t->profile, t->view->frames[f].name);
		int name = text[1] ? FOLDED : text[0] - 'a';

		have.self[name] += t->frame_self[f];
		have.total[name] += t->frame_total[f];
	}
	for (int i = 0; i <= NAMES; i++)
		if (have.self[i] != want->self[i] || have.total[i] != want->total[i])
			ck_abort_msg("seed %u: %c has %lld and %lld, by the rule %lld and %lld",
				     seed, 'a' + i, (long long)have.self[i],
				     (long long)have.total[i], (long long)want->self[i],
				     (long long)want->total[i]);
	ck_assert_int_eq(have.dropped, want->dropped);
}

START_TEST(transform_takes_the_slices_that_match)
{
	for (unsigned seed = 1; seed <= SUITE_CASES(CASES); seed++) {
		struct trace t = { .seed = seed };
		enum transform_kind kinds[2];
		struct transform list[2];
		struct error err = ERROR_INIT;
		const struct lane *lane;
		struct totals totals;
		struct profile *p;
		struct sums want;
		struct view view;
		int k[2];

		fill(&t, 0, UNITS, 0);
		p = load_trace(&t);
		lane = &p->lanes[0];
		for (int i = 0; i < 2; i++) {
			char text[20];

			kinds[i] = (enum transform_kind)below(&t, TRANSFORM_COUNT);
			k[i] = (int)below(&t, N(patterns));
			snprintf(text, sizeof text, "cat:%s", patterns[k[i]]);
			list[i] = (struct transform){ .kind = kinds[i], .by = BY_SET };
			ck_assert(frame_set_match(p, text, &list[i].set, &err));
		}
		ck_assert(view_of(&view, p, &lane, 1, list, 2, GROUP_FUNCTION));
		totals_init(&totals, &view);
		totals_compute(&totals, 0, p->t1);
		sum(&t, kinds, k, &want);
		check_sums(&want, &totals, seed);
		totals_done(&totals);
		view_done(&view);
		for (int i = 0; i < 2; i++)
			match_set_done(&list[i].set);
		profile_free(p);
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "random", SUITE_SECONDS);

	tcase_add_test(t, slice_matches_by_its_own_categories);
	tcase_add_test(t, transform_takes_the_slices_that_match);
}

int main(void)
{
	return suite_run("match_set", add_tests);
}
