/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the events of a trace again, as text: for an export that loses nothing. */
#ifndef FLAMETTY_READER_TRACE_TRACE_COPY_H
#define FLAMETTY_READER_TRACE_TRACE_COPY_H

#include "base/error.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether an input is a trace that was read from a pipe: its events cannot be copied. */
bool trace_copy_is_lost(const struct input *input);

/* Open the files of an input again and call `pass` with the text of each event, in the order of the
 * files. The time of the event is moved by shift_ns, except that time 0 is not moved back. If
 * `pass` returns false, the copy stops. A trace that is cut off ends with its last whole event.
 * This is the `copy` of struct export_options.
 *
 * False with ERR_UNKNOWN: the input is no trace, or no regular file, or has no list of events; no
 * event was passed. False with another error: the file cannot be read, or has changed since it was
 * loaded; what was passed may be wrong. */
bool trace_copy(const struct profile *profile, uint32_t input, int64_t shift_ns,
		bool (*pass)(void *ctx, const char *event, size_t len), void *ctx,
		struct error *err);

#endif
