/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A transform that names a function, a file or a package is kept with all functions that it
 * matches. A profile that shows its other names may have several functions for one of them, and
 * other files and packages: then the transform is about the set of these functions.
 *
 * A path must be found call by call. It is that of the call trees that the transforms before it
 * make: without one of them, it is lost, too. */
#include "config.h"

#include "ui/chart/kept_transforms.h"

#include "analyse/frame_set.h"
#include "base/alloc.h"
#include "model/other_names.h"
#include "ui/app_state.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

/* ---- get ---- */

static bool matches(const struct transform *t, const struct frame *f, frame_id id)
{
	switch (t->by) {
	case BY_FUNCTION:
		return id == t->id;
	case BY_FILE:
		return f->url == t->id;
	case BY_PACKAGE:
		return f->package == t->id;
	case BY_SET:
		return t->set.frames[id];
	default:
		return false;
	}
}

static void get_path(const struct profile *p, const struct transform *t,
		     struct kept_transform *kept)
{
	for (uint32_t i = 0; i < t->n_path; i++)
		kept->is_lost |= t->path[i] >= p->frames.n;
	if (!kept->is_lost)
		same_frames_list(p, t->path, t->n_path, &kept->same);
}

static void get_frames(const struct profile *p, const struct transform *t,
		       struct kept_transform *kept)
{
	uint8_t *is = xcalloc(p->frames.n, 1);

	for (frame_id i = 1; i < p->frames.n; i++)
		is[i] = matches(t, &p->frames.frames[i], i);
	same_frames_take(p, is, &kept->same);
	free(is);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void get_cats(const struct profile *p, const struct transform *t,
		     struct kept_transform *kept)
{
	kept->cats = xcalloc((size_t)p->n_event_cats + 1, sizeof *kept->cats);
	for (uint32_t i = 0; i < p->n_event_cats; i++)
		if (t->set.cats[i])
			kept->cats[kept->n_cats++] = xstrdup(
				profile_text(p, p->event_cats[i].text));
	if (kept->n_cats > 1)
		qsort(kept->cats, kept->n_cats, sizeof *kept->cats, by_text);
}

static const char *text_of(const struct profile *p, const struct transform *t)
{
	switch (t->by) {
	case BY_FUNCTION:
		return t->id < p->frames.n ? profile_text(p, p->frames.frames[t->id].name) : "";
	case BY_FILE:
	case BY_PACKAGE:
		return profile_text(p, t->id);
	case BY_SET:
		return t->text ? t->text : "";
	default:
		return "";
	}
}

static void get(const struct app *app, const struct transform *t, struct kept_transform *kept)
{
	const struct profile *p = app->base;
	struct buf said = { 0 };

	transform_describe(p, t, &said);
	*kept = (struct kept_transform){ .kind = t->kind,
					 .by = t->by,
					 .category = t->by == BY_CATEGORY ? t->id : 0,
					 .text = xstrdup(text_of(p, t)),
					 .said = xstrdup(buf_text(&said)),
					 .is_lost = t->by == BY_FUNCTION && t->id >= p->frames.n };
	buf_done(&said);
	if (t->by == BY_SET && t->set.cats)
		get_cats(p, t, kept);
	kept->is_label = t->set.labels != NULL;
	if (kept->is_label)
		return;
	if (t->by == BY_PATH)
		get_path(p, t, kept);
	else if (t->by == BY_FUNCTION || t->by == BY_FILE || t->by == BY_PACKAGE || t->by == BY_SET)
		get_frames(p, t, kept);
}

void kept_transforms_get(const struct app *app, struct kept_transforms *kept)
{
	const struct transforms *t = transforms_shown(app);

	*kept = (struct kept_transforms){ .list = xcalloc(t->n_all + 1, sizeof(*kept->list)),
					  .n = t->n,
					  .n_all = t->n_all,
					  .group = t->group,
					  .raw = t->raw };
	if (t->group >= GROUP_LABEL)
		kept->label = xstrdup(view_group_name(app->base, t->group));
	for (size_t i = 0; i < t->n_all; i++)
		get(app, &t->list[i], &kept->list[i]);
}

void kept_transforms_done(struct kept_transforms *kept)
{
	for (size_t i = 0; i < kept->n_all; i++) {
		same_frames_done(&kept->list[i].same);
		for (uint32_t k = 0; k < kept->list[i].n_cats; k++)
			free(kept->list[i].cats[k]);
		free(kept->list[i].cats);
		free(kept->list[i].text);
		free(kept->list[i].said);
	}
	free(kept->list);
	free(kept->label);
	*kept = (struct kept_transforms){ 0 };
}

/* ---- make ---- */

/* The number of the url or package of one of the functions. */
static uint32_t id_of(const struct profile *p, const struct kept_transform *kept, const uint8_t *is)
{
	for (frame_id i = 1; i < p->frames.n; i++) {
		const struct frame *f = &p->frames.frames[i];
		str_id id = kept->by == BY_FILE ? f->url : f->package;

		if (is[i] && strcmp(profile_text(p, id), kept->text) == 0)
			return id;
	}
	return 0;
}

/* The only function of the set; FRAME_NONE: there are several. */
static frame_id only_one(const struct profile *p, const uint8_t *is)
{
	frame_id id = FRAME_NONE;

	for (frame_id i = 1; i < p->frames.n; i++) {
		if (is[i] && id != FRAME_NONE)
			return FRAME_NONE;
		if (is[i])
			id = i;
	}
	return id;
}

static bool make_frames(const struct kept_transform *kept, const struct profile *p,
			struct transform *t)
{
	bool is_other = kept->same.is_source != other_names_shows_source(p);
	uint8_t *is = xcalloc(p->frames.n, 1);
	bool is_found = same_frames_find(p, &kept->same, is) > 0;

	if (is_found && kept->by == BY_FUNCTION && (t->id = only_one(p, is)) != FRAME_NONE) {
		t->by = BY_FUNCTION;
	} else if (is_found && !is_other && (kept->by == BY_FILE || kept->by == BY_PACKAGE)) {
		t->id = id_of(p, kept, is);
		is_found = t->id != 0;
	} else if (is_found) {
		/* Only functions of packages and of Node.js can be folded. */
		is_found = kept->kind != TRANSFORM_FOLD || !is_other;
		t->by = BY_SET;
	}
	if (is_found && t->by == BY_SET) {
		t->set.frames = is;
		t->text = xstrdup(kept->text);
	} else {
		free(is);
	}
	return is_found;
}

static bool make_cats(const struct kept_transform *kept, const struct profile *p,
		      struct transform *t)
{
	uint8_t *cats = xcalloc((size_t)p->n_event_cats + 1, 1);
	bool is_found = false;

	for (uint32_t i = 0; i < p->n_event_cats && kept->n_cats; i++) {
		const char *text = profile_text(p, p->event_cats[i].text);

		cats[i] = bsearch(&text, kept->cats, kept->n_cats, sizeof *kept->cats, by_text) !=
			NULL;
		is_found |= cats[i];
	}
	if (is_found) {
		t->set = match_set_of_cats(p, cats);
		t->text = xstrdup(kept->text);
	} else {
		free(cats);
	}
	return is_found;
}

static bool make_path(const struct kept_transform *kept, const struct profile *p,
		      struct transform *t)
{
	uint32_t n = kept->same.n;
	frame_id *path = xmalloc(((size_t)n + 1) * sizeof(*path));

	if (n == 0 || !same_frames_each(p, &kept->same, path)) {
		free(path);
		return false;
	}
	t->path = path;
	t->n_path = n;
	return true;
}

/* has_lost: a transform before this one was lost. */
static bool make(const struct kept_transform *kept, const struct profile *p, bool has_lost,
		 struct transform *t)
{
	*t = (struct transform){ .kind = kept->kind, .by = kept->by, .id = kept->category };
	if (kept->is_lost)
		return false;
	if (kept->by == BY_PATH)
		return !has_lost && make_path(kept, p, t);
	if (kept->cats)
		return make_cats(kept, p, t);
	if (kept->is_label) {
		t->text = xstrdup(kept->text);
		return frame_set_match(p, kept->text, &t->set, &(struct error)ERROR_INIT);
	}
	if (kept->by == BY_FUNCTION || kept->by == BY_FILE || kept->by == BY_PACKAGE ||
	    kept->by == BY_SET)
		return make_frames(kept, p, t);
	return true;
}

void kept_transforms_make(const struct kept_transforms *kept, const struct profile *profile,
			  struct transforms *transforms, struct buf *lost)
{
	struct transforms *t = transforms;
	bool has_lost = false;

	*t = (struct transforms){ .group = kept->group, .raw = kept->raw };
	if (kept->label &&
	    !view_group_find_label(profile, kept->label, &t->group, &(struct error)ERROR_INIT)) {
		t->group = GROUP_FUNCTION;
		buf_addf(lost, "by %s", kept->label);
	}
	t->list = xgrow(NULL, &t->cap, kept->n_all + 1, sizeof(*t->list));
	for (size_t i = 0; i < kept->n_all; i++) {
		bool is_made = make(&kept->list[i], profile, has_lost, &t->list[t->n_all]);

		t->n_all += is_made;
		if (i < kept->n) {
			t->n += is_made;
			if (!is_made)
				buf_addf(lost, "%s%s", lost->len ? ", " : "", kept->list[i].said);
		}
		has_lost |= !is_made;
	}
}

/* ---- the start ---- */

/* What frames stand for at the start: what the options say, else what was set. */
#define LABEL "label:"

static enum view_group first_group(const struct app *app, enum view_group group)
{
	const char *set = preferences_get(app->preferences, "group");

	for (unsigned i = 0; set && group == GROUP_FUNCTION && view_group_word(i); i++)
		if (strcmp(set, view_group_word(i)) == 0)
			return (enum view_group)i;
	if (set && group == GROUP_FUNCTION && strncmp(set, LABEL, sizeof LABEL - 1) == 0)
		(void)view_group_find_label(app->base, set + sizeof LABEL - 1, &group,
					    &(struct error)ERROR_INIT);
	return group;
}

/* Which samples are as recorded at the start: those of the options, and what was set. */
static unsigned first_raw(const struct app *app, unsigned raw)
{
	static const struct {
		const char *setting;
		unsigned what;
	} of[] = { { "gc-place", AS_RECORDED_GC }, { "program", AS_RECORDED_PROGRAM } };

	for (size_t i = 0; i < ARRAY_LEN(of); i++) {
		const char *set = preferences_get(app->preferences, of[i].setting);

		if (set && strcmp(set, "recorded") == 0 && transforms_can_set_raw(app, of[i].what))
			raw |= of[i].what;
	}
	return raw;
}

void kept_transforms_start(struct app *app, const struct app_options *options)
{
	const struct app_state *state = options->state;
	struct transforms made = { .list = (struct transform *)(uintptr_t)options->transforms,
				   .n = options->n_transforms,
				   .n_all = options->n_transforms,
				   .group = first_group(app, options->group),
				   .raw = first_raw(app, options->raw) };

	if (!state || !state->is_touched) {
		transforms_start(app, &made);
		return;
	}
	kept_transforms_make(&state->transforms, app->original, &made, &app->lost);
	transforms_start(app, &made);
	transforms_done(&made);
}
