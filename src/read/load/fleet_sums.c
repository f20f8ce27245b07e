/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "read/load/fleet_sums.h"

#include "base/alloc.h"
#include "model/build/builder.h"
#include "model/build/cpu_builder.h"

/* Pass a group as a profile. Stacks without time are passed only if they call one that has some. */
static bool pass_group(const struct fleet *f, const struct fleet_group *g, struct builder *b,
		       struct error *err)
{
	static const struct cpu_value value = { .type = "cpu",
						.type_len = 3,
						.unit = "nanoseconds",
						.unit_len = 11,
						.is_sums = true };
	ALLOC_LOCAL uint32_t *frame = xcalloc(f->n_functions, sizeof *frame);
	ALLOC_LOCAL uint32_t *node = xcalloc(f->n_stacks, sizeof *node);
	ALLOC_LOCAL uint8_t *is_on = xcalloc(f->n_stacks, 1);

	for (size_t i = 0; i < g->n_selves; i++)
		for (uint32_t s = g->selves[i].stack; s && !is_on[s]; s = f->stack_parent[s])
			is_on[s] = 1;
	cpu_builder_begin(b);
	cpu_builder_form(b, CPU_AS_RECORDED);
	cpu_builder_value(b, &value);
	cpu_builder_node(b, cpu_builder_slot(b, 0), cpu_builder_named(b, "(root)", 6), -1);
	for (uint32_t s = 1; s < f->n_stacks; s++) {
		const struct fleet_function *fn = &f->functions[f->stack_function[s]];
		uint32_t *at = &frame[f->stack_function[s]];

		if (!is_on[s])
			continue;
		if (!*at)
			*at = 1 +
				cpu_builder_frame(
					b,
					&(struct cpu_frame){
						.name = intern_text(&f->strings, fn->name),
						.name_len = intern_len(&f->strings, fn->name),
						.url = intern_text(&f->strings, fn->file),
						.url_len = intern_len(&f->strings, fn->file),
						.script = "0",
						.script_len = 1,
						.line = fn->line - 1,
						.column = fn->column - 1 });
		node[s] = cpu_builder_node(b, cpu_builder_slot(b, s), *at - 1, -1);
		cpu_builder_parent(b, node[s], cpu_builder_slot(b, f->stack_parent[s]));
	}
	for (size_t i = 0; i < g->n_selves; i++) {
		cpu_builder_sum(b, node[g->selves[i].stack], g->selves[i].ns);
		cpu_builder_hits(b, node[g->selves[i].stack], g->selves[i].n_samples);
	}
	return cpu_builder_end(b, LANE_NO_ID, LANE_NO_ID, err);
}

struct profile *fleet_sums(const struct fleet *fleet, struct error *err)
{
	struct builder *b = builder_new(&(struct builder_options){ 0 });

	for (size_t i = 0; i < fleet->n_groups; i++) {
		const struct fleet_group *g = &fleet->groups[i];
		const struct builder_label labels[] = {
			{ .key = { "host", 4 },
			  .value = { intern_text(&fleet->strings, g->host),
				     intern_len(&fleet->strings, g->host) } },
			{ .key = { "version", 7 },
			  .value = { intern_text(&fleet->strings, g->version),
				     intern_len(&fleet->strings, g->version) } },
		};

		builder_input_argument(b, (uint32_t)i);
		builder_input_labels(b, labels, ARRAY_LEN(labels));
		builder_input(b, g->host ? intern_text(&fleet->strings, g->host) : "host");
		if (!pass_group(fleet, g, b, err)) {
			builder_free(b);
			return NULL;
		}
	}
	return builder_finish(b, err);
}
