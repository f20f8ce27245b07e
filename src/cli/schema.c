/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flametty schema. The files schema/COMMAND.json are in the program, compressed. */
#include "config.h"

#include "cli/options.h"

#include "base/alloc.h"
#include "base/stream/unpack.h"

#include <string.h>

/* ==== options schema ====
 *
 * The JSON Schemas (draft 2020-12) of what commands print as JSON. */

#include "schema_packed.h"

static const struct {
	const char *command;
	const unsigned char *packed;
	size_t len;
} schemas[] = {
	{ "diff", diff_packed, sizeof diff_packed },
	{ "fleet", fleet_packed, sizeof fleet_packed },
	{ "report", report_packed, sizeof report_packed },
	{ "watch", watch_packed, sizeof watch_packed },
};

const char *options_schema_word(unsigned i)
{
	return i < ARRAY_LEN(schemas) ? schemas[i].command : NULL;
}

void options_schema(const char *command, struct buf *out)
{
	for (size_t i = 0; i < ARRAY_LEN(schemas); i++)
		if (!command)
			buf_addf(out, "%s\n", schemas[i].command);
		else if (strcmp(schemas[i].command, command) == 0)
			unpack_text(schemas[i].packed, schemas[i].len, out);
}
