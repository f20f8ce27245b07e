/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/labels.h"

#include "base/buf.h"

#include <stdlib.h>
#include <string.h>

#define LABELS_LISTED 10u /* in an error */

enum label_says labels_says(const char *key, size_t len)
{
	static const struct {
		const char *key;
		enum label_says says;
	} keys[] = {
		{ "pid", LABEL_SAYS_PID },
		{ "process id", LABEL_SAYS_PID },
		{ "process_id", LABEL_SAYS_PID },
		{ "tid", LABEL_SAYS_TID },
		{ "thread id", LABEL_SAYS_TID },
		{ "thread_id", LABEL_SAYS_TID },
		{ "thread", LABEL_SAYS_THREAD },
		{ "thread name", LABEL_SAYS_THREAD },
		{ "thread_name", LABEL_SAYS_THREAD },
		{ "process", LABEL_SAYS_PROCESS },
		{ "process name", LABEL_SAYS_PROCESS },
		{ "process_name", LABEL_SAYS_PROCESS },
	};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (strlen(keys[i].key) == len && memcmp(keys[i].key, key, len) == 0)
			return keys[i].says;
	return LABEL_SAYS_NOTHING;
}

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

bool labels_find(const struct labels *labels, const struct intern *strings, const char *key,
		 uint32_t *index, struct error *err)
{
	struct buf list = { 0 };

	for (uint32_t i = 0; i < labels->n_keys; i++) {
		const char *name = intern_text(strings, labels->keys[i].name);

		if (strcmp(name, key) == 0) {
			*index = i;
			buf_done(&list);
			return true;
		}
		if (i < LABELS_LISTED)
			buf_addf(&list, "%s%s", i ? ", " : "", name);
	}
	error_set(err, ERR_FORMAT, -1, "no sample has a label '%s'%s%s%s", key,
		  list.len ? "; there are " : "", buf_text(&list),
		  labels->n_keys > LABELS_LISTED ? ", ..." : "");
	buf_done(&list);
	return false;
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
