/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks so deep that quadratic work and memory show. */
#ifndef FLAMETTY_TESTS_RECURSION_H
#define FLAMETTY_TESTS_RECURSION_H

#include "story.h"

static inline struct profile *recursion_take(struct buf *text)
{
	struct profile *p = story_load(buf_text(text));

	buf_done(text);
	return p;
}

/* A function that calls itself; each level has one sample of a microsecond. */
static inline struct profile *recursion_load(int n_levels)
{
	struct buf text = { 0 };

	buf_adds(&text, "{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'children':[2]}");
	for (int i = 2; i < n_levels + 2; i++) {
		buf_addf(&text, ",{'id':%d,'callFrame':{'functionName':'a','url':'a.js'}", i);
		if (i < n_levels + 1)
			buf_addf(&text, ",'children':[%d]", i + 1);
		buf_addc(&text, '}');
	}
	buf_adds(&text, "],'startTime':0,'endTime':");
	buf_addf(&text, "%d,'samples':[2", n_levels);
	for (int i = 3; i < n_levels + 2; i++)
		buf_addf(&text, ",%d", i);
	buf_adds(&text, "],'timeDeltas':[0");
	for (int i = 3; i < n_levels + 2; i++)
		buf_adds(&text, ",1");
	buf_adds(&text, "]}");
	return recursion_take(&text);
}

/* Functions of which each calls the next one and f; f has a sample of a microsecond everywhere. The
 * first function is the root, so the k-th call of f has k callers, from 0 to n_levels - 1. */
static inline struct profile *recursion_load_shared(int n_levels)
{
	struct buf text = { 0 };

	for (int i = 0; i < n_levels; i++)
		buf_addf(&text, "%s{'id':%d,'callFrame':{'functionName':'c%d'},'children':[%d,%d]}",
			 i ? "," : "{'nodes':[", i + 1, i, n_levels + i + 1,
			 i + 1 < n_levels ? i + 2 : 2 * n_levels + 1);
	for (int i = 0; i <= n_levels; i++)
		buf_addf(&text, ",{'id':%d,'callFrame':{'functionName':'f'}}", n_levels + i + 1);
	buf_addf(&text, "],'startTime':0,'endTime':%d,'samples':[%d", n_levels, n_levels + 1);
	for (int i = 1; i < n_levels; i++)
		buf_addf(&text, ",%d", n_levels + i + 1);
	buf_adds(&text, "],'timeDeltas':[0");
	for (int i = 1; i < n_levels; i++)
		buf_adds(&text, ",1");
	buf_adds(&text, "]}");
	return recursion_take(&text);
}

/* Two stacks without a common call; n_samples samples of a microsecond are in them by turns. */
static inline struct profile *recursion_load_by_turns(int n_levels, int n_samples)
{
	struct buf text = { 0 };

	buf_addf(&text,
		 "{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'children':[2,%d]}",
		 n_levels + 2);
	for (int i = 0; i < 2 * n_levels; i++) {
		buf_addf(&text, ",{'id':%d,'callFrame':{'functionName':'%c%d'}", i + 2,
			 i < n_levels ? 'a' : 'b', i % 10);
		if ((i + 1) % n_levels)
			buf_addf(&text, ",'children':[%d]", i + 3);
		buf_addc(&text, '}');
	}
	buf_addf(&text, "],'startTime':0,'endTime':%d,'samples':[%d", n_samples, n_levels + 1);
	for (int i = 1; i < n_samples; i++)
		buf_addf(&text, ",%d", i % 2 ? 2 * n_levels + 1 : n_levels + 1);
	buf_adds(&text, "],'timeDeltas':[0");
	for (int i = 1; i < n_samples; i++)
		buf_adds(&text, ",1");
	buf_adds(&text, "]}");
	return recursion_take(&text);
}

#endif
