/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A description is a verb and the text that the transform matches. */
#include "config.h"

#include "analyse/view/transform.h"

#include "base/text.h"

#include <string.h>

static void describe_match(const struct profile *p, const struct transform *t, struct buf *out)
{
	frame_id last = t->by == BY_PATH && t->n_path ? t->path[t->n_path - 1] : t->id;
	const char *text = "";

	switch (t->by) {
	case BY_FUNCTION:
	case BY_PATH:
		text = last < p->frames.n ? profile_text(p, p->frames.frames[last].name) : "";
		break;
	case BY_FILE:
	case BY_PACKAGE:
		text = profile_text(p, t->id);
		break;
	case BY_CATEGORY:
		text = category_name((enum category)t->id);
		break;
	case BY_ANY_PACKAGE:
		text = "packages";
		break;
	case BY_OTHERS:
		text = "what is not own";
		break;
	case BY_SET:
		text = t->text ? t->text : "";
		break;
	case BY_ALL:
		break;
	}
	if (t->by == BY_SET)
		buf_addc(out, '/');
	text_visible(out, text, strlen(text));
	if (t->by == BY_SET)
		buf_addc(out, '/');
	if (t->by == BY_PATH)
		buf_adds(out, " (this call)");
}

bool transform_is_possible(const struct transform *t, struct error *err)
{
	return !t->set.labels || t->kind == TRANSFORM_KEEP || t->kind == TRANSFORM_DROP ||
		error_set(err, ERR_FORMAT, -1,
			  "'%.200s' is about samples, not functions; --only and --drop take it",
			  t->text);
}

void transform_describe(const struct profile *profile, const struct transform *t, struct buf *out)
{
	static const char *const verb[TRANSFORM_COUNT + 1] = { "focus",          "only",     "drop",
							       "merge",          "collapse", "fold",
							       "fold recursion", "invert" };
	size_t start;

	buf_adds(out, verb[t->kind]);
	start = out->len;
	buf_addc(out, ' ');
	describe_match(profile, t, out);
	if (out->len == start + 1)
		out->data[out->len = start] = '\0';
}
