/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The chunks that threads have recorded become profiles: one for each thread, called as Node.js
 * calls them, CPU.DATE.TIME.PID.TID.SEQ.cpuprofile. SEQ is the number of the thread in its process,
 * from 1 on.
 *
 * What the script of the run did itself is no time of the program. At the beginning and at the end
 * it is cut off; between, it is the frame (flametty), which counts as idle. */
#ifndef FLAMETTY_RECORD_RUN_CHUNKS_H
#define FLAMETTY_RECORD_RUN_CHUNKS_H

#include "base/error.h"
#include "record/run_tally.h"

#include <stdbool.h>
#include <stdint.h>

struct run_chunks {
	const char *folder; /* of the run: see run_command.h */
	/* Where profiles go; no file there is replaced, no link is followed. */
	const char *profiles;
	char **files; /* paths of the profiles that were written, sorted; the caller's */
	int n_files;
	uint32_t n_cut;     /* threads whose oldest chunks were not kept */
	uint32_t n_damaged; /* chunks that cannot be read */
};

/* Write the profiles, and count them for their processes. Returns false and err, with the path in
 * it, if one cannot be written; the others are written all the same. */
bool run_chunks_write(struct run_chunks *chunks, struct run_tally *tally,
		      struct error *err) MUST_USE;

#endif
