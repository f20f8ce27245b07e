/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A fleet: what many recordings say together. Stacks of all recordings are one tree, and functions
 * are the same one where their keys are equal, so that it grows with what differs and not with the
 * number of recordings. Made by fleet_read(); not changed afterwards. */
#ifndef FLAMETTY_MODEL_FLEET_H
#define FLAMETTY_MODEL_FLEET_H

#include "base/intern.h"
#include "base/str.h"
#include "base/units.h"
#include "model/frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* The key of a function: its name, and its file without host, version, hash and query
 * (model/file_key.h). Of an anonymous function, also the name of the nearest caller that has one.
 * All texts are of fleet.strings; 0: none. */
struct fleet_function {
	uint64_t key;   /* a hash, the same in all fleets */
	str_id name;    /* `(anonymous) in handle` */
	str_id file;    /* the key of the file */
	str_id url;     /* where it was seen first, */
	int64_t line;   /* from 1; 0: unknown */
	int64_t column; /* the same */
	str_id package;
	enum category category;
};

/* Facts of recordings, added up. Times in ns. */
struct fleet_facts {
	uint32_t n_profiles;
	uint64_t n_samples;  /* that were taken, idle ones too, */
	uint64_t n_expected; /* and that their intervals would have given */
	int64_t length_ns;   /* from the first to the last sample of each thread */
	int64_t busy_ns;     /* sampled and not idle: what shares are of */
	int64_t idle_ns, gc_ns, program_ns;
	int64_t gap_ns; /* the longest time between two samples of one thread */
};

static inline void fleet_facts_add(struct fleet_facts *to, const struct fleet_facts *more)
{
	to->n_profiles += more->n_profiles;
	to->n_samples += more->n_samples;
	to->n_expected += more->n_expected;
	to->length_ns = units_sum(to->length_ns, more->length_ns);
	to->busy_ns = units_sum(to->busy_ns, more->busy_ns);
	to->idle_ns = units_sum(to->idle_ns, more->idle_ns);
	to->gc_ns = units_sum(to->gc_ns, more->gc_ns);
	to->program_ns = units_sum(to->program_ns, more->program_ns);
	to->gap_ns = more->gap_ns > to->gap_ns ? more->gap_ns : to->gap_ns;
}

/* What a function took in some recordings. */
struct fleet_cell {
	uint32_t function;
	uint32_t n_profiles; /* that have it on a stack */
	int64_t self_ns, total_ns;
};

struct fleet_cells {
	struct fleet_cell *list; /* by function */
	size_t n;
};

enum fleet_side { FLEET_NO_SIDE, FLEET_BEFORE, FLEET_AFTER };

/* Recordings of one host, version and side. */
struct fleet_group {
	str_id host, version; /* 0: none */
	enum fleet_side side;
	struct fleet_facts facts;
	struct fleet_cells cells;
	/* What each stack took itself; by stack. */
	struct fleet_self {
		uint32_t stack;
		uint32_t n_samples;
		int64_t ns;
	} * selves;
	size_t n_selves;
};

/* Recordings with one value of the label of --by, or of one hour or day. */
struct fleet_bin {
	int64_t at;   /* seconds since 1970, UTC, where it begins, if fleet.has_times */
	str_id value; /* `2026-11-28 03:00`, or the label; 0: the recordings do not say */
	struct fleet_facts facts;
	struct fleet_cells cells;
};

struct fleet {
	struct intern strings;
	struct fleet_function *functions;
	uint32_t n_functions;
	/* By stack: the stack of the caller, and the function. Stack 0 is empty; a caller has a
	 * lower number. */
	uint32_t *stack_parent, *stack_function;
	uint32_t n_stacks;
	struct fleet_group *groups; /* by host, version, side */
	size_t n_groups;
	struct fleet_bin *bins; /* in time, or by value; none without --by */
	size_t n_bins;
	bool has_times; /* bins are of time */
	struct fleet_facts all;
	/* Files: found, read, with the bytes of another one, damaged, without samples. */
	uint64_t n_files, n_read, n_twice, n_failed, n_empty;
	uint64_t n_other; /* of directories, that are no recordings */
	int64_t bytes;    /* of those that were read, as stored */
	/* When the first of them began, and the last: seconds since 1970, UTC; 0 and 0: none says.
	 */
	int64_t at_first, at_last;
	bool is_stopped; /* the user stopped: it has what was read until then */
};

/* A call of a recording. Times in ns since the beginning of the recording. */
struct fleet_span {
	uint32_t function;
	int64_t start_ns, length_ns;
};

/* A recording that was just added. Borrowed for the call. */
struct fleet_profile {
	const char *path;
	const char *host;          /* as of its group; "": none */
	const char *format;        /* name of its reader */
	uint64_t id;               /* a hash of its bytes */
	const struct fleet *fleet; /* its functions, stacks and strings so far */
	const struct fleet_label {
		struct str key, value;
	} * labels;
	size_t n_labels;
	int64_t at; /* seconds since 1970, UTC, when it began; INT64_MIN: unknown */
	struct fleet_facts facts;
	int64_t interval_ns; /* of samples, on average; 0: unknown */
	int64_t pid, tid;    /* LANE_NO_ID: unknown, or several */
	const struct fleet_self *selves;
	size_t n_selves;
	const struct fleet_span *spans; /* of the length that was asked for */
	size_t n_spans;
};

/* NULL is allowed. */
static inline void fleet_free(struct fleet *fleet)
{
	for (size_t i = 0; fleet && i < fleet->n_groups; i++) {
		free(fleet->groups[i].cells.list);
		free(fleet->groups[i].selves);
	}
	for (size_t i = 0; fleet && i < fleet->n_bins; i++)
		free(fleet->bins[i].cells.list);
	if (!fleet)
		return;
	intern_done(&fleet->strings);
	free(fleet->functions);
	free(fleet->stack_parent);
	free(fleet->stack_function);
	free(fleet->groups);
	free(fleet->bins);
	free(fleet);
}

#endif
