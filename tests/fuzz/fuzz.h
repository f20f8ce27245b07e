/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all fuzzers do: any bytes become a profile or an error, and any profile is drawn, reported
 * and exported, without a crash, a hang or a leak. */
#ifndef FLAMETTY_FUZZ_H
#define FLAMETTY_FUZZ_H

#include "draw/grid.h"
#include "model/profile.h"
#include "read/reader.h"
#include "write/export/export.h"

#include <stddef.h>
#include <stdint.h>

/* The entry point of libFuzzer. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The changes of bytes that libFuzzer has itself. Returns the new size. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* A change of the data by libFuzzer: the JSON of a target keeps its form in half of them. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* Insert a text at a byte if there is room. Returns the new size. */
size_t fuzz_insert(uint8_t *data, size_t size, size_t most, size_t at, const char *text);

/* Delete, repeat, copy or replace one value of a JSON text. Returns the new size. */
size_t fuzz_mutate_json(uint8_t *text, size_t size, size_t most, uint32_t seed);

/* Load the bytes as a file of any format; NULL: they are none. The caller frees it. The bytes can
 * be read again until the next call of one of these functions. */
struct profile *fuzz_load(const uint8_t *data, size_t size);

/* Write an export of a profile, and read it again: NULL: it is empty, or its format is not read.
 * The caller frees the result. */
struct profile *fuzz_export(const struct profile *p, const struct export_format *format,
			    bool is_slices, uint32_t lane);

/* A picture has no control characters. */
void fuzz_grid(const struct grid *grid);

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
