/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "record/remote/losses.h"

#include "base/text.h"
#include "base/units.h"
#include "record/remote/slice_thread.h"

#include <inttypes.h>
#include <string.h>

static void add_name(int tid, const char *title, struct buf *line)
{
	const char *name = slice_thread_name(title);
	size_t len = strlen(name);

	buf_addf(line, "worker %d", tid);
	if (len == 0)
		return;
	buf_adds(line, " (");
	text_visible(line, name, len < 80 ? len : 80);
	buf_adds(line, len < 80 ? ")" : "...)");
}

void losses_add_worker(struct losses *l, int tid, const char *title, int64_t ns, struct buf *line)
{
	if (l->n_workers++ >= LOSSES_NAMED)
		return;
	add_name(tid, title, line);
	buf_addf(line, " ended %.1f s after the recording began: its last slice is missing",
		 (double)ns / (double)NS_PER_S);
}

void losses_workers(const struct losses *l, struct buf *line)
{
	uint64_t more = l->n_workers > LOSSES_NAMED ? l->n_workers - LOSSES_NAMED : 0;

	if (more > 0)
		buf_addf(line, "%" PRIu64 " more worker%s ended: the last slice%s missing", more,
			 more == 1 ? "" : "s", more == 1 ? " is" : "s are");
}

void losses_slices(const struct losses *l, struct buf *line)
{
	if (l->n_ended > 0)
		buf_addf(line,
			 "the program ended %" PRIu64 " recording%s between slices by "
			 "console.profileEnd(): some milliseconds are missing each time",
			 l->n_ended, l->n_ended == 1 ? "" : "s");
}
