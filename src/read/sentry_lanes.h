/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the lists of Sentry's profiles to lanes: one for each thread of a document, or of a series
 * of chunks. */
#ifndef FLAMETTY_READ_SENTRY_LANES_H
#define FLAMETTY_READ_SENTRY_LANES_H

#include "base/intern.h"
#include "read/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sentry_frame {
	str_id name, address, path, file, module;
	int64_t line, column;
	bool has_owner, is_app;
};

struct sentry_sample {
	int64_t t, stack;
	str_id thread;
	bool is_elapsed; /* t counts from the start of the document */
};

struct sentry_thread {
	str_id id, name;
};

/* The lists of a document. */
struct sentry_lists {
	struct sentry_frame *frames;
	size_t n_frames, cap_frames;
	size_t *stacks; /* where the frames of each one begin in `items` */
	size_t n_stacks, cap_stacks;
	int64_t *items; /* indices of frames */
	size_t n_items, cap_items;
	struct sentry_sample *samples;
	size_t n_samples, cap_samples;
	struct sentry_thread *threads;
	size_t n_threads, cap_threads;
};

struct sentry_lanes;

/* texts: of the lists; borrowed, as the other two. */
struct sentry_lanes *sentry_lanes_new(struct builder *b, const struct file_hints *hints,
				      const struct intern *texts);
void sentry_lanes_free(struct sentry_lanes *l);

/* Add the samples of a document. series: the id of the chunks that it belongs to; 0: none. A thread
 * of a series is one lane, which waits for further chunks; the lanes of a document without a series
 * are made at once. Fails with ERR_LIMIT. */
bool sentry_lanes_add(struct sentry_lanes *l, const struct sentry_lists *lists, str_id series,
		      struct error *err) MUST_USE;

/* Make the lanes that wait. */
bool sentry_lanes_finish(struct sentry_lanes *l, struct error *err) MUST_USE;

#endif
