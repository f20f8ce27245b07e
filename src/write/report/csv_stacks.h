/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of stacks: for databases such as DuckDB and ClickHouse. */
#ifndef FLAMETTY_REPORT_CSV_STACKS_H
#define FLAMETTY_REPORT_CSV_STACKS_H

#include "write/report/csv_out.h"

/* Write a row for each lane and stack with self time or samples, in the order of the call trees;
 * with --top, only the rows with most time, sorted by it. */
void csv_stacks(struct csv *c);

#endif
