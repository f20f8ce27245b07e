/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scripts are found by the urls of frames. Most scripts of a profile are files without a map, such
 * as those of Node.js itself: urls that name no file on this machine are not looked for. */
#include "config.h"

#include "source/maps.h"

#include "base/alloc.h"
#include "base/json/cursor.h"
#include "base/json/json_tree.h"
#include "base/text.h"
#include "source/map_path.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void say(struct buf *messages, const char *path, const char *what)
{
	text_visible(messages, path, strlen(path));
	buf_addf(messages, ": %s\n", what);
}

/* ---- places ---- */

/* Append the place to which the first prefix of a url or path moves it. */
static bool move(const struct maps_options *options, const char *url, struct buf *path)
{
	for (size_t i = 0; i < options->n_moves; i++) {
		const char *equals = strchr(options->moves[i], '=');
		size_t n = equals ? (size_t)(equals - options->moves[i]) : 0;

		if (!equals || strncmp(url, options->moves[i], n) != 0)
			continue;
		buf_adds(path, equals + 1);
		if (url[n] && url[n] != '/' && path->len && path->data[path->len - 1] != '/')
			buf_addc(path, '/');
		buf_adds(path, url + n);
		return true;
	}
	return false;
}

bool maps_local(const struct maps_options *options, const char *url, struct buf *path)
{
	struct buf local = { 0 };
	bool is_local;

	if (move(options, url, path))
		return true;
	is_local = map_path_local(url, &local);
	if (is_local && !move(options, buf_text(&local), path))
		buf_add(path, local.data, local.len);
	buf_done(&local);
	return is_local;
}

/* Note a map that is not where the script was, but beside the profile: only the user knows whether
 * it is of the script that ran. */
static void note_beside(struct maps *maps, const struct profile *profile, const char *url)
{
	struct buf file = { 0 }, *path = &file;
	struct stat st;
	const char *input = profile->n_inputs ? profile_text(profile, profile->inputs[0].path) : "";
	const char *slash = strrchr(input, '/'), *name;
	size_t len;

	name = map_path_name(url, &len);
	if (slash)
		buf_add(path, input, (size_t)(slash - input) + 1);
	buf_add(path, name, len);
	buf_adds(path, ".map");
	if (len && stat(buf_text(path), &st) == 0 && S_ISREG(st.st_mode)) {
		text_visible(&maps->beside, path->data, path->len);
		buf_addc(&maps->beside, '\n');
	}
	buf_done(path);
}

/* ---- one map ---- */

/* Read the map `is`, which is in `text`. The text is given to the script. */
static void take_map(struct script_map *script, struct map_text *text, struct str is,
		     const char *base, const char *said, struct buf *messages)
{
	struct error err = ERROR_INIT;

	script->map = source_map_read(is, &err);
	if (!script->map) {
		struct buf what = { 0 };

		buf_addf(&what, "%s (at byte %lld)", err.text, (long long)err.offset);
		say(messages, said, buf_text(&what));
		buf_done(&what);
		map_text_done(text);
		return;
	}
	if (script->map->problems.len)
		say(messages, said, buf_text(&script->map->problems));
	script->text = *text;
	script->base = xstrdup(base);
	*text = (struct map_text){ 0 };
}

static struct str whole(const struct map_text *text)
{
	return (struct str){ text->bytes, text->len };
}

/* Read a map from a file, if it is there. */
static bool try_file(struct script_map *script, const char *path, const char *base,
		     struct buf *messages)
{
	struct error err = ERROR_INIT;
	struct map_text text;

	if (map_text_read(&text, path, &err)) {
		take_map(script, &text, whole(&text), base, path, messages);
		return true;
	}
	if (err.kind) {
		text_visible(messages, err.text, strlen(err.text));
		buf_addc(messages, '\n');
	}
	return err.kind != ERR_NONE;
}

/* Follow the comment of a script, whose file is at `path`. */
static bool try_comment(struct script_map *script, const char *url, const char *path,
			struct str comment, struct buf *messages)
{
	struct error err = ERROR_INIT;
	struct map_text text;
	struct buf file = { 0 }, base = { 0 };
	char *is = xstrndup(comment.p, comment.len);
	bool is_done = false;

	if (strncmp(is, "data:", 5) == 0) {
		if (map_text_decode(&text, comment, &err))
			take_map(script, &text, whole(&text), url, path, messages);
		else
			say(messages, path, err.text);
		is_done = true;
	} else {
		struct buf at = { 0 };

		map_path_resolve(path, is, &at);
		map_path_resolve(url, is, &base);
		is_done = map_path_local(buf_text(&at), &file) &&
			try_file(script, buf_text(&file), buf_text(&base), messages);
		buf_done(&at);
	}
	buf_done(&file);
	buf_done(&base);
	free(is);
	return is_done;
}

/* Look for the map of a script whose file would be at `path`. */
static bool try_script(struct script_map *script, const char *url, const char *path,
		       struct buf *messages)
{
	struct error err = ERROR_INIT;
	struct map_text text;
	struct buf file = { 0 }, base = { 0 };
	bool is_done = false;

	if (map_text_read_end(&text, path, &err)) {
		struct str comment = map_text_url((struct str){ text.bytes, text.len });

		is_done = comment.len && try_comment(script, url, path, comment, messages);
		map_text_done(&text);
	}
	if (!is_done) {
		buf_addf(&file, "%s.map", path);
		buf_addf(&base, "%s.map", url);
		is_done = try_file(script, buf_text(&file), buf_text(&base), messages);
	}
	buf_done(&file);
	buf_done(&base);
	return is_done;
}

/* ---- the files of --source-map ---- */

static void read_files(struct maps *maps, struct buf *messages)
{
	const struct maps_options *o = maps->options;

	maps->files = xcalloc(o->n_files ? o->n_files : 1, sizeof(*maps->files));
	for (size_t i = 0; i < o->n_files; i++)
		if (!try_file(&maps->files[i], o->files[i], "", messages))
			say(messages, o->files[i], "no such file");
}

static bool is_map_of(const char *file, const char *url)
{
	size_t n_file, n_url;
	const char *of_file = map_path_name(file, &n_file), *of_url = map_path_name(url, &n_url);

	return n_file == n_url + 4 && memcmp(of_file, of_url, n_url) == 0 &&
		memcmp(of_file + n_url, ".map", 4) == 0;
}

/* Give a file of --source-map to the script. */
static void give(struct script_map *script, struct script_map *file, const char *url)
{
	struct buf base = { 0 };

	buf_addf(&base, "%s.map", url);
	script->map = file->map;
	script->text = file->text;
	free(file->base);
	script->base = xstrdup(buf_text(&base));
	buf_done(&base);
	*file = (struct script_map){ 0 };
}

static bool try_files(struct maps *maps, struct script_map *script, const char *url)
{
	for (size_t i = 0; i < maps->options->n_files; i++)
		if (maps->files[i].map && is_map_of(maps->options->files[i], url)) {
			give(script, &maps->files[i], url);
			return true;
		}
	return false;
}

/* ---- maps inside the profile ---- */

/* The text of a string; empty if the member is none. */
static void add_string(struct str object, const char *name, struct buf *out)
{
	struct str value;

	if (cursor_find(object, name, &value) && value.len && value.p[0] == '"')
		json_tree_decode(value.p, value.len, out);
}

/* The map of the object, which is an object itself or the text of one. */
static bool take_given(struct script_map *script, struct maps_given *given, struct str object,
		       const char *base, struct buf *messages)
{
	const char *said = *base ? base : "sourceMaps";
	struct map_text text = { 0 };
	struct buf decoded = { 0 };
	struct str value;

	if (!cursor_find(object, "sourceMap", &value) || !value.len ||
	    (value.p[0] != '{' && value.p[0] != '"'))
		return false;
	if (value.p[0] == '{') {
		text = given->text;
		given->text = (struct map_text){ 0 };
	} else if (json_tree_decode(value.p, value.len, &decoded)) {
		text.bytes = xcalloc(decoded.len + CURSOR_PAD, 1);
		text.len = decoded.len;
		memcpy(text.bytes, buf_text(&decoded), decoded.len);
		value = (struct str){ text.bytes, text.len };
	}
	buf_done(&decoded);
	if (text.bytes)
		take_map(script, &text, value, base, said, messages);
	return true;
}

static bool try_given(struct maps *maps, struct script_map *script, const char *url,
		      struct buf *messages)
{
	bool is_done = false;

	for (size_t i = 0; i < maps->n_given && !is_done; i++) {
		struct maps_given *given = &maps->given[i];
		struct str object = { given->text.bytes, given->text.len };
		struct buf map_url = { 0 }, base = { 0 };

		if (given->url != script->url || !given->text.bytes)
			continue;
		add_string(object, "sourceMapUrl", &map_url);
		if (strncmp(buf_text(&map_url), "data:", 5) == 0)
			buf_clear(&map_url);
		map_path_resolve(url, map_url.len ? buf_text(&map_url) : url, &base);
		is_done = take_given(script, given, object, buf_text(&base), messages);
		buf_done(&map_url);
		buf_done(&base);
	}
	return is_done;
}

/* ---- all scripts ---- */

static bool may_have_map(const struct frame *frame)
{
	return frame->url &&
		(frame->category == CATEGORY_APP || frame->category == CATEGORY_DEPENDENCY ||
		 frame->category == CATEGORY_BUNDLER);
}

static void find_script(struct maps *maps, const struct profile *profile, str_id id,
			struct buf *messages)
{
	const char *url = profile_text(profile, id);
	struct script_map *script;
	struct buf path = { 0 };

	maps->scripts = xgrow(maps->scripts, &maps->cap_scripts, maps->n_scripts + 1,
			      sizeof(*maps->scripts));
	script = maps->scripts[maps->n_scripts++] = xcalloc(1, sizeof(*script));
	script->url = id;
	if (try_files(maps, script, url) || try_given(maps, script, url, messages))
		return;
	if (!maps_local(maps->options, url, &path) ||
	    !try_script(script, url, buf_text(&path), messages))
		note_beside(maps, profile, url);
	buf_done(&path);
}

/* A file that no script asked for goes to the only script without a map. */
static void give_rest(struct maps *maps, const struct profile *profile, struct buf *messages)
{
	struct script_map *without = NULL;
	size_t n = 0;

	for (size_t i = 0; i < maps->n_scripts; i++)
		if (!maps->scripts[i]->map) {
			without = maps->scripts[i];
			n++;
		}
	for (size_t i = 0; i < maps->options->n_files; i++) {
		if (!maps->files[i].map)
			continue;
		if (n == 1 && !without->map)
			give(without, &maps->files[i], profile_text(profile, without->url));
		else
			say(messages, maps->options->files[i],
			    "the profile has no script of this name");
	}
}

void maps_init(struct maps *maps, const struct maps_options *options, struct maps_given *given,
	       size_t n_given)
{
	*maps = (struct maps){ .options = options, .given = given, .n_given = n_given };
}

void maps_find(struct maps *maps, const struct profile *profile, struct buf *messages)
{
	uint8_t *is_seen;

	read_files(maps, messages);
	if (maps->options->is_off)
		return;
	is_seen = xcalloc(profile->strings.n + 1, 1);
	for (uint32_t i = 1; i < profile->frames.n; i++) {
		const struct frame *frame = &profile->frames.frames[i];

		if (!may_have_map(frame) || is_seen[frame->url])
			continue;
		is_seen[frame->url] = 1;
		find_script(maps, profile, frame->url, messages);
	}
	free(is_seen);
	give_rest(maps, profile, messages);
}

static void script_done(struct script_map *script)
{
	source_map_free(script->map);
	map_text_done(&script->text);
	free(script->base);
}

void maps_done(struct maps *maps)
{
	for (size_t i = 0; i < maps->n_scripts; i++) {
		script_done(maps->scripts[i]);
		free(maps->scripts[i]);
	}
	for (size_t i = 0; maps->files && i < maps->options->n_files; i++)
		script_done(&maps->files[i]);
	buf_done(&maps->beside);
	free(maps->scripts);
	free(maps->files);
	*maps = (struct maps){ 0 };
}

static struct script_map *find(struct maps *maps, str_id url)
{
	/* Frames of one script come one after another. */
	if (maps->last && maps->last->url == url)
		return maps->last;
	maps->last = NULL;
	for (size_t i = 0; i < maps->n_scripts && !maps->last; i++)
		if (maps->scripts[i]->url == url)
			maps->last = maps->scripts[i];
	return maps->last;
}

struct script_map *maps_of(struct maps *maps, str_id url)
{
	struct script_map *script = find(maps, url);

	return script && script->map ? script : NULL;
}

struct script_map *maps_of_source(struct maps *maps, const struct profile *profile, str_id url,
				  struct buf *messages)
{
	if (!find(maps, url))
		find_script(maps, profile, url, messages);
	return maps_of(maps, url);
}
