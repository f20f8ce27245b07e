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
	struct pattern *made;
	size_t skip;

	pattern_subject(pattern, strlen(pattern), &skip);
	made = pattern_new(pattern + skip, strlen(pattern + skip), false, &why);
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

static bool frame_has_match(struct matcher *m, const struct frame *f, enum pattern_subject subject)
{
	switch (subject) {
	case PATTERN_FILE:
		return has_match(m, f->url);
	case PATTERN_PACKAGE:
		return has_match(m, f->package);
	case PATTERN_CAT:
		return f->cat && has_match(m, m->profile->event_cats[f->cat].text);
	case PATTERN_ANY:
		break;
	}
	return has_match(m, f->name) || has_match(m, f->url) || has_match(m, f->package);
}

uint8_t *frame_set_find(const struct profile *profile, const struct frame *frames, uint32_t n,
			const char *pattern, struct error *err)
{
	size_t skip;
	enum pattern_subject subject = pattern_subject(pattern, strlen(pattern), &skip);
	struct matcher m;
	uint8_t *is;

	if (!matcher_init(&m, profile, pattern, err))
		return NULL;
	is = xcalloc(n, 1);
	for (frame_id f = 1; f < n; f++)
		is[f] = frame_has_match(&m, &frames[f], subject);
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
