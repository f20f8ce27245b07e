/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A search without its results, as a value that refers to no profile: app_state keeps it, and the
 * app of another profile of the same files searches for the same. */
#ifndef FLAMETTY_UI_SEARCH_FINDER_QUERY_H
#define FLAMETTY_UI_SEARCH_FINDER_QUERY_H

#include "ui/same_frames.h"

#include <stdbool.h>

struct app;

struct finder_query {
	char *text; /* pattern, or name of the function; owned; NULL: there is no search */
	bool is_plain, is_function, is_told;
	struct same_frames same; /* the function */
};

/* Fill `query` from the app's search. To be freed by finder_query_done(), which accepts a zeroed
 * query. */
void finder_query_get(const struct app *app, struct finder_query *query);
void finder_query_done(struct finder_query *query);

/* Search for the same in an app without a search. If its profile does not have the function, it
 * stays without. */
void finder_query_apply(struct app *app, const struct finder_query *query);

#endif
