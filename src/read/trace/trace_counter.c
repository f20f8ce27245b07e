/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters: each number among the args of a C event is a value of a series. A series that an
 * event leaves out is 0 from that event on. */
#include "config.h"

#include "read/trace/trace.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct counter_series {
	text_id name;
	uint64_t seen; /* number of the last event with a value of it */
};

struct trace_counter {
	int64_t pid;
	uint64_t id;
	text_id name;
	uint32_t counter;
	struct counter_series *series;
	size_t n, cap;
};

struct trace_counters {
	struct trace_counter *all;
	size_t n, cap, last;
	struct hash_table index; /* by process, name and id */
	uint64_t n_events;
};

void trace_counter_free(struct trace *t)
{
	struct trace_counters *cs = t->counters;

	if (!cs)
		return;
	for (size_t i = 0; i < cs->n; i++)
		free(cs->all[i].series);
	free(cs->all);
	hash_table_done(&cs->index);
	free(cs);
	t->counters = NULL;
}

/* An id is part of the counter's title. */
static uint32_t make_counter(struct trace *t, int64_t pid, text_id name, struct str id)
{
	const struct trace_text *text = trace_text_get(&t->texts, name);
	struct buf title = { 0 };
	uint32_t counter;

	buf_add(&title, text->p, text->len);
	if (id.len) {
		const struct trace_text *is = trace_text_get(
			&t->texts, trace_text_raw(&t->texts, id, memchr(id.p, '\\', id.len)));

		buf_addc(&title, ' ');
		buf_add(&title, is->p, is->len);
	}
	counter = track_builder_counter(t->b, pid, buf_text(&title), title.len);
	buf_done(&title);
	return counter;
}

/* No user can look at more counters. The rest is left out. */
#define COUNTERS_MOST 4096

/* NULL: there are too many. */
static struct trace_counter *counter_of(struct trace *t, int64_t pid, text_id name, uint64_t id,
					struct str id_text)
{
	struct trace_counters *cs = t->counters;
	uint64_t hash = trace_mix(trace_mix(hash_u64((uint64_t)pid), name), id);
	struct hash_probe probe = hash_probe(hash);

	if (!cs)
		cs = t->counters = xcalloc(1, sizeof *cs);
	while (hash_table_next(&cs->index, &probe)) {
		struct trace_counter *c = &cs->all[probe.index];

		if (c->pid == pid && c->name == name && c->id == id)
			return c;
	}
	if (cs->n == COUNTERS_MOST)
		return NULL;
	cs->all = xgrow(cs->all, &cs->cap, cs->n + 1, sizeof *cs->all);
	cs->all[cs->n] = (struct trace_counter){ .pid = pid,
						 .id = id,
						 .name = name,
						 .counter = make_counter(t, pid, name, id_text) };
	hash_table_add(&cs->index, hash, (uint32_t)cs->n);
	return &cs->all[cs->n++];
}

/* Each event costs time for all series, and a real counter has few. */
#define SERIES_MOST 256

static struct counter_series *series_of(struct trace_counter *c, text_id name)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->series[i].name == name)
			return &c->series[i];
	if (c->n >= SERIES_MOST)
		return NULL;
	c->series = xgrow(c->series, &c->cap, c->n + 1, sizeof *c->series);
	c->series[c->n] = (struct counter_series){ name, 0 };
	return &c->series[c->n++];
}

static bool value_of(struct str raw, double *value)
{
	char text[64];

	if (!json_number_is(raw.p, raw.len) || raw.len >= sizeof text)
		return false;
	memcpy(text, raw.p, raw.len);
	text[raw.len] = '\0';
	*value = strtod(text, NULL);
	return isfinite(*value);
}

static void add_value(struct trace *t, struct trace_counter *c, text_id name, int64_t ts,
		      double value)
{
	const struct trace_text *text = trace_text_get(&t->texts, name);

	track_builder_counter_value(t->b, c->counter, text->p, text->len, ts, value);
}

void trace_counter_event(struct trace *t, const struct trace_event *e)
{
	struct trace_counter *c = counter_of(t, e->pid, e->name, e->id, e->id_text);
	uint64_t now = ++t->counters->n_events;
	struct cursor args = cursor_of(e->args);
	bool is_first = true, has_value = false, has_warned = false;
	struct str key, raw;

	if (!c || cursor_peek(&args) != '{') {
		builder_warn_text(t->b, WARN_ODD_COUNTER, e->offset,
				  c ? "args are no object" : "too many counters");
		return;
	}
	args.p++;
	while (cursor_key(&args, &is_first, &key) && cursor_raw(&args, &raw)) {
		text_id name = trace_text_raw(&t->texts, key, memchr(key.p, '\\', key.len) != NULL);
		struct counter_series *s = NULL;
		double value;

		if (value_of(raw, &value))
			s = series_of(c, name);
		if (!s) {
			builder_warn(t->b, WARN_ODD_COUNTER, e->offset);
			has_warned = true;
			continue;
		}
		s->seen = now;
		has_value = true;
		add_value(t, c, name, e->ts, value);
	}
	if (args.why || args.is_cut)
		builder_warn_text(t->b, WARN_ODD_COUNTER, e->offset, "args are no valid JSON");
	else if (!has_value && !has_warned)
		builder_warn_text(t->b, WARN_ODD_COUNTER, e->offset, "args have no values");
	for (size_t i = 0; has_value && i < c->n; i++)
		if (c->series[i].seen != now)
			add_value(t, c, c->series[i].name, e->ts, 0);
}

bool trace_counter_update(struct trace *t, const struct trace_event *e)
{
	struct str data, key, raw;
	struct cursor args;
	bool is_first = true, has_value = false;

	if (!trace_event_find(t, e, e->args, "data", &data) || data.p[0] != '{') {
		trace_event_no_value(t, e);
		return false;
	}
	args = cursor_of(data);
	args.p++;
	/* Some values are bytes and some are counts, so each has a counter of its own. */
	while (cursor_key(&args, &is_first, &key) && cursor_raw(&args, &raw)) {
		static const struct str none = { NULL, 0 };
		text_id name = trace_text_raw(&t->texts, key, memchr(key.p, '\\', key.len) != NULL);
		struct trace_counter *c;
		double value;

		c = value_of(raw, &value) ? counter_of(t, e->pid, name, 0, none) : NULL;
		if (c)
			add_value(t, c, name, e->ts, value);
		else
			builder_warn(t->b, WARN_ODD_COUNTER, e->offset);
		has_value |= c != NULL;
	}
	if (args.why || args.is_cut)
		builder_warn_text(t->b, WARN_ODD_COUNTER, e->offset, "args are no valid JSON");
	return has_value;
}
