/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A function that calls itself to a depth that makes quadratic work and memory show: each level has
 * one sample of a microsecond. */
#ifndef FLAMETTY_TESTS_RECURSION_H
#define FLAMETTY_TESTS_RECURSION_H

#include "story.h"

static inline struct profile *recursion_load(int n_levels)
{
	struct buf text = { 0 };
	struct profile *p;

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
	p = story_load(buf_text(&text));
	buf_done(&text);
	return p;
}

#endif
