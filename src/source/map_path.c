/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resolves paths segment by segment: the output is a stack of segments. */
#include "config.h"

#include "source/map_path.h"

#include "base/text.h"

#include <string.h>

static bool is_scheme_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		c == '+' || c == '-' || c == '.';
}

size_t map_path_scheme(const char *url)
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
	struct buf made = { 0 };
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
	buf_done(&made);
}

void map_path_below(const char *folder, const char *path, struct buf *out)
{
	struct buf resolved = { 0 };
	const char *rest;

	map_path_resolve("", path, &resolved);
	rest = buf_text(&resolved);
	rest += root_of(rest);
	while (strncmp(rest, "../", 3) == 0)
		rest += 3;
	buf_addf(out, "%s/%s", folder, rest);
	buf_done(&resolved);
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
