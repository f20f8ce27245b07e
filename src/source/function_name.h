/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The name of a function, read from the text of its source: JavaScript or TypeScript, as it was
 * written before it was compiled.
 *
 * V8 states a function by the position of its parameters, or of `async` or the parameter of an
 * arrow function, or of `class` where no constructor is written. Compilers map that position to one
 * between the first word of the original function and its parameters (looked at: esbuild, rollup
 * with terser, tsc, swc, webpack: 1,900 functions, all but the wrappers that bundlers add). So a
 * few tokens around the position tell the name: the text is not parsed. */
#ifndef FLAMETTY_SOURCE_FUNCTION_NAME_H
#define FLAMETTY_SOURCE_FUNCTION_NAME_H

#include "base/buf.h"
#include "base/str.h"

#include <stddef.h>

enum function_name {
	FUNCTION_NAMED,     /* the name was appended */
	FUNCTION_ANONYMOUS, /* a function without a name begins here */
	FUNCTION_UNKNOWN    /* no function was recognised */
};

/* Append the name of the function to which the byte offset `at` of a source belongs, as V8 would
 * show it: `search`, `get size`, `api.list` of `api.list = function () {}`, the class of a
 * constructor. Looks at most 4 KB away from `at`, for the class of a constructor 64 KB. */
enum function_name function_name_at(struct str text, size_t at, struct buf *out);

#endif
