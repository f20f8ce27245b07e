/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/labels.h"

#include <stdlib.h>
#include <string.h>

void labels_done(struct labels *labels)
{
	if (labels->sets.n)
		intern_done(&labels->sets);
	free(labels->keys);
	*labels = (struct labels){ 0 };
}

size_t labels_size(const struct labels *labels, uint32_t set)
{
	return set ? intern_len(&labels->sets, set) / sizeof(struct label) : 0;
}

struct label labels_get(const struct labels *labels, uint32_t set, size_t i)
{
	struct label label;

	/* Texts are not aligned. */
	memcpy(&label, intern_text(&labels->sets, set) + i * sizeof label, sizeof label);
	return label;
}

str_id labels_value(const struct labels *labels, uint32_t set, uint32_t key)
{
	size_t n = labels_size(labels, set);

	for (size_t i = 0; i < n; i++) {
		struct label label = labels_get(labels, set, i);

		if (label.key == key)
			return label.value;
	}
	return 0;
}
