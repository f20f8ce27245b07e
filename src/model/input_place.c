/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/input_place.h"

#include "base/text.h"

#include <inttypes.h>
#include <string.h>

size_t input_place_files(const struct input *in)
{
	return in->parts ? in->n_parts : 1;
}

struct input_place input_place_file(const struct input *in, size_t i)
{
	if (!in->parts)
		return (struct input_place){ in->path, &in->print, 0 };
	return (struct input_place){ in->parts[i].path, &in->parts[i].print, 0 };
}

struct input_place input_place_at(const struct input *in, int64_t offset)
{
	size_t i = input_place_files(in) - 1;
	struct input_place place;

	while (i > 0 && offset < in->parts[i].from)
		i--;
	place = input_place_file(in, i);
	place.offset = offset - (in->parts && offset >= 0 ? in->parts[i].from : 0);
	return place;
}

void input_place_add_first(const struct profile *profile, const struct input *in, int64_t offset,
			   struct buf *out)
{
	struct input_place place = input_place_at(in, offset);
	const char *path = profile_text(profile, place.path), *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	if (offset < 0)
		return;
	buf_addf(out, ", first at byte %" PRId64, place.offset);
	if (!in->parts)
		return;
	buf_adds(out, " of ");
	text_visible(out, name, strlen(name));
}
