/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The findings of the window and the lane with the cursor, and the walk from finding to finding.
 * From FINDINGS_MANY lanes on, they are those of all lanes, joined as in a report.
 *
 * The walk goes through the findings of the window in which it began, whatever windows it shows. It
 * ends as soon as the user changes the window or the selection. */
#ifndef FLAMETTY_UI_CHART_FINDINGS_WALK_H
#define FLAMETTY_UI_CHART_FINDINGS_WALK_H

#include "draw/screen.h"
#include "findings/findings.h"

struct app;

/* A finding that the walk goes to: a copy, as the window's findings change. */
struct findings_stop {
	const struct lane *lane;
	struct buf text, notes; /* notes: with line ends between them */
	int64_t ns, whole;      /* its share */
	bool is_of_length;      /* `whole` is the length of the window, not its busy time */
	bool has_place;         /* t0 and t1 are not just the window */
	int64_t t0, t1;
	frame_id function;
	str_id package; /* that it is about as a whole; 0: the function */
	bool has_span;
	struct span span;
};

struct findings_walk {
	struct findings findings;
	const struct profile *profile; /* NULL: the thread with the cursor has none */
	const struct lane *lane;       /* NULL: those of many lanes */
	node_id most_nodes;            /* of one of the lanes */
	int64_t t0, t1;                /* what the findings are, or will be, of */
	bool is_barred; /* memory was short: there are none until the user asks for them */
	struct place_clock clock;   /* of the places in texts */
	bool is_retold;             /* the findings are computed again for the texts of the stops */
	int64_t stops_t0, stops_t1; /* what the stops are of */
	int n_reads; /* how often they were computed again for a source that was being read */

	struct findings_stop *stops;
	int n_stops;
	int at;    /* index of the stop that is shown */
	int steps; /* to go as soon as the findings are complete; 0: none, also to give them up */
	int64_t view_t0, view_t1; /* what was shown at that stop */
	int view_lane;
	bool has_selected;
	struct span selected; /* as it is, without folds, as is `start` */

	unsigned n_changes; /* of what findings_walk_sentence() tells */
	bool has_start;     /* the selection of the first picture: */
	int start_lane;
	struct span start;
	struct buf text, second; /* of the stop, for the bar */
};

/* Free everything; nothing that it was made for is needed any more. */
void findings_walk_forget(struct app *app);

/* The same because memory is short. */
void findings_walk_bar_all(struct app *app);

/* Whether the picture is that of a finding which the walk went to. */
bool findings_walk_is_on(const struct app *app);

/* Remember the first selection: until it changes, the cursor has not been moved. */
void findings_walk_start(struct app *app);

/* Compute the findings for the window within the budget; those of many lanes in half of it, as they
 * take long. Returns true when they are complete. */
bool findings_walk_update(struct app *app, struct budget *budget);

/* The findings of the window; NULL: there are none, or they are not complete. */
const struct findings_result *findings_walk_result(const struct app *app);

/* The clock of the ruler, for places in texts about the time line. */
struct place_clock findings_walk_clock(const struct app *app);

/* The time in ms without keys after which findings are to be computed again, because a source is
 * being read that they want; -1: none is, or it takes too long. */
int findings_walk_wait_ms(const struct app *app);

/* Begin again if that is so; returns whether it is. */
bool findings_walk_read_again(struct app *app);

/* The sentence of finding `i`: of the walk, or of the window. NULL: there is none, or they are not
 * complete; *is_complete tells which, also for i = 0. Borrowed until the next change. */
const char *findings_walk_sentence(const struct app *app, int i, bool *is_complete);

/* Append the further sentences of that finding, with line ends between them. */
void findings_walk_notes(const struct app *app, int i, struct buf *notes);

/* The lane and the place of that finding, and the function that it is about; FRAME_NONE: none. */
frame_id findings_walk_place(const struct app *app, int i, const struct lane **lane, int64_t *t0,
			     int64_t *t1);

/* Go to that finding. */
void findings_walk_show(struct app *app, int i);

/* Go on with the steps, if there are any to go, before the picture. */
bool findings_walk_continue(struct app *app, struct budget *budget);

/* For the picture. The texts belong to the app. */
void findings_walk_bar(const struct app *app, struct verdict_bar *bar);

/* The finding that yy is about: that of the walk, or the first one of the line as long as the
 * cursor has not been moved. Appends its sentence, and its notes and place. False: none, or a pane
 * has the focus. */
bool findings_walk_texts(const struct app *app, struct buf *text, struct buf *notes);

#endif
