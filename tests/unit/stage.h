/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An interface without a terminal: one profile, one picture. */
#ifndef FLAMETTY_TESTS_STAGE_H
#define FLAMETTY_TESTS_STAGE_H

#include "suite.h"

#include "ui/app.h"

#include <stdlib.h>
#include <string.h>

static struct profile *profile;
static struct app *app;
static struct grid grid;

/* Show a profile, which stage_close() frees, on a screen of this size. */
static inline void stage_open(struct profile *take, const struct app_options *options, int rows,
			      int cols)
{
	ck_assert_ptr_nonnull(take);
	profile = take;
	app = app_new(profile, options);
	app_resize(app, rows, cols);
}

static inline void stage_close(void)
{
	app_free(app);
	profile_free(profile);
	grid_done(&grid);
	grid = (struct grid){ 0 };
}

static inline void play(const char *keys)
{
	struct error err = ERROR_INIT;

	ck_assert_msg(script_play(&app, keys, NULL, &err), "%s", err.text);
}

/* Complete the picture and draw it. */
static inline void draw(void)
{
	app_update(app, BUDGET_UNLIMITED);
	app_draw(app, &grid);
}

/* The picture as text, to be freed. */
static inline char *picture(bool has_roles)
{
	struct buf out = { 0 };

	draw();
	grid_format(&grid, has_roles, &out);
	return out.data;
}

/* Compare two pictures; print the first line that differs, as Check accepts no whole pictures. */
static inline void check_same_picture(const char *is, const char *expected, const char *keys,
				      int at)
{
	size_t n = 0;

	for (size_t i = 0; is[i] && is[i] == expected[i]; i++)
		n = is[i] == '\n' ? i + 1 : n;
	ck_assert_msg(strcmp(is, expected) == 0, "%s, key %d:\n%.500s\n%.500s", keys, at, is + n,
		      expected + n);
}

/* Whether the picture has this text. */
static inline bool shows(const char *text)
{
	char *p = picture(false);
	bool is = strstr(p, text) != NULL;

	free(p);
	return is;
}

#endif
