/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random profiles whose samples have labels. */
#ifndef FLAMETTY_TESTS_RANDOM_LABELS_H
#define FLAMETTY_TESTS_RANDOM_LABELS_H

#include "random_mix.h"
#include "suite.h"

#include "model/build/builder.h"

#include <stdio.h>

#define LABELLED_NODES 12
#define LABELLED_SAMPLES 400

static inline struct str text(const char *s)
{
	return (struct str){ s, strlen(s) };
}

static inline uint32_t random_set(struct builder *b, uint64_t n_spans)
{
	static const char *const endpoints[] = { "GET /x", "POST /x" };
	struct builder_label labels[2];
	char span[16];
	size_t n = 0;

	if (below(3))
		labels[n++] = (struct builder_label){ .key = text("endpoint"),
						      .value = text(endpoints[below(2)]) };
	snprintf(span, sizeof span, "%d", 3 + (int)below(n_spans));
	if (below(2))
		labels[n++] = (struct builder_label){ .key = text("span"), .value = text(span) };
	return builder_labels_set(b, labels, n);
}

/* A lane of samples whose labels change every few of them: an endpoint of two or none, a span of
 * n_spans or none. The root is `(root)`, which is no call. */
static inline struct profile *random_labels(int from, uint64_t n_spans)
{
	struct builder *b = builder_new(&(struct builder_options){ .is_raw = true });
	struct error err = ERROR_INIT;
	uint32_t set = 0, frames[4];

	set_seed(from);
	builder_input(b, "random");
	cpu_builder_begin(b);
	for (uint32_t i = 0; i < ARRAY_LEN(frames); i++)
		frames[i] = cpu_builder_frame(b,
					      &(struct cpu_frame){ i ? names[i] : "(root)",
								   i ? strlen(names[i]) : 6, "", 0,
								   "0", 1, 0, 1 });
	for (uint32_t i = 0; i < LABELLED_NODES; i++) {
		uint32_t node = cpu_builder_node(b, cpu_builder_slot(b, i + 1),
						 frames[i ? 1 + below(3) : 0], -1);

		if (i)
			cpu_builder_parent(b, node, cpu_builder_slot(b, 1 + (int64_t)below(i)));
	}
	cpu_builder_start_time(b, 0);
	for (int i = 0; i < LABELLED_SAMPLES; i++) {
		int64_t delta = 1 + (int64_t)below(50);
		uint32_t slot = cpu_builder_slot(b, 1 + (int64_t)below(LABELLED_NODES));

		if (i == 0 || below(3) == 0)
			set = random_set(b, n_spans);
		cpu_builder_label(b, set);
		cpu_builder_samples(b, &slot, 1);
		cpu_builder_deltas(b, &delta, 1);
	}
	ck_assert(cpu_builder_end(b, 1, 1, &err));
	return builder_finish(b, &err);
}

static inline const char *value_of(const struct profile *p, const struct lane *l, size_t i,
				   const char *key)
{
	for (uint32_t k = 0; k < p->labels.n_keys; k++)
		if (!strcmp(profile_text(p, p->labels.keys[k].name), key))
			return profile_text(p, labels_value(&p->labels, l->labels[i], k));
	return "";
}

#endif
