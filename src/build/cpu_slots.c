/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "build/cpu_slots.h"

#include "base/alloc.h"

#include <stdlib.h>

void cpu_slots_init(struct cpu_slots *s)
{
	*s = (struct cpu_slots){ 0 };
	s->chunks = xcalloc(SLOT_DENSE / SLOT_CHUNK, sizeof(*s->chunks));
}

void cpu_slots_done(struct cpu_slots *s)
{
	if (s->chunks)
		for (size_t i = 0; i < SLOT_DENSE / SLOT_CHUNK; i++)
			free(s->chunks[i]);
	free(s->chunks);
	free(s->sparse);
	intern_done(&s->sparse_ids);
	*s = (struct cpu_slots){ 0 };
}

struct slot *cpu_slots_chunk(struct cpu_slots *s, uint32_t slot)
{
	return s->chunks[slot / SLOT_CHUNK] = xcalloc(SLOT_CHUNK, sizeof(struct slot));
}

uint32_t cpu_slots_of_text(struct cpu_slots *s, const char *id, size_t len)
{
	str_id at;

	if (len <= 8 && (len == 1 || id[0] != '0')) {
		uint32_t value = 0;
		size_t i = 0;

		for (; i < len && id[i] >= '0' && id[i] <= '9'; i++)
			value = value * 10 + (uint32_t)(id[i] - '0');
		if (i == len && value < SLOT_DENSE)
			return value;
	}
	if (!s->sparse_ids.n) {
		intern_init(&s->sparse_ids);
		s->sparse_ids.most = SLOT_SPARSE_MOST;
	}
	at = intern_add(&s->sparse_ids, id, len);
	if (!at)
		return 0;
	if (at > s->n_sparse) {
		s->sparse = xgrow(s->sparse, &s->cap_sparse, at, sizeof *s->sparse);
		s->sparse[s->n_sparse++] = (struct slot){ 0 };
	}
	return SLOT_SPARSE | (at - 1);
}
