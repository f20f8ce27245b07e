/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A frame: the identity of a function, with the category and package that follow from its location.
 * Frames belong to the profile and are shared by all lanes: a function has the same id in every
 * thread. */
#ifndef FLAMETTY_MODEL_FRAME_H
#define FLAMETTY_MODEL_FRAME_H

#include "base/hash.h"
#include "base/intern.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef uint32_t frame_id;

/* An event category: the `cat` that a trace states for an event. An index into the profile's
 * event_cats; 0: none. Categories that are too many to count are 0, too. */
typedef uint16_t event_cat;

#define EVENT_CATS_MAX 0xFFFFu
#define FRAME_NONE 0u /* frame 0 is "(root)", which is never drawn */

/* Kinds of code, in the order in which tables list them. */
enum category {
	CATEGORY_APP,
	CATEGORY_DEPENDENCY,
	CATEGORY_NODE,    /* node: and internals of Node.js */
	CATEGORY_RUNTIME, /* code of Deno and Bun */
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
	CATEGORY_SLICE,   /* stated by a trace; has only a name */
	CATEGORY_MARK,    /* the same, of no length */
	CATEGORY_LANE,    /* a thread or track, in views that are grouped by lane */
	CATEGORY_LABEL,   /* a value of a label, in views that are grouped by one */
	CATEGORY_COUNT
};

/* Whose an origin is, in the trace of a page. */
enum party { PARTY_UNKNOWN, PARTY_FIRST, PARTY_THIRD };

struct frame {
	str_id name;    /* as displayed: "(anonymous)" if the file has "" */
	str_id url;     /* 0: none */
	str_id script;  /* script id as text; 0: none */
	str_id event;   /* of a slice that is called by what it runs: the name of its event, as
			   `FunctionCall`; 0: that is its name */
	str_id package; /* of a dependency, "node:fs" of an internal; 0: none */
	str_id origin;  /* host and port of a url of the web, as the script has it; 0: none */
	int32_t line;   /* counted from 1; 0: unknown */
	int32_t column; /* counted from 1; 0: unknown */
	enum category category;
	/* Of a slice: the reserved colour of all slices of this name that have one, below
	 * FRAME_COLORS; 0: none; FRAME_COLOR_MIXED: they have several. */
	uint8_t color;
	uint8_t party; /* enum party: of the origin */
	event_cat cat; /* of a slice: event category of the first event with this name */
	bool is_cut;   /* stacks begin with it that lack their outermost calls */
};

/* Whether it stands for slices or marks. They have a name only, or also the place of what they run
 * (`event` is set then). */
static inline bool frame_is_slice(const struct frame *frame)
{
	return frame->category == CATEGORY_SLICE || frame->category == CATEGORY_MARK;
}

/* The name of the event of slices or marks. */
static inline str_id frame_event(const struct frame *frame)
{
	return frame->event ? frame->event : frame->name;
}

/* Number of reserved colour names of the trace format (`cname`) that are known. */
#define FRAME_COLORS 35u
#define FRAME_COLOR_MIXED 255u

const char *frame_color_name(unsigned color);

/* The number of a reserved colour name; 0: it is none. */
unsigned frame_color_find(const char *name, size_t len);

/* `app`, `dependency`, `garbage collector`, ...: static text. */
const char *category_name(enum category category);

/* What the category of a function depends on. */
struct category_facts {
	const char *name, *url; /* url: empty: none */
	bool has_script;        /* the script id is not "0" */
	bool is_old_node;       /* the profile is of a Node.js that wrote `events.js` for its own
				   files: it has a url that category_is_internal(), and none that
				   begins with `node:` */
};

/* Category and package of a function, by the table in formats(5), CATEGORIES; the first match wins.
 * package: set to the text of the package in `strings`, or 0. */
enum category category_of(struct intern *strings, const struct category_facts *facts,
			  str_id *package);

/* Whether an internal of Node.js loads modules: by its url, or by its path without `node:`. */
static inline bool category_is_loader(const char *path)
{
	path += strncmp(path, "node:", 5) == 0 ? 5 : 0;
	return strncmp(path, "internal/modules/", 17) == 0;
}

/* Whether slices of a name are garbage collection: of V8, Blink, Oilpan. */
bool category_is_gc_slice(const char *name);

/* Whether a function with a url may have its category by its name. All others with one url, if
 * it has text, have one category and package. */
static inline bool category_is_by_name(const char *name)
{
	return strncmp(name, "wasm-function[", 14) == 0;
}

/* Whether a url is `internal/` and a path, as Node.js before 16 calls its internal files; Go, too,
 * calls some files so. */
bool category_is_internal(const char *url);

/* Whether n nodes are so few among n_frames frames that frame_ranks() of them costs less than a few
 * passes over an array of all frames. */
static inline bool frame_ranks_pay(uint32_t n, uint32_t n_frames)
{
	return n < n_frames / 16;
}

/* Number the different frames of frame[0 .. n) from 0, in the order of their ids, in O(n log n).
 * rank[i] becomes the number of frame[i]. Returns these frames by number, *n_ranks of them; the
 * caller frees them. */
frame_id *frame_ranks(const frame_id *frame, uint32_t n, frame_id *rank, uint32_t *n_ranks);

/* The set of frames, deduplicated. Key: name, url, line and column if there is a url; otherwise
 * name, script id, line and column; of slices also the event. */
struct frame_table {
	struct frame *frames;
	uint32_t n;
	size_t cap;
	struct hash_table index;
};

/* FRAME_NONE is in the table from the start. */
void frame_table_init(struct frame_table *table);

static inline void frame_table_done(struct frame_table *table)
{
	free(table->frames);
	hash_table_done(&table->index);
	*table = (struct frame_table){ 0 };
}

/* The id of the frame with this identity, added if it is new. */
frame_id frame_table_add(struct frame_table *table, const struct frame *frame);

/* ---- site ---- */

/* The host of a url of the web, with its port: `cdn.shop.example:8080`. Empty: it is none. */
struct str site_host(const char *url);

/* The site that a host belongs to: its last two labels, or three where the last one has two letters
 * and the one before at most three, as `shop.co.uk`. Addresses are sites of their own. */
struct str site_of(struct str host);

#endif
