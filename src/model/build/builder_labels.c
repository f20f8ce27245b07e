/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set is sorted by key, so equal sets are equal bytes. */
#include "config.h"

#include "model/build/builder_labels.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "model/build/builder_state.h"
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
	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return (x->form > y->form) - (x->form < y->form);
}

/* Leave out labels that are there twice. Returns how many are left. */
static size_t drop_equal(struct label *list, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (kept == 0 || by_key(&list[kept - 1], &list[i]) != 0)
			list[kept++] = list[i];
	return kept;
}

/* The values of n labels as one. */
static struct label join(struct builder *b, const struct label *list, size_t n)
{
	struct label all = { list->key, list->value, LABEL_JOINED };
	struct buf text = { 0 };

	for (size_t i = 0; i < n; i++)
		buf_addf(&text, "%s%s", i ? ", " : "",
			 intern_text(&b->profile->strings, list[i].value));
	all.value = add_text(b, (struct str){ text.data, text.len });
	buf_done(&text);
	return all;
}

/* Put the values of keys that have several in front of them as one. `out` has room for twice the
 * list. Returns its length. */
static size_t join_all(struct builder *b, const struct label *list, size_t n, struct label *out)
{
	size_t n_out = 0;

	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && list[end].key == list[i].key;)
			end++;
		if (end > i + 1)
			out[n_out++] = join(b, list + i, end - i);
		for (size_t k = i; k < end; k++)
			out[n_out++] = list[k];
	}
	return n_out;
}

static uint32_t form_of(struct builder *b, const struct builder_label *label)
{
	if (!label->is_number)
		return LABEL_TEXT;
	return LABEL_NUMBER + (label->unit.len ? add_text(b, label->unit) : 0);
}

uint32_t builder_labels_set(struct builder *b, const struct builder_label *list, size_t n)
{
	struct labels *labels = &b->profile->labels;
	struct label *set = xcalloc(n, sizeof *set), *all = xcalloc(2 * n, sizeof *all);
	size_t kept = 0;
	uint32_t id = 0;

	for (size_t i = 0; i < n; i++) {
		if (list[i].key.len == 0 || list[i].value.len == 0)
			continue;
		set[kept].key = find_key(b, list[i].key);
		set[kept].value = add_text(b, list[i].value);
		set[kept].form = form_of(b, &list[i]);
		kept += set[kept].key != UINT32_MAX && set[kept].value;
	}
	if (kept)
		qsort(set, kept, sizeof *set, by_key);
	kept = join_all(b, set, drop_equal(set, kept), all);
	if (!labels->sets.n && kept) {
		intern_init(&labels->sets);
		labels->sets.most = LABELS_SETS_MOST;
	}
	if (kept)
		id = intern_add(&labels->sets, (const char *)all, kept * sizeof *all);
	if (kept && !id)
		builder_warn(b, WARN_LABEL_LISTS, -1);
	free(set);
	free(all);
	return id;
}
