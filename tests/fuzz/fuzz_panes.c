/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All views, tables and panes of a profile of any format, on screens of odd sizes. Drawing changes
 * nothing: a second picture is equal. */
#include "config.h"

#include "base/alloc.h"
#include "fuzz.h"
#include "read/trace/event_reader.h"
#include "ui/app.h"

#include <string.h>

static const char *const keys[] = {
	"1",
	"2jjG",
	"3jj",
	"4jjlG",
	"5EG",
	"6EG",
	"7jj<Enter>",
	"8jj<Enter>",
	"9jjjj<Enter>",
	"0",
	"jjj8zGo1o2o3o4o5o6o7o8o9",
	"ooosogojofotoporocohomolobob",
	"jjxfxpxcxdxhxixrxoxux<Space>",
	":where a<Enter>:only main<Enter>",
	":set group url<Enter>5E",
	":set group package<Enter>6E",
	":set times relative<Enter>:set color package<Enter>",
	":set fold packages<Enter>:set idle off<Enter>",
	"/a<Enter>nnN*4]h]h]o]o[f]f]w[w",
	"vlllljjjy",
	"+++++++lllll------hhhhh<Home><End>",
	"!nnN!?<PgDn><PgDn><Esc>",
	"majjjj'a`amb<Tab><Tab><S-Tab>",
};

/* The seed of the sizes and keys: from the bytes, so that an input always does the same. */
static uint32_t hash(const uint8_t *data, size_t size)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < size; i++)
		h = (h ^ data[i]) * 16777619u;
	return h;
}

static void draw(struct app *app)
{
	struct grid one = { 0 }, other = { 0 };

	do {
		app_update(app, BUDGET_UNLIMITED);
		app_draw(app, &one);
	} while (app_wait_ms(app) >= 0 && (app_timeout(app), true));
	app_draw(app, &one);
	app_draw(app, &other);
	fuzz_grid(&one);
	if (memcmp(one.cells, other.cells,
		   (size_t)one.rows * (size_t)one.cols * sizeof *one.cells) != 0)
		fuzz_found("a second picture differs");
	grid_done(&one);
	grid_done(&other);
}

static void play(const struct profile *p, const char *text, uint32_t pick)
{
	static const int rows[] = { 24, 1, 2, 3, 5, 9, 24, 61 };
	static const int cols[] = { 80, 1, 2, 7, 20, 39, 133, 300 };
	struct app_options options = { .has_idle = pick % 2,
				       .is_ascii = pick % 5 == 0,
				       .start = (enum app_start)(pick % 3),
				       .events = { .read = event_read } };
	struct app *app = app_new(p, &options);
	struct error err = ERROR_INIT;

	app_resize(app, rows[pick >> 8 & 7], cols[pick >> 12 & 7]);
	if (!script_play(&app, text, NULL, &err))
		fuzz_found("keys %s: %s", text, err.text);
	draw(app);
	app_resize(app, rows[pick >> 16 & 7], cols[pick >> 20 & 7]);
	draw(app);
	app_free(app);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct profile *p = fuzz_load(data, size);
	uint32_t pick = hash(data, size);

	for (size_t i = 0; p && i < ARRAY_LEN(keys); i++) {
		pick = pick * 1664525u + 1013904223u;
		if (pick >> 30 == 0)
			play(p, keys[i], pick);
	}
	profile_free(p);
	return 0;
}
