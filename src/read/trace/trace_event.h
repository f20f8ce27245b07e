/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The members of one trace event. */
#ifndef FLAMETTY_READ_TRACE_TRACE_EVENT_H
#define FLAMETTY_READ_TRACE_TRACE_EVENT_H

#include "base/hash.h"
#include "base/intern.h"
#include "base/json/cursor.h"
#include "base/str.h"
#include "model/frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint32_t text_id; /* 0: none */

/* The meaning of a name or event category: see `meanings` in trace_event.c. */
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
	MEANS_RASTER,
	/* Slices that are called by what they run (trace_run.c): */
	MEANS_TIMER,
	MEANS_CALL,
	MEANS_SCRIPT,
	MEANS_DISPATCH,
	MEANS_FILE,  /* has a url */
	MEANS_PARSE, /* the same, and keeps its name */
	MEANS_TASK,  /* an asynchronous task that is scheduled */
	MEANS_TASK_RUN,
	/* Of frames that are drawn: */
	MEANS_LAYER,
	MEANS_BEGIN,
	MEANS_DROPPED,
	MEANS_DRAW,
	MEANS_REQUEST,
	MEANS_BEGIN_MAIN,
	MEANS_COMMIT,
	MEANS_HTTP, /* a request of Node.js */
	/* Of network requests: */
	MEANS_WILL_SEND,
	MEANS_SEND,
	MEANS_RESPONSE,
	MEANS_FINISH,
	MEANS_CACHED,
	MEANS_PRIORITY,
	MEANS_BLOCKING,
	MEANS_EVENT_TIMING,
	MEANS_INITIATOR, /* what initiates slices, and these; + number of a rule of
			    trace_initiator.c */
	/* Marks that the browser makes, not the page: */
	MEANS_NAVIGATION = MEANS_INITIATOR + 32,
	MEANS_NAVIGATION_START,
	/* And those for trace_milestone_event(): */
	MEANS_FIRST_PAINT,
	MEANS_CONTENTFUL_PAINT,
	MEANS_LARGEST_PAINT,
	MEANS_DOM_CONTENT,
	MEANS_LOAD,
	MEANS_LAYOUT_SHIFT,
	MEANS_SOFT_NAVIGATION,
};

/* What event categories say of requests that a process serves (trace_served.c). From
 * TRACE_SERVED_CALL on as enum served_wait_kind. */
enum trace_served_kind {
	TRACE_SERVED_NOT,
	TRACE_SERVED,
	TRACE_SERVED_CALL,
	TRACE_SERVED_SOCKET,
	TRACE_SERVED_DNS,
	TRACE_SERVED_CONNECT,
	TRACE_SERVED_JOB,
	TRACE_SERVED_RUN
};

enum trace_served_kind trace_served_kind_of(struct str category);

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
	uint8_t served;      /* an event category of trace_served_kind_of() */
	bool is_escaped;     /* p is the text as in the file, with backslashes */
	bool is_user_timing; /* an event category with blink.user_timing or node.perf.usertiming */
	bool is_console;     /* an event category with blink.console or node.console */
	bool is_debugger;    /* an event category with v8.inspector */
};

struct trace_texts {
	struct arena arena;
	struct trace_text *all; /* by id */
	uint32_t n;
	size_t cap;
	struct hash_table index;
	struct hash_table meanings; /* names with a meaning, by their hash */
	bool has_served;            /* a text has `served` */
};

void trace_text_init(struct trace_texts *texts);

static inline void trace_text_done(struct trace_texts *texts)
{
	arena_done(&texts->arena);
	free(texts->all);
	hash_table_done(&texts->index);
	hash_table_done(&texts->meanings);
	*texts = (struct trace_texts){ 0 };
}

/* The id of the text between two quotes of the file, or of a decoded text. */
text_id trace_text_raw(struct trace_texts *texts, struct str raw, bool has_escape);

static inline text_id trace_text_add(struct trace_texts *texts, const char *text, size_t len)
{
	return trace_text_raw(texts, (struct str){ text, len }, false);
}

/* The id of what is between two quotes of the file. */
static inline text_id trace_text_quoted(struct trace_texts *texts, struct str raw)
{
	return raw.len ? trace_text_raw(texts, raw, memchr(raw.p, '\\', raw.len) != NULL) : 0;
}

/* The text of an id. Borrowed until the next text is added. */
static inline const struct trace_text *trace_text_get(const struct trace_texts *texts, text_id id)
{
	return &texts->all[id];
}

static inline struct str trace_text_str(const struct trace_texts *texts, text_id id)
{
	return (struct str){ texts->all[id].p, texts->all[id].len };
}

/* The name itself, of a name with another event category than its first. */
static inline text_id trace_text_plain(const struct trace_texts *texts, text_id id)
{
	return texts->all[id].base ? texts->all[id].base : id;
}

/* Add an entry with the text of `base` that trace_text_raw() and trace_text_add() never find. 0:
 * there are too many of it. */
text_id trace_text_twin(struct trace_texts *texts, text_id base);

/* The entry of a name whose slices have this frame (trace_run_frame()). */
text_id trace_text_of_run(struct trace_texts *texts, text_id base, frame_id frame);

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
	HAS_CPU = 16384,
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
	int64_t cpu;       /* if HAS_CPU: of dur, of the thread */
	int64_t pid, tid;
	struct str name_text, cat_text;
	struct str args;            /* as in the file; len 0: none */
	const unsigned char *limit; /* the end of the text that `args` is a part of */
	const unsigned char *tts;   /* its value in the file: trace_event_tts(); NULL: none */
	text_id name;
	unsigned has;
	uint8_t id_kind; /* enum id_kind */
	char ph;         /* 0: more than one letter, or none */
	char s;          /* of an instant: t, p, g */
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

/* Of an event with `tts`: how long its thread had used the processor, in ns; -1: that is no time.
 * Read only when asked for: most events with it have a `tdur`. */
int64_t trace_event_tts(const struct trace_event *e);

#endif
