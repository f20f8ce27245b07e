/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scripts are found by the urls of frames. Most scripts of a profile are files without a map, such
 * as those of Node.js itself: urls that name no file on this machine are not looked for. */
#include "config.h"

#include "source/maps.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/json/cursor.h"
#include "base/json/json_read.h"
#include "base/str.h"
#include "base/text.h"
#include "model/profile.h"
#include "source/source_map.h"
#include "source/vlq.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* ==== map path ====
 *
 * Resolves paths segment by segment: the output is a stack of segments. */

static bool is_scheme_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		c == '+' || c == '-' || c == '.';
}

/* Length of the scheme of a url with its colon, `webpack:`; 0: the text is a path. One letter is
 * the drive of a Windows path. */
static size_t map_path_scheme(const char *url)
{
	size_t n = 0;

	while (is_scheme_char(url[n]))
		n++;
	return n > 1 && url[n] == ':' ? n + 1 : 0;
}

/* Length of what ".." cannot leave: `scheme://host/`, `scheme:///`, `/`, or nothing. */
static size_t root_of(const char *url)
{
	size_t n = map_path_scheme(url);

	if (n && strncmp(url + n, "//", 2) == 0) {
		const char *slash = strchr(url + n + 2, '/');
		return slash ? (size_t)(slash - url) + 1 : strlen(url);
	}
	return url[n] == '/' ? n + 1 : n;
}

static void add_segment(struct buf *out, size_t root, const char *segment, size_t len)
{
	if (len == 0 || (len == 1 && segment[0] == '.'))
		return;
	if (len == 2 && memcmp(segment, "..", 2) == 0) {
		size_t at = out->len > root ? out->len - 1 : root;

		while (at > root && out->data[at - 1] != '/')
			at--;
		/* A relative path may go up from where it begins. */
		if (out->len > root &&
		    !(out->len - at == 3 && memcmp(out->data + at, "../", 3) == 0)) {
			out->len = at;
			out->data[at] = '\0';
			return;
		}
		if (root)
			return;
	}
	buf_add(out, segment, len);
	buf_addc(out, '/');
}

static void add_segments(struct buf *out, size_t root, const char *path, size_t len)
{
	size_t from = 0;

	for (size_t i = 0; i <= len; i++) {
		if (i < len && path[i] != '/')
			continue;
		add_segment(out, root, path + from, i - from);
		from = i + 1;
	}
}

void map_path_resolve(const char *base, const char *path, struct buf *out)
{
	BUF_LOCAL made = { 0 };
	size_t root = root_of(path), skip = root;

	if (root) {
		buf_add(&made, path, root);
	} else {
		const char *slash = strrchr(base, '/');
		size_t dir = slash ? (size_t)(slash - base) + 1 : 0;

		root = root_of(base);
		buf_add(&made, base, root);
		if (dir > root)
			add_segments(&made, root, base + root, dir - root);
	}
	add_segments(&made, root, path + skip, strlen(path + skip));
	if (made.len > root)
		made.len--;
	buf_add(out, buf_text(&made), made.len);
}

void map_path_below(const char *folder, const char *path, struct buf *out)
{
	BUF_LOCAL resolved = { 0 };
	const char *rest;

	map_path_resolve("", path, &resolved);
	rest = buf_text(&resolved);
	rest += root_of(rest);
	while (strncmp(rest, "../", 3) == 0)
		rest += 3;
	buf_addf(out, "%s/%s", folder, rest);
}

bool map_path_local(const char *url, struct buf *out)
{
	size_t scheme = map_path_scheme(url);

	if (scheme && strncmp(url, "file:", 5) != 0)
		return false;
	if (!scheme) {
		buf_adds(out, url);
		return url[0] != '\0';
	}
	url += strncmp(url + 5, "//", 2) == 0 ? 7 : 5;
	/* A host is no file of this machine. */
	if (strncmp(url, "localhost/", 10) == 0)
		url += 9;
	if (*url != '/')
		return false;
	for (; *url; url++) {
		int byte = *url == '%' && url[1] && url[2] ? text_hex_pair(url + 1) : -1;

		if (byte > 0)
			url += 2;
		buf_addc(out, byte > 0 ? (char)byte : *url);
	}
	return true;
}

const char *map_path_name(const char *url, size_t *len)
{
	size_t end = map_path_scheme(url) ? strcspn(url, "?#") : strlen(url), from = end;

	while (from > 0 && url[from - 1] != '/' && url[from - 1] != '\\')
		from--;
	*len = end - from;
	return url + from;
}

/* ==== map text ====
 *
 * The bytes of source maps, and where scripts say that theirs is. Only regular files of this
 * machine are read; nothing is fetched from a network. */

#define END_BYTES ((size_t)8 << 10)

/* Read from byte `from` to the end of a file of `size` bytes. */
static bool read_from(struct map_text *text, int fd, size_t from, size_t size, const char *path,
		      struct error *err)
{
	map_text_done(text);
	text->bytes = alloc_if_room(size - from + CURSOR_PAD);
	if (!text->bytes)
		return error_set(err, ERR_LIMIT, -1, "%s: no memory for it", path);
	while (from + text->len < size) {
		ssize_t n = pread(fd, text->bytes + text->len, size - from - text->len,
				  (off_t)(from + text->len));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_errno(err, errno, "%s", path);
		if (n == 0)
			break;
		text->len += (size_t)n;
	}
	memset(text->bytes + text->len, 0, CURSOR_PAD);
	return true;
}

/* Read the last `tail` bytes, or more of a file that ends with a longer line. Closes the file. */
static bool read_file(struct map_text *text, int fd, const char *path, size_t tail, int64_t most,
		      struct error *err)
{
	struct stat st;
	bool ok;

	*text = (struct map_text){ 0 };
	if (fstat(fd, &st) < 0) {
		ok = error_errno(err, errno, "%s", path);
	} else if (!S_ISREG(st.st_mode)) {
		ok = error_set(err, ERR_IO, -1, "%s: no regular file", path);
	} else if (st.st_size > most) {
		ok = error_set(err, ERR_LIMIT, -1, "%s: longer than %s", path,
			       most == MAP_TEXT_MAX ? "1 GB" : "64 MB");
	} else {
		size_t size = (size_t)st.st_size, from = size > tail ? size - tail : 0;

		ok = read_from(text, fd, from, size, path, err);
		if (ok && from && !memchr(text->bytes, '\n', text->len))
			ok = read_from(text, fd, 0, size, path, err);
	}
	close(fd);
	if (ok)
		text->changed_s = (int64_t)st.st_mtime;
	else
		map_text_done(text);
	return ok;
}

bool map_text_take(struct map_text *text, int fd, const char *path, int64_t most, struct error *err)
{
	return read_file(text, fd, path, SIZE_MAX, most, err);
}

/* Open a file that the user (options is NULL) or a profile names. -1: there is none, or it may not
 * be read; with err, it cannot be. */
static int open_file(const struct maps_options *options, const char *path, struct error *err)
{
	BUF_LOCAL real = { 0 };
	int fd = -1;

	if (options)
		return source_rules_open(options, path, &fd, &real, err) == SOURCE_OPENED ? fd : -1;
	/* A pipe without a writer would wait for ever. */
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 && errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG)
		error_errno(err, errno, "%s", path);
	return fd;
}

bool map_text_read(struct map_text *text, const struct maps_options *options, const char *path,
		   struct error *err)
{
	int fd = open_file(options, path, err);

	*text = (struct map_text){ 0 };
	return fd >= 0 && map_text_take(text, fd, path, MAP_TEXT_MAX, err);
}

/* ---- data: urls ---- */

static bool decode_base64(struct map_text *text, const char *p, size_t n)
{
	uint32_t bits = 0;
	int n_bits = 0;

	for (size_t i = 0; i < n && p[i] != '='; i++) {
		char c = p[i] == '-' ? '+' : p[i] == '_' ? '/' : p[i]; /* for urls */
		uint8_t digit = vlq_digit((unsigned char)c);

		if (digit > 63)
			return false;
		bits = bits << 6 | digit;
		n_bits += 6;
		if (n_bits >= 8) {
			n_bits -= 8;
			text->bytes[text->len++] = (char)(bits >> n_bits & 0xff);
		}
	}
	return true;
}

bool map_text_decode(struct map_text *text, struct str url, struct error *err)
{
	static const char base64[] = ";base64";
	const size_t n_word = sizeof(base64) - 1;
	const char *comma = memchr(url.p, ',', url.len);
	size_t n;
	bool ok = true;

	*text = (struct map_text){ 0 };
	if (!comma)
		return error_set(err, ERR_FORMAT, 0, "a data: url without a comma");
	n = url.len - (size_t)(comma + 1 - url.p);
	text->bytes = alloc_if_room(n + CURSOR_PAD);
	if (!text->bytes)
		return error_set(err, ERR_LIMIT, -1, "no memory for a source map");
	if ((size_t)(comma - url.p) >= n_word && memcmp(comma - n_word, base64, n_word) == 0)
		ok = decode_base64(text, comma + 1, n);
	else
		for (const char *p = comma + 1, *end = p + n; p < end; p++) {
			int byte = *p == '%' && p + 2 < end ? text_hex_pair(p + 1) : -1;

			text->bytes[text->len++] = byte >= 0 ? (char)byte : *p;
			p += byte >= 0 ? 2 : 0;
		}
	if (!ok) {
		map_text_done(text);
		return error_set(err, ERR_FORMAT, 0, "a data: url that is no base64");
	}
	memset(text->bytes + text->len, 0, CURSOR_PAD);
	return true;
}

/* ---- the comment ---- */

/* The url that the last `//# sourceMappingURL=` comment of a script states, also in the older form
 * `//@` and in a block comment; of len 0: there is none. Points into the script. Source: ECMA-426,
 * "Linking generated code to source maps", without parsing. */
static struct str map_text_url(struct str script)
{
	static const char word[] = "sourceMappingURL=";
	const size_t n_word = sizeof(word) - 1;

	/* Backwards: the last one counts, and it is at the end nearly always. */
	for (size_t i = script.len < n_word + 4 ? 0 : script.len - n_word; i >= 4; i--) {
		const char *p = script.p + i;
		size_t n = 0;

		if (p[0] != 's' || memcmp(p, word, n_word) != 0)
			continue;
		if ((p[-1] != ' ' && p[-1] != '\t') || (p[-2] != '#' && p[-2] != '@') ||
		    p[-4] != '/' || (p[-3] != '/' && p[-3] != '*'))
			continue;
		p += n_word;
		while (p + n < script.p + script.len && !memchr(" \t\n\r'\"`\\", p[n], 8) &&
		       !(p[n] == '*' && p[n + 1] == '/'))
			n++;
		return (struct str){ p, n };
	}
	return (struct str){ "", 0 };
}

/* ==== maps ==== */

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
	BUF_LOCAL local = { 0 };
	bool is_local;

	if (move(options, url, path))
		return true;
	is_local = map_path_local(url, &local);
	if (is_local && !move(options, buf_text(&local), path))
		buf_add(path, local.data, local.len);
	return is_local;
}

#define LOOKS_MANY 64 /* for maps beside the profile: then it is worth to read the folder */

/* Whether the folder has any map; true, too, if it cannot be read. */
static bool has_maps(const char *folder)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	bool has_map = !dir;

	while (!has_map && (entry = readdir(dir)) != NULL) {
		size_t len = strlen(entry->d_name);

		/* Names may be found in capitals, too. */
		has_map = len >= 4 && strcasecmp(entry->d_name + len - 4, ".map") == 0;
	}
	if (dir)
		closedir(dir);
	return has_map;
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

	if (slash)
		buf_add(path, input, (size_t)(slash - input) + 1);
	if (maps->n_looks++ == LOOKS_MANY)
		maps->has_none_beside = !has_maps(slash ? buf_text(path) : ".");
	if (maps->has_none_beside) {
		buf_done(path);
		return;
	}
	name = map_path_name(url, &len);
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
		BUF_LOCAL what = { 0 };

		buf_addf(&what, "%s (at byte %lld)", err.text, (long long)err.offset);
		say(messages, said, buf_text(&what));
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

/* Read a map from a file, if it is there. options: as in map_text_read(). */
static bool try_file(struct script_map *script, const struct maps_options *options,
		     const char *path, const char *base, struct buf *messages)
{
	struct error err = ERROR_INIT;
	struct map_text text;

	if (map_text_read(&text, options, path, &err)) {
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
static bool try_comment(struct script_map *script, const struct maps_options *options,
			const char *url, const char *path, struct str comment, struct buf *messages)
{
	struct error err = ERROR_INIT;
	struct map_text text;
	BUF_LOCAL file = { 0 }, base = { 0 };
	ALLOC_LOCAL char *is = xstrndup(comment.p, comment.len);
	bool is_done = false;

	if (strncmp(is, "data:", 5) == 0) {
		if (map_text_decode(&text, comment, &err))
			take_map(script, &text, whole(&text), url, path, messages);
		else
			say(messages, path, err.text);
		is_done = true;
	} else {
		BUF_LOCAL at = { 0 };

		map_path_resolve(path, is, &at);
		map_path_resolve(url, is, &base);
		is_done = map_path_local(buf_text(&at), &file) &&
			try_file(script, options, buf_text(&file), buf_text(&base), messages);
	}
	return is_done;
}

/* Look for the map of a script whose file would be at `path`. */
static bool try_script(struct script_map *script, const struct maps_options *options,
		       const char *url, const char *path, struct buf *messages)
{
	struct error err = ERROR_INIT;
	struct map_text text;
	BUF_LOCAL file = { 0 }, base = { 0 }, real = { 0 };
	enum source_opening opening;
	bool is_done = false;
	int fd;

	opening = source_rules_open(options, path, &fd, &real, &err);
	/* A comment is at the end of the file, which is where tools put it. All of the file is read
	 * if the end is in the middle of a long line, as a `data:` url is. */
	if (opening == SOURCE_OPENED && read_file(&text, fd, path, END_BYTES, MAP_TEXT_MAX, &err)) {
		struct str comment = map_text_url((struct str){ text.bytes, text.len });

		is_done = comment.len && try_comment(script, options, url, path, comment, messages);
		map_text_done(&text);
	}
	buf_addf(&file, "%s.map", path);
	if (opening == SOURCE_OUTSIDE && options->rules && access(buf_text(&file), F_OK) == 0) {
		atomic_store(&options->rules->has_maps, true);
	} else if (!is_done) {
		buf_addf(&base, "%s.map", url);
		is_done = try_file(script, options, buf_text(&file), buf_text(&base), messages);
	}
	return is_done;
}

/* ---- the files of --source-map ---- */

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
		BUF_LOCAL map_url = { 0 }, base = { 0 };
		struct str value;

		if (given->url != script->url || !given->text.bytes)
			continue;
		if (cursor_find(object, "sourceMapUrl", &value) && value.len && value.p[0] == '"')
			json_tree_decode(value.p, value.len, &map_url);
		if (strncmp(buf_text(&map_url), "data:", 5) == 0)
			buf_clear(&map_url);
		map_path_resolve(url, map_url.len ? buf_text(&map_url) : url, &base);
		is_done = take_given(script, given, object, buf_text(&base), messages);
	}
	return is_done;
}

/* ---- all scripts ---- */

/* Profiles of other machines name thousands of files below a folder that this one does not have.
 * Note that folder, if the file at `path` lacks more than itself. */
static void note_missing(struct maps *maps, const char *path)
{
	BUF_LOCAL folder = { 0 };
	const char *slash = strrchr(path, '/');
	struct stat st;

	if (*path != '/')
		return;
	buf_add(&folder, path, (size_t)(slash - path) + 1);
	if (stat(buf_text(&folder), &st) == 0 || errno != ENOENT)
		return;
	for (slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		buf_clear(&folder);
		buf_add(&folder, path, (size_t)(slash - path) + 1);
		if (stat(buf_text(&folder), &st) != 0)
			break;
	}
	buf_clear(&maps->missing);
	buf_add(&maps->missing, folder.data, folder.len);
}

/* Look for the map of a script in its file on this machine, if it may have it. */
static bool try_local(struct maps *maps, struct script_map *script, const char *url,
		      struct buf *messages)
{
	BUF_LOCAL path = { 0 };

	if (!maps_local(maps->options, url, &path) ||
	    (maps->missing.len &&
	     strncmp(buf_text(&path), maps->missing.data, maps->missing.len) == 0))
		return false;
	if (try_script(script, maps->options, url, buf_text(&path), messages))
		return true;
	note_missing(maps, buf_text(&path));
	return false;
}

static void find_script(struct maps *maps, const struct profile *profile, str_id id,
			struct buf *messages)
{
	const char *url = profile_text(profile, id);
	struct script_map *script;

	maps->scripts = xgrow(maps->scripts, &maps->cap_scripts, maps->n_scripts + 1,
			      sizeof(*maps->scripts));
	script = maps->scripts[maps->n_scripts++] = xcalloc(1, sizeof(*script));
	script->url = id;
	if (try_files(maps, script, url) || try_given(maps, script, url, messages))
		return;
	if (!try_local(maps, script, url, messages))
		note_beside(maps, profile, url);
}

void maps_find(struct maps *maps, const struct profile *profile, struct buf *messages)
{
	const struct maps_options *o = maps->options;
	uint8_t *is_seen;
	struct script_map *without = NULL;
	size_t n = 0;

	maps->files = xcalloc(o->n_files ? o->n_files : 1, sizeof(*maps->files));
	for (size_t i = 0; i < o->n_files; i++)
		if (!try_file(&maps->files[i], NULL, o->files[i], "", messages))
			say(messages, o->files[i], "no such file");
	if (o->is_off)
		return;
	is_seen = xcalloc(profile->strings.n + 1, 1);
	for (uint32_t i = 1; i < profile->frames.n; i++) {
		const struct frame *frame = &profile->frames.frames[i];

		if (!(frame->url &&
		      (frame->category == CATEGORY_APP || frame->category == CATEGORY_DEPENDENCY ||
		       frame->category == CATEGORY_BUNDLER)) ||
		    is_seen[frame->url])
			continue;
		is_seen[frame->url] = 1;
		find_script(maps, profile, frame->url, messages);
	}
	free(is_seen);
	/* A file that no script asked for goes to the only script without a map. */
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
	buf_done(&maps->missing);
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
