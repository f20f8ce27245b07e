/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kinds of work: what a slice of a browser does, by the name of its event. The kinds are the
 * categories of DevTools, of which its scripting is two: scripting and garbage collection. */
#ifndef FLAMETTY_MODEL_SLICE_WORK_H
#define FLAMETTY_MODEL_SLICE_WORK_H

#include <stdbool.h>
#include <stdint.h>

/* In the order in which tables list them. */
enum work {
	WORK_SCRIPTING,
	WORK_RENDERING,
	WORK_PAINTING,
	WORK_LOADING,
	WORK_GC,
	WORK_SYSTEM, /* tasks, and all that is none of the others */
	WORK_IDLE,
	WORK_COUNT
};

/* The kind of work of slices with this name of an event. Never WORK_IDLE. O(log n) of the table. */
enum work slice_work(const char *name);

/* The same as DevTools counts time; WORK_COUNT: it does not draw them, and their time is that of
 * the slice around them. */
enum work slice_work_counted(const char *name);

/* Whether slices of this name are tasks of an event loop: of Chromium's threads, of Node.js. */
bool slice_work_is_task(const char *name);

/* `scripting`, `GC`, ...: static text. */
const char *slice_work_name(enum work work);

struct profile;
struct lane;

/* Find the self time in [t0, t1) of a lane of slices, and of the lanes that are joined to it, by
 * kind of work. As in DevTools, the time of a slice that it does not draw is that of the slice
 * around it. idle: time without a slice. Returns whether the slices there are those of a browser.
 */
bool work_times(const struct profile *profile, const struct lane *head, int64_t t0, int64_t t1,
		int64_t out[WORK_COUNT]);

#endif
