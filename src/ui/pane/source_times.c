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
	line_times_finish(&p->times, app->original->frames.frames, app->original->frames.n);
	p->has_times = true;
	p->generation = app->pane.generation;
}

static struct source_hot *hot_line(struct source_page *p, int32_t line)
{
	if (!p->n_hot || p->hot[p->n_hot - 1].line != line) {
		p->hot = xgrow(p->hot, &p->cap_hot, p->n_hot + 1, sizeof *p->hot);
		p->hot[p->n_hot++] = (struct source_hot){ .line = line };
	}
	return &p->hot[p->n_hot - 1];
}

void source_times_of(struct app *app, str_id url)
{
	struct source_page *p = &app->source;
	size_t first, n = line_times_of(&p->times, url, &first);
	int64_t most = 0;

	p->n_hot = p->n_lines = 0;
	p->hot_ns = p->whole_ns = 0;
	for (size_t i = first; url && i < first + n; i++) {
		const struct line_time *t = &p->times.list[i];
		bool is_new = i == first || t[-1].line != t->line;
		struct source_hot *hot = hot_line(p, t->line);

		*(t->is_whole ? &hot->whole_ns : &hot->ns) += t->ns;
		*(t->is_whole ? &p->whole_ns : &p->hot_ns) += t->ns;
		p->n_lines += !t->is_whole && is_new;
		if (is_new || t->ns > most) {
			most = t->ns;
			hot->column = t->column;
		}
	}
}

const struct line_time *source_times_hottest(const struct app *app, frame_id frame)
{
	const struct source_page *p = &app->source;
	const struct line_time *best = NULL;

	for (size_t i = 0; i < p->times.n; i++) {
		const struct line_time *t = &p->times.list[i];
		bool is_better = !best ||
			(frame != FRAME_NONE && best->is_whole != t->is_whole ? best->is_whole
									      : t->ns > best->ns);

		if (is_better && t->url &&
		    (frame == FRAME_NONE
			     ? app->original->frames.frames[t->frame].category != CATEGORY_NODE
			     : t->frame == frame))
			best = t;
	}
	return best;
}
