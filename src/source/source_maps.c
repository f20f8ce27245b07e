/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Maps that a trace has are read first; then the map of each script is found, and its functions are
 * looked up. The profile is shown by the other names if there are any. */
#include "config.h"

#include "source/source_maps.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/json/cursor.h"
#include "base/json/scan.h"
#include "base/sort.h"
#include "base/stream/stream.h"
#include "base/text.h"
#include "model/profile.h"
#include "source/function_name.h"
#include "source/maps.h"

#include <stdlib.h>
#include <string.h>

/* ==== trace maps ====
 *
 * While a trace is read, only the places of its maps are noted: they may be most of it, and most
 * are of scripts that took no time. Those that are needed are read in one more pass over the input,
 * from the first of them to the last. */

struct trace_maps {
	struct maps_given *list;
	size_t n, cap;
	size_t n_unused; /* maps of scripts that no function of the profile is from */
};

#define BYTES_MAX ((size_t)256 << 20) /* of all maps */

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
		} else if (!scan_raw(s, BYTES_MAX - r->bytes, &raw) ||
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

/* Read the maps of all inputs. messages: a line for each that cannot be read: the input is not
 * there any more, was a pipe, or has more than 256 MB of maps. */
static void trace_maps_read(struct trace_maps *maps, const struct profile *profile,
			    struct buf *messages)
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

/* ==== source names ====
 *
 * Frames are looked up by script and position, so that a line of a map that must be put in order is
 * put in order once. A source that has a map itself is followed, up to a few times. */

/* The text of a source, and where its lines begin. */
struct known_text {
	bool is_known;
	struct buf text;
	size_t *lines;
	size_t n_lines, cap_lines;
};

struct script_sources {
	struct script_map *script;
	str_id *url; /* by source: its url as text of the profile; 0: not yet known */
	struct known_text *texts;
};

struct making {
	struct profile *profile;
	struct maps *maps;
	struct buf *messages;
	struct script_sources *scripts;
	size_t n_scripts, cap_scripts;
	struct frame_table frames;
	frame_id *frame_of;
	uint32_t n_changed;
};

/* ---- sources ---- */

static struct script_sources *sources_of(struct making *m, struct script_map *script)
{
	struct script_sources *s;
	size_t n = script->map->n_sources ? script->map->n_sources : 1;

	for (size_t i = m->n_scripts; i-- > 0;)
		if (m->scripts[i].script == script)
			return &m->scripts[i];
	m->scripts = xgrow(m->scripts, &m->cap_scripts, m->n_scripts + 1, sizeof(*m->scripts));
	s = &m->scripts[m->n_scripts++];
	*s = (struct script_sources){ script, xcalloc(n, sizeof(*s->url)),
				      xcalloc(n, sizeof(*s->texts)) };
	return s;
}

static str_id url_of(struct making *m, const struct script_sources *s, uint32_t source)
{
	const char *path = s->script->map->sources[source].path;
	struct buf url = { 0 };

	if (!s->url[source] && path) {
		map_path_resolve(s->script->base, path, &url);
		s->url[source] = intern_adds(&m->profile->strings, buf_text(&url));
		buf_done(&url);
	}
	return s->url[source];
}

static void read_text(struct making *m, const struct script_sources *s, uint32_t source,
		      struct known_text *text)
{
	BUF_LOCAL path = { 0 };
	struct map_text file;
	struct error err = ERROR_INIT;
	str_id url = url_of(m, s, source);

	text->is_known = true;
	if (source_map_content(s->script->map, source, &text->text) || !url)
		return;
	if (m->maps->options->source_root) {
		map_path_below(m->maps->options->source_root, s->script->map->sources[source].path,
			       &path);
	} else if (!maps_local(m->maps->options, profile_text(m->profile, url), &path)) {
		return;
	}
	if (map_text_read(&file, m->maps->options, buf_text(&path), &err)) {
		buf_add(&text->text, file.bytes, file.len);
		map_text_done(&file);
	}
}

static const struct known_text *text_of(struct making *m, const struct script_sources *s,
					uint32_t source)
{
	struct known_text *text = &s->texts[source];

	if (text->is_known)
		return text;
	read_text(m, s, source, text);
	for (size_t i = 0; i <= text->text.len; i++)
		if (i == 0 || text->text.data[i - 1] == '\n') {
			text->lines = xgrow(text->lines, &text->cap_lines, text->n_lines + 1,
					    sizeof(*text->lines));
			text->lines[text->n_lines++] = i;
		}
	return text;
}

/* The byte of a position; columns count UTF-16 code units. SIZE_MAX: the text has no such place. */
static size_t byte_of(const struct known_text *text, uint32_t line, uint32_t column)
{
	size_t at, end;

	if (line >= text->n_lines || !text->text.len)
		return SIZE_MAX;
	at = text->lines[line];
	end = line + 1 < text->n_lines ? text->lines[line + 1] : text->text.len;
	for (uint32_t n = 0; n < column && at < end; n++) {
		unsigned char c = (unsigned char)text->text.data[at];

		n += c >= 0xF0;
		for (at++; at < end && ((unsigned char)text->text.data[at] & 0xC0) == 0x80;)
			at++;
	}
	return at < end ? at : SIZE_MAX;
}

/* ---- functions ---- */

static uint32_t utf16_len(const char *text)
{
	uint32_t n = 0;

	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		n += (c & 0xC0) != 0x80;
		n += c >= 0xF0;
	}
	return n;
}

/* The name that the map gives to the word in front of the position. */
static bool name_by_map(const struct making *m, struct source_map *map, const struct frame *frame,
			struct buf *name)
{
	uint32_t n = utf16_len(profile_text(m->profile, frame->name));
	struct source_place word;

	return n < (uint32_t)frame->column &&
		source_map_find(map, (uint32_t)frame->line - 1, (uint32_t)frame->column - 1 - n,
				&word) &&
		word.name != MAPPING_NONE && source_map_name(map, word.name, name);
}

/* Whether the frame is the script itself, which is no function of a source. */
static bool is_script_names(const struct frame *frame)
{
	return frame->line <= 1 && frame->column <= 1;
}

static void name_by_file(struct profile *p, struct frame *frame)
{
	BUF_LOCAL name = { 0 };

	profile_file_name(p, frame->url, &name);
	frame->name = intern_add(&p->strings, buf_text(&name), name.len);
}

/* Where the function is one map further. Returns false when no map says. */
static bool follow(struct making *m, struct script_map *script, struct frame *frame)
{
	struct script_sources *s;
	struct source_place place;
	struct frame was = *frame;
	bool is_script = profile_is_script(m->profile, frame);

	if (frame->line <= 0 || frame->column <= 0)
		return false;
	if (is_script_names(frame) && script->map->n_sources != 1)
		return false;
	if (!source_map_find(script->map, (uint32_t)frame->line - 1, (uint32_t)frame->column - 1,
			     &place)) {
		if (!is_script_names(frame))
			return false;
		place = (struct source_place){ 0, 0, 0, MAPPING_NONE };
	}
	s = sources_of(m, script);
	if (!url_of(m, s, place.source))
		return false;
	if (is_script_names(frame)) {
		place.line = place.column = 0;
	} else if (!is_script) {
		BUF_LOCAL name = { 0 };
		bool is_told = source_map_function(s->script->map, &place, &name);
		const struct known_text *text = is_told ? NULL : text_of(m, s, place.source);
		size_t at = is_told ? SIZE_MAX : byte_of(text, place.line, place.column);
		enum function_name found = is_told ? FUNCTION_NAMED : FUNCTION_UNKNOWN;

		if (at != SIZE_MAX)
			found = function_name_at((struct str){ text->text.data, text->text.len },
						 at, &name);
		if (found == FUNCTION_ANONYMOUS)
			buf_adds(&name, "(anonymous)");
		if (found != FUNCTION_UNKNOWN || name_by_map(m, s->script->map, &was, &name))
			frame->name = intern_add(&m->profile->strings, buf_text(&name), name.len);
	}
	frame->url = url_of(m, s, place.source);
	if (is_script)
		name_by_file(m->profile, frame);
	frame->line = (int32_t)place.line + 1;
	frame->column = (int32_t)place.column + 1;
	if (!frame_is_slice(frame)) {
		const struct source_map_source *source = &script->map->sources[place.source];
		struct category_facts facts = { profile_text(m->profile, frame->name),
						profile_text(m->profile, frame->url), true, false };

		/* Category and package by the place of the source. */
		frame->category = category_of(&m->profile->strings, &facts, &frame->package);
		if (source->is_ignored && frame->category == CATEGORY_APP)
			frame->category = CATEGORY_DEPENDENCY;
	}
	return true;
}

static bool is_generated(const char *url)
{
	size_t n = strlen(url);

	return n > 3 &&
		(strcmp(url + n - 3, ".js") == 0 ||
		 (n > 4 && (strcmp(url + n - 4, ".mjs") == 0 || strcmp(url + n - 4, ".cjs") == 0)));
}

static void map_frame(struct making *m, frame_id id)
{
	struct frame frame = m->profile->frames.frames[id];
	struct script_map *script = frame.url ? maps_of(m->maps, frame.url) : NULL;
	bool has_changed = false;

	for (int i = 0; script && i < MAPS_CHAIN_MAX; i++) {
		const char *url;

		if (!follow(m, script, &frame))
			break;
		has_changed = true;
		url = profile_text(m->profile, frame.url);
		script = is_generated(url)
			? maps_of_source(m->maps, m->profile, frame.url, m->messages)
			: NULL;
	}
	m->n_changed += has_changed;
	m->frame_of[id] = frame_table_add(&m->frames, &frame);
}

static bool by_place(const void *a, const void *b, const void *ctx)
{
	const struct frame *frames = ctx;
	const struct frame *x = &frames[*(const frame_id *)a], *y = &frames[*(const frame_id *)b];

	return SORT_BY_3(x->url, y->url, x->line, y->line, x->column, y->column) < 0;
}

/* ---- lines ---- */

static bool place_tick(struct making *m, const struct lane *lane, struct line_ticks *tick)
{
	const struct frame *frame = profile_node_frame(m->profile, lane, tick->node);
	struct script_map *script = frame->url ? maps_of(m->maps, frame->url) : NULL;
	struct source_place place;
	bool is_found;

	if (!script)
		return true;
	if (tick->line <= 0)
		return false;
	if (tick->column > 0)
		is_found = source_map_find(script->map, (uint32_t)tick->line - 1,
					   (uint32_t)tick->column - 1, &place);
	else
		is_found = source_map_find_line(script->map, (uint32_t)tick->line - 1, &place);
	if (!is_found)
		return false;
	tick->line = (int32_t)place.line + 1;
	tick->column = tick->column ? (int32_t)place.column + 1 : 0;
	return true;
}

static bool tick_before(const void *a, const void *b, const void *ctx)
{
	const struct line_ticks *x = a, *y = b;

	(void)ctx;
	return SORT_BY_3(x->node, y->node, x->line, y->line, x->column, y->column) < 0;
}

/* Put the ticks of a lane onto lines of the source. Those that no map places are left out. */
static void map_ticks(struct making *m, const struct lane *lane, struct other_lane *other)
{
	struct line_ticks *ticks = other->ticks;
	size_t n = 0, n_placed = 0;

	for (size_t i = 0; i < other->n_ticks; i++) {
		ticks[n_placed] = ticks[i];
		n_placed += place_tick(m, lane, &ticks[n_placed]);
	}
	sort_stable(ticks, n_placed, sizeof(*ticks), tick_before, NULL);
	for (size_t i = 0; i < n_placed; i++)
		if (n && !tick_before(&ticks[n - 1], &ticks[i], NULL))
			ticks[n - 1].ticks += ticks[i].ticks;
		else
			ticks[n++] = ticks[i];
	other->n_ticks = n;
}

/* ---- all ---- */

static void sources_done(struct making *m)
{
	for (size_t i = 0; i < m->n_scripts; i++) {
		struct script_sources *s = &m->scripts[i];

		for (size_t k = 0; k < s->script->map->n_sources; k++) {
			buf_done(&s->texts[k].text);
			free(s->texts[k].lines);
		}
		free(s->texts);
		free(s->url);
	}
	free(m->scripts);
}

/* Make the names of the sources of a profile, whose strings get what is new. NULL: no function of
 * it has another name or place. */
static struct other_names *source_names_make(struct profile *profile, struct maps *maps,
					     struct buf *messages)
{
	struct making m = { .profile = profile, .maps = maps, .messages = messages };
	struct other_names *names = NULL;
	bool has_map = false;
	const struct profile *p;
	frame_id *order;

	for (size_t i = 0; i < maps->n_scripts && !has_map; i++)
		has_map = maps->scripts[i]->map != NULL;
	if (!has_map)
		return NULL;
	frame_table_init(&m.frames);
	m.frame_of = xcalloc(profile->frames.n, sizeof(*m.frame_of));
	p = m.profile;
	order = xmalloc((size_t)p->frames.n * sizeof(*order));
	for (uint32_t i = 0; i < p->frames.n; i++)
		order[i] = i;
	sort_stable(order + 1, p->frames.n - 1, sizeof(*order), by_place, p->frames.frames);
	m.frame_of[FRAME_NONE] = FRAME_NONE;
	for (uint32_t i = 1; i < p->frames.n; i++)
		map_frame(&m, order[i]);
	free(order);
	if (m.n_changed) {
		names = other_names_new(profile, &m.frames, m.frame_of);
		for (uint32_t i = 0; i < profile->n_lanes; i++)
			map_ticks(&m, &profile->lanes[i], &names->lanes[i]);
	}
	sources_done(&m);
	frame_table_done(&m.frames);
	free(m.frame_of);
	return names;
}

/* ==== source maps ==== */

/* A warning of the first input: the first line of the messages, and how many there are. */
static void warn(struct profile *profile, const struct buf *messages)
{
	struct input *in = &profile->inputs[0];
	BUF_LOCAL text = { 0 };
	uint64_t n = 0;

	for (size_t i = 0; i < messages->len; i++)
		n += messages->data[i] == '\n';
	if (!n)
		return;
	buf_adds(&text, "source map ");
	buf_add(&text, messages->data, strcspn(messages->data, "\n"));
	in->warnings = xrealloc(in->warnings, in->n_warnings + 1, sizeof(*in->warnings));
	in->warnings[in->n_warnings++] =
		(struct warning){ .kind = WARN_SOURCE_MAP,
				  .text = intern_add(&profile->strings, text.data, text.len),
				  .offset = -1,
				  .count = n };
}

/* Add a note of the first input, and empty its text. */
static void note(struct profile *profile, struct buf *text)
{
	struct input *in = &profile->inputs[0];

	in->notes = xrealloc(in->notes, in->n_notes + 1, sizeof(*in->notes));
	in->notes[in->n_notes++] = (struct input_note){
		intern_add(&profile->strings, buf_text(text), text->len), false
	};
	buf_clear(text);
}

/* Notes of the maps that are used, of those beside the profile, and of those that nothing needs. */
static void add_notes(struct profile *profile, const struct maps *maps, size_t n_unused)
{
	const char *line = buf_text(&maps->beside);
	BUF_LOCAL text = { 0 };

	for (size_t i = 0; profile->other && i < maps->n_scripts; i++) {
		const struct script_map *script = maps->scripts[i];

		if (!script->map)
			continue;
		buf_addf(&text, "source map of %s: %zu source%s",
			 profile_text(profile, script->url), script->map->n_sources,
			 script->map->n_sources == 1 ? "" : "s");
		note(profile, &text);
	}
	for (size_t n; *line; line += n + 1) {
		n = strcspn(line, "\n");
		buf_addf(&text, "--source-map=%.*s gives the functions their names in the source",
			 (int)n, line);
		note(profile, &text);
	}
	if (n_unused) {
		buf_addf(&text, "%zu source map%s of scripts without functions here", n_unused,
			 n_unused == 1 ? "" : "s");
		note(profile, &text);
	}
}

void source_maps_use(struct profile *profile, const struct maps_options *options)
{
	BUF_LOCAL messages = { 0 };
	struct trace_maps given = { 0 };
	struct maps maps;

	if (!profile->n_inputs)
		return;
	if (!options->is_off)
		trace_maps_read(&given, profile, &messages);
	maps_init(&maps, options, given.list, given.n);
	maps_find(&maps, profile, &messages);
	profile->other = source_names_make(profile, &maps, &messages);
	if (profile->other)
		other_names_swap(profile);
	add_notes(profile, &maps, given.n_unused);
	warn(profile, &messages);
	maps_done(&maps);
	for (size_t i = 0; i < given.n; i++)
		map_text_done(&given.list[i].text);
	free(given.list);
}
