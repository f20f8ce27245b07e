/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exports: a profile in the format of another program, each behind one struct. Those that are
 * reports are in export.c; the picture and the page with it share export_html.c.
 *
 * To add a format: a file with one struct export_format, and its row in export.c. */
#ifndef FLAMETTY_WRITE_EXPORT_EXPORT_H
#define FLAMETTY_WRITE_EXPORT_EXPORT_H

#include "analyse/scope.h"
#include "analyse/view/scoped.h"
#include "base/buf.h"
#include "base/sink.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct boxes_cut;
struct report_options;

struct export_options {
	struct scope scope; /* time outside of its range is cut off */
	bool is_slices;     /* trace: write samples as slices, which loses what slices cannot say */
	bool is_counts;     /* folded: numbers of samples, instead of their time */
	bool is_merged;     /* svg: calls of one path are one box, instead of time order */
	double min_width;   /* svg: pixels of the narrowest box that stands alone; 0: the default */
	uint32_t lane;      /* formats that are by lane: the index of the lane to write; one that
			       is not there, or has no samples, writes nothing */
	/* trace: pass the events of an input on as they are in its files, with their times moved
	 * by shift_ns. False with ERR_UNKNOWN: the input is no trace that can be read again, and no
	 * event was passed. False with another error: reading failed, or the file has changed since
	 * it was loaded. NULL: events are made from slices. */
	bool (*copy)(const struct profile *profile, uint32_t input, int64_t shift_ns,
		     bool (*pass)(void *ctx, const char *event, size_t len), void *ctx,
		     struct error *err);
	/* trace: pass the other members of such an input on, each with a comma and its key before
	 * it, in pieces, with their times moved; is_copied: its events are copied, and what names
	 * them is passed, too, or, unless it is empty, `notes` in its place. `seen` has the keys
	 * that are not passed; those that are passed are added. Errors as of copy. */
	bool (*copy_members)(const struct profile *profile, uint32_t input, bool is_copied,
			     const char *notes, int64_t shift_ns, struct intern *seen,
			     bool (*pass)(void *ctx, const char *text, size_t len), void *ctx,
			     struct error *err);
	const struct notes *notes; /* trace: those of users; NULL: of the profile */
	/* For formats that are gathered; each may be NULL. */
	const struct scoped *scoped;         /* the profile in the scope; NULL: as it is */
	const struct report_options *report; /* its scope does not count; NULL: the defaults */
	uint64_t *n_left;                    /* is set to the rows that --max-rows left out */
	struct boxes_cut *cut;               /* is set to what a picture leaves out */
};

struct export_format {
	const char *name;
	const char *help;
	const char *opens; /* programs that open it, as a list of words */
	/* A file has one lane of samples. Several lanes are several files (export_files.h), which
	 * end with the extension. */
	bool is_by_lane;
	const char *extension;
	bool is_of_times;  /* it has no other values: not for profiles of bytes or counts */
	bool is_gathered;  /* all lanes are taken together, as in reports */
	bool is_binary;    /* a terminal cannot show it */
	bool has_labels;   /* samples keep their labels */
	bool has_requests; /* requests that a process serves are kept; reports keep them, too */
	bool is_of_stacks; /* has all rows of each stack: may be much longer than the profile */
	/* Errors are kept by the sink, and returned when it is closed. */
	void (*write)(const struct profile *profile, const struct export_options *options,
		      struct sink *out);
};

extern const struct export_format export_trace;
extern const struct export_format export_cpuprofile;
extern const struct export_format export_d3;
extern const struct export_format export_folded;
extern const struct export_format export_html;
extern const struct export_format export_pprof;
extern const struct export_format export_speedscope;
extern const struct export_format export_svg;

/* All formats; NULL after the last. */
extern const struct export_format *const export_formats[];

/* `time`, `samples`: what folded stacks count; NULL: i is past the last one. */
const char *export_value_word(unsigned i);

/* How long an export of stacks may be, unless the user sets another limit. */
int64_t export_bytes_most(const struct profile *profile);

/* The name of the i-th format; NULL: i is past the last one. */
const char *export_word(unsigned i);

/* Whether a format leaves out labels of samples of a profile, in its scope, that say more than
 * which thread and package they are of. */
bool export_loses_labels(const struct export_format *format, const struct profile *profile);

/* How many requests of the scope, which the processes of the profile serve, a format leaves out. */
uint64_t export_lost_requests(const struct export_format *format, const struct profile *profile,
			      const struct scope *scope);

/* The format of that name, or NULL. NULL as name: the default. */
const struct export_format *export_find(const char *name);

/* The name of a lane that no other lane has: lane_name(), or its file if nothing else is known. */
void export_full_name(const struct profile *profile, const struct lane *lane, struct buf *out);

/* The name of a lane: its title, the name of its thread, or its file. Never empty. */
void export_lane_name(const struct profile *profile, const struct lane *lane, struct buf *out);

/* The lanes with calls, of samples and of slices, in their order; *n: how many. The caller frees
 * the result. */
const struct lane **cut_lanes(const struct profile *profile, uint32_t *n);

/* Whether a lane has calls. */
static inline bool cut_has_calls(const struct lane *lane)
{
	return (lane->kind == LANE_SAMPLES || lane->kind == LANE_SLICES) && lane->samples.n > 0;
}

/* Visit the spans of a lane in [t0, t1), cut to that range, in the order in which they open, outer
 * spans first. has_empty: also spans of no length. Stops when `visit` returns false. */
bool cut_each_span(const struct lane *lane, int64_t t0, int64_t t1, bool has_empty,
		   bool (*visit)(void *ctx, const struct span *span), void *ctx);

/* By node of the lane: 1 if it is on a stack within the range of the scope; all nodes are if the
 * range is the whole profile. The caller frees the result. */
uint8_t *cut_nodes(const struct profile *profile, const struct lane *lane,
		   const struct scope *scope);

#endif
