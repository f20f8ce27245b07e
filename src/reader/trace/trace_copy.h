/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the events of a trace again, as text: for an export that loses nothing. */
#ifndef FLAMETTY_READER_TRACE_TRACE_COPY_H
#define FLAMETTY_READER_TRACE_TRACE_COPY_H

#include "base/error.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Open the file again and call `pass` with the text of each event, in the order of the file. The
 * time of the event is moved by shift_ns, except that time 0 is not moved back. If `pass` returns
 * false, the copy stops. A trace that is cut off ends with its last whole event. Returns false,
 * with err set, when the file cannot be read or has no list of events. *n_passed: the number of
 * events that were passed. */
bool trace_copy(const char *path, int64_t shift_ns,
		bool (*pass)(void *ctx, const char *event, size_t len), void *ctx,
		uint64_t *n_passed, struct error *err);

/* trace_copy() of an input of a profile, as export.h wants it. False as well if the input is no
 * trace, or not a regular file. */
bool trace_copy_input(const struct input *input, const char *path, int64_t shift_ns,
		      bool (*pass)(void *ctx, const char *event, size_t len), void *ctx,
		      uint64_t *n_passed, struct error *err);

#endif
