/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The colour role of a slice that a browser states, by its name: the five kinds that Chrome
 * DevTools shows its users (scripting, rendering, painting, loading, garbage collection) and the
 * rest. */
#ifndef FLAMETTY_LAYOUT_SLICE_ROLE_H
#define FLAMETTY_LAYOUT_SLICE_ROLE_H

#include "draw/role.h"

#include <stddef.h>

/* ROLE_SCRIPTING, ROLE_RENDERING, ROLE_PAINTING, ROLE_LOADING, ROLE_GC or ROLE_TASK. */
enum role slice_role(const char *name);

/* The names of the table, in ascending order; NULL: i is past the last one. */
const char *slice_role_name(size_t i);

#endif
