/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of formats: `flametty formats` and the search for the reader of a file use it, so a
 * format is named once, in its struct reader. Of readers with the same score, the first one counts.
 * HACKING, section 4, tells how to add a format. */
#include "config.h"

#include "read/reader.h"

#include <string.h>

const struct reader *const readers[] = {
	&reader_cpuprofile,  &reader_heapprofile,  &reader_trace,  &reader_self_profile,
	&reader_sentry,      &reader_speedscope,   &reader_folded, &reader_pprof,
	&reader_perf_script, &reader_linked_spans, &reader_stalls, NULL,
};

const struct reader *reader_find(const char *name)
{
	for (size_t i = 0; readers[i]; i++)
		if (strcmp(readers[i]->name, name) == 0)
			return readers[i];
	return NULL;
}
