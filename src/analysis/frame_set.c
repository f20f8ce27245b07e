/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each text is matched once, even if many frames have it. */
#include "config.h"

#include "analysis/frame_set.h"

#include "analysis/pattern.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

struct matcher {
	const struct profile *profile;
	struct pattern *pattern;
	uint8_t *known; /* by str_id: 0 not matched yet, 1 no match, 2 match */
};

static bool has_match(struct matcher *m, str_id text)
{
	if (!text || pattern_failures(m->pattern))
		return false;
	if (!m->known[text])
		m->known[text] = pattern_find(m->pattern, profile_text(m->profile, text),
					      intern_len(&m->profile->strings, text), NULL, NULL)
			? 2
			: 1;
	return m->known[text] == 2;
}

static struct pattern *compile(const char *pattern, struct error *err)
{
	struct error why = ERROR_INIT;
	size_t skip = pattern_is_cat(pattern, strlen(pattern)) ? PATTERN_CAT_LEN : 0;
	struct pattern *made = pattern_new(pattern + skip, strlen(pattern + skip), false, &why);

	if (!made)
		error_set(err, ERR_FORMAT, -1, "'%.200s' is no pattern: %s", pattern, why.text);
	return made;
}

static bool matcher_init(struct matcher *m, const struct profile *profile, const char *pattern,
			 struct error *err)
{
	*m = (struct matcher){ .profile = profile, .pattern = compile(pattern, err) };
	if (!m->pattern)
		return false;
	m->known = xcalloc(profile->strings.n + 1, 1);
	return true;
}

/* Return the set, or NULL with an error if matching was given up. */
static uint8_t *matcher_done(struct matcher *m, const char *pattern, uint8_t *is, struct error *err)
{
	if (pattern_failures(m->pattern)) {
		error_set(err, ERR_LIMIT, -1, "the pattern '%.200s' takes too long", pattern);
		free(is);
		is = NULL;
	}
	pattern_free(m->pattern);
	free(m->known);
	return is;
}

uint8_t *frame_set_find(const struct profile *profile, const struct frame *frames, uint32_t n,
			const char *pattern, struct error *err)
{
	bool is_cat = pattern_is_cat(pattern, strlen(pattern));
	struct matcher m;
	uint8_t *is;

	if (!matcher_init(&m, profile, pattern, err))
		return NULL;
	is = xcalloc(n, 1);
	for (frame_id f = 1; f < n; f++)
		is[f] = is_cat
			? has_match(&m, frames[f].cat ? profile->event_cats[frames[f].cat].text : 0)
			: has_match(&m, frames[f].name) || has_match(&m, frames[f].url) ||
				has_match(&m, frames[f].package);
	return matcher_done(&m, pattern, is, err);
}

uint8_t *frame_set_lanes(const struct profile *profile, const char *pattern, struct error *err)
{
	struct matcher m;
	uint8_t *is;

	if (!matcher_init(&m, profile, pattern, err))
		return NULL;
	is = xcalloc(profile->n_lanes, 1);
	for (uint32_t i = 0; i < profile->n_lanes; i++) {
		const struct lane *l = &profile->lanes[i];

		is[i] = has_match(&m, l->thread_name) || has_match(&m, l->title) ||
			has_match(&m, l->process_name) || has_match(&m, l->thread_title) ||
			has_match(&m, l->page) || has_match(&m, profile->inputs[l->input].path);
	}
	return matcher_done(&m, pattern, is, err);
}

bool frame_set_check(const char *pattern, struct error *err)
{
	struct pattern *made = compile(pattern, err);

	pattern_free(made);
	return made != NULL;
}
