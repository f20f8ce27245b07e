/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all fuzzers do: any bytes become a profile or an error, and any profile is drawn, reported
 * and exported; never a crash, a hang or a leak. */
#ifndef FLAMETTY_FUZZ_H
#define FLAMETTY_FUZZ_H

#include "reader/reader.h"

#include <stddef.h>
#include <stdint.h>

/* The entry of libFuzzer. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Load the bytes with this reader, from a file, and do all that with what comes of it. Always 0. */
int fuzz_read(const struct reader *reader, const uint8_t *data, size_t size);

/* The same, as `flametty -` would: the bytes come through a pipe, and their format, packing and
 * encoding are found out. */
int fuzz_pipe(const uint8_t *data, size_t size);

/* Stop with a message, as a sanitizer would: the input is kept. */
void fuzz_found(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif
