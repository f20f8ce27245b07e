/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all fuzzers do: any bytes become a profile or an error, and any profile is drawn, reported
 * and exported, without a crash, a hang or a leak. */
#ifndef FLAMETTY_FUZZ_H
#define FLAMETTY_FUZZ_H

#include "read/reader.h"

#include <stddef.h>
#include <stdint.h>

/* The entry point of libFuzzer. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Load the bytes with this reader, from a file, and use the result in all these ways. Always
 * returns 0. */
int fuzz_read(const struct reader *reader, const uint8_t *data, size_t size);

/* Load the bytes as a file of any format, and compute the findings of all lanes, of the whole and
 * of parts, and all reports: no time that a file states may overflow a sum, a product or a share.
 */
int fuzz_findings(const uint8_t *data, size_t size);

/* The same as `flametty -`: the bytes come through a pipe, and format, compression and encoding are
 * detected. */
int fuzz_pipe(const uint8_t *data, size_t size);

/* Stop with a message, as a sanitizer does: libFuzzer keeps the input. */
void fuzz_found(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif
