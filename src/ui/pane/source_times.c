/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times are those of the files' nodes: a sample that transforms leave out does not count, and one
 * that they give to another function stays with the line that ran. */
#include "config.h"

#include "ui/pane/source_times.h"

#include "base/alloc.h"
#include "ui/pane/pane_scope.h"
#include "ui/state.h"

#include <stdlib.h>

static const struct lane *original_of(const struct app *app, const struct lane *lane)
{
	const struct profile *p = app->original;

	if (lane->id >= 1 && lane->id <= p->n_lanes && p->lanes[lane->id - 1].id == lane->id)
		return &p->lanes[lane->id - 1];
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].id == lane->id)
			return &p->lanes[i];
	return NULL;
}

/* By node: whether transforms leave it out. NULL: none is. The caller frees it. */
static uint8_t *left_out(const struct app *app, const struct lane *lane)
{
	const struct view *view = app->scoped ? &app->scoped->view : NULL;
	uint8_t *is_left;
	uint32_t i = 0;

	while (view && i < view->n_sources && view->sources[i].lane->id != lane->id)
		i++;
	if (!view || i == view->n_sources || !view->sources[i].map)
		return NULL;
	is_left = xcalloc(lane->tree.n, 1);
	for (node_id node = 0; node < lane->tree.n; node++)
		is_left[node] = view->sources[i].map[node] == VIEW_DROPPED;
	return is_left;
}

void source_times_make(struct app *app)
{
	struct source_page *p = &app->source;
	const struct lane **lanes;
	int64_t t0, t1;
	uint32_t n = pane_scope_of_time(app, &t0, &t1, &lanes);

	line_times_done(&p->times);
	line_times_init(&p->times, app->original->frames.n);
	for (uint32_t i = 0; i < n; i++) {
		const struct lane *lane = original_of(app, lanes[i]);
		uint8_t *is_left = lane ? left_out(app, lane) : NULL;

		if (lane)
			line_times_add(&p->times, lane, app->original->frames.frames, t0, t1,
				       is_left);
		free(is_left);
	}
	free(lanes);
	line_times_finish(&p->times);
	p->has_times = true;
	p->generation = app->pane.generation;
}

void source_times_of(struct app *app, str_id url)
{
	struct source_page *p = &app->source;
	size_t first, n = line_times_of(&p->times, url, &first);
	int64_t most = 0;

	p->n_hot = 0;
	p->hot_ns = p->rest_ns = 0;
	for (size_t i = first; url && i < first + n; i++) {
		const struct line_time *t = &p->times.list[i];

		if (!p->n_hot || p->hot[p->n_hot - 1].line != t->line) {
			p->hot = xgrow(p->hot, &p->cap_hot, p->n_hot + 1, sizeof *p->hot);
			p->hot[p->n_hot++] = (struct source_hot){ .line = t->line };
			most = -1;
		}
		p->hot[p->n_hot - 1].ns += t->ns;
		p->hot_ns += t->ns;
		if (t->ns > most) {
			most = t->ns;
			p->hot[p->n_hot - 1].column = t->column;
		}
	}
	for (frame_id f = 1; url && f < app->original->frames.n; f++)
		if (app->original->frames.frames[f].url == url)
			p->rest_ns += p->times.rest[f];
}

const struct line_time *source_times_hottest(const struct source_page *p, frame_id frame)
{
	const struct line_time *best = NULL;

	for (size_t i = 0; i < p->times.n; i++) {
		const struct line_time *t = &p->times.list[i];

		if (t->url && (frame == FRAME_NONE || t->frame == frame) &&
		    (!best || t->ns > best->ns))
			best = t;
	}
	return best;
}
