/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A colour that a trace states belongs to the slice, not to the frame. A frame, as tables show it,
 * has the one that all its slices with a colour have. V8's states and slices of browsers
 * have a role each. Scripts get one of ROLE_HUES hues by a hash of a text: the same text has the
 * same hue in each file and each run.
 *
 * Times are sums over blocks of samples (blocks.h), so the cost does not depend on the number of
 * samples. */
#include "config.h"

#include "draw/frame_roles.h"

#include "analyse/label_share.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/sort.h"
#include "base/text.h"
#include "findings/served_time.h"
#include "model/blocks.h"
#include "model/frame.h"
#include "model/slice_work.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum role frame_roles_of_work(enum work work)
{
	static const uint8_t role[WORK_COUNT] = {
		[WORK_SCRIPTING] = ROLE_SCRIPTING,
		[WORK_RENDERING] = ROLE_RENDERING,
		[WORK_PAINTING] = ROLE_PAINTING,
		[WORK_LOADING] = ROLE_LOADING,
		[WORK_GC] = ROLE_GC,
		[WORK_SYSTEM] = ROLE_TASK,
		[WORK_IDLE] = ROLE_IDLE,
	};

	return (enum role)role[work];
}

/* The role of a slice of a browser. */
static enum role slice_role(const struct profile *profile, const struct frame *frame)
{
	return frame_roles_of_work(slice_work(profile_text(profile, frame_event(frame))));
}

/* ==== frame roles ==== */

#define BUNDLE_PERCENT 60
#define BUNDLE_SAMPLES ((size_t)2 << 20) /* that are looked at, of many lanes: 8 ms */

const char *frame_roles_color_name(enum chart_color color)
{
	static const char *const names[CHART_COLOR_COUNT] = {
		[CHART_COLOR_OWNERSHIP] = "ownership",
		[CHART_COLOR_FILE] = "file",
		[CHART_COLOR_PACKAGE] = "package",
		[CHART_COLOR_CATEGORY] = "category",
		[CHART_COLOR_FUNCTION] = "function",
		[CHART_COLOR_HEAT] = "heat (self time)",
		[CHART_COLOR_EVENT_CAT] = "event category (cat)",
		[CHART_COLOR_REQUEST] = "request",
	};

	return names[color];
}

/* ---- one frame ---- */

/* A hue of the frames from `first` on. */
static enum role hue_of_text(const struct profile *profile, str_id text, unsigned first)
{
	const char *name = profile_text(profile, text);

	return (enum role)(first + hash_bytes(name, strlen(name)) % ROLE_HUES);
}

/* Owners, in the order in which the legend lists them. */
enum owner { OWN, DEPENDENCIES, NODE, GC, NATIVE, PROGRAM, TASKS, OWNERS };

/* What frames of a category look like. */
static const struct {
	uint8_t fixed;    /* the role in every colour mode; ROLE_PLAIN: none, */
	uint8_t by_owner; /* by ownership: the same, a hue */
	uint8_t by_category;
	uint8_t owner; /* TASKS: the others */
	bool is_own;   /* unless it is of another site */
} looks[CATEGORY_COUNT] = {
	/* Neighbours in the legend have distant hues. */
	[CATEGORY_APP] = { 0, 0, ROLE_FRAME, DEPENDENCIES, true },
	[CATEGORY_DEPENDENCY] = { 0, 0, ROLE_FRAME + 2, DEPENDENCIES, false },
	[CATEGORY_NODE] = { 0, ROLE_NODE, ROLE_NODE, NODE, false },
	[CATEGORY_RUNTIME] = { 0, ROLE_NODE, ROLE_FRAME + 9, NODE, false },
	[CATEGORY_NATIVE] = { ROLE_NATIVE, 0, 0, NATIVE, false },
	[CATEGORY_REGEXP] = { 0, ROLE_NATIVE, ROLE_FRAME + 5, NATIVE, false },
	[CATEGORY_WASM] = { 0, 0, ROLE_FRAME + 3, TASKS, true },
	[CATEGORY_EVAL] = { 0, 0, ROLE_FRAME + 6, TASKS, true },
	[CATEGORY_BUNDLER] = { 0, ROLE_NODE, ROLE_FRAME + 4, NODE, false },
	[CATEGORY_EXTENSION] = { 0, 0, ROLE_FRAME + 8, DEPENDENCIES, false },
	[CATEGORY_RENDERING] = { ROLE_RENDERING, 0, 0, NATIVE, false },
	[CATEGORY_GC] = { ROLE_GC, 0, 0, GC, false },
	[CATEGORY_PROGRAM] = { ROLE_PROGRAM, 0, 0, PROGRAM, false },
	[CATEGORY_IDLE] = { ROLE_IDLE, 0, 0, TASKS, false },
	[CATEGORY_UNKNOWN] = { ROLE_PROGRAM, 0, 0, PROGRAM, false },
	[CATEGORY_SLICE] = { 0, 0, 0, TASKS, false },
	[CATEGORY_MARK] = { 0, 0, 0, TASKS, false },
	[CATEGORY_LANE] = { 0, 0, ROLE_FRAME, TASKS, true },
	[CATEGORY_LABEL] = { 0, 0, ROLE_FRAME, TASKS, true },
};

/* Code of other sites is no code of the page. */
static bool is_own(const struct frame *frame)
{
	return frame->party != PARTY_THIRD && looks[frame->category].is_own;
}

/* Whether a slice runs a script of another site. Requests have no place in one. */
static bool is_foreign_script(const struct profile *profile, const struct frame *frame)
{
	return frame->party == PARTY_THIRD && frame->line &&
		slice_role(profile, frame) == ROLE_SCRIPTING;
}

/* Roles of browsers' slices, by name. Slices of other programs have hues, or they would all be
 * grey. */
static enum role role_of_slice(const struct frame_scheme *scheme, const struct profile *profile,
			       const struct frame *frame)
{
	return scheme->has_browser ? slice_role(profile, frame)
				   : hue_of_text(profile, frame->name, ROLE_FRAME);
}

static enum role role_by_owner(const struct frame_scheme *scheme, const struct profile *profile,
			       const struct frame *frame)
{
	str_id text = frame->url && frame->url != scheme->bundle ? frame->url : frame->name;

	/* Of calls of several functions in one row: the hue of the package. */
	if (!frame->url && frame->package)
		text = frame->package;

	if (frame->category == CATEGORY_SLICE || frame->category == CATEGORY_MARK)
		return is_foreign_script(profile, frame)
			? hue_of_text(profile, text, ROLE_DEPENDENCY)
			: role_of_slice(scheme, profile, frame);
	if (looks[frame->category].by_owner)
		return (enum role)looks[frame->category].by_owner;
	return hue_of_text(profile, text,
			   is_own(frame) || !scheme->has_own ? ROLE_FRAME : ROLE_DEPENDENCY);
}

static enum role role_by_category(const struct frame_scheme *scheme, const struct profile *profile,
				  const struct frame *frame)
{
	return frame->category == CATEGORY_SLICE || frame->category == CATEGORY_MARK
		? role_of_slice(scheme, profile, frame)
		: (enum role)looks[frame->category].by_category;
}

enum role frame_roles_cat(const struct profile *profile, str_id first)
{
	return first ? hue_of_text(profile, first, ROLE_FRAME) : ROLE_TASK;
}

/* The role of a frame whose role depends on the colour mode. */
static enum role role_by_mode(const struct frame_scheme *scheme, const struct profile *profile,
			      const struct frame *frame, enum chart_color color)
{
	switch (color) {
	case CHART_COLOR_CATEGORY:
		return role_by_category(scheme, profile, frame);
	case CHART_COLOR_PACKAGE:
		/* Frames without a package belong to the profiled program itself. */
		return frame->package ? hue_of_text(profile, frame->package, ROLE_FRAME)
				      : ROLE_FRAME;
	case CHART_COLOR_FUNCTION:
		return hue_of_text(profile, frame->name, ROLE_FRAME);
	case CHART_COLOR_EVENT_CAT:
		return frame->category == CATEGORY_SLICE || frame->category == CATEGORY_MARK
			? frame_roles_cat(profile,
					  frame->cat ? profile->event_cats[frame->cat].first : 0)
			: role_by_category(scheme, profile, frame);
	case CHART_COLOR_FILE:
		return hue_of_text(profile, frame->url ? frame->url : frame->name, ROLE_FRAME);
	default:
		return role_by_owner(scheme, profile, frame);
	}
}

enum role frame_roles_route(const struct frame_roles *roles, str_id name)
{
	return roles->of_text[name] ? (enum role)roles->of_text[name] : ROLE_TASK;
}

SORT_ORDER(compare_routes, struct frame_route, SORT_BY_2(y->ns, x->ns, x->name, y->name))

/* Find the routes. Each has the hue of its name, or, if one with more time has that, the next one
 * that is free. */
static void find_routes(struct frame_roles *roles, const struct profile *p)
{
	struct served_time *st = served_time_new(p);
	ALLOC_LOCAL uint32_t *number = xcalloc(p->strings.n, sizeof *number); /* by name, + 1 */
	const struct served_thread *threads;
	unsigned taken = 0;
	size_t n = 0, cap = 0;

	roles->routes = NULL;
	roles->n_routes = 0;
	threads = st ? served_time_threads(st, &n) : NULL;
	for (size_t i = 0; i < p->served.n; i++) {
		str_id name = p->served.requests[i].name;

		if (number[name])
			continue;
		roles->routes = xgrow(roles->routes, &cap, roles->n_routes + 1,
				      sizeof *roles->routes);
		roles->routes[roles->n_routes] = (struct frame_route){ .name = name };
		number[name] = ++roles->n_routes;
	}
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < threads[i].n && threads[i].lane; k++) {
			const struct served_busy *b = &threads[i].busy[k];

			if (b->served != SERVED_NONE)
				roles->routes[number[p->served.requests[b->served].name] - 1].ns +=
					b->t1 - b->t0;
		}
	roles->of_text = xcalloc(p->strings.n + 1, 1);
	if (roles->n_routes)
		qsort(roles->routes, roles->n_routes, sizeof *roles->routes, compare_routes);
	for (uint32_t i = 0; i < roles->n_routes; i++) {
		unsigned hue = hue_of_text(p, roles->routes[i].name, 0);

		while (taken >> hue & 1 && i < ROLE_HUES)
			hue = (hue + 1) % ROLE_HUES;
		taken |= 1u << hue;
		roles->of_text[roles->routes[i].name] = (uint8_t)(ROLE_FRAME + hue);
	}
	served_time_free(st);
}

/* The role of a frame without regard to colours that traces state. */
static enum role role_of_frame(const struct frame_roles *roles, const struct profile *profile,
			       frame_id id)
{
	static const struct frame_scheme unknown = { .has_own = true };
	const struct frame_scheme *scheme = roles ? &roles->scheme : &unknown;
	const struct frame *frame = profile_frame(profile, id);
	enum role fixed = (enum role)looks[frame->category].fixed;

	if (fixed != ROLE_PLAIN)
		return fixed;
	if (roles && roles->color == CHART_COLOR_REQUEST)
		return frame_roles_route(roles, frame_is_slice(frame) ? frame->name : 0);
	return role_by_mode(scheme, profile, frame, roles ? roles->color : CHART_COLOR_OWNERSHIP);
}

static_assert(ROLE_CNAMES == FRAME_COLORS - 1, "each reserved colour has a role");

static enum role role_of_color(unsigned color)
{
	return (enum role)(ROLE_CNAME + color - 1);
}

enum role frame_roles_find(const struct frame_roles *roles, const struct profile *profile,
			   frame_id id)
{
	unsigned color = profile_frame(profile, id)->color;

	if (color && color != FRAME_COLOR_MIXED && !(roles && roles->scheme.ignores_cnames))
		return role_of_color(color);
	return role_of_frame(roles, profile, id);
}

enum role frame_roles_of_span(const struct frame_roles *roles, const struct profile *profile,
			      const struct lane *lane, const struct span *span)
{
	frame_id id = lane->tree.frame[span->node];
	unsigned color;
	size_t slice;

	if (!profile_frame(profile, id)->color || !lane->slices.n ||
	    (roles && (roles->scheme.ignores_cnames || roles->color == CHART_COLOR_HEAT)))
		return frame_roles_node(roles, profile, lane, span->node);
	slice = slice_of_span(lane, span);
	color = slice == SIZE_MAX ? 0 : slice_color(&lane->slices, slice);
	if (color)
		return role_of_color(color);
	return roles && roles->color == CHART_COLOR_EVENT_CAT && lane->cats
		? frame_roles_node(roles, profile, lane, span->node)
		: role_of_frame(roles, profile, id);
}

/* ---- times ---- */

/* Self time by frame of one lane. */
struct sum {
	const struct lane *lane;
	int64_t *self_ns;
};

static void add_leaf(void *ctx, node_id leaf, int64_t ns)
{
	struct sum *sum = ctx;

	sum->self_ns[sum->lane->tree.frame[leaf]] += ns;
}

BLOCKS_MANY(add_leaves, add_leaf)

static void add_lane(const struct lane *lane, int64_t *self_ns)
{
	struct sum sum = { lane, self_ns };
	const struct blocks_visitor visitor = { &sum, add_leaves, add_leaf, NULL };

	if (lane->samples.n)
		blocks_each(&lane->samples, samples_time(&lane->samples, 0),
			    samples_time(&lane->samples, lane->samples.n), &visitor);
	else if (lane->hits)
		for (node_id node = 1; node < lane->tree.n; node++)
			add_leaf(&sum, node, lane->hits[node]);
}

/* By frame of `profile`: self time, ns, in the lanes of samples or, if there are none, of slices.
 * *busy_ns: the sum without idle time. `most`: of more samples, every k-th lane is looked at, so
 * that there are about as many. The caller frees the array. */
static int64_t *times_of(const struct profile *profile, size_t most, int64_t *busy_ns)
{
	int64_t *self_ns = xcalloc((size_t)profile->frames.n + 1, sizeof *self_ns);
	enum lane_kind kind = LANE_SLICES;
	size_t n = 0, every, at = 0;

	for (uint32_t i = 0; i < profile->n_lanes; i++)
		if (profile->lanes[i].kind == LANE_SAMPLES)
			kind = LANE_SAMPLES;
	for (uint32_t i = 0; i < profile->n_lanes; i++)
		n += profile->lanes[i].kind == kind ? profile->lanes[i].samples.n : 0;
	every = 1 + n / most;
	for (uint32_t i = 0; i < profile->n_lanes; i++)
		if (profile->lanes[i].kind == kind && at++ % every == 0)
			add_lane(&profile->lanes[i], self_ns);
	self_ns[FRAME_NONE] = 0;
	*busy_ns = 0;
	for (frame_id f = 1; f < profile->frames.n; f++)
		if (profile->frames.frames[f].category != CATEGORY_IDLE)
			*busy_ns += self_ns[f];
	return self_ns;
}

/* ---- the scheme ---- */

/* The url with more than BUNDLE_PERCENT of the time; 0: none, or there are slices only, which have
 * hues of their own. If there is one, it is the candidate that is left when times of other urls
 * cancel it out (majority vote). */
static str_id find_bundle(const struct profile *profile)
{
	const struct frame *frames = profile->frames.frames;
	int64_t busy_ns, left = 0, of_url = 0;
	ALLOC_LOCAL int64_t *self_ns = NULL;
	bool has_urls = false;
	str_id url = 0;

	for (frame_id f = 1; f < profile->frames.n && !has_urls; f++)
		has_urls = frames[f].url && !frame_is_slice(&frames[f]);
	if (!has_urls)
		return 0;
	self_ns = times_of(profile, BUNDLE_SAMPLES, &busy_ns);

	for (frame_id f = 1; f < profile->frames.n; f++) {
		if (!frames[f].url || frames[f].url == url) {
			left += frames[f].url ? self_ns[f] : 0;
		} else if (self_ns[f] > left) {
			left = self_ns[f] - left;
			url = frames[f].url;
		} else {
			left -= self_ns[f];
		}
	}
	for (frame_id f = 1; url && f < profile->frames.n; f++)
		of_url += frames[f].url == url ? self_ns[f] : 0;
	return (double)of_url * 100 > (double)busy_ns * BUNDLE_PERCENT ? url : 0;
}

static void make_scheme(const struct profile *profile, struct frame_scheme *scheme)
{
	*scheme = (struct frame_scheme){ .is_made = true,
					 .ignores_cnames = scheme->ignores_cnames,
					 .bundle = find_bundle(profile) };
	for (frame_id f = 1; f < profile->frames.n; f++) {
		const struct frame *frame = &profile->frames.frames[f];

		scheme->has_own |= is_own(frame);
		scheme->has_browser |= frame->category == CATEGORY_SLICE &&
			slice_role(profile, frame) != ROLE_TASK;
	}
}

/* ---- all frames ---- */

/* From cold to hot, by the share of the busy time: each limit is about half of the one above. */
static enum role role_of_heat(int64_t self_ns, int64_t busy_ns)
{
	static const double least[] = { 0.002, 0.01, 0.025, 0.05, 0.1 };
	unsigned level = 0;

	while (level < ARRAY_LEN(least) && (double)self_ns >= least[level] * (double)busy_ns &&
	       self_ns > 0)
		level++;
	return (enum role)(ROLE_HEAT_0 + level);
}

void frame_roles_make(struct frame_roles *roles, const struct profile *profile,
		      const struct profile *base, struct frame_scheme *scheme,
		      enum chart_color color)
{
	int64_t busy_ns = 0;
	ALLOC_LOCAL int64_t *self_ns = NULL;

	frame_roles_done(roles);
	*roles = (struct frame_roles){ .color = color, .n = profile->frames.n };
	if (!scheme->is_made)
		make_scheme(base, scheme);
	roles->scheme = *scheme;
	roles->of = xcalloc((size_t)roles->n + 1, 1);
	roles->busy = xcalloc((size_t)roles->n + 1, 1);
	if (color == CHART_COLOR_HEAT)
		self_ns = times_of(profile, SIZE_MAX, &busy_ns);
	if (color == CHART_COLOR_REQUEST)
		find_routes(roles, profile);
	for (frame_id f = 0; f < roles->n; f++) {
		roles->of[f] = (uint8_t)frame_roles_find(roles, profile, f);
		if (self_ns && roles->of[f] != ROLE_GC && roles->of[f] != ROLE_IDLE)
			roles->of[f] = (uint8_t)role_of_heat(self_ns[f], busy_ns);
	}
	for (frame_id f = 1; f < roles->n; f++) {
		const struct frame *frame = &profile->frames.frames[f];

		if (frame->category != CATEGORY_IDLE)
			roles->busy[f] = roles->of[f];
		roles->has_cnames |= !scheme->ignores_cnames && frame->color != 0;
	}
	roles->profile = profile;
}

void frame_roles_add(struct frame_roles *roles, const struct profile *drawn)
{
	int64_t busy_ns = 0;
	ALLOC_LOCAL int64_t *self_ns = NULL;

	if (!roles->profile || drawn->frames.n < roles->n)
		return;
	roles->drawn = drawn;
	roles->n_drawn = drawn->frames.n;
	roles->of = xrealloc(roles->of, (size_t)roles->n_drawn + 1, 1);
	if (roles->color == CHART_COLOR_HEAT)
		self_ns = times_of(drawn, SIZE_MAX, &busy_ns);
	for (frame_id f = roles->n; f < roles->n_drawn; f++)
		roles->of[f] = (uint8_t)(self_ns ? role_of_heat(self_ns[f], busy_ns)
						 : frame_roles_find(roles, drawn, f));
}

/* ==== legend ====
 *
 * Frames are put into groups, each with a key: the owner, category, file, package or name of a
 * frame, or its heat. The groups with the most self time are shown, in the colour of the frame that
 * adds most to them. */

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
	return is_own(frame) ? OWN : (enum owner)looks[frame->category].owner;
}

/* Slices of browsers have the colour of what they do, which is also their group: these keys follow
 * those of owners. */
static uint32_t key_of_owner(const struct frame_roles *roles, frame_id f)
{
	const struct frame *frame = profile_frame(roles->profile, f);

	if (roles->of[f] >= ROLE_DEPENDENCY && roles->of[f] < ROLE_CNAME)
		return DEPENDENCIES;
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

SORT_ORDER(by_time, struct group, SORT_BY_2(y->ns, x->ns, x->key, y->key))

SORT_ORDER(by_key, struct group, SORT_BY_1(x->key, y->key))

static void add_text(struct legend *legend, const char *name, enum role role, double share)
{
	struct legend_item *item = &legend->items[legend->n++];
	BUF_LOCAL text = { 0 };

	text_fit(&text, name, strlen(name), LEGEND_CELLS);
	snprintf(item->name, sizeof item->name, "%s", buf_text(&text));
	item->role = role;
	item->share = share;
}

/* Slices of one name may have several event categories, so times by frame do not give these. */
static void make_cats(struct legend *legend, const struct frame_roles *roles)
{
	const struct profile *p = roles->profile;
	ALLOC_LOCAL const struct lane **lanes = xcalloc(p->n_lanes, sizeof *lanes);
	ALLOC_LOCAL struct event_cat_share *list = NULL;
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
}

/* Frames run for several routes. */
static void make_routes(struct legend *legend, const struct frame_roles *roles, int64_t busy_ns)
{
	const struct profile *p = roles->profile;
	int64_t ns = busy_ns;

	for (uint32_t i = 0; busy_ns > 0 && i < roles->n_routes && roles->routes[i].ns; i++) {
		const struct frame_route *route = &roles->routes[i];

		ns -= route->ns;
		if (i < LEGEND_ITEMS - 1)
			add_text(legend, profile_text(p, route->name),
				 frame_roles_route(roles, route->name),
				 (double)route->ns / (double)busy_ns);
	}
	if (ns > 0)
		add_text(legend, p->served.n_runs ? "no request" : "not known", ROLE_TASK,
			 (double)ns / (double)busy_ns);
}

void legend_make(struct legend *legend, const struct frame_roles *roles)
{
	struct groups g = { .roles = roles };
	bool has_order = roles->color == CHART_COLOR_OWNERSHIP || roles->color == CHART_COLOR_HEAT;
	int64_t busy_ns;
	ALLOC_LOCAL int64_t *self_ns = NULL;
	uint32_t n;

	*legend = (struct legend){ 0 };
	if (roles->profile && roles->color == CHART_COLOR_EVENT_CAT)
		make_cats(legend, roles);
	if (!roles->profile || roles->color == CHART_COLOR_EVENT_CAT)
		return;
	self_ns = times_of(roles->profile, SIZE_MAX, &busy_ns);
	if (roles->color == CHART_COLOR_REQUEST) {
		make_routes(legend, roles, busy_ns);
		return;
	}
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
		add_text(legend, name_of(roles, g.all[i].key), g.all[i].role,
			 (double)g.all[i].ns / (double)busy_ns);
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
