/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests, by labels of samples as the profiler of Datadog writes them: samples of one `local root
 * span id`, or of one `span id` if they have no other, are a request, whose route is their `trace
 * endpoint`. A request lasts from its first sample to its last one, which is no longer than it was,
 * and its thread runs for it in its samples. Nothing says what it waited for. */
#include "config.h"

#include "read/pprof/pprof.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "model/build/track_builder.h"

#include <stdlib.h>

void pprof_request_label(struct pprof_span *span, struct str key, struct str value, uint64_t text)
{
	if (str_is(key, "trace endpoint"))
		span->endpoint = text;
	else if (str_is(key, "local root span id"))
		span->root = hash_bytes(value.p, value.len);
	else if (str_is(key, "span id"))
		span->own = hash_bytes(value.p, value.len);
}

static bool is_request(const struct pprof_span *span)
{
	return span->endpoint && (span->root || span->own);
}

static uint32_t find_request(struct pprof_requests *all, const struct pprof_span *span,
			     uint32_t thread)
{
	uint64_t key[] = { span->root ? span->root : span->own, span->endpoint, thread },
		 id = hash_bytes((const char *)key, sizeof key);
	struct hash_probe probe = hash_probe(id);

	while (hash_table_next(&all->index, &probe))
		if (all->list[probe.index].id == id)
			return probe.index;
	hash_table_add(&all->index, id, (uint32_t)all->n);
	*ARRAY_ADD(all->list, all->n,
		   all->cap) = (struct pprof_request){ .id = id,
						       .endpoint = span->endpoint,
						       .t0 = INT64_MAX,
						       .t1 = INT64_MIN };
	return (uint32_t)all->n - 1;
}

void pprof_request_sample(struct pprof_requests *all, const struct pprof_span *span,
			  uint32_t thread, int64_t t0, int64_t t1)
{
	struct served_run *last = all->n_runs ? &all->runs[all->n_runs - 1] : NULL;
	struct pprof_request *x;
	uint32_t request;

	if (!is_request(span))
		return;
	request = find_request(all, span, thread);
	x = &all->list[request];
	x->t0 = t0 < x->t0 ? t0 : x->t0;
	x->t1 = t1 > x->t1 ? t1 : x->t1;
	if (last && last->served == request && last->t1 == t0)
		last->t1 = t1;
	else
		*ARRAY_ADD(all->runs, all->n_runs,
			   all->cap_runs) = (struct served_run){ 0, request, t0, t1, -1 };
}

void pprof_request_thread(struct pprof_requests *all, int64_t pid, int64_t tid)
{
	for (; all->n_placed < all->n; all->n_placed++) {
		all->list[all->n_placed].pid = pid;
		all->list[all->n_placed].tid = tid;
	}
}

static bool is_before(const void *a, const void *b, const void *ctx)
{
	const struct pprof_request *list = ctx;

	return list[*(const uint32_t *)a].t0 < list[*(const uint32_t *)b].t0;
}

/* Add a request to the model, and its slice to the track of its process. The file has no event of
 * it: its number stands for the place of one. */
static uint32_t add_request(struct pprof *r, const struct pprof_request *x, uint32_t track,
			    uint32_t number)
{
	struct str route = pprof_tables_text(r, x->endpoint);

	track_builder_slice(
		r->b, track,
		&(struct track_slice){ .t0 = x->t0,
				       .t1 = x->t1,
				       .frame = track_builder_frame(r->b, route.p, route.len),
				       .group = number + 1,
				       .offset = number,
				       .end_offset = -1 });
	return track_builder_served(r->b,
				    &(struct served){
					    .pid = x->pid,
					    .tid = x->tid,
					    .t0 = x->t0,
					    .t1 = x->t1,
					    .offset = number,
					    .name = builder_input_text(r->b, route.p, route.len),
					    .is_sampled = true,
				    });
}

void pprof_request_end(struct pprof *r, struct pprof_requests *all, const struct pprof_span *spans,
		       size_t n_spans)
{
	ALLOC_LOCAL uint32_t *order = xcalloc(all->n + 1, sizeof *order);
	struct hash_table processes = { 0 }; /* a request of each */
	ALLOC_LOCAL uint32_t *served = xcalloc(all->n + 1, sizeof *served);

	for (uint32_t i = 0; i < all->n; i++)
		order[i] = i;
	sort_stable(order, all->n, sizeof *order, is_before, all->list);
	for (uint32_t i = 0; i < all->n; i++) {
		struct pprof_request *x = &all->list[order[i]];
		uint64_t hash = hash_u64((uint64_t)x->pid);
		struct hash_probe probe = hash_probe(hash);
		bool is_known = false;

		while (!is_known && hash_table_next(&processes, &probe))
			is_known = all->list[probe.index].pid == x->pid;
		if (is_known) {
			x->track = all->list[probe.index].track;
		} else {
			hash_table_add(&processes, hash, order[i]);
			x->track = track_builder_add(r->b, LANE_ASYNC, x->pid, LANE_NO_ID,
						     "Requests", 8);
			track_builder_serves(r->b, x->track, LANE_SERVED);
		}
		served[order[i]] = add_request(r, x, x->track, i);
	}
	hash_table_done(&processes);
	for (size_t i = 0; i < all->n_runs; i++) {
		all->runs[i].served = served[all->runs[i].served];
		track_builder_served_run(r->b, &all->runs[i]);
	}
	if (all->n)
		builder_input_note(
			r->b, true,
			"waits, true begin and end of %zu request%s: by the labels, each "
			"lasted at least from its first sample to its last",
			all->n, all->n == 1 ? "" : "s");
	while (n_spans > 0 && !is_request(&spans[n_spans - 1]))
		n_spans--;
	if (!all->n && n_spans > 0)
		builder_input_note(
			r->b, false,
			"labels name requests, which need times of samples "
			"(end_timestamp_ns); --group='label:trace endpoint' sums them up");
	free(all->list);
	free(all->runs);
	hash_table_done(&all->index);
}
