/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The script is a function; what is written is a call of it. Its text is run_hook.cjs, which the
 * makefile turns into lines of C. */
#include "config.h"

#include "record/run_hook.h"

#include "base/alloc.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

static const char *const lines[] = {
#include "run_hook_lines.h"
};

void run_hook_write(const struct run_hook *hook, struct buf *out)
{
	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		buf_adds(out, lines[i]);
	buf_adds(out, "({\"folder\":\"");
	text_json(out, hook->folder, strlen(hook->folder));
	buf_addf(out, "\",\"interval\":%" PRId64 ",\"heap\":%" PRId64 ",\"most\":%" PRId64 "});\n",
		 hook->interval_us, hook->heap_bytes, hook->most_bytes);
}

/* Node.js splits the value at blanks that are not between quotes; a backslash between them takes
 * the next character as it is. */
void run_hook_node_options(const char *path, const char *before, struct buf *out)
{
	buf_adds(out, "--require \"");
	for (; *path; path++) {
		if (*path == '"' || *path == '\\')
			buf_addc(out, '\\');
		buf_addc(out, *path);
	}
	buf_addc(out, '"');
	if (before && *before)
		buf_addf(out, " %s", before);
}

void run_hook_bun_options(const char *folder, int64_t interval_us, const char *before,
			  struct buf *out)
{
	buf_addf(out, "--cpu-prof --cpu-prof-interval=%" PRId64 " --cpu-prof-dir=%s", interval_us,
		 folder);
	if (before && *before)
		buf_addf(out, " %s", before);
}
