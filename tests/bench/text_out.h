/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes text fast: tens of millions of numbers, for which printf() would take seconds. */
#ifndef FLAMETTY_TESTS_BENCH_TEXT_OUT_H
#define FLAMETTY_TESTS_BENCH_TEXT_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define TEXT_OUT_SIZE 65536u

struct text_out {
	FILE *file;     /* NULL: could not be opened */
	uint64_t bytes; /* bytes written so far */
	size_t n;
	char data[TEXT_OUT_SIZE];
};

void text_open(struct text_out *out, const char *path);

/* False when anything failed. */
bool text_close(struct text_out *out);

void text_put(struct text_out *out, const char *text);
void text_number(struct text_out *out, uint64_t number);

#endif
