/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frozen whole: strings, frames, lanes, inputs and their warnings. Made by the
 * builder, then only read. */
#ifndef FLAMETTY_MODEL_PROFILE_H
#define FLAMETTY_MODEL_PROFILE_H

#include "base/buf.h"
#include "base/intern.h"
#include "model/frame.h"
#include "model/lane.h"

#include <stdbool.h>
#include <stdint.h>

/* What was odd in a file, once per kind. */
struct warning {
	const char *kind;    /* short name for programs: "negative-delta" */
	str_id text;         /* a sentence for people */
	int64_t offset;      /* first place, byte in the uncompressed file; -1: none */
	uint64_t count;
	bool is_note;        /* true: nothing was lost or doubtful */
};

struct input {
	str_id path;
	const char *format;      /* "cpuprofile"; static text */
	const char *compression; /* "gzip", "zstd", or NULL; static text */
	int64_t bytes;           /* of the file as it is stored */
	struct warning *warnings;
	size_t n_warnings;
	size_t cap_warnings;
};

struct profile {
	struct intern strings;
	struct frame_table frames;
	struct lane *lanes;
	uint32_t n_lanes;
	size_t cap_lanes;
	struct input *inputs;
	uint32_t n_inputs;
	size_t cap_inputs;
	int64_t origin_ns;    /* the clock of the files at time 0 of the profile */
	int64_t t1;           /* end of the last lane; the profile is [0, t1) */
	bool is_raw;          /* GC at row 0 and lone (program) samples kept */
};

void profile_free(struct profile *profile);

const char *profile_text(const struct profile *profile, str_id id);
const struct frame *profile_frame(const struct profile *profile, frame_id id);

/* The frame of a node of a lane. */
const struct frame *profile_node_frame(const struct profile *profile, const struct lane *lane, node_id node);

/* Warnings of all inputs that are no notes. */
size_t profile_warning_count(const struct profile *profile);

/* `app.js:12:5` after the last slash of the url, the whole url where `is_full`.
 * Percent-decoded, file:// stripped. Nothing is appended for no url. */
void profile_location(const struct profile *profile, const struct frame *frame, bool is_full, struct buf *out);

#endif
