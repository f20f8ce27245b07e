/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An event category is a list of words with commas between them, with or without blanks. */
#include "config.h"

#include "analyse/match_set.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

struct match_set match_set_copy(const struct match_set *set, uint32_t n_frames,
				const struct profile *profile)
{
	size_t n_cats = (size_t)profile->n_event_cats + 1;
	struct match_set copy = { NULL, NULL, NULL };
	size_t n_labels = labels_count(&profile->labels);

	if (set->frames)
		copy.frames = memcpy(xmalloc((size_t)n_frames + 1), set->frames, n_frames);
	if (set->cats)
		copy.cats = memcpy(xmalloc(n_cats), set->cats, n_cats);
	if (set->labels)
		copy.labels = memcpy(xmalloc(n_labels), set->labels, n_labels);
	return copy;
}

void match_set_done(struct match_set *set)
{
	free(set->frames);
	free(set->cats);
	free(set->labels);
	*set = (struct match_set){ NULL, NULL, NULL };
}

static bool has_word(struct pattern *pattern, const char *text, size_t len)
{
	const char *end = text + len, *comma;

	for (; text <= end; text = comma + 1) {
		const char *from = text, *to;

		comma = memchr(text, ',', (size_t)(end - text));
		comma = comma ? comma : end;
		for (to = comma; from < to && *from == ' ';)
			from++;
		while (to > from && to[-1] == ' ')
			to--;
		if (pattern_find(pattern, from, (size_t)(to - from), NULL, NULL))
			return true;
	}
	return false;
}

uint8_t *match_set_cats(const struct profile *profile, struct pattern *pattern)
{
	uint8_t *cats = xcalloc((size_t)profile->n_event_cats + 1, 1);

	for (uint32_t i = 1; i < profile->n_event_cats && !pattern_failures(pattern); i++) {
		str_id text = profile->event_cats[i].text;

		cats[i] = has_word(pattern, profile_text(profile, text),
				   intern_len(&profile->strings, text));
	}
	return cats;
}

bool match_set_names(const struct profile *profile, const uint8_t *cats, uint32_t *next,
		     uint8_t *is_name, struct budget *budget)
{
	while (*next < profile->n_lanes) {
		const struct lane *lane = &profile->lanes[(*next)++];
		uint32_t n = lane->cats ? lane->tree.n : 1;

		for (node_id i = 1; i < n; i++)
			if (cats[lane->cats[i]])
				is_name[profile_node_frame(profile, lane, i)->name] = 1;
		if (*next < profile->n_lanes && budget_use(budget, n))
			return false;
	}
	return true;
}

struct match_set match_set_of_cats(const struct profile *profile, uint8_t *cats)
{
	const struct frame_table *frames = &profile->frames;
	struct match_set set = { xcalloc((size_t)frames->n + 1, 1), cats, NULL };
	uint8_t *is_name = xcalloc(profile->strings.n + 1, 1);
	uint32_t next = 0;

	match_set_names(profile, cats, &next, is_name, BUDGET_UNLIMITED);
	for (frame_id f = 1; f < frames->n; f++)
		set.frames[f] = cats[frames->frames[f].cat] ||
			(frame_is_slice(&frames->frames[f]) && is_name[frames->frames[f].name]);
	free(is_name);
	return set;
}
