/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each text is matched once, even if many frames have it. */
#include "config.h"

#include "analyse/frame_set.h"

#include "analyse/pattern.h"
#include "analyse/view/view.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

struct matcher {
	const struct profile *profile;
	struct pattern *pattern;
	enum pattern_subject subject;
	uint8_t *known;   /* by str_id: 0 not matched yet, 1 no match, 2 match */
	uint8_t *cats;    /* PATTERN_CAT: by event_cat, */
	uint8_t *is_name; /* by str_id: slices with this name match */
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
	size_t skip;

	*m = (struct matcher){ .profile = profile, .pattern = compile(pattern, err) };
	if (!m->pattern)
		return false;
	m->subject = pattern_subject(pattern, strlen(pattern), &skip);
	m->known = xcalloc(profile->strings.n + 1, 1);
	return true;
}

static void find_cats(struct matcher *m)
{
	uint32_t next = 0;

	m->cats = match_set_cats(m->profile, m->pattern);
	m->is_name = xcalloc(m->profile->strings.n + 1, 1);
	match_set_names(m->profile, m->cats, &next, m->is_name, BUDGET_UNLIMITED);
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
	free(m->cats);
	free(m->is_name);
	return is;
}

static bool frame_has_match(struct matcher *m, const struct frame *f)
{
	switch (m->subject) {
	case PATTERN_FILE:
		return has_match(m, f->url);
	case PATTERN_PACKAGE:
		return has_match(m, f->package);
	case PATTERN_CAT:
		return m->cats[f->cat] || (frame_is_slice(f) && m->is_name[f->name]);
	case PATTERN_LABEL:
		return false;
	case PATTERN_ANY:
		break;
	}
	return has_match(m, f->name) || has_match(m, f->url) || has_match(m, f->package);
}

static uint8_t *find_frames(struct matcher *m, const struct frame *frames, uint32_t n)
{
	uint8_t *is = xcalloc(n, 1);

	if (m->subject == PATTERN_CAT)
		find_cats(m);
	for (frame_id f = 1; f < n; f++)
		is[f] = frame_has_match(m, &frames[f]);
	return is;
}

/* Find the sets of labels in which the key has a value that matches. */
static bool find_labels(struct matcher *m, const char *pattern, uint8_t **out, struct error *err)
{
	const struct labels *labels = &m->profile->labels;
	size_t skip, n = labels_count(labels);
	uint32_t key;
	bool is_found;
	char *name;

	pattern_subject(pattern, strlen(pattern), &skip);
	name = pattern_label_key(pattern, skip);
	is_found = labels_find(labels, &m->profile->strings, name, &key, err);
	free(name);
	if (!is_found)
		return false;
	*out = xcalloc(n, 1);
	for (size_t i = 0; i < n; i++)
		(*out)[i] = has_match(m, labels_value(labels, (uint32_t)i, key));
	return true;
}

/* A pattern for labels where one for functions is wanted. */
static bool refuse_label(const char *pattern, struct error *err)
{
	size_t skip;

	return pattern_subject(pattern, strlen(pattern), &skip) != PATTERN_LABEL ||
		error_set(err, ERR_FORMAT, -1,
			  "'%.200s' is about samples, not functions; --only and --drop take it",
			  pattern);
}

uint8_t *frame_set_find(const struct profile *profile, const struct frame *frames, uint32_t n,
			const char *pattern, struct error *err)
{
	struct matcher m;

	if (!refuse_label(pattern, err) || !matcher_init(&m, profile, pattern, err))
		return NULL;
	return matcher_done(&m, pattern, find_frames(&m, frames, n), err);
}

bool frame_set_match(const struct profile *profile, const char *pattern, struct match_set *out,
		     struct error *err)
{
	struct matcher m;

	bool is_known = true;

	*out = (struct match_set){ NULL, NULL, NULL };
	if (!matcher_init(&m, profile, pattern, err))
		return false;
	out->frames = find_frames(&m, profile->frames.frames, profile->frames.n);
	out->cats = m.cats;
	m.cats = NULL;
	if (m.subject == PATTERN_LABEL)
		is_known = find_labels(&m, pattern, &out->labels, err);
	out->frames = matcher_done(&m, pattern, out->frames, err);
	is_known &= out->frames != NULL;
	if (!is_known)
		match_set_done(out);
	return is_known;
}

uint8_t *frame_set_lanes(const struct profile *profile, const char *pattern, struct error *err)
{
	struct matcher m;
	uint8_t *is;

	if (!refuse_label(pattern, err) || !matcher_init(&m, profile, pattern, err))
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
