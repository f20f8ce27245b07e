/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set is sorted by key, so equal sets are equal bytes. */
#include "config.h"

#include "build/builder_labels.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "build/builder_state.h"
#include "model/labels.h"

#include <stdlib.h>
#include <string.h>

static str_id add_text(struct builder *b, struct str text)
{
	size_t len = text.len < LABELS_TEXT_MOST ? text.len : LABELS_TEXT_MOST;

	if (len < text.len)
		builder_warn(b, WARN_LABEL_TEXT, -1);
	return intern_add(&b->profile->strings, text.p, len);
}

/* The index of a key; UINT32_MAX: there are too many. There are few, so they are searched. */
static uint32_t find_key(struct builder *b, struct str key)
{
	struct labels *labels = &b->profile->labels;
	str_id name = add_text(b, key);
	struct buf none = { 0 };

	for (uint32_t i = 0; i < labels->n_keys; i++)
		if (labels->keys[i].name == name)
			return i;
	if (labels->n_keys >= LABELS_KEYS_MOST) {
		builder_warn(b, WARN_LABEL_KEYS, -1);
		return UINT32_MAX;
	}
	buf_addf(&none, "(no %s)", intern_text(&b->profile->strings, name));
	labels->keys = xgrow(labels->keys, &labels->cap_keys, (size_t)labels->n_keys + 1,
			     sizeof *labels->keys);
	labels->keys[labels->n_keys] =
		(struct label_key){ name, intern_add(&b->profile->strings, none.data, none.len) };
	buf_done(&none);
	return labels->n_keys++;
}

static int by_key(const void *a, const void *b)
{
	const struct label *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->value > y->value) - (x->value < y->value);
}

/* Join values of one key. Returns how many labels are left. */
static size_t join(struct builder *b, struct label *list, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		const struct intern *strings = &b->profile->strings;
		struct buf both = { 0 };

		if (kept == 0 || list[kept - 1].key != list[i].key) {
			list[kept++] = list[i];
			continue;
		}
		if (list[kept - 1].value == list[i].value)
			continue;
		buf_adds(&both, intern_text(strings, list[kept - 1].value));
		buf_addf(&both, ", %s", intern_text(strings, list[i].value));
		list[kept - 1].value = add_text(b, (struct str){ both.data, both.len });
		buf_done(&both);
	}
	return kept;
}

uint32_t builder_labels_set(struct builder *b, const struct builder_label *list, size_t n)
{
	struct labels *labels = &b->profile->labels;
	struct label *set = xcalloc(n, sizeof *set);
	size_t kept = 0;
	uint32_t id = 0;

	for (size_t i = 0; i < n; i++) {
		if (list[i].key.len == 0 || list[i].value.len == 0)
			continue;
		set[kept].key = find_key(b, list[i].key);
		set[kept].value = add_text(b, list[i].value);
		kept += set[kept].key != UINT32_MAX && set[kept].value;
	}
	if (kept)
		qsort(set, kept, sizeof *set, by_key);
	kept = join(b, set, kept);
	if (!labels->sets.n && kept) {
		intern_init(&labels->sets);
		labels->sets.most = LABELS_SETS_MOST;
	}
	if (kept)
		id = intern_add(&labels->sets, (const char *)set, kept * sizeof *set);
	if (kept && !id)
		builder_warn(b, WARN_LABEL_LISTS, -1);
	free(set);
	return id;
}
