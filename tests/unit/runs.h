/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile from runs: "30 main@/app/a.js:1>walk@/app/a.js:5|2 (idle)" is 30 samples of one stack,
 * one each millisecond, and 2 of another. A frame is NAME@URL:LINE or NAME@URL:LINE:COLUMN, or a
 * name alone, which is native; NAME@-:0 has a script, but no URL; `-` is an empty name. A run alone
 * is `-`: nothing is on the stack. Ticks, after ` #`, are for the leaf: "30 walk@/app/a.js:5
 * #7=20,8=3". */
#ifndef FLAMETTY_TESTS_RUNS_H
#define FLAMETTY_TESTS_RUNS_H

#include "story.h"

struct runs {
	struct buf nodes, samples;
	int n_nodes;
	const char *at;
};

/* `length` bytes at `text`: NAME, NAME@URL:LINE, NAME@URL:LINE:COLUMN. Without a column it is the
 * first one of line 1, and the third one of others. */
static inline void runs_frame(struct buf *out, const char *text, size_t length)
{
	char frame[200], *url, *line, *more;
	int column = -1;

	ck_assert_uint_lt(length, sizeof frame);
	memcpy(frame, text, length);
	frame[length] = '\0';
	url = strchr(frame, '@');
	line = url ? strrchr(url, ':') : NULL;
	ck_assert_msg(!url || line, "%s lacks a line", frame);
	for (more = line; more && more > url && more[-1] >= '0' && more[-1] <= '9';)
		more--;
	if (line && more < line && more[-1] == ':') {
		column = atoi(line + 1) - 1;
		*line = '\0';
		line = more - 1;
	} else if (line) {
		column = atoi(line + 1) > 1 ? 3 : 0;
	}
	if (url)
		*url++ = *line++ = '\0';
	buf_addf(out,
		 "'callFrame':{'functionName':'%s','scriptId':'%s','url':'%s','lineNumber':%d,"
		 "'columnNumber':%d}",
		 strcmp(frame, "-") == 0 ? "" : frame, url ? "9" : "0",
		 url && strcmp(url, "-") != 0 ? url : "", line ? atoi(line) - 1 : -1, column);
}

static inline void runs_ticks(struct runs *r)
{
	const char *mark = ",'positionTicks':[";

	while (*r->at && *r->at != '|') {
		char *end;
		long line = strtol(r->at, &end, 10), ticks = strtol(end + 1, &end, 10);

		buf_addf(&r->nodes, "%s{'line':%ld,'ticks':%ld}", mark, line, ticks);
		mark = ",";
		r->at = *end == ',' ? end + 1 : end;
	}
	buf_adds(&r->nodes, "]");
}

static inline void runs_one(struct runs *r)
{
	long count = strtol(r->at, (char **)&r->at, 10);
	int above = 1;

	ck_assert_msg(count > 0 && *r->at == ' ', "no count before %s", r->at);
	r->at++;
	if (*r->at == '-' && (r->at[1] == '|' || !r->at[1])) {
		r->at++;
	} else {
		do {
			size_t length;

			r->at += *r->at == '>';
			length = strcspn(r->at, ">|#");
			if (r->at[length] == '#')
				length--;
			buf_addf(&r->nodes, ",{'id':%d,'parent':%d,", ++r->n_nodes, above);
			runs_frame(&r->nodes, r->at, length);
			r->at += length;
			if (strncmp(r->at, " #", 2) == 0) {
				r->at += 2;
				runs_ticks(r);
			}
			buf_adds(&r->nodes, "}");
			above = r->n_nodes;
		} while (*r->at == '>');
	}
	for (; count > 0; count--)
		buf_addf(&r->samples, "%s%d", r->samples.len ? "," : "", above);
	r->at += *r->at == '|';
}

static inline struct profile *runs_load(const char *text)
{
	struct runs r = { .n_nodes = 1, .at = text };
	struct buf deltas = { 0 };
	struct profile *p;
	size_t n = 1;

	while (*r.at)
		runs_one(&r);
	for (const char *c = buf_text(&r.samples); *c; c++)
		n += *c == ',';
	for (size_t i = 0; i < n; i++)
		buf_adds(&deltas, i ? ",1000" : "0");
	buf_addf(&r.samples, "],'timeDeltas':[%s],'startTime':0,'endTime':%zu}", buf_text(&deltas),
		 n * 1000);
	buf_addf(&r.nodes, "],'samples':[%s", buf_text(&r.samples));
	buf_done(&deltas);
	buf_done(&r.samples);
	buf_add(&deltas, "{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'}}",
		strlen("{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'}}"));
	buf_add(&deltas, r.nodes.data, r.nodes.len);
	p = story_load(buf_text(&deltas));
	buf_done(&deltas);
	buf_done(&r.nodes);
	return p;
}

#endif
