/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stack becomes a node at once. Values and labels are kept as they are: which of them count is
 * known when all texts are. A list of labels is stored once, however many samples have it. */
#include "config.h"

#include "read/pprof/pprof.h"

#include "base/alloc.h"
#include "model/build/cpu_builder.h"

#include <stdlib.h>
#include <string.h>

static void add_value(struct pprof *r, uint64_t value)
{
	r->values = xgrow(r->values, &r->cap_values, r->n_values + 1, sizeof *r->values);
	r->values[r->n_values++] = (int64_t)value;
}

static void add_id(struct pprof *r, size_t *n, uint64_t id)
{
	r->scratch = xgrow(r->scratch, &r->cap_scratch, *n + 1, sizeof *r->scratch);
	r->scratch[(*n)++] = id;
}

static void add_label(struct pprof *r, struct str bytes)
{
	uint32_t len = (uint32_t)bytes.len;

	buf_add(&r->label_scratch, (const char *)&len, sizeof len);
	buf_add(&r->label_scratch, bytes.p, bytes.len);
}

/* Read the members of a sample: locations to r->scratch, *n of them, values to r->values, labels to
 * r->label_scratch. Lists of numbers are packed, or a member for each number. */
static bool read_members(struct pprof *r, struct wire *w, size_t *n)
{
	enum { LOCATIONS = 1, VALUES, LABELS };
	struct wire_field f;

	while (wire_next(w, &f)) {
		struct wire list;
		uint64_t value;

		if (f.number == LABELS && f.type == WIRE_BYTES) {
			add_label(r, f.bytes);
		} else if (f.type == WIRE_NUMBER && f.number == LOCATIONS) {
			add_id(r, n, f.value);
		} else if (f.type == WIRE_NUMBER && f.number == VALUES) {
			add_value(r, f.value);
		} else if (f.type == WIRE_BYTES && (f.number == LOCATIONS || f.number == VALUES)) {
			wire_inner(&list, w, &f);
			while (wire_number(&list, &value))
				if (f.number == LOCATIONS)
					add_id(r, n, value);
				else
					add_value(r, value);
			if (list.wrong) {
				*w = list;
				return false;
			}
		}
	}
	return !w->wrong;
}

/* The node of the stack whose locations are in r->scratch, innermost first. */
static bool find_node(struct pprof *r, size_t n, uint32_t *node)
{
	*node = 0;
	while (n-- > 0) {
		uint32_t location = pprof_tables_location(&r->tables, r->scratch[n]);

		if (location == PPROF_NONE || r->stacks.n >= CPU_NODES_MAX)
			return error_set(r->err, ERR_LIMIT, -1, "more than %u nodes",
					 CPU_NODES_MAX);
		*node = node_map_child(&r->stacks, *node, location);
	}
	return true;
}

bool pprof_sample_add(struct pprof *r, struct wire *w)
{
	struct pprof_sample sample = { .first = r->n_values };
	size_t n = 0;

	buf_clear(&r->label_scratch);
	if (!read_members(r, w, &n) || !find_node(r, n, &sample.node))
		return false;
	if (r->n_samples >= UINT32_MAX)
		return error_set(r->err, ERR_LIMIT, -1, "more than %u samples", UINT32_MAX);
	sample.labels = intern_add(&r->labels, r->label_scratch.data, r->label_scratch.len);
	r->samples = xgrow(r->samples, &r->cap_samples, r->n_samples + 1, sizeof *r->samples);
	r->samples[r->n_samples++] = sample;
	return true;
}

size_t pprof_sample_count(const struct pprof *r, size_t sample)
{
	size_t end = sample + 1 < r->n_samples ? r->samples[sample + 1].first : r->n_values;

	return end - r->samples[sample].first;
}

int64_t pprof_sample_value(const struct pprof *r, size_t sample, size_t type)
{
	return type < pprof_sample_count(r, sample) ? r->values[r->samples[sample].first + type]
						    : 0;
}
