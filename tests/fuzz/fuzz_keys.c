/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scripts of --keys, on a small profile with samples, slices and marks. The first two bytes are the
 * size of the screen, what follows is the script. A script that script_check() takes is played to
 * its end; the picture then is equal however it is computed: at once, or in small steps. */
#include "config.h"

#include "base/alloc.h"
#include "fuzz.h"
#include "read/trace/event_reader.h"
#include "ui/app.h"
#include "ui/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCRIPT_MAX 400

#define EVENT "{\"pid\":1,\"tid\":2,\"cat\":\"devtools.timeline\",\"ph\":"
static const char trace[] =
	"{\"traceEvents\":[" EVENT
	"\"M\",\"name\":\"thread_name\",\"args\":{\"name\":\"CrRendererMain\"}}," EVENT
	"\"X\",\"name\":\"RunTask\",\"ts\":1000,\"dur\":900}," EVENT
	"\"X\",\"name\":\"FunctionCall\",\"ts\":1010,\"dur\":500,\"args\":{\"data\":"
	"{\"functionName\":\"render\",\"url\":\"https://a.example/app.js\",\"lineNumber\":7}}}," EVENT
	"\"X\",\"name\":\"Layout\",\"ts\":1600,\"dur\":200}," EVENT
	"\"I\",\"s\":\"t\",\"name\":\"mark\",\"ts\":1700}," EVENT
	"\"b\",\"id\":\"1\",\"name\":\"load\",\"ts\":1020}," EVENT
	"\"e\",\"id\":\"1\",\"name\":\"load\",\"ts\":1750}," EVENT
	"\"C\",\"name\":\"heap\",\"ts\":1100,\"args\":{\"bytes\":5000}}," EVENT
	"\"C\",\"name\":\"heap\",\"ts\":1500,\"args\":{\"bytes\":90}}," EVENT
	"\"P\",\"id\":\"0x1\",\"name\":\"Profile\",\"ts\":1000,\"args\":{\"data\":"
	"{\"startTime\":1000}}}," EVENT
	"\"P\",\"id\":\"0x1\",\"name\":\"ProfileChunk\",\"ts\":1001,\"args\":{\"data\":"
	"{\"cpuProfile\":{\"nodes\":["
	"{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\",\"scriptId\":0}},"
	"{\"id\":2,\"parent\":1,\"callFrame\":{\"functionName\":\"main\",\"scriptId\":3,"
	"\"url\":\"file:///srv/app/main.js\",\"lineNumber\":9,\"columnNumber\":1}},"
	"{\"id\":3,\"parent\":2,\"callFrame\":{\"functionName\":\"parse\",\"scriptId\":4,"
	"\"url\":\"file:///srv/app/node_modules/left/index.js\",\"lineNumber\":1}},"
	"{\"id\":4,\"parent\":3,\"callFrame\":{\"functionName\":\"main\",\"scriptId\":3,"
	"\"url\":\"file:///srv/app/main.js\",\"lineNumber\":9,\"columnNumber\":1}},"
	"{\"id\":5,\"parent\":2,\"callFrame\":{\"functionName\":\"\\u7d42\\u4e86\",\"scriptId\":5}},"
	"{\"id\":6,\"parent\":1,\"callFrame\":{\"functionName\":\"(idle)\",\"scriptId\":0}},"
	"{\"id\":7,\"parent\":1,\"callFrame\":{\"functionName\":\"(garbage collector)\","
	"\"scriptId\":0}}],\"samples\":[2,3,4,4,3,6,2,5,7,5,2,6,3]},"
	"\"timeDeltas\":[0,50,60,70,50,60,70,80,50,60,90,50,60]}}}]}";

static const struct profile *profile_once(void)
{
	static struct profile *p;

	if (!p)
		p = fuzz_load((const uint8_t *)trace, sizeof trace - 1);
	if (!p || p->n_lanes < 3)
		fuzz_found("the profile cannot be loaded");
	return p;
}

/* ---- the program ---- */

static const char *theme_word(unsigned i)
{
	return i == 0 ? "auto" : i == 1 ? "light" : NULL;
}

static bool set(void *ctx, const char *name, const char *value, struct error *err)
{
	(void)ctx;
	return strlen(name) + strlen(value) % 2 ? true
						: error_set(err, ERR_FORMAT, -1, "%s: no", name);
}

static bool export(void *ctx, const struct app_export *request, struct buf *said)
{
	const struct export_format *format = export_find(request->format);
	uint32_t lane = 0;

	(void)ctx;
	if (!format)
		fuzz_found("no format %s", request->format);
	while (request->is_lane && lane + 1 < request->profile->n_lanes && !request->is_lane[lane])
		lane++;
	profile_free(fuzz_export(request->profile, format, false, lane));
	buf_adds(said, "wrote ");
	buf_adds(said, request->path);
	return true;
}

static void find_files(void *ctx, const char *begin, void (*found)(void *to, const char *path),
		       void *to)
{
	(void)ctx;
	if (strncmp("recordings/", begin, strlen(begin)) == 0)
		found(to, "recordings/");
	if (strncmp("record.cpuprofile", begin, strlen(begin)) == 0)
		found(to, "record.cpuprofile");
}

static bool write_config(void *ctx, struct buf *said)
{
	(void)ctx;
	buf_adds(said, "wrote config");
	return true;
}

/* ---- a script ---- */

static void draw(struct app *app, bool has_budget, struct grid *grid)
{
	for (int n = 0; n < 10000; n++) {
		struct budget budget = budget_steps(1 + (uint64_t)n, 1);

		if (app_update(app, has_budget ? &budget : BUDGET_UNLIMITED) &&
		    app_wait_ms(app) < 0)
			break;
		app_timeout(app);
	}
	app_draw(app, grid);
	fuzz_grid(grid);
}

static void play(const char *keys, int rows, int cols, bool has_budget, struct grid *grid)
{
	static const struct app_host host = { .theme_word = theme_word,
					      .export_word = export_word,
					      .set = set,
					      .export = export,
					      .find_files = find_files,
					      .write_config = write_config };
	const struct profile *p = profile_once();
	struct app_options options = { .t1 = p->t1,
				       .host = &host,
				       .events = { .read = event_read } };
	struct app *app = app_new(p, &options);
	struct error err = ERROR_INIT;

	app_resize(app, rows, cols);
	if (!script_play(&app, keys, NULL, &err))
		fuzz_found("script_check() takes what cannot be played: %s", err.text);
	draw(app, has_budget, grid);
	app_free(app);
}

static void compare(const char *keys, int rows, int cols)
{
	struct grid at_once = { 0 }, in_steps = { 0 };

	play(keys, rows, cols, false, &at_once);
	play(keys, rows, cols, true, &in_steps);
	if (memcmp(at_once.cells, in_steps.cells,
		   (size_t)rows * (size_t)cols * sizeof *at_once.cells) != 0)
		fuzz_found("the picture in steps differs");
	grid_done(&at_once);
	grid_done(&in_steps);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char keys[SCRIPT_MAX + 1];
	struct error err = ERROR_INIT;
	size_t n = size < 2 ? 0 : size - 2;

	if (n == 0 || n > SCRIPT_MAX)
		return 0;
	memcpy(keys, data + 2, n);
	keys[n] = '\0';
	if (script_check(keys, &err))
		compare(keys, 1 + data[0] % 60, 1 + data[1] * 3 / 2);
	else if (err.kind != ERR_SYNTAX || err.offset < 0 || (size_t)err.offset > n)
		fuzz_found("a wrong script: %s at %lld", err.text, (long long)err.offset);
	return 0;
}

/* ---- mutation ---- */

/* Half of the changes insert a key with a name, or a command. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	static const char *const words[] = {
		"<Enter>",      "<Esc>",       "<Tab>",   "<S-Tab>",    "<Up>",   "<Down>",
		"<PgDn>",       "<PgUp>",      "<Home>",  "<End>",      "<C-d>",  "<C-u>",
		"<C-o>",        "<C-l>",       "<Space>", "<F1>",       "<Left>", "<Right>",
		"/main<Enter>", "/a|p<Enter>", "99",      "5E",         "xf",     ":set ",
		":bind ",       ":export ",    ":only ",  ":hide ",     ":goto ", ":window ",
		":where ",      "`a",          "ma",      "2147483647",
	};
	size_t at = size > 2 ? 2 + (seed >> 8) % (size - 1) : size;
	char command[80];

	if (seed % 4 == 1)
		return fuzz_insert(data, size, max_size, at, words[(seed >> 4) % ARRAY_LEN(words)]);
	if (seed % 4 == 2) {
		snprintf(command, sizeof command, ":%s<Enter>",
			 command_get((enum command_id)(1 + (seed >> 3) % (COMMAND_COUNT - 1)))
				 ->name);
		return fuzz_insert(data, size, max_size, at, command);
	}
	return LLVMFuzzerMutate(data, size, max_size);
}
