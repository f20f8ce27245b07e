/* SPDX-License-Identifier: GPL-2.0-or-later */
/* speedscope's own files: `shared.frames`, and `profiles`, each of which becomes a lane. Frames may
 * come after the profiles, so lanes are made at the end of the document. */
#include "config.h"

#include "read/reader.h"

#include "base/alloc.h"
#include "base/json/json_read.h"
#include "model/build/cpu_builder.h"
#include "read/documents.h"
#include "read/speedscope_profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- frames ---- */

static bool read_frame(void *ctx)
{
	static const struct json_field fields[] = {
		{ "name", JSON_FIELD_TEXT, offsetof(struct speedscope_frame, name) },
		{ "file", JSON_FIELD_TEXT, offsetof(struct speedscope_frame, file) },
		{ "line", JSON_FIELD_POSITION, offsetof(struct speedscope_frame, line) },
		{ "col", JSON_FIELD_POSITION, offsetof(struct speedscope_frame, column) },
	};
	struct speedscope *r = ctx;
	struct speedscope_frame f = { 0 };
	bool ok;

	if (scan_peek(r->s) != '{')
		builder_warn(r->b, WARN_CALL_FRAME, scan_offset(r->s));
	ok = json_read_fields(r->s, fields, ARRAY_LEN(fields), &r->texts, &f);
	r->frames = xgrow(r->frames, &r->cap_frames, r->n_frames + 1, sizeof *r->frames);
	r->frames[r->n_frames++] = f;
	return ok;
}

static bool read_shared_member(void *ctx, struct str key)
{
	struct speedscope *r = ctx;

	if (!str_is(key, "frames"))
		return scan_skip(r->s);
	r->n_frames = 0;
	return json_read_list(r->s, read_frame, r);
}

static bool read_shared(void *ctx)
{
	struct speedscope *r = ctx;

	return json_read_object(r->s, read_shared_member, r);
}

/* ---- lanes ---- */

static uint32_t *pass_frames(struct speedscope *r)
{
	uint32_t *frames = xmalloc((r->n_frames + 1) * sizeof *frames);

	frames[0] = cpu_builder_frame(r->b,
				      &(struct cpu_frame){ "(unknown)", 9, "", 0, "0", 1, -1, -1 });
	for (size_t i = 0; i < r->n_frames; i++) {
		const struct speedscope_frame *f = &r->frames[i];

		frames[i + 1] = cpu_builder_frame(
			r->b,
			&(struct cpu_frame){
				intern_text(&r->texts, f->name), intern_len(&r->texts, f->name),
				intern_text(&r->texts, f->file), intern_len(&r->texts, f->file),
				"0", 1, f->line - 1, f->column - 1 });
	}
	return frames;
}

/* Stacks may refer to frames that the file does not have. */
static void check_frames(struct speedscope *r, struct stack_lane *lane)
{
	for (uint32_t i = 1; i < lane->map.n; i++) {
		if (lane->map.frame[i] > r->n_frames) {
			builder_warn(r->b, WARN_ODD_INDEX, -1);
			lane->map.frame[i] = 0;
		}
	}
}

/* Bytes are the unit of the profile. */
static void note_unit(struct speedscope *r, const char *unit)
{
	static const struct cpu_value bytes = { .type = "weight",
						.type_len = 6,
						.unit = "bytes",
						.unit_len = 5,
						.unit_ns = 1 };

	if (strcmp(unit, "bytes") == 0)
		cpu_builder_value(r->b, &bytes);
	else if (strcmp(unit, "none") == 0 || !*unit)
		builder_input_note(r->b, false,
				   "weights without a unit, no times: 1 is drawn as 1 µs");
}

static bool make_lane(struct speedscope *r, struct speedscope_profile *p)
{
	uint32_t *frames;

	check_frames(r, &p->lane);
	cpu_builder_own_clock(r->b);
	cpu_builder_begin(r->b);
	cpu_builder_names_only(r->b);
	frames = pass_frames(r);
	stack_lane_emit(&p->lane, r->b, frames);
	free(frames);
	if (p->has_start)
		cpu_builder_start_time(r->b, p->start);
	if (p->has_end)
		cpu_builder_end_time(r->b, p->end);
	note_unit(r, intern_text(&r->texts, p->unit));
	if (p->name)
		cpu_builder_title(r->b, intern_text(&r->texts, p->name),
				  intern_len(&r->texts, p->name), false);
	if (cpu_builder_end(r->b, r->hints->pid, r->hints->tid, r->err))
		return true;
	if (r->err->offset < 0)
		r->err->offset = p->offset;
	return false;
}

/* ---- the document ---- */

static bool read_profiles(void *ctx)
{
	return speedscope_profile_read(ctx);
}

static const struct document_member members[] = {
	{ "shared", .read = read_shared },
	{ "profiles", .read = read_profiles },
	{ .name = NULL },
};

static void begin(void *ctx)
{
	struct speedscope *r = ctx;

	speedscope_profile_clear(r);
	r->n_frames = 0;
}

/* The frames must be complete. They are, once a profile follows them. */
static bool is_usable(void *ctx, int64_t *offset)
{
	const struct speedscope *r = ctx;

	(void)offset;
	return r->n_frames && r->n_profiles;
}

static bool finish(void *ctx, int64_t offset)
{
	struct speedscope *r = ctx;
	size_t n = 0;

	(void)offset;
	for (size_t i = 0; i < r->n_profiles; i++) {
		struct speedscope_profile *p = &r->profiles[i];

		if (p->lane.n_samples == 0) {
			builder_input_note(r->b, true, "profile %zu is empty: not shown", i + 1);
			continue;
		}
		if (!make_lane(r, p))
			return false;
		n++;
	}
	return n > 0 || error_set(r->err, ERR_FORMAT, -1, "the file has no samples");
}

static int speedscope_sniff(const struct outline *outline)
{
	if (outline->top != '{' || outline_has(outline, "traceEvents", 0))
		return 0;
	if (outline_has_list(outline, "profiles", "{") &&
	    (outline_has(outline, "shared", '{') || outline_has(outline, "$schema", '"')))
		return 95;
	/* The frames are so long that the profiles are after the text that was examined. */
	return !outline->is_whole && outline_has(outline, "shared", '{') &&
			outline_has(outline, "$schema", '"')
		? 40
		: 0;
}

static bool speedscope_read(struct scan *s, struct builder *b, const struct file_hints *hints,
			    struct error *err)
{
	struct speedscope r = { .s = s, .b = b, .err = err, .hints = hints };
	const struct documents documents = { .s = s,
					     .b = b,
					     .err = &r.err,
					     .ctx = &r,
					     .noun = "speedscope file",
					     .members = members,
					     .begin = begin,
					     .is_usable = is_usable,
					     .finish = finish };
	bool ok;

	intern_init(&r.texts);
	ok = documents_read(&documents) && intern_fits(&r.texts, err);
	speedscope_profile_clear(&r);
	intern_done(&r.texts);
	free(r.frames);
	free(r.profiles);
	free(r.stack);
	return ok;
}

const struct reader reader_speedscope = {
	"speedscope",
	"speedscope's own JSON, evented or sampled; each profile a lane",
	speedscope_sniff,
	speedscope_read,
	NULL,
	NULL,
};
