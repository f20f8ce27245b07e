/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Patterns by POSIX regcomp(). A text is matched once, however many frames have it. */
#include "config.h"

#include "analysis/frame_set.h"

#include "base/alloc.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

struct matcher {
	const struct profile *profile;
	regex_t regex;
	uint8_t *known;       /* by str_id: 0 not asked yet, 1 no, 2 yes */
};

static bool compile(regex_t *regex, const char *pattern, struct error *err)
{
	int flags = REG_EXTENDED | REG_NOSUB | REG_ICASE, failed;
	char reason[128];

	for (const char *p = pattern; *p; p++) {
		/* `\B` and its like are no capital letters. */
		if (*p == '\\' && p[1])
			p++;
		else if (*p >= 'A' && *p <= 'Z')
			flags &= ~REG_ICASE;
	}
	failed = regcomp(regex, pattern, flags);
	if (!failed)
		return true;
	regerror(failed, regex, reason, sizeof reason);
	return error_set(err, ERR_FORMAT, -1, "'%.200s' is no pattern: %s", pattern, reason);
}

static bool has_match(struct matcher *m, str_id text)
{
	if (!text)
		return false;
	if (!m->known[text])
		m->known[text] = regexec(&m->regex, profile_text(m->profile, text), 0, NULL, 0) == 0 ? 2 : 1;
	return m->known[text] == 2;
}

static bool matcher_init(struct matcher *m, const struct profile *profile, const char *pattern, struct error *err)
{
	*m = (struct matcher){ .profile = profile };
	if (!compile(&m->regex, pattern, err))
		return false;
	m->known = xcalloc(profile->strings.n + 1, 1);
	return true;
}

static void matcher_done(struct matcher *m)
{
	regfree(&m->regex);
	free(m->known);
}

uint8_t *frame_set_find(const struct profile *profile, const struct frame *frames, uint32_t n, const char *pattern, struct error *err)
{
	struct matcher m;
	uint8_t *is;

	if (!matcher_init(&m, profile, pattern, err))
		return NULL;
	is = xcalloc(n, 1);
	for (frame_id f = 1; f < n; f++)
		is[f] = has_match(&m, frames[f].name) || has_match(&m, frames[f].url) || has_match(&m, frames[f].package);
	matcher_done(&m);
	return is;
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

		is[i] = has_match(&m, l->thread_name) || has_match(&m, l->title) || has_match(&m, l->process_name) ||
			has_match(&m, profile->inputs[l->input].path);
	}
	matcher_done(&m);
	return is;
}

bool frame_set_check(const char *pattern, struct error *err)
{
	regex_t regex;

	if (!compile(&regex, pattern, err))
		return false;
	regfree(&regex);
	return true;
}
