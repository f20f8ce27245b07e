/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The members of one trace event. */
#ifndef FLAMETTY_READER_TRACE_TRACE_EVENT_H
#define FLAMETTY_READER_TRACE_TRACE_EVENT_H

#include "base/json/cursor.h"
#include "read/trace/trace_text.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	HAS_TS = 1,
	HAS_DUR = 2,
	HAS_PID = 4,
	HAS_TID = 8,
	HAS_PHASE = 16,
	HAS_ODD_TIME = 32,
	FLOWS_IN = 64,
	FLOWS_OUT = 128,
	HAS_TEXT_TIME = 256,
	HAS_PID_TEXT = 512,
	HAS_TID_TEXT = 1024,
	HAS_STACK = 2048,
	HAS_END_STACK = 4096,
	HAS_COLOR = 8192,
};
enum id_kind { ID_NONE, ID_PLAIN, ID_LOCAL, ID_GLOBAL };

/* One event. Its strings point into the scanner's window, and are valid until the event is kept
 * (list_walk.h). Members that most events have come first: the others, in most events, cost no
 * memory of the processor. */
struct trace_event {
	const char *start; /* its '{' */
	int64_t offset;    /* of `start` in the document */
	int64_t end;       /* offset of its end */
	int64_t ts, dur;   /* ns of the file's clock */
	int64_t pid, tid;
	struct str name_text, cat_text;
	struct str args; /* as in the file; len 0: none */
	text_id name;
	unsigned has;
	enum id_kind id_kind;
	char ph; /* 0: more than one letter, or none */
	char s;  /* of an instant: t, p, g */
	char bp;
	bool is_name_escaped, is_cat_escaped;
	uint64_t id, bind_id; /* hashes of their text */
	uint64_t scope;       /* the same */
	struct str id_text;

	struct str cname;              /* if HAS_COLOR: between its quotes */
	struct str pid_text, tid_text; /* if HAS_PID_TEXT, HAS_TID_TEXT: trace_resolve_event() */
	struct str scope_text;         /* if scope is not 0 */
	struct str stack, end_stack;   /* if HAS_STACK, HAS_END_STACK: ids, as in the file */
};

enum parsed { PARSED, PARSED_CUT, PARSED_BAD };

/* Take apart the event at the cursor, which is before its '{'. offset and end are not set.
 * PARSED_CUT: the text ends within the event. PARSED_BAD: c->why says what is wrong at c->p. */
enum parsed trace_event_parse(struct cursor *c, struct trace_event *e);

#endif
