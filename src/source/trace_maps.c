/* SPDX-License-Identifier: GPL-2.0-or-later */
/* While a trace is read, only the places of its maps are noted: they may be most of it, and most
 * are of scripts that took no time. Those that are needed are read in one more pass over the input,
 * from the first of them to the last. */
#include "config.h"

#include "source/trace_maps.h"

#include "base/alloc.h"
#include "base/json/cursor.h"
#include "base/json/scan.h"
#include "base/stream/stream.h"
#include "base/stream/stream_skip.h"
#include "base/text.h"
#include "model/input_place.h"

#include <stdlib.h>
#include <string.h>

#define BYTES_MOST ((size_t)256 << 20) /* of all maps */

struct reading {
	struct trace_maps *maps;
	const uint8_t *is_script; /* by str_id */
	size_t bytes;             /* read so far */
	struct buf *messages;
};

static void say(struct reading *r, const char *path, const char *what)
{
	text_visible(r->messages, path, strlen(path));
	buf_addf(r->messages, ": %s\n", what);
}

static bool take(struct reading *r, str_id url, struct str raw, struct error *err)
{
	struct trace_maps *maps = r->maps;
	struct map_text text = { alloc_if_room(raw.len + CURSOR_PAD), raw.len, 0 };

	if (!text.bytes)
		return error_set(err, ERR_LIMIT, -1, "no memory for its source maps");
	memcpy(text.bytes, raw.p, raw.len);
	memset(text.bytes + raw.len, 0, CURSOR_PAD);
	r->bytes += raw.len;
	maps->list = xgrow(maps->list, &maps->cap, maps->n + 1, sizeof(*maps->list));
	maps->list[maps->n++] = (struct maps_given){ url, text };
	return true;
}

/* Read the maps from the first one that is needed on; the scanner is in front of it. */
static bool read_list(struct reading *r, struct scan *s, const struct input *in, size_t first,
		      size_t end, struct error *err)
{
	bool is_first = false;
	struct str raw;

	for (size_t i = first; i < end; i++) {
		/* Elements of which the url is not known are not in the list. */
		while (scan_peek(s) && scan_offset(s) < in->maps[i].offset)
			if (*s->p == ',' ? !scan_element(s, &is_first) : !scan_skip(s))
				return false;
		if (scan_offset(s) != in->maps[i].offset)
			return error_set(err, ERR_IO, -1, "the file has changed");
		if (!r->is_script[in->maps[i].url]) {
			if (!scan_skip(s))
				return false;
		} else if (!scan_raw(s, BYTES_MOST - r->bytes, &raw) ||
			   !take(r, in->maps[i].url, raw, err)) {
			return false;
		}
	}
	return true;
}

/* Read the maps [first, end) of an input that are in the file of the first one that is needed.
 * Returns behind which map that ends. */
static size_t read_file(struct reading *r, const struct profile *profile, const struct input *in,
			size_t first, size_t end)
{
	struct input_place place;
	size_t next;
	struct error err = ERROR_INIT, changed = ERROR_INIT;
	struct stream *stream;
	struct scan s;
	bool ok;

	while (first < end && !r->is_script[in->maps[first].url])
		first++;
	if (first == end)
		return end;
	place = input_place_at(in, in->maps[first].offset);
	for (next = first; next < end; next++)
		if (input_place_at(in, in->maps[next].offset).path != place.path)
			break;
	for (end = next; !r->is_script[in->maps[end - 1].url];)
		end--;
	stream = stream_open_again(profile_text(profile, place.path), place.print, NULL, &err);
	if (stream) {
		scan_init(&s, stream, &err);
		ok = stream_skip(stream, place.offset, &err);
		/* Offsets are those of the input. */
		s.base = in->maps[first].offset;
		ok = ok && read_list(r, &s, in, first, end, &err);
		if (!stream_compare(stream, &changed) && ok)
			err = changed;
		scan_done(&s);
		stream_close(stream);
	}
	if (err.kind == ERR_LIMIT)
		say(r, profile_text(profile, place.path),
		    "its source maps are larger than the memory for them");
	else if (err.kind)
		say(r, profile_text(profile, place.path), err.text);
	return next;
}

void trace_maps_read(struct trace_maps *maps, const struct profile *profile, struct buf *messages)
{
	struct reading r = { .maps = maps, .messages = messages };
	uint8_t *is_script = NULL;

	*maps = (struct trace_maps){ 0 };
	for (uint32_t i = 0; i < profile->n_inputs; i++) {
		const struct input *in = &profile->inputs[i];

		if (!in->n_maps)
			continue;
		if (!is_script) {
			r.is_script = is_script = xcalloc(profile->strings.n + 1, 1);
			for (frame_id f = 1; f < profile->frames.n; f++)
				is_script[profile->frames.frames[f].url] = 1;
			is_script[0] = 0;
		}
		for (size_t k = 0; k < in->n_maps;)
			k = read_file(&r, profile, in, k, in->n_maps);
		for (size_t k = 0; k < in->n_maps; k++)
			maps->n_unused += !is_script[in->maps[k].url];
	}
	free(is_script);
}

void trace_maps_done(struct trace_maps *maps)
{
	for (size_t i = 0; i < maps->n; i++)
		map_text_done(&maps->list[i].text);
	free(maps->list);
	*maps = (struct trace_maps){ 0 };
}
