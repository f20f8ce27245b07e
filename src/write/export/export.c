/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of export formats. The first one is the default. Each format has a test that reads its
 * output back. */
#include "config.h"

#include "write/export/export.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
const struct export_format *const export_formats[] = {
	&export_trace,
	&export_cpuprofile,
	&export_folded,
	&export_speedscope,
	&export_pprof,
	&export_svg,
	&export_html,
	&export_d3,
	&export_json,
	&export_csv,
	&export_md,
	NULL,
};
/* clang-format on */

/* Bytes of any profile, and for each sample and each node. */
#define BYTES_SURE ((int64_t)128 << 20)
#define BYTES_EACH 2048

int64_t export_bytes_most(const struct profile *p)
{
	int64_t n = 0;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		n += (int64_t)p->lanes[i].samples.n + p->lanes[i].tree.n;
	return BYTES_SURE + n * BYTES_EACH;
}

const char *export_value_word(unsigned i)
{
	static const char *const words[] = { "time", "samples" };

	return i < ARRAY_LEN(words) ? words[i] : NULL;
}

const char *export_word(unsigned i)
{
	return i + 1 < ARRAY_LEN(export_formats) ? export_formats[i]->name : NULL;
}

const struct export_format *export_find(const char *name)
{
	if (!name)
		return export_formats[0];
	for (size_t i = 0; export_formats[i]; i++)
		if (strcmp(export_formats[i]->name, name) == 0)
			return export_formats[i];
	return NULL;
}

static bool is_of_request(const struct profile *p, const struct label_key *key)
{
	const char *name = profile_text(p, key->name);

	return labels_says(name, intern_len(&p->strings, key->name)) == LABEL_SAYS_NOTHING &&
		strcmp(name, "package") != 0;
}

static bool has_labels(const struct profile *p, uint32_t set)
{
	size_t n = labels_size(&p->labels, set);

	for (size_t i = 0; i < n; i++)
		if (is_of_request(p, &p->labels.keys[labels_get(&p->labels, set, i).key]))
			return true;
	return false;
}

bool export_loses_labels(const struct export_format *format, const struct profile *p)
{
	uint8_t *is_used;
	bool has = false;

	if (format->has_labels || format->is_gathered || !p->labels.n_keys)
		return false;
	is_used = xcalloc(labels_count(&p->labels), 1);
	for (uint32_t i = 0; i < p->n_lanes; i++)
		for (size_t k = 0; p->lanes[i].labels && k < p->lanes[i].samples.n; k++)
			is_used[p->lanes[i].labels[k]] |= p->lanes[i].samples.leaf[k] != NODE_ROOT;
	for (size_t i = 0; i < labels_count(&p->labels) && !has; i++)
		has = is_used[i] && has_labels(p, (uint32_t)i);
	free(is_used);
	return has;
}
