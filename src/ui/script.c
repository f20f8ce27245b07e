/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A script has no clock: rows that a key opens are open before the next key, and a transform or a
 * view is complete. */
#include "config.h"

#include "ui/script.h"

#include "ui/chart/transforms.h"
#include "ui/chart/views.h"

#include <string.h>

static void finish(struct app *app)
{
	while (app_is_opening(app) || app_is_waiting(app) || transforms_is_busy(app) ||
	       views_is_busy(app))
		app_timeout(app);
}

/* Take the key that *p begins with. */
static bool take(const char **p, const char *keys, key_code *key, struct error *err)
{
	size_t n = key_parse(*p, key);

	if (n == 0)
		return error_set(err, ERR_SYNTAX, *p - keys, "no such key: %.40s", *p);
	*p += n;
	return true;
}

bool script_check(const char *keys, struct error *err)
{
	const char *p = keys;
	key_code key;

	while (*p)
		if (!take(&p, keys, &key, err))
			return false;
	return true;
}

bool script_play(struct app **app, const char *keys, const struct script_feed *feed,
		 struct error *err)
{
	const char *p = keys;
	struct app *now = *app;

	while (*p) {
		unsigned wish;
		key_code key;

		if (!take(&p, keys, &key, err))
			return false;
		wish = app_key(now, key);
		if (wish & APP_QUIT)
			return true;
		if (wish & APP_EXPORT)
			app_export(now, NULL, NULL);
		finish(now);
		if (feed && app_is_settled(now)) {
			*app = now = feed->next(feed->ctx, now);
			if (!now)
				return true;
			finish(now);
		}
	}
	if (app_wait_ms(now) != APP_LEGEND_MS)
		app_timeout(now);
	while (app_wait_ms(now) == 0)
		app_timeout(now);
	return true;
}
