/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For tests of the trace reader: a small document goes in, its story comes out: each lane on a
 * line, its spans by row and time in microseconds, "slices 1/1 a:1-9 | b:2-6\n". Documents are
 * written with ' for ". A letter behind a span: U unfinished, C closed by an outer slice, O
 * overlaps. */
#ifndef FLAMETTY_TESTS_TRACE_STORY_H
#define FLAMETTY_TESTS_TRACE_STORY_H

#include "load_text.h"
#include "suite.h"

#include "base/buf.h"
#include "model/profile.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Events, without the members that most tests do not need. */
#define EV(ph, name, ts, more) "{'ph':'" ph "','name':'" name "','pid':1,'tid':1,'ts':" #ts more "}"
#define X(name, ts, dur) EV("X", name, ts, ",'dur':" #dur)
#define B(name, ts) EV("B", name, ts, "")
#define E(name, ts) EV("E", name, ts, "")
#define AS(ph, name, ts, id) EV(ph, name, ts, ",'cat':'net','id':'" #id "'")
#define META(name, args, pid, tid)                                                                 \
	"{'ph':'M','name':'" name "','pid':" #pid ",'tid':" #tid ",'ts':0,'args':{" args "}}"
#define ON(pid, tid) "{'ph':'X','name':'x','pid':" #pid ",'tid':" #tid ",'ts':1,'dur':1}"
#define TIMING(ph, name, ts, more) EV(ph, name, ts, ",'cat':'blink.user_timing'" more)
#define PROFILE(id, tid, ts, more)                                                                 \
	"{'ph':'P','name':'Profile','id':'" id "','pid':1,'tid':" #tid ",'ts':" #ts                \
	",'args':{'data':{" more "}}}"
#define CHUNK(id, ts, data)                                                                        \
	"{'ph':'P','name':'ProfileChunk','id':'" id "','pid':1,'tid':88,'ts':" #ts                 \
	",'args':{'data':{" data "}}}"
#define NODES                                                                                                                                                                                                                             \
	"'nodes':[{'id':1,'callFrame':{'functionName':'(root)','scriptId':0,'codeType':'other'}},{'id':2,'parent':1,'callFrame':{'functionName':'a','scriptId':3,'url':'file:///w.js','lineNumber':2,'columnNumber':0,'codeType':'JS'}}," \
	"{'id':3,'parent':2,'callFrame':{'functionName':'b','scriptId':3,'url':'file:///w.js','lineNumber':4,'columnNumber':0}}]"
#define SAMPLES(s, d) "'cpuProfile':{" NODES ",'samples':[" s "]},'timeDeltas':[" d "]"

static inline struct profile *load_bytes(const char *text, size_t len, struct error *err)
{
	return load_text(text, len, SIZE_MAX, NULL, err);
}

static inline struct profile *load(const char *text)
{
	struct error err = ERROR_INIT;
	char *copy = quoted(text);
	struct profile *p = load_bytes(copy, strlen(copy), &err);

	free(copy);
	if (!p)
		ck_abort_msg("not loaded: %s in %.500s", err.text, text);
	return p;
}

static inline void add_us(struct buf *out, int64_t ns)
{
	buf_addf(out, "%lld", (long long)(ns / 1000));
	if (ns % 1000)
		buf_addf(out, ".%03d", abs((int)(ns % 1000)));
}

static inline void add_span(struct buf *out, const struct profile *p, const struct lane *l,
			    const struct span *s)
{
	static const char letters[] = "UCO";
	size_t slice = l->kind == LANE_SAMPLES ? SIZE_MAX : slice_of_span(l, s);

	buf_addf(out, " %s:", profile_text(p, profile_node_frame(p, l, s->node)->name));
	add_us(out, s->t0 + p->origin_ns);
	if (s->t1 > s->t0) {
		buf_addc(out, '-');
		add_us(out, s->t1 + p->origin_ns);
	}
	if (slice == SIZE_MAX)
		return;
	for (int i = 0; i < 3; i++)
		if (slice_flags(&l->slices, slice) & 1 << i)
			buf_addc(out, letters[i]);
}

/* The id of a process or thread; `-`: there is none. */
static inline void add_id(struct buf *out, int64_t id)
{
	if (id == LANE_NO_ID)
		buf_addc(out, '-');
	else
		buf_addf(out, "%lld", (long long)id);
}

static inline void add_lane(struct buf *out, const struct profile *p, const struct lane *l)
{
	buf_addf(out, "%s ", lane_name_kind(l->kind));
	add_id(out, l->pid);
	buf_addc(out, '/');
	add_id(out, l->tid);
	if (l->title)
		buf_addf(out, " [%s]", profile_text(p, l->title));
	if (l->is_folded)
		buf_adds(out, " folded");
	for (int depth = 0; depth < l->max_depth; depth++) {
		struct span s;

		if (depth)
			buf_adds(out, " |");
		for (size_t from = 0; span_next(&l->samples, &l->tree, depth, from, &s);
		     from = s.end)
			add_span(out, p, l, &s);
	}
	for (uint32_t i = 0; i < l->n_series; i++) {
		buf_addf(out, " %s", profile_text(p, l->series[i].name));
		for (size_t k = 0; k < l->series[i].n; k++) {
			buf_addc(out, k ? ',' : '=');
			buf_addf(out, "%g@", l->series[i].value[k]);
			add_us(out, l->series[i].t[k] + p->origin_ns);
		}
	}
	buf_addc(out, '\n');
}

static inline uint64_t count_of(const struct profile *p, const char *kind)
{
	for (size_t i = 0; i < p->inputs[0].n_warnings; i++)
		if (strcmp(warning_name(p->inputs[0].warnings[i].kind), kind) == 0)
			return p->inputs[0].warnings[i].count;
	return 0;
}

static inline void ck_profile_tells(const struct profile *p, const char *story)
{
	struct buf out = { 0 };

	for (uint32_t i = 0; i < p->n_lanes; i++)
		add_lane(&out, p, &p->lanes[i]);
	ck_assert_str_eq(buf_text(&out), story);
	buf_done(&out);
}

static inline void ck_tells(const char *text, const char *story)
{
	struct profile *p = load(text);

	ck_profile_tells(p, story);
	profile_free(p);
}

static inline void ck_warns(const char *text, const char *kind, uint64_t count)
{
	struct profile *p = load(text);

	ck_assert_msg(count_of(p, kind) == count, "%s: %llu, not %llu, in %s", kind,
		      (unsigned long long)count_of(p, kind), (unsigned long long)count, text);
	profile_free(p);
}

/* Exactly one input note contains `note`. is_loss: it names what is not shown. */
static inline void ck_notes(const char *text, bool is_loss, const char *note)
{
	struct profile *p = load(text);
	const struct input *in = &p->inputs[0];
	size_t n = 0;

	for (size_t i = 0; i < in->n_notes; i++)
		if (strstr(profile_text(p, in->notes[i].text), note)) {
			ck_assert_msg(in->notes[i].is_loss == is_loss, "\"%s\" of %s", note, text);
			n++;
		}
	ck_assert_msg(n == 1, "\"%s\" %zu times of %s", note, n, text);
	profile_free(p);
}

/* Add the tests of `add_rules` twice: one event after the other, and with threads. */
static inline void trace_suite(Suite *suite, void (*add_rules)(TCase *tc))
{
	TCase *alone = suite_case(suite, "rules", SUITE_SECONDS);
	TCase *ahead = suite_case(suite, "on threads", SUITE_SECONDS);

	add_rules(alone);
	tcase_add_checked_fixture(ahead, load_text_on_threads, NULL);
	add_rules(ahead);
}

#endif
