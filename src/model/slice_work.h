/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kinds of work: what a slice of a browser does, by the name of its event. The names are those of
 * the events that DevTools draws; the kinds are its categories. */
#ifndef FLAMETTY_MODEL_SLICE_WORK_H
#define FLAMETTY_MODEL_SLICE_WORK_H

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

/* `scripting`, `GC`, ...: static text. */
const char *slice_work_name(enum work work);

#endif
