/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job has copies of all names, as a profile may be freed before a file system answers. */
#include "config.h"

#include "source/source_reader.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/json/cursor.h"
#include "base/json/scan.h"
#include "base/stream/stream.h"
#include "base/text.h"
#include "base/thread.h"
#include "model/source_text.h"
#include "source/maps.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* ==== source find ====
 *
 * Where a text is looked for, in this order:
 *   1. in the source map of the script, and in those of the sources of that
 *   2. where --source-root says, for sources of maps; otherwise at its own place, as --map moves it
 *   3. where --source-root says, for scripts
 *   4. of a path without a folder in front, beside the profile
 *
 * Maps are found as for a profile that has only this script (maps.h): they are not kept after
 * loading, because few of their texts are ever looked at. */

#define MAPS_MAX 64 /* of the sources of one script */
#define GIVEN_BYTES_MAX ((size_t)256 << 20)

struct finding {
	const struct source_wanted *wanted;
	const struct maps_options *options;
	struct source_text *text;
	struct profile profile; /* of the script only */
	struct maps maps;
	struct buf messages;
	struct buf path; /* of the source in its map; empty: no map has it */
	int n_maps;
};

static bool is_javascript(const char *url)
{
	static const char *const ends[] = { "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx" };
	size_t len;
	const char *name = map_path_name(url, &len), *dot = NULL;

	for (size_t i = 0; i < len; i++)
		dot = name[i] == '.' ? name + i : dot;
	for (size_t i = 0; dot && i < ARRAY_LEN(ends); i++)
		if (strlen(ends[i]) == (size_t)(name + len - dot - 1) &&
		    strncmp(dot + 1, ends[i], strlen(ends[i])) == 0)
			return true;
	return !dot;
}

static void say(struct finding *f, const char *path, const char *what)
{
	text_visible(&f->text->said, path, strlen(path));
	buf_addf(&f->text->said, "%s\n", what);
}

/* Take a text. Returns false for one that is too long. */
static bool take(struct finding *f, const char *bytes, size_t len, const char *from)
{
	if (len > SOURCE_TEXT_MAX) {
		say(f, from, ": longer than 64 MB");
		return false;
	}
	if (bytes != f->text->bytes.data)
		buf_add(&f->text->bytes, bytes, len);
	text_visible(&f->text->from, from, strlen(from));
	f->text->is_found = true;
	return true;
}

/* ---- files ---- */

/* When the recording ended: by the name of its file, or by the time of that. */
static bool find_recorded(const struct source_wanted *w, int64_t *at)
{
	if (w->has_date) {
		time_t t = (time_t)w->date_s;
		struct tm tm;

		/* A date by another clock than UTC is taken for that of this machine. */
		if (!w->is_utc && gmtime_r(&t, &tm)) {
			tm.tm_isdst = -1;
			t = mktime(&tm);
		}
		*at = (int64_t)t + w->length_s + 1;
		return true;
	}
	*at = w->changed_s;
	return w->changed_s > 0;
}

static void compare_times(struct finding *f, int64_t changed)
{
	int64_t recorded;
	time_t t;
	struct tm tm;

	if (!find_recorded(f->wanted, &recorded) || changed <= recorded)
		return;
	t = (time_t)recorded;
	f->text->is_newer = true;
	f->text->recorded_s = recorded;
	if (localtime_r(&t, &tm))
		f->text->recorded_s += tm.tm_gmtoff;
}

/* Say why a file may not be read, and whether the user can allow it. */
static void say_refused(struct finding *f, const char *path, enum source_opening opening,
			const char *real)
{
	struct source_text *text = f->text;

	switch (opening) {
	case SOURCE_OFF:
		say(f, path, ": not read: --no-sources is on");
		break;
	case SOURCE_HIDDEN:
		say(f, path, ": not read: it is hidden (--source-root=DIR may name its folder)");
		break;
	default:
		say(f, path, ": not read: it is not below the current directory");
		if (!text->ask.len && source_rules_ask(f->options->rules, real, &text->ask_below))
			buf_adds(&text->ask, real);
		break;
	}
}

static bool try_file(struct finding *f, const char *path)
{
	struct error err = ERROR_INIT;
	BUF_LOCAL real = { 0 };
	struct map_text file;
	int fd;
	bool ok;
	enum source_opening opening = source_rules_open(f->options, path, &fd, &real, &err);

	if (opening == SOURCE_MISSING)
		say(f, path, ": no such file");
	else if (opening != SOURCE_OPENED && opening != SOURCE_FAILED)
		say_refused(f, path, opening, buf_text(&real));
	if (opening != SOURCE_OPENED ||
	    !map_text_take(&file, fd, path, (int64_t)SOURCE_TEXT_MAX, &err)) {
		if (err.kind)
			say(f, err.text, "");
		return false;
	}
	ok = take(f, file.bytes, file.len, path);
	if (ok)
		compare_times(f, file.changed_s);
	map_text_done(&file);
	return ok;
}

/* A path without a folder in front may be seen from the profile. */
static bool try_beside(struct finding *f, const char *path)
{
	const char *input = f->wanted->input, *slash = input ? strrchr(input, '/') : NULL;
	BUF_LOCAL beside = { 0 };

	if (!slash || path[0] == '/')
		return false;
	buf_add(&beside, input, (size_t)(slash - input) + 1);
	buf_adds(&beside, path);
	return try_file(f, buf_text(&beside));
}

/* Below --source-root. */
static bool try_root(struct finding *f, const char *path)
{
	BUF_LOCAL below = { 0 };

	if (!f->options->source_root)
		return false;
	map_path_below(f->options->source_root, path, &below);
	return try_file(f, buf_text(&below));
}

static void find_file(struct finding *f)
{
	const char *url = f->wanted->url;
	BUF_LOCAL path = { 0 };
	bool is_mapped = f->path.len > 0;

	if (is_mapped && try_root(f, buf_text(&f->path))) {
		return;
	}
	if (!maps_local(f->options, url, &path))
		say(f, url, ": no file of this machine (--map=PREFIX=DIR says where it is)");
	else if (try_file(f, buf_text(&path)) || try_beside(f, buf_text(&path)))
		is_mapped = true;
	if (!f->text->is_found && !is_mapped)
		try_root(f, url);
}

/* ---- maps ---- */

/* Take the text of the source that is wanted from a map that has it. */
static bool try_map(struct finding *f, const struct script_map *script, const char *script_url)
{
	for (uint32_t i = 0; i < script->map->n_sources; i++) {
		const char *path = script->map->sources[i].path;
		struct buf url = { 0 };
		bool is;

		if (!path)
			continue;
		map_path_resolve(script->base, path, &url);
		is = strcmp(buf_text(&url), f->wanted->url) == 0;
		buf_done(&url);
		if (!is)
			continue;
		buf_adds(&f->path, path);
		if (source_map_content(script->map, i, &f->text->bytes)) {
			BUF_LOCAL from = { 0 };

			if (!map_path_local(f->wanted->url, &from))
				buf_adds(&from, f->wanted->url);
			buf_adds(&from, " (source map)");
			if (!take(f, f->text->bytes.data, f->text->bytes.len, buf_text(&from)))
				buf_done(&f->text->bytes);
		} else {
			say(f, script_url, ": its source map has no text of it");
		}
		return true;
	}
	return false;
}

/* The same in the maps of its sources that were generated themselves. */
static bool try_maps(struct finding *f, const struct script_map *script, const char *script_url,
		     int depth)
{
	bool is = try_map(f, script, script_url);

	for (uint32_t i = 0; !is && depth < MAPS_CHAIN_MAX && i < script->map->n_sources; i++) {
		const char *path = script->map->sources[i].path;
		BUF_LOCAL url = { 0 };
		const struct script_map *next = NULL;
		str_id id;

		if (!path || !is_javascript(path) || f->n_maps++ >= MAPS_MAX)
			continue;
		map_path_resolve(script->base, path, &url);
		id = intern_adds(&f->profile.strings, buf_text(&url));
		next = maps_of_source(&f->maps, &f->profile, id, &f->messages);
		is = next && next != script && try_maps(f, next, buf_text(&url), depth + 1);
	}
	return is;
}

/* Read the map that the profile has itself, in its file at the place that was noted. Returns false
 * with an empty text if the file has changed, or memory is short. */
static bool read_given(struct finding *f, struct map_text *out)
{
	const struct source_wanted *w = f->wanted;
	struct error err = ERROR_INIT;
	struct stream *stream;
	struct str raw;
	struct scan s;
	bool ok;

	*out = (struct map_text){ 0 };
	stream = stream_open_again(w->map_path, w->map_print, NULL, &err);
	if (stream) {
		scan_init(&s, stream, &err);
		ok = stream_skip(stream, w->map_offset, &err) &&
			scan_raw(&s, GIVEN_BYTES_MAX, &raw);
		out->bytes = ok ? alloc_if_room(raw.len + CURSOR_PAD) : NULL;
		if (out->bytes) {
			memcpy(out->bytes, raw.p, raw.len);
			memset(out->bytes + raw.len, 0, CURSOR_PAD);
			out->len = raw.len;
		}
		if (!stream_compare(stream, &err))
			map_text_done(out);
		scan_done(&s);
		stream_close(stream);
	}
	if (!out->bytes)
		say(f, w->map_path, ": its source map cannot be read again");
	return out->bytes != NULL;
}

static void find_in_maps(struct finding *f)
{
	const char *url = f->wanted->script;
	struct maps_given given = { 0 };
	struct frame frames[2] = { { 0 }, { .category = CATEGORY_APP } };
	const struct script_map *script;

	intern_init(&f->profile.strings);
	frames[1].url = intern_adds(&f->profile.strings, url);
	f->profile.frames.frames = frames;
	f->profile.frames.n = ARRAY_LEN(frames);
	given.url = frames[1].url;
	maps_init(&f->maps, f->options, &given,
		  f->wanted->map_path && read_given(f, &given.text) ? 1 : 0);
	maps_find(&f->maps, &f->profile, &f->messages);
	script = maps_of(&f->maps, frames[1].url);
	if (!script || !try_maps(f, script, url, 0))
		say(f, url, ": its source map is gone");
	maps_done(&f->maps);
	map_text_done(&given.text);
	intern_done(&f->profile.strings);
}

static bool find_data(struct finding *f)
{
	const char *url = f->wanted->url;
	struct error err = ERROR_INIT;
	struct map_text text;

	if (strncmp(url, "data:", 5) != 0)
		return false;
	if (map_text_decode(&text, (struct str){ url, strlen(url) }, &err)) {
		take(f, text.bytes, text.len, "its data: url");
		map_text_done(&text);
	} else {
		say(f, err.text, "");
	}
	return true;
}

/* Fill `text`, which must be zeroed, with its index. Without a text, text->said has the reasons.
 * Safe on any thread. */
static void source_find(const struct source_wanted *wanted, const struct maps_options *options,
			struct source_text *text)
{
	struct finding f = { .wanted = wanted, .options = options, .text = text };

	if (strncmp(wanted->url, "node:", 5) == 0) {
		buf_adds(&text->said, "a part of Node.js itself\n");
		return;
	}
	if (!find_data(&f)) {
		if (wanted->script)
			find_in_maps(&f);
		if (!text->is_found)
			find_file(&f);
	}
	if (text->is_found)
		source_text_index(text, !wanted->is_plain && is_javascript(wanted->url));
	buf_done(&f.path);
	buf_done(&f.messages);
}

/* ==== code file ====
 *
 * The root of a source map and that of the user's copy are rarely the same, so the first folders of
 * a url may not be there below --source-root. The longest end of the path that is there counts. */

static bool is_there(const char *path, struct buf *looked)
{
	struct stat st;

	if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
		return true;
	if (looked->len)
		buf_adds(looked, ", ");
	buf_adds(looked, path);
	return false;
}

static bool find_below(const char *root, const char *url, struct buf *path, struct buf *looked)
{
	BUF_LOCAL below = { 0 }, one = { 0 }, more = { 0 };
	const char *rest;
	bool is_found = false;

	map_path_below("", url, &below);
	for (rest = buf_text(&below); rest && !is_found; rest = strchr(rest + 1, '/')) {
		buf_clear(&one);
		buf_addf(&one, "%s%s", root, rest);
		/* The shorter ends go without saying. */
		is_found = is_there(buf_text(&one), rest == buf_text(&below) ? looked : &more);
	}
	if (is_found)
		buf_add(path, one.data, one.len);
	return is_found;
}

bool code_file_find(const struct maps_options *options, const char *url, struct buf *path,
		    struct buf *looked)
{
	BUF_LOCAL local = { 0 };
	bool is_found;

	if (options->source_root && find_below(options->source_root, url, path, looked))
		return true;
	is_found = maps_local(options, url, &local) && is_there(buf_text(&local), looked);
	if (is_found)
		buf_add(path, local.data, local.len);
	return is_found;
}

/* ==== source reader ==== */

struct source_job {
	char *url, *script, *map_path, *input; /* what `wanted` points to */
	struct fingerprint map_print;
	struct source_wanted wanted;
	struct source_text text;
};

static bool is_same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : !a && !b;
}

/* A text with a highlight serves who needs none. */
static bool is_wanted(const void *job, const void *wanted)
{
	const struct source_wanted *own = &((const struct source_job *)job)->wanted, *w = wanted;

	return is_same(own->url, w->url) && is_same(own->script, w->script) &&
		is_same(own->input, w->input) && (w->is_plain || !own->is_plain);
}

static char *copy(const char *text)
{
	return text ? xstrdup(text) : NULL;
}

static void *make(const void *wanted)
{
	const struct source_wanted *w = wanted;
	struct source_job *job = xcalloc(1, sizeof *job);

	job->wanted = *w;
	job->wanted.url = job->url = xstrdup(w->url);
	job->wanted.script = job->script = copy(w->script);
	job->wanted.map_path = job->map_path = copy(w->map_path);
	if (w->map_print)
		fingerprint_copy(&job->map_print, w->map_print);
	job->wanted.map_print = &job->map_print;
	job->wanted.input = job->input = copy(w->input);
	return job;
}

static void run(const void *options, void *ctx, struct progress *progress)
{
	struct source_job *job = ctx;

	(void)progress;
	source_find(&job->wanted, options, &job->text);
}

static void done(void *ctx)
{
	struct source_job *job = ctx;

	free(job->url);
	free(job->script);
	free(job->map_path);
	fingerprint_done(&job->map_print);
	free(job->input);
	source_text_done(&job->text);
	free(job);
}

static size_t size(const void *job)
{
	return ((const struct source_job *)job)->text.bytes.len;
}

struct jobs *source_reader_new(const struct maps_options *options, bool waits)
{
	/* Most texts come within 20 ms, and then no picture without them is drawn. */
	static const struct jobs_kind kind = { .is = is_wanted,
					       .make = make,
					       .run = run,
					       .run_here = run,
					       .free = done,
					       .patience_ms = 20,
					       .size = size,
					       .n_max = 64,
					       .size_max = 2 * SOURCE_TEXT_MAX };
	struct maps_options *own = xmalloc(sizeof *own);

	*own = *options;
	return jobs_new(&kind, own, waits);
}

static const struct source_text *source_reader_read(void *jobs, const struct source_wanted *wanted)
{
	static const struct source_text lost = { .is_found = false };
	const void *job;

	switch (jobs_get(jobs, wanted, &job)) {
	case JOBS_DONE:
		return &((const struct source_job *)job)->text;
	case JOBS_LOST:
		return &lost;
	case JOBS_BUSY:
		break;
	}
	return NULL;
}

struct source_host source_reader_host(struct jobs *jobs)
{
	return (struct source_host){ source_reader_read, jobs_forget, jobs };
}
