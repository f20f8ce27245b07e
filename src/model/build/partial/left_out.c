/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/build/partial/left_out.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/units.h"
#include "model/build/builder_state.h"

#include <stdlib.h>

/* Slices and samples of one input that were not kept. */
struct left_out {
	uint64_t n_slices, of_slices, n_samples, of_samples;
};

static void add_left(const struct builder *b, struct left_out *by_input)
{
	const struct profile *p = b->profile;

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];
		struct left_out *left = &by_input[lane->input];

		if (lane->kind == LANE_SAMPLES && lane->has_timeline) {
			left->of_samples += lane->n_samples;
			left->n_samples += lane->n_left;
		} else if (lane->kind == LANE_SLICES || lane->kind == LANE_MARKS) {
			left->of_slices += lane->n_spans;
			left->n_slices += lane->n_left;
		}
	}
}

static void warn(struct builder *b, uint32_t input, const struct left_out *left)
{
	char n[4][UNITS_MAX];
	struct buf text = { 0 };

	units_count(left->n_samples, n[0]);
	units_count(left->of_samples, n[1]);
	units_count(left->n_slices, n[2]);
	units_count(left->of_slices, n[3]);
	buf_adds(&text,
		 b->options.is_for_sums ? "because all lanes together are longer than 146 years, "
					: "because of --max-memory, ");
	if (left->n_samples)
		buf_addf(&text, "%s of %s samples", n[0], n[1]);
	if (left->n_slices)
		buf_addf(&text, "%s%s of %s slices", left->n_samples ? " and " : "", n[2], n[3]);
	buf_adds(&text,
		 " outside of --from, --to and --lane were not loaded; depths and counts of other "
		 "warnings are those of the loaded part");
	builder_warn_input(b, input,
			   &(struct warning){ .kind = WARN_SUBSET, .offset = -1, .count = 1 },
			   buf_text(&text));
	buf_done(&text);
}

void left_out_warn(struct builder *b)
{
	const struct profile *p = b->profile;
	struct left_out *by_input = xcalloc(p->n_inputs, sizeof *by_input);

	add_left(b, by_input);
	for (uint32_t i = 0; i < p->n_inputs; i++)
		if (by_input[i].n_samples || by_input[i].n_slices)
			warn(b, i, &by_input[i]);
	free(by_input);
}
