/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Profiles number functions in the order in which they meet them, which differs between two
 * previews of the same file. So a function is looked for by what identifies a frame: its name, its
 * url or else its script, line and column. */
#include "config.h"

#include "ui/search/finder_query.h"

#include "base/alloc.h"
#include "ui/search/finder.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

/* Where a function is: its url, or its script. */
static const char *place_of(const struct profile *p, const struct frame *frame)
{
	return profile_text(p, frame->url ? frame->url : frame->script);
}

void finder_query_get(const struct app *app, struct finder_query *query)
{
	const struct finder *f = &app->finder;

	*query = (struct finder_query){ .is_plain = f->target.is_plain,
					.is_function = f->target.is_function,
					.is_told = f->is_told };
	if (!finder_is_on(app))
		return;
	query->text = xstrdup(finder_name(app));
	if (query->is_function) {
		const struct frame *frame = profile_frame(app->s.profile, f->target.frame);

		query->place = xstrdup(place_of(app->s.profile, frame));
		query->line = frame->line;
		query->column = frame->column;
	}
}

void finder_query_done(struct finder_query *query)
{
	free(query->text);
	free(query->place);
	*query = (struct finder_query){ 0 };
}

/* Search for the function of the query, if the profile has it. */
static void search_for_function(struct app *app, const struct finder_query *query)
{
	const struct profile *p = app->s.profile;

	for (frame_id i = FRAME_NONE + 1; i < p->frames.n; i++) {
		const struct frame *f = &p->frames.frames[i];

		if (f->line != query->line || f->column != query->column ||
		    strcmp(profile_text(p, f->name), query->text) != 0 ||
		    strcmp(place_of(p, f), query->place) != 0)
			continue;
		finder_function(app, i);
		return;
	}
}

void finder_query_apply(struct app *app, const struct finder_query *query)
{
	if (!query->text)
		return;
	if (query->is_function)
		search_for_function(app, query);
	else
		finder_pattern(app, query->text, query->is_plain);
	app->finder.is_told = query->is_told && finder_is_on(app);
}
