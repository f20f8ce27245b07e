/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The colour role of each frame: the same in chart, tables and legend.
 *
 * By ownership, loudness tells whose code a frame is: the user's own code has the hues of
 * ROLE_FRAME, code of dependencies those of ROLE_DEPENDENCY, and everything else a role without a
 * hue. The hue tells the file. */
#ifndef FLAMETTY_DRAW_FRAME_ROLES_H
#define FLAMETTY_DRAW_FRAME_ROLES_H

#include "draw/grid.h"
#include "draw/role.h"
#include "model/profile.h"
#include "model/slice_work.h"

/* What the colour of a frame stands for. */
enum chart_color {
	CHART_COLOR_OWNERSHIP,
	CHART_COLOR_FILE,
	CHART_COLOR_PACKAGE,
	CHART_COLOR_CATEGORY,
	CHART_COLOR_FUNCTION,
	CHART_COLOR_HEAT,      /* self time */
	CHART_COLOR_EVENT_CAT, /* event category of slices (cat) */
	CHART_COLOR_REQUEST,   /* the route for which a thread runs: by time, see
				  frame_roles_route(); slices have it by name, other frames none */
	CHART_COLOR_COUNT
};

/* `ownership`, `file`, ...: static text. */
const char *frame_roles_color_name(enum chart_color color);

/* What holds for the whole profile as it was loaded, so that no transform and no zoom changes
 * colours. Zeroed: nothing is known, and the code of others is muted. */
struct frame_scheme {
	bool is_made;
	bool has_own;        /* some code is the user's own */
	bool has_browser;    /* some slices have names that browsers give ("slice role" in
				frame_roles.c) */
	bool ignores_cnames; /* the theme does not show the colours that traces ask for */
	str_id bundle;       /* url of the file with more than 60 % of the busy time; 0: none */
};

/* A route, for CHART_COLOR_REQUEST. */
struct frame_route {
	str_id name;
	int64_t ns; /* own CPU of its requests */
};

struct frame_roles {
	const struct profile *profile; /* borrowed */
	struct frame_scheme scheme;
	enum chart_color color;
	uint32_t n; /* number of frames */
	/* A profile that has the frames of `profile`, and more behind them, n_drawn together: the
	 * one that the chart draws. NULL: there is none. */
	const struct profile *drawn;
	uint32_t n_drawn;
	uint8_t *of;                /* by frame, also of `drawn`: its enum role */
	uint8_t *busy;              /* the same, but ROLE_PLAIN for idle time */
	bool has_cnames;            /* some slices show a colour that the trace asks for */
	struct frame_route *routes; /* most time first; NULL: colours are by something else */
	uint32_t n_routes;
	uint8_t *of_text; /* by str_id of the profile: its role as a route; 0: none has this name */
};

/* Make the roles of all frames of `profile`, which must outlive them. A scheme that is not made
 * becomes that of `base`, the profile as it was loaded; `ignores_cnames` stays. frame_roles_done()
 * frees them and accepts a zeroed struct. */
void frame_roles_make(struct frame_roles *roles, const struct profile *profile,
		      const struct profile *base, struct frame_scheme *scheme,
		      enum chart_color color);

static inline void frame_roles_done(struct frame_roles *roles)
{
	free(roles->of);
	free(roles->busy);
	free(roles->routes);
	free(roles->of_text);
	*roles = (struct frame_roles){ 0 };
}

/* Make those of `drawn`, too, whose first frames are those of roles->profile. It is borrowed. */
void frame_roles_add(struct frame_roles *roles, const struct profile *drawn);

/* The fill role of a frame of `profile`. roles: NULL, or roles of any profile that has the same
 * strings; those of another profile give only the scheme. */
enum role frame_roles_find(const struct frame_roles *roles, const struct profile *profile,
			   frame_id id);

/* The name of the colour ROLE_CNAME + i, i < ROLE_CNAMES. Static text. */
static inline const char *frame_roles_cname(unsigned i)
{
	return frame_color_name(i + 1);
}

/* The fill role of the name of an event category; 0: none. */
enum role frame_roles_cat(const struct profile *profile, str_id first);

/* The fill role of a route by its name; of any other text that of code for no request. For colours
 * by request. */
enum role frame_roles_route(const struct frame_roles *roles, str_id name);

/* The fill role of a span of a lane: the colour that its slice asks for, or that of its frame. */
enum role frame_roles_of_span(const struct frame_roles *roles, const struct profile *profile,
			      const struct lane *lane, const struct span *span);

/* The role of a kind of work: that of its slices. */
enum role frame_roles_of_work(enum work work);

static inline enum role frame_roles_get(const struct frame_roles *roles,
					const struct profile *profile, frame_id id)
{
	bool has = roles && (roles->profile == profile || roles->drawn == profile) &&
		id < (roles->drawn ? roles->n_drawn : roles->n);

	return has ? (enum role)roles->of[id] : frame_roles_find(roles, profile, id);
}

/* The same for a node of a lane: slices of one name may have different event categories. */
static inline enum role frame_roles_node(const struct frame_roles *roles,
					 const struct profile *profile, const struct lane *lane,
					 node_id node)
{
	if (roles && roles->color == CHART_COLOR_EVENT_CAT && lane->cats)
		return frame_roles_cat(profile, profile->event_cats[lane->cats[node]].first);
	return frame_roles_get(roles, profile, lane->tree.frame[node]);
}

/* ---- legend ----
 *
 * What the colours of the chart stand for, with the share of the busy time of each: a row of
 * entries in their colours. */

#define LEGEND_ITEMS 12
#define LEGEND_CELLS 24 /* of a name */

struct legend {
	struct legend_item {
		char name[4 * LEGEND_CELLS]; /* UTF-8 */
		enum role role;
		double share; /* 0 to 1 */
	} items[LEGEND_ITEMS];
	int n;
};

/* Make the legend of `roles`, the largest share first, except where the colours have an order of
 * their own. */
void legend_make(struct legend *legend, const struct frame_roles *roles);

/* Draw the entries that fit, each complete, into the first row of `r`. */
void legend_draw(struct grid *g, struct rect r, const struct legend *legend);

#endif
