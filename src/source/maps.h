/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The source maps of the scripts of a profile.
 *
 * Where the map of a script is looked for, in this order:
 *   1. the files of --source-map: `X.map` for the scripts called `X`, or for those that the map's
 *      member `file` names; the only file for the only script that has no other map
 *   2. the maps that a trace brings with it
 *   3. what the last sourceMappingURL comment of the script says: a `data:` url, or a file
 *   4. beside the script: its name with `.map`
 * A script is looked for at its own place, as --map=PREFIX=DIR moves it. Only files that
 * source_rules.h allows are read, but those of --source-map always. Nothing is fetched from a
 * network. */
#ifndef FLAMETTY_SOURCE_MAPS_H
#define FLAMETTY_SOURCE_MAPS_H

#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"
#include "model/profile.h"
#include "source/source_map.h"
#include "source/source_rules.h"

#include <stdbool.h>
#include <stdint.h>

/* Append `path` as it is seen from the file or url `base`: ".." and "." are resolved, what follows
 * the last slash of the base is left out. Absolute paths and urls stay as they are, resolved. */
void map_path_resolve(const char *base, const char *path, struct buf *out);

/* Append `path` as a path below a folder: without scheme and host, without ".." at its beginning.
 */
void map_path_below(const char *folder, const char *path, struct buf *out);

/* Append the path of a file on this machine: of `file:` urls, percent-decoded, and of paths without
 * a scheme. Returns false, and appends nothing, for other urls. */
bool map_path_local(const char *url, struct buf *out);

/* What follows the last slash, without query and fragment. The result points into `url`; *len is
 * its length. */
const char *map_path_name(const char *url, size_t *len);

#define MAPS_CHAIN_MAX 4 /* a source that has a map itself is followed this often */

struct map_text {
	char *bytes; /* malloc'ed, with CURSOR_PAD bytes behind them; NULL: none */
	size_t len;
	int64_t changed_s; /* of a file: time of its last change, seconds since 1970 */
};

/* The largest file that is read. */
#define MAP_TEXT_MAX ((int64_t)1 << 30)

static inline void map_text_done(struct map_text *text)
{
	free(text->bytes);
	*text = (struct map_text){ 0 };
}

/* Read the file that is open at fd, from its current start to its end, and close it. path: for err.
 * Returns false with an error when it cannot be read, or is longer than `most`, at most
 * MAP_TEXT_MAX. */
bool map_text_take(struct map_text *text, int fd, const char *path, int64_t most,
		   struct error *err) MUST_USE;

struct maps_options;

/* Read a file that a profile names, if the options allow it, or (NULL) that the user names. Returns
 * false without an error when there is none, or it may not be read. */
bool map_text_read(struct map_text *text, const struct maps_options *options, const char *path,
		   struct error *err) MUST_USE;

/* Decode a `data:` url with base64 or percent-encoding. */
bool map_text_decode(struct map_text *text, struct str url, struct error *err) MUST_USE;

struct maps_options {
	const char *const *files; /* --source-map */
	size_t n_files;
	const char *const *moves; /* --map: PREFIX=DIR */
	size_t n_moves;
	const char *source_root;    /* --source-root; NULL: none */
	bool is_off;                /* look for no maps */
	struct source_rules *rules; /* what may be read beside these folders; NULL: nothing */
};

/* A map that was read from the profile itself. */
struct maps_given {
	str_id url;           /* of the script */
	struct map_text text; /* an object with members url, sourceMapUrl, sourceMap; the maps take
				 it over */
};

struct script_map {
	str_id url;           /* of the script; 0: a file of --source-map that no script has yet */
	char *base;           /* url or path of the map, against which its sources are resolved */
	struct map_text text; /* empty: the script has no map */
	struct source_map *map; /* or NULL */
};

struct maps {
	const struct maps_options *options;
	struct script_map **scripts;
	struct script_map *last; /* found by the last search; NULL: none */
	size_t n_scripts, cap_scripts;
	struct script_map *files; /* of --source-map, in their order */
	struct maps_given *given; /* borrowed */
	size_t n_given;
	/* Paths, a line each: files beside the profile that are called like the maps of scripts
	 * without one. */
	struct buf beside;
	size_t n_looks; /* for them */
	bool has_none_beside;
	struct buf missing; /* a folder that this machine does not have, with its slash; empty: none
			       is known */
};

/* Prepare to find maps. options, and the maps that the profile has itself, are borrowed as long as
 * the maps. */
static inline void maps_init(struct maps *maps, const struct maps_options *options,
			     struct maps_given *given, size_t n_given)
{
	*maps = (struct maps){ .options = options, .given = given, .n_given = n_given };
}

/* Find the maps of all scripts. messages: a line for each map that cannot be used as it is, and for
 * each file of the options that no script needs. */
void maps_find(struct maps *maps, const struct profile *profile, struct buf *messages);
void maps_done(struct maps *maps);

/* The map of a script, from its url. NULL: it has none. */
struct script_map *maps_of(struct maps *maps, str_id url);

/* Look for the map of one more script: of a source that was generated itself. Done once for each
 * url. */
struct script_map *maps_of_source(struct maps *maps, const struct profile *profile, str_id url,
				  struct buf *messages);

/* Append the path of the file on this machine that a url names. Returns false when there is none.
 */
bool maps_local(const struct maps_options *options, const char *url, struct buf *path);

#endif
