/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a frame is: the identity of a function, and the category and package
 * that its location gives it. Frames belong to the profile and are shared by
 * all lanes, so that the same function has the same id in every thread. */
#ifndef FLAMETTY_MODEL_FRAME_H
#define FLAMETTY_MODEL_FRAME_H

#include "base/hash_table.h"
#include "base/intern.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t frame_id;

#define FRAME_NONE 0u /* frame 0 is "(root)", which is never drawn */

/* Kinds of code, in the order in which tables list them. */
enum category {
	CATEGORY_APP,
	CATEGORY_DEPENDENCY,
	CATEGORY_NODE,    /* node: and Node's internals */
	CATEGORY_RUNTIME, /* Deno's and Bun's own code */
	CATEGORY_NATIVE,
	CATEGORY_REGEXP,
	CATEGORY_WASM,
	CATEGORY_EVAL,
	CATEGORY_BUNDLER,
	CATEGORY_EXTENSION,
	CATEGORY_RENDERING, /* style, layout and paint of a page, as self-profiles mark them */
	CATEGORY_GC,
	CATEGORY_PROGRAM,
	CATEGORY_IDLE,
	CATEGORY_UNKNOWN, /* a sample of a node that does not exist */
	CATEGORY_SLICE,   /* stated by a trace; has a name only */
	CATEGORY_LANE,    /* a thread or track, in views where frames stand for those */
	CATEGORY_COUNT
};

struct frame {
	str_id name;    /* as displayed: "(anonymous)" where the file has "" */
	str_id url;     /* 0: none */
	str_id script;  /* script id as text; 0: none */
	str_id package; /* of a dependency, "node:fs" of an internal; 0: none */
	int32_t line;   /* counted from 1; 0: unknown */
	int32_t column; /* counted from 1; 0: unknown */
	enum category category;
	uint8_t color; /* of a slice: a reserved colour of traces, below FRAME_COLORS; 0: none */
};

/* Reserved colour names of the trace format (`cname`) that are known here. */
#define FRAME_COLORS 30u
const char *frame_color_name(unsigned color);

/* `app`, `dependency`, `garbage collector`, ...: static text. */
const char *category_name(enum category category);

/* Category and package of a function from its name, url and script id, after the
 * table in the manual's section CATEGORIES; first match wins. package: set to the
 * package's text within `strings`, or 0. has_script: the script id is not "0". */
enum category category_of(struct intern *strings, const char *name, const char *url,
			  bool has_script, str_id *package);

/* Set of frames without doubles. Key: name, url, line and column where there is
 * an url; name, script id, line and column where there is none. */
struct frame_table {
	struct frame *frames;
	uint32_t n;
	size_t cap;
	struct hash_table index;
};

/* The table has FRAME_NONE from the start. */
void frame_table_init(struct frame_table *table);
void frame_table_done(struct frame_table *table);

/* The id of the frame with this identity, added if it is new. */
frame_id frame_table_add(struct frame_table *table, const struct frame *frame);

#endif
