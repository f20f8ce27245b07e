/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads any number of recordings into a fleet (model/fleet.h), several at a time, each of which is
 * forgotten as soon as it is added. */
#ifndef FLAMETTY_READ_LOAD_FLEET_READ_H
#define FLAMETTY_READ_LOAD_FLEET_READ_H

#include "base/buf.h"
#include "base/error.h"
#include "base/progress.h"
#include "base/stream/unpack.h"
#include "model/fleet.h"
#include "read/load/file_labels.h"

struct fleet_options {
	char **files; /* files and directories; each stands for all below it */
	int n_files;
	const char *format_in; /* name of a reader; NULL: recognise the content */
	struct unpack_limits limits;
	int64_t max_memory; /* bytes; 0: no limit. A file that exceeds it is left out */
	struct file_labels_plan labels;
	bool has_idle_gaps; /* these two as of struct builder_options */
	const char *sample_type;
	const char *before, *after; /* KEY=VALUE of the sides; NULL: there are none */
	const char *by;             /* `hour`, `day`, or the key of a label; NULL: no bins */
	int64_t span_ns;            /* of the shortest span that `each` gets; 0: none */
	unsigned n_threads;         /* that read; 0: one for each processor */
	/* Called for each recording, by one thread at a time. NULL: nothing is called. False: stop.
	 */
	bool (*each)(void *ctx, const struct fleet_profile *profile);
	void *each_ctx;
};

/* Read the fleet. messages: a line for each file that failed. NULL: there is none, and err says
 * why. The caller frees it with fleet_free(). */
struct fleet *fleet_read(const struct fleet_options *options, struct progress *progress,
			 struct buf *messages, struct error *err);

#endif
