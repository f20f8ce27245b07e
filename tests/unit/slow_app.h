/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An app of random lanes whose commands only begin what takes steps: a test takes the steps. */
#ifndef FLAMETTY_TESTS_SLOW_APP_H
#define FLAMETTY_TESTS_SLOW_APP_H

#include "random_profile.h"
#include "suite.h"

#include "ui/key.h"
#include "ui/state.h"

static struct profile *profile;
static struct app *app;

static inline void setup(void)
{
	profile = random_profile(1, 40, 120, 3);
	app = app_new(profile, &(struct app_options){ 0 });
	app_resize(app, 40, 120);
	/* No command completes what takes steps. */
	app->key_ns = 0;
}

static inline void teardown(void)
{
	app_free(app);
	profile_free(profile);
}

static inline void press(const char *keys)
{
	while (*keys) {
		key_code key;

		keys += key_parse(keys, &key);
		app_key(app, key);
	}
}

static inline void complete(void)
{
	while (app_wait_ms(app) == 0)
		app_timeout(app);
}

/* The screen without a message. The caller frees it. */
static inline char *screen(void)
{
	struct grid grid = { 0 };
	struct buf text = { 0 };

	buf_clear(&app->message);
	app_update(app, BUDGET_UNLIMITED);
	app_draw(app, &grid);
	grid_format(&grid, true, &text);
	grid_done(&grid);
	return text.data;
}

#endif
