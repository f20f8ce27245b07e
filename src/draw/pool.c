/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scope and the type of objects are in the title of their lane (model/object_name.h). */
#include "config.h"

#include "draw/pool.h"

#include "base/alloc.h"
#include "base/text.h"
#include "model/object_name.h"

#include <inttypes.h>
#include <string.h>

/* By the name of the thread: static text, the same for the same kind; NULL: none. */
static const char *thread_pool(const struct profile *profile, const struct lane *lane)
{
	static const struct {
		const char *thread, *name;
	} pools[] = { { "ThreadPool", "Thread pool" },
		      { "CompositorTileWorker", "Raster threads" } };
	const char *thread = profile_text(profile, lane->thread_name);

	for (size_t i = 0; i < ARRAY_LEN(pools) && lane->tid != LANE_NO_ID; i++)
		if (strncmp(thread, pools[i].thread, strlen(pools[i].thread)) == 0)
			return pools[i].name;
	return NULL;
}

static struct object_name names_of(const struct profile *profile, const struct lane *lane)
{
	return object_name_of_lane((struct str){ profile_text(profile, lane->title),
						 intern_len(&profile->strings, lane->title) });
}

bool pool_has(const struct profile *profile, const struct lane *lane)
{
	return lane->kind == LANE_OBJECTS || thread_pool(profile, lane);
}

bool pool_goes_on(const struct profile *profile, const struct lane *lane, const struct lane *next)
{
	struct str a, b;

	if (lane->pid != next->pid || lane->input != next->input)
		return false;
	if (lane->kind != LANE_OBJECTS || next->kind != LANE_OBJECTS)
		return lane->kind != LANE_OBJECTS && next->kind != LANE_OBJECTS &&
			thread_pool(profile, lane) == thread_pool(profile, next);
	a = names_of(profile, lane).scope;
	b = names_of(profile, next).scope;
	return a.len == b.len && memcmp(a.p, b.p, a.len) == 0;
}

bool pool_counts(const struct lane *before, const struct lane *lane)
{
	return lane->kind == LANE_OBJECTS ? !lane->is_joined : lane->tid != before->tid;
}

void pool_name(const struct profile *profile, const struct lane *first, int n, bool has_process,
	       struct buf *out)
{
	const struct str none = { "", 0 };
	const char *process = profile_text(profile, first->process_name);
	struct buf title = { 0 };

	if (first->kind != LANE_OBJECTS) {
		buf_addf(out, "%s, %d threads", thread_pool(profile, first), n);
		return;
	}
	if (*process && has_process) {
		text_visible(out, process, strlen(process));
		buf_adds(out, ": ");
	}
	object_name_title(names_of(profile, first).scope, none, &title);
	text_visible(out, buf_text(&title), title.len);
	if (first->pid != LANE_NO_ID && has_process)
		buf_addf(out, " (pid %" PRId64 ")", first->pid);
	buf_addf(out, ", %d lanes", n);
	buf_done(&title);
}

void pool_lane_name(const struct profile *profile, const struct lane *lane, struct buf *out)
{
	struct str type = names_of(profile, lane).type;

	if (type.len)
		text_visible(out, type.p, type.len);
	else
		buf_adds(out, "other types");
}
