/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source maps: any bytes are a map or an error; all places that a map gives exist in it. */
#include "config.h"

#include "base/json/cursor.h"
#include "fuzz.h"
#include "source/function_name.h"
#include "source/maps.c"
#include "source/source_map.h"

#include <stdlib.h>
#include <string.h>

#define LINES 40u
#define COLUMNS 60u

/* Ask for all that a place of the script gives. */
static void look_up(struct source_map *map, uint32_t line, uint32_t column, struct buf *out)
{
	struct source_place place;
	struct buf content = { 0 };

	if (!source_map_find(map, line, column, &place))
		return;
	if (place.source >= map->n_sources || place.line > INT32_MAX || place.column > INT32_MAX)
		fuzz_found("%u:%u leads to no source", (unsigned)line, (unsigned)column);
	if (place.name != MAPPING_NONE && place.name >= map->n_names)
		fuzz_found("%u:%u has no such name", (unsigned)line, (unsigned)column);
	if (place.name != MAPPING_NONE)
		source_map_name(map, place.name, out);
	source_map_function(map, &place, out);
	if (source_map_content(map, place.source, &content))
		function_name_at((struct str){ buf_text(&content), content.len }, place.column,
				 out);
	buf_done(&content);
	buf_clear(out);
}

static void read_map(const char *bytes, size_t size)
{
	struct error err = ERROR_INIT;
	struct source_map *map = source_map_read((struct str){ bytes, size }, &err);
	struct source_place place;
	struct buf out = { 0 };

	if (!map && err.kind == ERR_NONE)
		fuzz_found("no map, and no error");
	for (uint32_t line = 0; map && line < LINES; line++) {
		source_map_find_line(map, line, &place);
		for (uint32_t column = 0; column < COLUMNS; column++)
			look_up(map, line, column, &out);
		look_up(map, line, INT32_MAX, &out);
	}
	for (uint32_t i = 0; map && i < map->n_sources && i < LINES; i++) {
		place = (struct source_place){ i, i % 7, i, MAPPING_NONE };
		source_map_function(map, &place, &out);
	}
	buf_done(&out);
	source_map_free(map);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *bytes = calloc(size + CURSOR_PAD, 1);
	struct error err = ERROR_INIT;
	struct map_text text;
	struct str url;

	if (!bytes)
		return 0;
	if (size)
		memcpy(bytes, data, size);
	read_map(bytes, size);
	url = map_text_url((struct str){ bytes, size });
	if (map_text_decode(&text, url, &err))
		map_text_done(&text);
	free(bytes);
	return 0;
}
