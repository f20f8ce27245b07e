/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The notes of users: those of the files, and those of this session. They go from app to app, and
 * along to exports. */
#ifndef FLAMETTY_UI_CHART_NOTE_KEYS_H
#define FLAMETTY_UI_CHART_NOTE_KEYS_H

#include "draw/chart.h"
#include "model/profile.h"

struct app;

struct note_keys {
	struct notes all;
	struct notes_found found; /* zeroed: they were not looked for yet */
	struct chart_note *drawn; /* those of the chart */
};

/* Begin with the notes of the profile; of a new app with those that the user made in `before`. */
void note_keys_init(struct app *app, const struct notes *before);
void note_keys_done(struct note_keys *k);

/* Find what the chart of the time line is to draw. */
void note_keys_update(struct app *app);

/* Make the windows that the file names those before the first one. */
void note_keys_windows(struct app *app);

#endif
