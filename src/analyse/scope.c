/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scopes are built option by option; view.c interprets them. */
#include "config.h"

#include "analyse/scope.h"

#include "analyse/match_set.h"
#include "analyse/view/view.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"
#include "model/profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- lanes ---- */

static bool is_digits(const char *text)
{
	return *text && text[strspn(text, "0123456789")] == '\0' && strlen(text) < 18;
}

/* Node.js counts threads from 0: if a thread 0 exists, thread 1 of process 1 (in a container) is a
 * worker. */
static bool has_thread_0(const struct profile *p, int64_t pid)
{
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].pid == pid && p->lanes[i].tid == 0)
			return true;
	return false;
}

/* Main threads: number 0 of Node.js, the thread with the number of its process, and those that
 * Chromium names so. */
static bool is_main(const struct profile *p, const struct lane *lane)
{
	static const char *const names[] = { "CrRendererMain", "CrBrowserMain", "CrGpuMain",
					     "JavaScriptMainThread", "main" };
	const char *name = profile_text(p, lane->thread_name);

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	if (lane->tid == LANE_NO_ID)
		return lane->kind == LANE_SAMPLES && !*name && !lane->is_worker;
	return lane->tid == 0 || (lane->tid == lane->pid && !has_thread_0(p, lane->pid));
}

static void add_numbered(uint8_t *is, const struct profile *p, int64_t number)
{
	for (uint32_t i = 0; i < p->n_lanes; i++)
		is[i] |= p->lanes[i].id == number;
}

/* Parse the id of a process or thread, which may be negative and ends at `end`. */
static bool parse_id(const char *text, char end, int64_t *id)
{
	const char *digits = text + (*text == '-');
	size_t n = strspn(digits, "0123456789");

	errno = 0;
	*id = strtoll(text, NULL, 10);
	return n > 0 && digits[n] == end && errno == 0 && *id != LANE_NO_ID;
}

/* Parse PID:TID; false: it is not of that form. */
static bool add_thread(uint8_t *is, const struct profile *p, const char *word)
{
	const char *colon = strchr(word, ':');
	int64_t pid, tid;

	if (!colon || !parse_id(word, ':', &pid) || !parse_id(colon + 1, '\0', &tid))
		return false;
	for (uint32_t i = 0; i < p->n_lanes; i++)
		is[i] |= p->lanes[i].pid == pid && p->lanes[i].tid == tid;
	return true;
}

/* The lanes of one word; the caller frees the result. */
static uint8_t *find_lanes(const struct profile *p, char *word, struct error *err)
{
	uint8_t *is;

	if (!is_digits(word) && strcmp(word, "main") != 0 && strcmp(word, "all") != 0) {
		is = xcalloc(p->n_lanes, 1);
		if (add_thread(is, p, word))
			return is;
		free(is);
		return frame_set_lanes(p, word, err);
	}
	is = xcalloc(p->n_lanes, 1);
	if (is_digits(word))
		add_numbered(is, p, strtoll(word, NULL, 10));
	for (uint32_t i = 0; i < p->n_lanes; i++)
		is[i] |= strcmp(word, "all") == 0 ||
			(strcmp(word, "main") == 0 && is_main(p, &p->lanes[i]));
	return is;
}

bool scope_select(struct scope *scope, const struct profile *p, const char *selector,
		  struct error *err)
{
	uint8_t *all = xcalloc(p->n_lanes, 1);
	ALLOC_LOCAL char *words = xstrdup(selector);
	char *word = words, *next;
	bool ok = true;

	for (; ok && word; word = next) {
		ALLOC_LOCAL uint8_t *is = NULL;

		next = strchr(word, ',');
		if (next)
			*next++ = '\0';
		is = find_lanes(p, word, err);
		ok = is != NULL;
		if (is && !memchr(is, 1, p->n_lanes))
			ok = error_set(err, ERR_FORMAT, -1, "no lane '%.200s'", word);
		for (uint32_t i = 0; is && i < p->n_lanes; i++)
			all[i] |= is[i];
	}
	/* Joined lanes are one lane: the number of each of them stands for all. */
	for (uint32_t i = 0, n; i < p->n_lanes; i += n) {
		n = lane_count_joined(&p->lanes[i], p->lanes + p->n_lanes);
		if (memchr(all + i, 1, n))
			memset(all + i, 1, n);
	}
	free(scope->is_lane);
	scope->is_lane = ok && memchr(all, 0, p->n_lanes) ? all : NULL;
	if (!scope->is_lane)
		free(all);
	return ok;
}

/* ---- transforms ---- */

bool scope_add(struct scope *scope, const struct profile *p, enum transform_kind kind,
	       const char *pattern, struct error *err)
{
	struct transform t = { .kind = kind, .by = BY_ALL, .text = pattern };

	if (pattern) {
		t.by = BY_SET;
		if (!frame_set_match(p, pattern, &t.set, err) || !transform_is_possible(&t, err)) {
			match_set_done(&t.set);
			return false;
		}
	} else if (kind == TRANSFORM_DROP) {
		t.by = BY_CATEGORY;
		t.id = CATEGORY_IDLE;
	} else if (kind == TRANSFORM_FOLD) {
		t.by = BY_ANY_PACKAGE;
	}
	scope->transforms = xrealloc(scope->transforms, scope->n_transforms + 1,
				     sizeof *scope->transforms);
	scope->transforms[scope->n_transforms++] = t;
	return true;
}

struct view_work *scope_view_begin(const struct scope *scope, const struct profile *p,
				   struct view *view)
{
	const struct view_plan plan = { scope->transforms, scope->n_transforms, scope->group,
					scope->match, scope->files };
	ALLOC_LOCAL const struct lane **lanes = xcalloc(p->n_lanes, sizeof *lanes);
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		if ((p->lanes[i].kind == LANE_SAMPLES || p->lanes[i].kind == LANE_SLICES) &&
		    (!scope->is_lane || scope->is_lane[i]))
			lanes[n++] = &p->lanes[i];
	return view_begin(view, p, lanes, n, &plan);
}

void scope_describe(const struct scope *scope, const struct profile *p, struct buf *out)
{
	for (size_t i = 0; i < scope->n_transforms; i++) {
		buf_adds(out, i ? ", " : "");
		transform_describe(p, &scope->transforms[i], out);
	}
	if (scope->group != GROUP_FUNCTION)
		buf_addf(out, "%sby %s", scope->n_transforms ? ", " : "",
			 view_group_name(p, scope->group));
	if (scope->filter) {
		buf_adds(out,
			 scope->n_transforms || scope->group != GROUP_FUNCTION ? ", rows with /"
									       : "rows with /");
		text_visible(out, scope->filter, strlen(scope->filter));
		buf_addc(out, '/');
	}
}
