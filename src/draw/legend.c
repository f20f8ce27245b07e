/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Frames are put into groups, each with a key: the owner, category, file, package or name of a
 * frame, or its heat. The groups with the most self time are shown, in the colour of the frame that
 * adds most to them. */
#include "config.h"

#include "draw/legend.h"

#include "analyse/event_cats.h"
#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Owners, in the order in which the legend lists them. */
enum owner { OWN, DEPENDENCIES, NODE, GC, NATIVE, PROGRAM, TASKS, OWNERS };

static const char *const owner_names[OWNERS] = {
	[OWN] = "own",       [DEPENDENCIES] = "deps", [NODE] = "node",   [GC] = "GC",
	[NATIVE] = "native", [PROGRAM] = "program",   [TASKS] = "other",
};

struct group {
	uint32_t key; /* what the frames share, by the colour mode */
	enum role role;
	int64_t most_ns; /* of one frame */
	int64_t ns;
};

struct groups {
	const struct frame_roles *roles;
	struct group *all;
	uint32_t *of_key; /* by key: index into `all`, plus 1; 0: none yet */
	uint32_t n;
};

/* ---- keys ---- */

static enum owner owner_of(const struct frame *frame)
{
	switch (frame->category) {
	case CATEGORY_APP:
	case CATEGORY_WASM:
	case CATEGORY_EVAL:
	case CATEGORY_LANE:
	case CATEGORY_LABEL:
		return OWN;
	case CATEGORY_DEPENDENCY:
	case CATEGORY_EXTENSION:
		return DEPENDENCIES;
	case CATEGORY_NODE:
	case CATEGORY_RUNTIME:
	case CATEGORY_BUNDLER:
		return NODE;
	case CATEGORY_GC:
		return GC;
	case CATEGORY_NATIVE:
	case CATEGORY_REGEXP:
	case CATEGORY_RENDERING:
		return NATIVE;
	case CATEGORY_PROGRAM:
	case CATEGORY_UNKNOWN:
		return PROGRAM;
	default:
		return TASKS;
	}
}

/* Slices of browsers have the colour of what they do, which is also their group: these keys follow
 * those of owners. */
static uint32_t key_of_owner(const struct frame_roles *roles, frame_id f)
{
	const struct frame *frame = profile_frame(roles->profile, f);

	if (frame->category == CATEGORY_SLICE || frame->category == CATEGORY_MARK)
		return roles->scheme.has_browser && roles->of[f] < ROLE_CNAME
			? OWNERS + roles->of[f]
			: TASKS;
	return owner_of(frame);
}

static uint32_t key_of(const struct frame_roles *roles, frame_id f)
{
	const struct frame *frame = profile_frame(roles->profile, f);

	switch (roles->color) {
	case CHART_COLOR_FILE:
		return frame->url ? frame->url : frame->name;
	case CHART_COLOR_PACKAGE:
		return frame->package;
	case CHART_COLOR_CATEGORY:
		return (uint32_t)frame->category;
	case CHART_COLOR_FUNCTION:
		return frame->name;
	case CHART_COLOR_HEAT:
		return roles->of[f];
	default:
		return key_of_owner(roles, f);
	}
}

static uint32_t keys_of(const struct frame_roles *roles)
{
	switch (roles->color) {
	case CHART_COLOR_FILE:
	case CHART_COLOR_PACKAGE:
	case CHART_COLOR_FUNCTION:
		return (uint32_t)roles->profile->strings.n;
	default:
		return OWNERS + ROLE_COUNT + CATEGORY_COUNT;
	}
}

/* ---- names ---- */

static const char *role_name(unsigned role)
{
	switch (role) {
	case ROLE_SCRIPTING:
		return "scripting";
	case ROLE_RENDERING:
		return "rendering";
	case ROLE_PAINTING:
		return "painting";
	case ROLE_LOADING:
		return "loading";
	case ROLE_GC:
		return "GC";
	default:
		return "other";
	}
}

static const char *heat_name(unsigned role)
{
	static const char *const names[] = { "below 0.2 %", "from 0.2 %", "1 %",
					     "2.5 %",       "5 %",        "10 %" };

	return role >= ROLE_HEAT_0 && role <= ROLE_HEAT_5 ? names[role - ROLE_HEAT_0]
							  : role_name(role);
}

/* The end of a path or URL. What a data: URL contains is no name. */
static const char *file_name(const char *url)
{
	const char *slash = strrchr(url, '/');

	if (strncmp(url, "data:", 5) == 0)
		return "data:";
	return slash && slash[1] ? slash + 1 : url;
}

static const char *name_of(const struct frame_roles *roles, uint32_t key)
{
	const struct profile *p = roles->profile;

	switch (roles->color) {
	case CHART_COLOR_FILE:
		return file_name(profile_text(p, key));
	case CHART_COLOR_PACKAGE:
		return key ? profile_text(p, key) : "own";
	case CHART_COLOR_CATEGORY:
		return category_name((enum category)key);
	case CHART_COLOR_FUNCTION:
		return profile_text(p, key);
	case CHART_COLOR_HEAT:
		return heat_name(key);
	default:
		return key < OWNERS ? owner_names[key] : role_name(key - OWNERS);
	}
}

/* ---- the legend ---- */

static void add_frame(struct groups *g, frame_id f, int64_t ns)
{
	uint32_t key = key_of(g->roles, f);
	struct group *group;

	if (!g->of_key[key]) {
		g->all[g->n] = (struct group){ .key = key };
		g->of_key[key] = ++g->n;
	}
	group = &g->all[g->of_key[key] - 1];
	group->ns += ns;
	if (ns > group->most_ns) {
		group->most_ns = ns;
		group->role = (enum role)g->roles->of[f];
	}
}

static int by_time(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return x->key < y->key ? -1 : x->key > y->key;
}

static int by_key(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

static void add_text(struct legend *legend, const char *name, enum role role, double share)
{
	struct legend_item *item = &legend->items[legend->n++];
	struct buf text = { 0 };

	text_fit(&text, name, strlen(name), LEGEND_CELLS);
	snprintf(item->name, sizeof item->name, "%s", buf_text(&text));
	item->role = role;
	item->share = share;
	buf_done(&text);
}

static void add_item(struct legend *legend, const struct frame_roles *roles,
		     const struct group *group, int64_t busy_ns)
{
	add_text(legend, name_of(roles, group->key), group->role,
		 (double)group->ns / (double)busy_ns);
}

/* Slices of one name may have several event categories, so times by frame do not give these. */
static void make_cats(struct legend *legend, const struct frame_roles *roles)
{
	const struct profile *p = roles->profile;
	const struct lane **lanes = xcalloc(p->n_lanes, sizeof *lanes);
	struct event_cat_share *list;
	int64_t all_ns = 0;
	size_t n;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		lanes[i] = &p->lanes[i];
	n = event_cats_shares(p, lanes, p->n_lanes, 0, p->t1, &list);
	for (size_t i = 0; i < n; i++)
		all_ns += list[i].self;
	for (size_t i = 0; i < n && i < LEGEND_ITEMS; i++)
		add_text(legend, profile_text(p, list[i].name ? list[i].name : p->no_event_cat),
			 frame_roles_cat(p, list[i].name), (double)list[i].self / (double)all_ns);
	free(list);
	free(lanes);
}

void legend_make(struct legend *legend, const struct frame_roles *roles)
{
	struct groups g = { .roles = roles };
	bool has_order = roles->color == CHART_COLOR_OWNERSHIP || roles->color == CHART_COLOR_HEAT;
	int64_t busy_ns, *self_ns;
	uint32_t n;

	*legend = (struct legend){ 0 };
	if (roles->profile && roles->color == CHART_COLOR_EVENT_CAT)
		make_cats(legend, roles);
	if (!roles->profile || roles->color == CHART_COLOR_EVENT_CAT)
		return;
	self_ns = frame_roles_times(roles->profile, &busy_ns);
	g.all = xcalloc((size_t)roles->n + 1, sizeof *g.all);
	g.of_key = xcalloc((size_t)keys_of(roles) + 1, sizeof *g.of_key);
	for (frame_id f = 1; f < roles->n; f++)
		if (self_ns[f] > 0 && roles->of[f] != ROLE_IDLE)
			add_frame(&g, f, self_ns[f]);
	qsort(g.all, g.n, sizeof *g.all, by_time);
	n = g.n < LEGEND_ITEMS ? g.n : LEGEND_ITEMS;
	if (has_order)
		qsort(g.all, n, sizeof *g.all, by_key);
	for (uint32_t i = 0; i < n; i++)
		add_item(legend, roles, &g.all[i], busy_ns);
	free(self_ns);
	free(g.all);
	free(g.of_key);
}

void legend_draw(struct grid *g, struct rect r, const struct legend *legend)
{
	int col = r.col, end = r.col + r.cols;

	grid_fill(g, r.row, r.col, r.cols, ROLE_TITLE);
	for (int i = 0; i < legend->n; i++) {
		const struct legend_item *item = &legend->items[i];
		char percent[16], text[sizeof item->name + sizeof percent + 4];
		int cells;

		/* Whole percents: the colours matter, not the digits. */
		snprintf(percent, sizeof percent, item->share < 0.005 ? "<1 %%" : "%.0f %%",
			 100 * item->share);
		snprintf(text, sizeof text, " %s %s ", item->name, percent);
		cells = text_cells(text, strlen(text));
		if (col + cells > end)
			continue;
		grid_fill(g, r.row, col, cells, item->role);
		grid_puts(g, r.row, col, cells, text, ROLE_LABEL);
		col += cells + 1;
	}
}
