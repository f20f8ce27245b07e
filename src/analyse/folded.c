/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "analyse/folded.h"

#include "base/text.h"

#include <string.h>

void folded_add_name(struct buf *out, const char *name, size_t len)
{
	size_t start = out->len;
	char *p;

	text_visible(out, name, len);
	for (p = out->data + start; out->len > start && (p = strchr(p, ';')); p++)
		*p = ':';
}

void folded_add_frame(struct buf *out, const struct profile *profile, const struct frame *frame)
{
	struct buf place = { 0 };

	folded_add_name(out, profile_text(profile, frame->name),
			intern_len(&profile->strings, frame->name));
	if (!frame->url || !profile_is_anonymous(profile, frame))
		return;
	profile_location(profile, frame, false, &place);
	buf_addc(out, ' ');
	folded_add_name(out, buf_text(&place), place.len);
	buf_done(&place);
}
