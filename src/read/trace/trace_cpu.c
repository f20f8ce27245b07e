/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPU profiles in a trace. A process and an id identify a profile. A Profile event announces it,
 * with its thread and start time. ProfileChunk events of the sampler's thread bring its data, in
 * the order of the file. Either kind may come first. Chunks of several profiles alternate, so the
 * builder parks all profiles but the current one. Each profile has a cpu_reader for its call
 * frames.
 *
 * Chrome up to 57 put the whole profile into one CpuProfile event instead. */
#include "config.h"

#include "read/cpu/cpuprofile.h"
#include "read/trace/trace.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/sort.h"
#include <inttypes.h>
#include <stdio.h>

#include <stdlib.h>
#include <string.h>

struct cpu_profile {
	int64_t pid, tid;
	uint64_t id;
	bool is_announced, is_whole, has_samples;
	bool is_chosen;               /* see choose() */
	int64_t offset;               /* of its first event */
	int64_t start;                /* ns, the trace's clock */
	int64_t start_time, end_time; /* ns, the profile's own clock */
	bool has_start_time, has_end_time;
	text_id source;
	size_t n_nodes;
	struct cpu_raw *parked;
	struct cpu_reader reader;
};

struct stop {
	int64_t pid, tid, ts;
};

struct trace_cpu {
	struct cpu_profile **all;
	uint32_t n;
	size_t cap;
	struct hash_table index;     /* by pid and id: the latest of them */
	struct cpu_profile *current; /* the one in the builder; the others are parked */
	struct stop *stops;
	size_t n_stops, cap_stops;
	struct scan scan;         /* over the args of an event */
	struct cpu_reader shared; /* owns what the readers of all profiles use */
};

static struct trace_cpu *cpu_of(struct trace *t)
{
	if (!t->cpu) {
		t->cpu = xcalloc(1, sizeof *t->cpu);
		cpu_reader_init(&t->cpu->shared);
	}
	return t->cpu;
}

/* Free what the reader of a profile owns. The tree belongs to the shared one. */
static void end_reader(struct cpu_profile *p)
{
	p->reader.tree = NULL;
	cpu_reader_done(&p->reader);
	p->reader = (struct cpu_reader){ 0 };
}

static void free_cpu(struct trace *t)
{
	struct trace_cpu *cpu = t->cpu;

	if (!cpu)
		return;
	for (uint32_t i = 0; i < cpu->n; i++) {
		end_reader(cpu->all[i]);
		cpu_builder_parked_free(cpu->all[i]->parked);
		free(cpu->all[i]);
	}
	free(cpu->all);
	hash_table_done(&cpu->index);
	free(cpu->stops);
	scan_done(&cpu->scan);
	cpu_reader_done(&cpu->shared);
	free(cpu);
}

/* ---- finding ---- */

/* Find the latest profile of an id. probe: its place in the index; the hash is always set. */
static struct cpu_profile *find_entry(const struct trace_cpu *cpu, int64_t pid, uint64_t id,
				      struct hash_probe *probe)
{
	*probe = hash_probe(trace_mix(hash_u64((uint64_t)pid), id));
	while (hash_table_next(&cpu->index, probe))
		if (cpu->all[probe->index]->pid == pid && cpu->all[probe->index]->id == id)
			return cpu->all[probe->index];
	return NULL;
}

static struct cpu_profile *add_profile(struct trace *t, int64_t pid, uint64_t id, int64_t offset)
{
	struct trace_cpu *cpu = cpu_of(t);
	struct cpu_profile *p = xcalloc(1, sizeof *p);
	struct hash_probe probe;

	*p = (struct cpu_profile){ .pid = pid, .id = id, .offset = offset };
	p->reader = (struct cpu_reader){ .s = &cpu->scan,
					 .b = t->b,
					 .err = t->err,
					 .has_lines = true,
					 .tree = cpu->shared.tree };
	cpu->all = xgrow(cpu->all, &cpu->cap, (size_t)cpu->n + 1, sizeof *cpu->all);
	cpu->all[cpu->n] = p;
	if (find_entry(cpu, pid, id, &probe))
		hash_table_replace(&cpu->index, &probe, cpu->n);
	else
		hash_table_add(&cpu->index, probe.hash, cpu->n);
	cpu->n++;
	return p;
}

static struct cpu_profile *find_profile(struct trace *t, const struct trace_event *e)
{
	struct hash_probe probe;

	return find_entry(cpu_of(t), e->pid, e->id, &probe);
}

/* Make this profile the current one. */
static void switch_to(struct trace *t, struct cpu_profile *p)
{
	struct trace_cpu *cpu = cpu_of(t);

	if (cpu->current == p)
		return;
	if (cpu->current)
		cpu->current->parked = cpu_builder_park(t->b);
	cpu->current = p;
	if (p->parked)
		cpu_builder_resume(t->b, p->parked);
	else
		cpu_builder_begin(t->b);
	p->parked = NULL;
}

void trace_cpu_park(struct trace *t)
{
	if (!t->cpu || !t->cpu->current)
		return;
	t->cpu->current->parked = cpu_builder_park(t->b);
	t->cpu->current = NULL;
}

bool trace_cpu_parked(const struct trace *t, size_t i, struct cpu_raw **raw)
{
	if (!t->cpu || i >= t->cpu->n)
		return false;
	*raw = t->cpu->all[i]->parked;
	return true;
}

bool trace_cpu_call(struct trace *t, size_t sample, int64_t id, struct user_note *note)
{
	const char *name;

	trace_cpu_park(t);
	for (uint32_t i = 0; t->cpu && i < t->cpu->n; i++) {
		const struct cpu_profile *p = t->cpu->all[i];

		if (p->pid != note->pid || p->tid != note->tid || !p->parked ||
		    !cpu_builder_parked_call(t->b, p->parked, sample, id, &note->t, &note->depth,
					     &name))
			continue;
		note->t += p->has_start_time ? p->start_time : p->start;
		note->depth -= note->depth > 0;
		note->name = (char *)(uintptr_t)name;
		return true;
	}
	return false;
}

/* ---- events ---- */

static bool time_member(struct trace *t, const struct trace_event *e, struct str data,
			const char *name, int64_t *ns)
{
	enum number_kind kind;
	struct str raw;

	if (!trace_event_find(t, e, data, name, &raw))
		return false;
	if (raw.len > 1 && raw.p[0] == '"')
		raw = (struct str){ raw.p + 1, raw.len - 2 };
	return json_number_parse(raw.p, raw.len, 3, ns, &kind) && kind != NUMBER_HUGE &&
		-PROFILE_TIME_MAX < *ns && *ns < PROFILE_TIME_MAX;
}

static void announce(struct trace *t, const struct trace_event *e)
{
	struct cpu_profile *p = find_profile(t, e);
	struct str data = { NULL, 0 }, raw;

	if (p && p->is_announced) {
		if (e->ts <= p->start)
			return;
		builder_warn(t->b, WARN_SECOND_RECORDING, e->offset);
		p = NULL;
	}
	if (!p)
		p = add_profile(t, e->pid, e->id, e->offset);
	p->is_announced = true;
	p->tid = e->tid;
	p->start = e->ts;
	if (trace_event_find(t, e, e->args, "data", &data))
		p->has_start_time = time_member(t, e, data, "startTime", &p->start_time);
	if (!p->has_start_time)
		trace_event_no_value(t, e);
	if (trace_event_find(t, e, data, "source", &raw))
		p->source = trace_text_string(t, raw);
}

static bool read_end(struct cpu_reader *r, struct cpu_profile *p, bool is_start)
{
	enum number_kind kind;
	bool is_text;
	int64_t ns;

	if (!scan_number(r->s, 3, &ns, &kind, &is_text))
		return false;
	if (kind == NUMBER_NONE || kind == NUMBER_HUGE || ns > PROFILE_TIME_MAX ||
	    ns < -PROFILE_TIME_MAX)
		return true;
	*(is_start ? &p->start_time : &p->end_time) = ns;
	*(is_start ? &p->has_start_time : &p->has_end_time) = true;
	return true;
}

/* The length of the last sample, as write/export/export_trace.c writes it: a surplus delta,
 * which ends the last sample. */
static bool read_last_delta(struct cpu_reader *r)
{
	enum number_kind kind;
	bool is_text;
	int64_t ns;

	if (!scan_number(r->s, 3, &ns, &kind, &is_text))
		return false;
	if (kind != NUMBER_NONE && kind != NUMBER_HUGE && ns >= 0)
		cpu_builder_deltas(r->b, &ns, 1);
	return true;
}

/* Warn about a member that would be read if it were a list, or an object. */
static void warn_of_member(struct cpu_reader *r, struct str key, bool is_inner, int c)
{
	static const char *const lists[] = { "nodes", "samples", "timeDeltas", "lines", "columns" };
	char what[40];

	if (c == 'n')
		return;
	if (!is_inner && str_is(key, "cpuProfile"))
		builder_warn_text(r->b, WARN_CHUNK, scan_offset(r->s), "cpuProfile is no object");
	for (size_t i = is_inner ? 0 : 2; i < ARRAY_LEN(lists) && c != '['; i++) {
		if (!str_is(key, lists[i]))
			continue;
		snprintf(what, sizeof what, "%s is no list", lists[i]);
		builder_warn_text(r->b, WARN_CHUNK, scan_offset(r->s), what);
	}
}

/* Read the members of `data`, and of `cpuProfile` in it. *n counts the members that were used. */
static bool read_chunk_members(struct cpu_reader *r, struct cpu_profile *p, bool is_inner, int *n)
{
	bool is_first = true;
	struct str key;

	if (!scan_open(r->s, '{'))
		return false;
	while (scan_key(r->s, &is_first, &key)) {
		int c = scan_peek(r->s);
		bool ok;

		++*n;
		if (!is_inner && str_is(key, "cpuProfile") && c == '{') {
			ok = read_chunk_members(r, p, true, n);
		} else if (is_inner && str_is(key, "nodes") && c == '[') {
			ok = cpu_plain_read(r);
		} else if (is_inner && str_is(key, "samples") && c == '[') {
			ok = p->has_samples = cpu_numbers_samples(r);
		} else if (str_is(key, "timeDeltas") && c == '[') {
			ok = cpu_numbers_times(r, false);
		} else if ((str_is(key, "lines") || str_is(key, "columns")) && c == '[') {
			--*n; /* alone, they are no data */
			ok = cpu_numbers_lines(r, str_is(key, "columns"));
		} else if (str_is(key, "lastDelta")) {
			ok = read_last_delta(r);
		} else if (str_is(key, "endTime")) {
			ok = read_end(r, p, false);
		} else if (p->is_whole && str_is(key, "startTime")) {
			ok = read_end(r, p, true);
		} else {
			--*n;
			warn_of_member(r, key, is_inner, c);
			ok = scan_skip(r->s);
		}
		if (!ok)
			return false;
	}
	return r->err->kind == ERR_NONE;
}

static bool read_data(struct trace *t, struct cpu_profile *p, const struct trace_event *e)
{
	struct str data;
	int n = 0;

	if (!trace_event_find(t, e, e->args, "data", &data) || data.p[0] != '{') {
		return builder_warn_text(t->b, WARN_CHUNK, e->offset, "no data");
	}
	switch_to(t, p);
	scan_over(&t->cpu->scan, data.p, data.len, e->offset + (data.p - e->start), t->err);
	if (!read_chunk_members(&p->reader, p, false, &n))
		return false;
	cpu_numbers_pass_lines(&p->reader);
	if (n == 0)
		builder_warn_text(t->b, WARN_CHUNK, e->offset, "no data");
	p->n_nodes = cpu_builder_node_count(t->b);
	return true;
}

static bool add_chunk(struct trace *t, const struct trace_event *e)
{
	struct cpu_profile *p = find_profile(t, e);

	if (!p) {
		p = add_profile(t, e->pid, e->id, e->offset);
		p->tid = e->tid;
		p->start = e->ts;
	}
	return read_data(t, p, e);
}

static bool add_whole(struct trace *t, const struct trace_event *e)
{
	/* Make an id that no other profile has, from the offset of the event. */
	struct cpu_profile *p = add_profile(t, e->pid, trace_mix((uint64_t)e->offset, 1),
					    e->offset);

	p->tid = e->tid;
	p->start = e->ts;
	p->is_whole = p->is_announced = true;
	return read_data(t, p, e);
}

bool trace_cpu_event(struct trace *t, const struct trace_event *e)
{
	struct trace_cpu *cpu = cpu_of(t);

	switch (trace_text_get(&t->texts, e->name)->meaning) {
	case MEANS_PROFILE:
		announce(t, e);
		return true;
	case MEANS_CHUNK:
		return add_chunk(t, e);
	case MEANS_CPU_PROFILE:
		return add_whole(t, e);
	default:
		*ARRAY_ADD(cpu->stops, cpu->n_stops,
			   cpu->cap_stops) = (struct stop){ e->pid, e->tid, e->ts };
		return true;
	}
}

/* ---- at the end ---- */

SORT_BEFORE(stop_before, struct stop, SORT_BY_3(x->pid, y->pid, x->tid, y->tid, x->ts, y->ts) < 0)

/* The first stop of the thread after the start of a profile. The stops are sorted. */
static bool find_stop(const struct trace_cpu *cpu, const struct cpu_profile *p, int64_t *end)
{
	const struct stop start = { p->pid, p->tid, p->start };
	size_t at = sort_search(cpu->stops, cpu->n_stops, sizeof *cpu->stops, stop_before, &start);

	if (at == cpu->n_stops || cpu->stops[at].pid != p->pid || cpu->stops[at].tid != p->tid)
		return false;
	*end = cpu->stops[at].ts;
	return true;
}

static int preference(const struct trace *t, const struct cpu_profile *p)
{
	struct str source = trace_text_str(&t->texts, p->source);

	return str_is(source, "Internal") ? 2 : str_is(source, "Inspector") ? 1 : 0;
}

/* A thread, and the profile of it that is shown open and without a title: the first of those with
 * the highest preference. */
struct chosen {
	int64_t pid, tid;
	struct cpu_profile *profile;
};

/* Set is_chosen of one profile of each thread. */
static void choose(struct trace *t)
{
	struct trace_cpu *cpu = t->cpu;
	struct hash_table index = { 0 };
	ALLOC_LOCAL struct chosen *threads = xcalloc(cpu->n, sizeof *threads);
	uint32_t n = 0;

	for (uint32_t i = 0; i < cpu->n; i++) {
		struct cpu_profile *p = cpu->all[i];
		uint64_t hash = trace_mix(hash_u64((uint64_t)p->pid), (uint64_t)p->tid);
		struct hash_probe probe = hash_probe(hash);
		struct chosen *c = NULL;

		if (p->n_nodes == 0)
			continue;
		while (!c && hash_table_next(&index, &probe))
			if (threads[probe.index].pid == p->pid &&
			    threads[probe.index].tid == p->tid)
				c = &threads[probe.index];
		if (!c) {
			hash_table_add(&index, hash, n);
			threads[n++] = (struct chosen){ p->pid, p->tid, p };
		} else if (preference(t, p) > preference(t, c->profile)) {
			c->profile = p;
		}
	}
	for (uint32_t i = 0; i < n; i++)
		threads[i].profile->is_chosen = true;
	hash_table_done(&index);
}

static bool finish_profile(struct trace *t, struct cpu_profile *p)
{
	struct error own = ERROR_INIT;
	const struct trace_text *source = trace_text_get(&t->texts, p->source);
	char title[64];
	int64_t start, end = 0;

	if (p->n_nodes == 0) {
		char which[80];

		/* Tell of a profile that cannot be shown. A recording that began in the middle of a
		 * profile has its samples, but not the nodes that came before. */
		snprintf(which, sizeof which, "process %" PRId64 ", thread %" PRId64, p->pid,
			 p->tid);
		if (p->has_samples)
			builder_warn_text(t->b, WARN_NO_NODES, p->offset, which);
		else if (trace_may_note(t))
			builder_input_note(t->b, true, "a profile of %s has no samples; not drawn",
					   which);
		return true;
	}
	switch_to(t, p);
	t->cpu->current = NULL;
	if (!p->is_announced)
		builder_warn_text(t->b, WARN_CHUNK, p->offset, "no Profile");
	start = p->start;
	if (p->is_whole && p->has_start_time)
		start = p->start_time;
	cpu_builder_start_time(t->b, start);
	if (p->has_end_time)
		cpu_builder_end_time(t->b,
				     p->has_start_time ? start + (p->end_time - p->start_time)
						       : p->end_time);
	else if (find_stop(t->cpu, p, &end))
		cpu_builder_end_time(t->b, end);
	if (!p->is_chosen) {
		int len = snprintf(title, sizeof title, "%.40s",
				   source->len ? source->p : "another profile");

		cpu_builder_title(t->b, title, (size_t)len, true);
	}
	end_reader(p);
	if (cpu_builder_end(t->b, p->pid, p->tid, &own))
		return true;
	if (own.kind == ERR_FORMAT)
		return builder_warn_text(t->b, WARN_CHUNK, p->offset, own.text);
	*t->err = own;
	return false;
}

static void finish(struct trace *t)
{
	struct trace_cpu *cpu = t->cpu;

	if (!cpu)
		return;
	sort_stable(cpu->stops, cpu->n_stops, sizeof *cpu->stops, stop_before, NULL);
	choose(t);
	for (uint32_t i = 0; i < cpu->n && finish_profile(t, cpu->all[i]); i++)
		;
}

const struct trace_part trace_cpu_part = { finish, free_cpu };
