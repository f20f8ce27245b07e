/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The root of a source map and that of the user's copy are rarely the same, so the first folders of
 * a url may not be there below --source-root. The longest end of the path that is there counts. */
#include "config.h"

#include "source/code_file.h"

#include "source/map_path.h"

#include <string.h>
#include <sys/stat.h>

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
	struct buf below = { 0 }, one = { 0 }, more = { 0 };
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
	buf_done(&below);
	buf_done(&one);
	buf_done(&more);
	return is_found;
}

bool code_file_find(const struct maps_options *options, const char *url, struct buf *path,
		    struct buf *looked)
{
	struct buf local = { 0 };
	bool is_found;

	if (options->source_root && find_below(options->source_root, url, path, looked))
		return true;
	is_found = maps_local(options, url, &local) && is_there(buf_text(&local), looked);
	if (is_found)
		buf_add(path, local.data, local.len);
	buf_done(&local);
	return is_found;
}
