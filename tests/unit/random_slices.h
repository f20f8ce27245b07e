/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random slices of a thread that nest, overlap and overshoot, and the rule (formats(5), SLICES,
 * 4.4) written down as it stands, by brute force. */
#ifndef FLAMETTY_TESTS_RANDOM_SLICES_H
#define FLAMETTY_TESTS_RANDOM_SLICES_H

#include "trace_story.h"

#include "base/units.h"

#define MOST 14
#define NAMES_FEW 4 /* slices of one name overlap and nest */
#define STEP_NS 500

struct slice {
	int64_t t0, t1;
	int name, row;
	int parent;  /* the innermost open slice that contains it; -1: none */
	int caller;  /* that slice if it is the deepest open one; -1: it is not */
	int64_t cut; /* the end, cut to that of the caller */
	bool is_placed;
};

struct thread {
	struct slice list[MOST];
	int n;
	unsigned seed;
};

static inline unsigned below(struct thread *t, unsigned n)
{
	t->seed = t->seed * 1103515245u + 12345u;
	return (t->seed >> 16) % n;
}

/* Start ascending, end descending, as in the file. */
static inline bool is_before(const struct slice *a, const struct slice *b)
{
	return a->t0 != b->t0 ? a->t0 < b->t0 : a->t1 > b->t1;
}

static inline void sort(struct thread *t)
{
	for (int i = 1; i < t->n; i++)
		for (int k = i; k > 0 && is_before(&t->list[k], &t->list[k - 1]); k--) {
			struct slice s = t->list[k];

			t->list[k] = t->list[k - 1];
			t->list[k - 1] = s;
		}
}

static inline void place(struct thread *t)
{
	sort(t);
	for (int i = 0; i < t->n; i++) {
		struct slice *s = &t->list[i];

		int deepest = -1;

		s->row = 0;
		s->parent = s->caller = -1;
		s->cut = s->t1;
		for (int k = 0; k < i; k++) {
			const struct slice *o = &t->list[k];

			if (o->t1 <= s->t0)
				continue;
			if (o->row >= s->row) {
				s->row = o->row + 1;
				deepest = k;
			}
			if (s->t1 - o->t1 <= NS_PER_US &&
			    (s->parent < 0 || t->list[s->parent].row < o->row))
				s->parent = k;
		}
		if (s->parent >= 0 && s->parent == deepest && t->list[deepest].cut > s->t0) {
			s->caller = deepest;
			s->cut = s->t1 < t->list[deepest].cut ? s->t1 : t->list[deepest].cut;
		}
	}
}

static inline void make(struct thread *t, unsigned seed, bool has_recursion)
{
	*t = (struct thread){ .seed = seed };
	t->n = 2 + (int)below(t, MOST - 1);
	for (int i = 0; i < t->n; i++) {
		struct slice *s = &t->list[i];

		s->t0 = below(t, 40) * STEP_NS;
		s->t1 = s->t0 + (1 + below(t, below(t, 2) ? 8 : 40)) * STEP_NS;
		s->name = has_recursion ? (int)below(t, NAMES_FEW) : i;
	}
	/* The profile begins with it. */
	t->list[0].t0 = 0;
	place(t);
}

static inline struct profile *load_thread(const struct thread *t)
{
	struct buf text = { 0 };
	struct profile *p;

	/* In an order that is not that of time; slices of one time stay in theirs. */
	buf_addc(&text, '[');
	for (int odd = 1; odd >= 0; odd--)
		for (int i = 0; i < t->n; i++) {
			const struct slice *s = &t->list[i];

			if ((s->t0 / STEP_NS) % 2 != odd)
				continue;
			buf_addf(&text, "%s{'ph':'X','name':'%c','pid':1,'tid':1,'ts':%lld.%s",
				 text.len > 1 ? "," : "", 'a' + s->name, (long long)s->t0 / 1000,
				 s->t0 % 1000 ? "5" : "0");
			buf_addf(&text, ",'dur':%lld.%s}", (long long)(s->t1 - s->t0) / 1000,
				 (s->t1 - s->t0) % 1000 ? "5" : "0");
		}
	buf_addc(&text, ']');
	p = load(buf_text(&text));
	buf_done(&text);
	return p;
}

#endif
