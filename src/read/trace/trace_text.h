/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and event categories of a trace, stored once each. */
#ifndef FLAMETTY_READER_TRACE_TRACE_TEXT_H
#define FLAMETTY_READER_TRACE_TRACE_TEXT_H

#include "base/arena.h"
#include "base/hash_table.h"
#include "base/json/cursor.h"
#include "model/frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t text_id; /* 0: none */

/* The meaning of a name or event category: see `meanings` in trace_text.c. */
enum meaning {
	MEANS_NOTHING,
	MEANS_PROFILE,
	MEANS_CHUNK,
	MEANS_CPU_PROFILE,
	MEANS_STOP_PROFILING,
	MEANS_STARTED_IN_BROWSER,
	MEANS_STARTED_IN_PAGE,
	MEANS_FRAME_COMMITTED,
	MEANS_COMMIT_LOAD,
	MEANS_COUNTERS,
	MEANS_TIME_STAMP,
	MEANS_VERSION,
	MEANS_PROCESS_NAME,
	MEANS_PROCESS_LABELS,
	MEANS_PROCESS_SORT,
	MEANS_THREAD_NAME,
	MEANS_THREAD_SORT,
	MEANS_THREAD_NO_SELF,
	MEANS_WORKER_SESSION,
	/* Marks that the browser makes, not the page: */
	MEANS_NAVIGATION,
	MEANS_NAVIGATION_START,
};

struct trace_text {
	const char *p;
	uint32_t len;
	text_id same;   /* the decoded text, if this one is escaped; else itself */
	frame_id frame; /* of track_builder_frame(); FRAME_NONE: not made yet */
	frame_id mark;  /* the same of track_builder_mark() */
	/* Of a name, once trace_frame_name() has seen an event of it: */
	text_id cat;  /* event category of the first event */
	text_id next; /* the same name with another event category; 0: no more */
	text_id base; /* of such a second entry: the name itself; else 0 */
	uint16_t n_twins;
	bool has_cat;
	uint8_t meaning;
	bool is_escaped;     /* p is the text as in the file, with backslashes */
	bool is_user_timing; /* an event category with blink.user_timing or node.perf.usertiming */
	bool is_console;     /* an event category with blink.console or node.console */
};

struct trace_texts {
	struct arena arena;
	struct trace_text *all; /* by id */
	uint32_t n;
	size_t cap;
	struct hash_table index;
};

void trace_text_init(struct trace_texts *texts);
void trace_text_done(struct trace_texts *texts);

/* The id of the text between two quotes of the file, or of a decoded text. */
text_id trace_text_raw(struct trace_texts *texts, struct str raw, bool has_escape);
text_id trace_text_add(struct trace_texts *texts, const char *text, size_t len);

/* The text of an id. Borrowed until the next text is added. */
static inline const struct trace_text *trace_text_get(const struct trace_texts *texts, text_id id)
{
	return &texts->all[id];
}

/* The name itself, of a name with another event category than its first. */
static inline text_id trace_text_plain(const struct trace_texts *texts, text_id id)
{
	return texts->all[id].base ? texts->all[id].base : id;
}

/* Add an entry with the text of `base` that trace_text_raw() and trace_text_add() never find. 0:
 * there are TRACE_TEXT_TWINS. */
#define TRACE_TEXT_TWINS 1000
text_id trace_text_twin(struct trace_texts *texts, text_id base);

#endif
