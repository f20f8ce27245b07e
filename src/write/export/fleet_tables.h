/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A fleet as tables for database engines (flametty-fleet(1)): profiles, stacks, functions, samples
 * and, if they are asked for, spans as compressed CSV, with scripts that load them, and queries.
 * Keys are hashes, the same in all fleets; texts are in visible form (base/text.h). */
#ifndef FLAMETTY_WRITE_EXPORT_FLEET_TABLES_H
#define FLAMETTY_WRITE_EXPORT_FLEET_TABLES_H

#include "base/buf.h"
#include "base/error.h"
#include "model/fleet.h"

#include <stdbool.h>

struct fleet_tables;

/* Begin to write into a directory that exists. Nothing has its name before fleet_tables_end().
 * NULL: a file is there and is_forced is not set, or cannot be written. */
struct fleet_tables *fleet_tables_begin(const char *dir, bool has_spans, bool is_forced,
					struct error *err);

/* Add a recording. False: it cannot be written. */
bool fleet_tables_add(struct fleet_tables *tables, const struct fleet_profile *profile);

/* Write the rest: first the tables, then the scripts that load them, so that there are none of
 * tables that are not whole. False: something could not be written, and err says what. Frees the
 * tables. */
bool fleet_tables_end(struct fleet_tables *tables, const struct fleet *fleet,
		      struct error *err) MUST_USE;

/* Free the tables, and leave no file. NULL is allowed. */
void fleet_tables_drop(struct fleet_tables *tables);

/* The name of the i-th engine; NULL: i is past the last one. */
const char *fleet_tables_engine(unsigned i);

/* Append a query of an engine, by its number, with the values of its parameters, KEY=VALUE. False:
 * there is no such query, or a value is missing, or is of no parameter. */
bool fleet_tables_query(unsigned engine, const char *name, char *const *values, int n_values,
			struct buf *out, struct error *err) MUST_USE;

#endif
