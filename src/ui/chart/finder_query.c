/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "ui/chart/finder_query.h"

#include "base/alloc.h"
#include "ui/chart/finder.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

void finder_query_get(const struct app *app, struct finder_query *query)
{
	const struct finder *f = &app->finder;

	*query = (struct finder_query){ .is_plain = f->target.is_plain,
					.is_function = f->target.is_function,
					.is_told = f->is_told };
	if (!finder_is_on(app))
		return;
	query->text = xstrdup(finder_name(app));
	if (query->is_function)
		same_frames_list(app->s.profile, &f->target.frame, 1, &query->same);
}

void finder_query_done(struct finder_query *query)
{
	free(query->text);
	same_frames_done(&query->same);
	*query = (struct finder_query){ 0 };
}

void finder_query_apply(struct app *app, const struct finder_query *query)
{
	if (!query->text)
		return;
	if (query->is_function) {
		frame_id frame = same_frames_first(app->s.profile, &query->same);

		if (frame != FRAME_NONE)
			finder_function(app, frame);
	} else {
		finder_pattern(app, query->text, query->is_plain);
	}
	app->finder.is_told = query->is_told && finder_is_on(app);
}
