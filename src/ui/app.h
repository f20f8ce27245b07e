/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface without a terminal: keys and mouse events in, pictures out. The app borrows the
 * profile and owns everything that it computes from it. */
#ifndef FLAMETTY_UI_APP_H
#define FLAMETTY_UI_APP_H

#include "analyse/fold.h"
#include "analyse/view/view.h"
#include "base/budget.h"
#include "base/error.h"
#include "base/progress.h"
#include "draw/chart.h"
#include "draw/grid.h"
#include "model/profile.h"
#include "model/source_text.h"
#include "ui/command.h"
#include "ui/key.h"

#include <stdbool.h>

/* The source of event texts. The event is read from the file again, which this layer may not do. */
struct event_source {
	/* Append the event at byte `offset` of input `input` as lines, and the stacks that it names
	 * (model/event_stack.h). False, with nothing appended: it is still being read; ask again
	 * later. NULL: there are no texts. */
	bool (*read)(void *ctx, const struct profile *profile, uint32_t input, int64_t offset,
		     struct buf *out, struct buf *stacks);
	/* The events that were asked for are not needed any more. May be NULL. */
	void (*forget)(void *ctx);
	void *ctx;
	/* Search all events for a pattern: those found, borrowed until `stop`. NULL: still reading,
	 * *percent is done; ask again later. `find` NULL: no event can be read. */
	const struct event_hits *(*find)(void *finder, const struct profile *profile,
					 const char *pattern, bool is_plain, int *percent);
	void (*stop)(void *finder);
	void *finder;
};

/* What is in scope, for an export. All borrowed. */
struct app_export {
	const char *format, *path;
	bool is_forced;                /* an existing file is replaced */
	bool is_fleet;                 /* what the fleet answers; nothing below counts */
	const struct profile *profile; /* with the transforms applied */
	bool is_original;              /* nothing is transformed */
	/* What `profile` was made of, for formats that tell the scope: its lanes have the same
	 * numbers. */
	const struct profile *base;
	const struct transform *transforms;
	size_t n_transforms;
	enum view_group group;
	bool has_idle;        /* idle time counts in shares */
	bool has_other_clock; /* on the screen, times do not count from the start of the profile */
	int64_t t0, t1;
	struct notes *notes;    /* of the user; may be completed */
	const uint8_t *is_lane; /* by lane of the profile: 1 if it is in scope */
	/* To be called from time to time, with the bytes of output so far; false: cancel. */
	bool (*watch)(void *ctx, int64_t bytes);
	void *watch_ctx;
};

/* A place in a script or source. */
struct app_code {
	const char *url;  /* borrowed */
	int line, column; /* from 1 on; 0: unknown */
	bool is_source;   /* source maps name it */
};

/* Code to open in an editor. */
struct app_edit {
	struct app_code code[2]; /* the place as it is shown, and by its other name */
	int n_code;
	const struct input *input; /* the recording; NULL: not known */
};

/* The recordings of a fleet with one host, version or label. */
struct app_group {
	const char *axis;  /* `host`, `version`, `time`: the label of --by */
	const char *value; /* NULL: unknown */
	bool has_time;     /* it is an hour or a day, from `at` on: seconds since 1970 */
	int64_t at;
	const char *search; /* a pattern: what to search for in them */
};

/* What the program does for the interface, which has no files and no terminal. Any function may be
 * NULL: then it is not possible. */
struct app_host {
	/* The names of themes and of formats of exports; NULL after the last one. */
	const char *(*theme_word)(unsigned i);
	const char *(*export_word)(unsigned i);
	/* Change a setting of the program: `theme`, `mouse`, `follow`. */
	bool (*set)(void *ctx, const char *name, const char *value, struct error *err);
	/* Whether the theme shows the colours that traces ask for. */
	bool (*shows_cnames)(void *ctx);
	/* Append the command line of the program, quoted for a shell, without what it says about
	 * keys and pictures. Nothing: it would not show the same again. */
	void (*command)(void *ctx, struct buf *out);
	/* A command line was typed, and is to be there at the next start. */
	void (*keep_line)(void *ctx, const char *line);
	/* Keep what was set and bound for the next start. Appends a message, also on failure. */
	bool (*write_config)(void *ctx, struct buf *said);
	/* Write a file, and call request->watch meanwhile. Appends a message for the user, also on
	 * failure. */
	bool (*export)(void *ctx, const struct app_export *request, struct buf *said);
	/* Write what was recorded of the process that is shown live. Appends a message, also on
	 * failure. */
	bool (*save)(void *ctx, const char *path, bool is_forced, struct buf *said);
	/* Begin to read the files again, and to show what they have then. Appends a message if
	 * that is not possible. */
	bool (*reload)(void *ctx, struct buf *said);
	/* Begin to read files, to compare the profile with them; `files`: the name of one, or names
	 * as in ui/line/command_line.h. Another app shows the comparison, with
	 * chart_diff_what.is_opened. NULL: read the files of the comparison again. Appends a
	 * message if that is not possible.
	 */
	bool (*compare)(void *ctx, const char *files, struct buf *said);
	/* How far that is, and the name of the file, which is borrowed. False: no file is read. */
	bool (*comparing)(void *ctx, struct progress *progress, const char **name);
	/* Stop that. */
	void (*stop_comparing)(void *ctx);
	/* End the comparison or what was opened: show the app again that was there before. */
	void (*end_comparing)(void *ctx);
	/* Begin to read a recording that lies beside an input, to show it in the place of the
	 * list that names it. `comparing` and what follows it are for this, too. Appends a message
	 * if that is not possible. */
	bool (*open)(void *ctx, uint32_t input, const char *file, struct buf *said);
	/* The same of the recordings of a group. */
	bool (*open_group)(void *ctx, const struct app_group *group, struct buf *said);
	/* Open code in the user's editor, and return when the editor does. Appends a message, also
	 * on failure. */
	bool (*edit)(void *ctx, const struct app_edit *request, struct buf *said);
	/* The user has answered about a folder. Appends a message if there is something to say. */
	void (*allow)(void *ctx, const char *folder, enum source_answer answer, struct buf *said);
	/* Find the files whose paths begin with `begin`; directories end with '/'. */
	void (*find_files)(void *ctx, const char *begin, void (*found)(void *to, const char *path),
			   void *to);
	void *ctx;
};

/* A process that runs, while the profiles of its last minute follow each other
 * (ui/chart/live.h). The program owns it, and each app changes it. */
struct app_live {
	bool is_moving;     /* set by the app: the window follows the process */
	int64_t length_ns;  /* by the app: of the window while it moves */
	unsigned sort;      /* by the app: order, */
	bool is_reversed;   /* the other way round, */
	size_t cursor, top; /* cursor and first row of the live list */
	bool is_merged;     /* by the app: calls are merged, as their time order tells little */
	/* By the app: rows of the pane, with those that the chart does not need, for a screen of
	 * this size and view; the most that the chart has needed since the last key. */
	int pane_rows, rows, cols, view, chart_rows;
	int64_t now_ns;  /* end of what is there, since the start of the profile */
	bool has_ended;  /* the process */
	bool wants_rest; /* by the app: show what came after it was frozen */
	/* Of several processes there is a list, in which the user enters one. */
	bool is_list;     /* it is shown, with the counters of all; */
	bool has_list;    /* one process is shown, and left for the list */
	int64_t enters;   /* by the app: the id of the process to show; 0: none */
	bool leaves;      /* by the app: show the list again */
	char title[64];   /* `node server.js` */
	char silence[64]; /* `no answer since 2.2 s`; empty: it answers */
};

struct app_state;
struct chart_diff_what;
struct fleet_answers;
struct preferences;

/* What the first picture shows. */
enum app_start {
	APP_START_LONGEST, /* the longest call at the beginning of the busiest lane is selected */
	APP_START_CULPRIT, /* the call that the verdict accuses (ui/chart/culprit.h) */
	APP_START_WINDOW   /* that, in a window where it can be read */
};

struct app_options {
	bool is_ascii;
	bool has_idle; /* idle time counts in shares */
	enum chart_times times;
	enum chart_color color;
	int64_t t0, t1; /* the first window; t1 <= t0: the whole profile */
	struct event_source events;
	struct source_host sources;
	/* Active from the start; copied with what they point to. */
	const struct transform *transforms;
	size_t n_transforms;
	enum view_group group;
	unsigned raw;        /* AS_RECORDED_ bits: samples that are as recorded */
	enum fold_mode fold; /* what is folded */
	enum app_start start;
	const struct app_state *state; /* of the previous app; NULL: none. Copied */
	/* Borrowed, and changed by the app; NULL: it has its own. */
	struct preferences *preferences;
	const struct fleet_answers *fleet; /* borrowed; the profile is its sums; NULL: no fleet */
	const char *search; /* of a group that was opened: what to search for; NULL: nothing */
	bool is_of_list;    /* a list is behind it: app_host.open */
	const struct app_host *host;        /* borrowed; NULL: none */
	struct app_live *live;              /* borrowed, and changed; NULL: no process */
	const struct chart_diff_what *diff; /* the comparison to begin with; NULL: none. Copied */
};

struct app;

/* What the caller should do after a key. */
enum app_effect {
	APP_REDRAW = 1, /* the picture changed */
	APP_QUIT = 2,
	APP_SUSPEND = 4,
	APP_RESET = 8,  /* send the whole screen again */
	APP_COPY = 16,  /* take app_copied() to the clipboard */
	APP_EXPORT = 32 /* call app_export() */
};

/* Make an app. options are copied; the profile must outlive the app. */
struct app *app_new(const struct profile *profile, const struct app_options *options);
void app_free(struct app *app);

/* Set the size of the screen, at least 1x1. Call this before the first key. */
void app_resize(struct app *app, int rows, int cols);

/* The terminal shows more than ASCII after all. */
void app_take_utf8(struct app *app);

/* Process a key. Returns app_effect bits. */
unsigned app_key(struct app *app, key_code key);

/* Run a command, `count` times if it can be repeated. Returns app_effect bits. */
unsigned app_command(struct app *app, enum command_id id, int count);

struct app_mouse {
	int row, col;
	enum {
		APP_MOUSE_CLICK,
		APP_MOUSE_DOUBLE,
		APP_MOUSE_DRAG,
		APP_MOUSE_WHEEL_UP,
		APP_MOUSE_WHEEL_DOWN
	} what;
	bool is_pan; /* the wheel pans: Ctrl or Shift was held */
};

unsigned app_mouse(struct app *app, const struct app_mouse *mouse);

/* How long to wait for the next key before app_timeout() must be called, in ms; -1: without limit.
 * app_timeout() does work that is left between keys. */
#define APP_LEGEND_MS 3000 /* after this wait app_timeout() only takes the legend away */

int app_wait_ms(const struct app *app);
unsigned app_timeout(struct app *app);

/* Compute what the picture needs, within the budget. Returns true when nothing is missing. Missing
 * columns are drawn as unfinished; app_timeout() computes more of them and asks for the next
 * picture. Call this after keys and before app_draw(). */
bool app_update(struct app *app, struct budget *budget);

/* Draw into `grid`, which gets the size of the screen. Changes nothing of the app. */
void app_draw(const struct app *app, struct grid *grid);

/* Whether no prompt or prefix is pending, no match is waited for, no rows are being opened and no
 * transform or view is being computed, so that another app can go on with this app's state. */
bool app_is_settled(const struct app *app);

/* Whether a key has begun to open rows, or to go to a finding, and app_timeout() goes on with it.
 * The next key stops it; Esc does nothing else then. */
bool app_is_opening(const struct app *app);

/* Whether the user waits for a match, for filtered rows or for those below a row, and app_timeout()
 * looks for them. Keys are kept until then; Esc and C-c give up. */
bool app_is_waiting(const struct app *app);

/* Whether a key of pasted text is taken: in a prompt, as anywhere else it would run commands that
 * the user did not intend. For the same reason it does not end a command line. */
bool app_takes_pasted(const struct app *app, key_code key);

/* Tell that the file is still loading, with `text` for the header, or (NULL) that it is not. While
 * it is, commands with COMMAND_NEEDS_ALL are barred. */
void app_set_loading(struct app *app, const char *text);

/* Tell that the profile is only a part of the file, and why: `text` for the header, which keeps it;
 * no message says so. */
void app_set_cut(struct app *app, const char *text);

/* Show a message of `len` bytes on the status line. */
void app_say(struct app *app, bool is_warning, const char *text, size_t len);

/* The warning that is shown there; empty: none. Borrowed until the next key. */
const char *app_warning(const struct app *app);

/* The message that is shown there, a warning or not; empty: none. Borrowed until the next key. */
const char *app_message(const struct app *app, bool *is_warning);

/* The text that was copied last, of *len bytes; it belongs to the app and is valid until the next
 * key. app_copied_to() tells the user where it went. */
const char *app_copied(const struct app *app, size_t *len);
void app_copied_to(struct app *app, const char *place);

/* Do what APP_EXPORT asks for. `look` is called from time to time, and may draw the app, whose
 * message tells the progress; it returns false to cancel. NULL: nothing to call. */
void app_export(struct app *app, bool (*look)(void *ctx), void *ctx);

/* ---- script ----
 *
 * The interface without a terminal: `--keys` played into an app. */

/* Only look for text that is not a key. */
bool script_check(const char *keys, struct error *err) MUST_USE;

/* Another app may go on after each key: */
struct script_feed {
	/* The app that goes on after `now`, which is settled: `now` itself, or another one that
	 * replaces it, or NULL: there is none, and the keys end. */
	struct app *(*next)(void *ctx, struct app *now);
	void *ctx;
};

/* Press the keys of a text like `wwl<Enter><C-d>`. Stops at a key that quits. Fails with
 * ERR_SYNTAX at text that is not a key; err->offset is its byte. Afterwards all pending work of the
 * app is done. feed: NULL: the app stays the same. *app becomes the last one. */
bool script_play(struct app **app, const char *keys, const struct script_feed *feed,
		 struct error *err) MUST_USE;

#endif
