/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Warnings: each kind is counted once per input, in the order in which the kinds first came up. */
#ifndef FLAMETTY_BUILD_BUILDER_WARN_H
#define FLAMETTY_BUILD_BUILDER_WARN_H

#include "model/warning.h"

#include <stdint.h>

struct builder;

/* Count a warning for the current input. offset: byte in the uncompressed file, -1 if none. */
void builder_warn(struct builder *b, enum warning_kind kind, int64_t offset);

/* builder_warn() with a detail, which is shown for the first warning of a kind. NULL: none. */
void builder_warn_text(struct builder *b, enum warning_kind kind, int64_t offset,
		       const char *detail);

/* builder_warn() `n` times, n > 0. offset: of the first. */
void builder_warn_times(struct builder *b, enum warning_kind kind, int64_t offset, uint64_t n);

/* builder_warn_text() for any input, by its index. warning: its kind, offset and count. */
void builder_warn_input(struct builder *b, uint32_t input, const struct warning *warning,
			const char *detail);

/* Tell that the user stopped the reading of the current input: it is not cut off, so WARN_STOPPED
 * replaces WARN_CUT_OFF. */
void builder_warn_stopped(struct builder *b);

#endif
