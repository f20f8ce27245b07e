/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events are known by their names. A processor with two kinds of cores counts an event of both
 * kinds as two (`cpu_core/cycles/P`, `cpu_atom/cycles/P`); they are one event here, `cycles/P`. The
 * event of id 0 has no name: `perf script -F` may leave it out. */
#include "config.h"

#include "read/perf/perf.h"

#include "base/alloc.h"
#include "base/units.h"

#include <string.h>

#define LIST_MOST 20u /* events that a list names */

/* Without the name of the kind of core. */
static struct str event_name(struct str event)
{
	static const char *const cores[] = { "cpu_core/", "cpu_atom/" };

	for (size_t i = 0; i < ARRAY_LEN(cores); i++) {
		size_t len = strlen(cores[i]);

		if (event.len > len && memcmp(event.p, cores[i], len) == 0)
			return (struct str){ event.p + len, event.len - len };
	}
	return event;
}

/* Whether an event has that name, with or without its modifiers: `cpu-clock:ppp`, `cycles/P`. */
static bool has_name(struct str event, struct str name)
{
	static const char modifiers[] = "ukhIGHpPSDWeb";
	size_t i = name.len;

	if (event.len < name.len || memcmp(event.p, name.p, name.len) != 0)
		return false;
	if (i < event.len && !(name.len && (event.p[i] == ':' || event.p[i] == '/')))
		return false;
	for (i++; i < event.len; i++)
		if (!memchr(modifiers, event.p[i], strlen(modifiers)))
			return false;
	return true;
}

static struct str event_text(const struct perf *r, str_id event)
{
	return (struct str){ intern_text(&r->events, event), intern_len(&r->events, event) };
}

bool perf_event_add(struct perf *r, struct str event)
{
	const char *wanted = builder_sample_type(r->b);
	str_id id;
	size_t had = r->cap_events;

	event = event_name(event);
	id = intern_add(&r->events, event.p, event.len);
	r->n_samples = xgrow(r->n_samples, &r->cap_events, r->events.n, sizeof *r->n_samples);
	if (r->cap_events > had)
		memset(r->n_samples + had, 0, (r->cap_events - had) * sizeof *r->n_samples);
	r->n_samples[id]++;
	if (!r->has_event &&
	    (!wanted || has_name(event, event_name((struct str){ wanted, strlen(wanted) })))) {
		r->has_event = true;
		r->event = id;
		r->is_count = perf_event_is_count(r);
	}
	return r->has_event && id == r->event;
}

/* Append the events but one, with their numbers of samples. but: SIZE_MAX: none. */
static void add_events(const struct perf *r, size_t but, struct buf *out)
{
	size_t n = 0;

	for (size_t i = 0; i < r->events.n; i++) {
		if (i == but || !r->n_samples || r->n_samples[i] == 0)
			continue;
		if (n++ == LIST_MOST) {
			buf_adds(out, " and others");
			return;
		}
		buf_addf(out, "%s%s (%llu)", n > 1 ? ", " : "",
			 i ? intern_text(&r->events, (str_id)i) : "samples without an event",
			 (unsigned long long)r->n_samples[i]);
	}
}

static void note_events(struct perf *r)
{
	struct buf others = { 0 };
	char time[UNITS_MAX];
	int64_t interval = perf_event_interval(r);

	if (r->is_count)
		builder_warn_text(r->b, WARN_OCCURRENCES, -1, intern_text(&r->events, r->event));
	if (interval) {
		units_time(interval, time);
		builder_input_note(r->b, false, "a sample for each %s of %s", time,
				   intern_text(&r->events, r->event));
	} else if (r->event) {
		builder_input_note(r->b, false, "samples of the event %s",
				   intern_text(&r->events, r->event));
	}
	add_events(r, r->event, &others);
	if (others.len)
		builder_input_note(r->b, true,
				   "samples of other events, for --sample-type, not shown: %s",
				   buf_text(&others));
	buf_done(&others);
}

bool perf_event_end(struct perf *r)
{
	struct buf events = { 0 };

	if (r->has_event) {
		note_events(r);
		return true;
	}
	add_events(r, SIZE_MAX, &events);
	if (events.len)
		error_set(r->err, ERR_FORMAT, -1, "no event %s; it has %s",
			  builder_sample_type(r->b), buf_text(&events));
	else
		error_set(r->err, ERR_FORMAT, -1, "the text has no samples of perf");
	buf_done(&events);
	return false;
}

/* A name that begins with `subsystem:` is that of a trace point; modifiers follow a colon, too. */
static bool is_trace_point(struct str event)
{
	const char *colon = memchr(event.p, ':', event.len);
	size_t n = colon ? (size_t)(colon - event.p) : 0;

	return n > 0 && n + 1 < event.len && !memchr(event.p, '/', n) &&
		!has_name(event, (struct str){ event.p, n });
}

bool perf_event_is_count(const struct perf *r)
{
	static const char *const counts[] = {
		"page-faults",      "faults",           "minor-faults",
		"major-faults",     "context-switches", "cs",
		"cpu-migrations",   "migrations",       "alignment-faults",
		"emulation-faults", "cgroup-switches",  "cache-references",
		"cache-misses",     "branches",         "branch-instructions",
		"branch-misses",    "branch-loads",     "branch-load-misses",
		"bpf-output"
	};
	static const char *const caches[] = { "L1-dcache-", "L1-icache-",   "LLC-",
					      "dTLB-",      "iTLB-",        "node-load",
					      "node-store", "node-prefetch" };
	struct str event = event_text(r, r->event);

	for (size_t i = 0; i < ARRAY_LEN(counts); i++)
		if (has_name(event, (struct str){ counts[i], strlen(counts[i]) }))
			return true;
	for (size_t i = 0; i < ARRAY_LEN(caches); i++)
		if (event.len > strlen(caches[i]) &&
		    memcmp(event.p, caches[i], strlen(caches[i])) == 0)
			return true;
	return is_trace_point(event);
}

int64_t perf_event_interval(const struct perf *r)
{
	static const char *const clocks[] = { "cpu-clock", "task-clock" };

	for (size_t i = 0; i < ARRAY_LEN(clocks); i++)
		if (has_name(event_text(r, r->event), (struct str){ clocks[i], strlen(clocks[i]) }))
			return r->period;
	return 0;
}
