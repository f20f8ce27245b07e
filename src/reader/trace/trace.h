/* SPDX-License-Identifier: GPL-2.0-or-later */
/* State of the trace reader, shared by its files. trace.c walks the document, trace_events.c its
 * events, trace_event.c takes one apart, trace_text.c knows its names, and trace_phase.c sends it
 * to those who keep it: trace_pairs.c (B, E), trace_async.c, trace_counter.c, trace_custom.c (user
 * timings), trace_cpu.c (profiles), trace_names.c (threads and what they are called), trace_range.c
 * (times). What needs the whole trace first is done in their _finish() functions. trace_samples.c
 * and trace_metadata.c read the members beside the events.
 *
 * Everything here belongs to struct trace and ends with it; what is worth keeping was passed to the
 * builder. */
#ifndef FLAMETTY_READER_TRACE_TRACE_H
#define FLAMETTY_READER_TRACE_TRACE_H

#include "base/arena.h"
#include "base/hash.h"
#include "json/json_cursor.h"
#include "json/json_text.h"
#include "reader/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_TIME_MAX (INT64_C(1) << 61) /* ns; sums of two still fit */

/* Process and thread ids that are no whole numbers are numbered from here on, far from all
 * that a system gives out: the number of their text is added. */
#define TRACE_TEXT_ID (INT64_C(1) << 40)

/* ---- texts: names and categories, once each ---- */

typedef uint32_t text_id; /* 0: none */

/* What a name or category means to the reader: see `meanings` in trace_text.c. */
enum meaning {
	MEANS_NOTHING,
	MEANS_PROFILE,
	MEANS_CHUNK,
	MEANS_CPU_PROFILE,
	MEANS_STOP_PROFILING,
	MEANS_STARTED_IN_BROWSER,
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
	MEANS_NAVIGATION, /* a mark that the browser makes itself */
};

struct text {
	const char *p;
	uint32_t len;
	uint32_t hash;
	text_id same;   /* of an escaped form: the text that it stands for; else itself */
	frame_id frame; /* of builder_slice_frame(); FRAME_NONE: not asked for yet */
	uint8_t meaning;
	bool is_escaped;     /* as it stands in the file, with backslashes */
	bool is_user_timing; /* as a category: holds blink.user_timing or node.perf.usertiming */
	bool is_console;     /* blink.console or node.console */
};

struct texts {
	struct arena arena;
	struct text *all; /* by id */
	uint32_t n;
	size_t cap;
	text_id *slots;
	size_t n_slots;
};

void texts_init(struct texts *texts);
void texts_done(struct texts *texts);

/* The id of what stood between two quotes; of text without escapes. */
text_id texts_of_raw(struct texts *texts, struct slice raw, bool has_escape);
text_id texts_add(struct texts *texts, const char *text, size_t len);

/* The text of an id. Borrowed until the next text is added. */
static inline const struct text *text_get(const struct texts *texts, text_id id)
{
	return &texts->all[id];
}

/* ---- one event ---- */

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
};
enum id_kind { ID_NONE, ID_PLAIN, ID_LOCAL, ID_GLOBAL };

/* Slices are good until the scanner moves on (by how much: trace_events.c). */
struct event {
	const char *start; /* its '{' */
	int64_t offset;    /* of it in the document */
	int64_t end;       /* offset behind it */
	int64_t ts, dur;   /* ns of the file's clock */
	int64_t pid, tid;
	struct slice name_text, pid_text, tid_text; /* become name, pid, tid in event_resolve() */
	bool is_name_escaped;
	struct slice args;  /* as they stand; len 0: none */
	struct slice cname; /* between its quotes */
	struct slice id_text;
	struct slice cat_text;
	bool is_cat_escaped;
	uint64_t id, bind_id; /* hashes of their text */
	uint64_t scope;
	text_id name;
	unsigned has;
	enum id_kind id_kind;
	char ph; /* 0: more than one letter, or none */
	char s;  /* of an instant: t, p, g */
	char bp;
};

enum parsed { PARSED, PARSED_CUT, PARSED_BAD };

struct trace;

/* Take apart the event at the cursor, which stands before its '{'; all but offset and end.
 * PARSED_CUT: the text ends in it; PARSED_BAD: c->why says what is wrong at c->p. */
enum parsed event_parse(struct cursor *c, struct event *e);

/* Number its texts. */
void event_resolve(struct trace *t, struct event *e);

/* The category, as a text. */
text_id event_category(struct trace *t, const struct event *e);

/* ---- the trace ---- */

struct pair_chunk;

struct trace_thread {
	int64_t pid, tid;
	uint32_t slices, marks;   /* tracks + 1; 0: not made yet */
	struct pair_chunk *pairs; /* begins and ends (trace_pairs.c) */
	size_t n_pairs, n_pair_chunks, cap_pair_chunks;
	int64_t last_ts;
	bool is_unsorted, has_passed_pairs;
	text_id name;
	int64_t sort_index;
	bool has_sort;
};

struct trace_process {
	int64_t pid;
	uint32_t marks, objects, timings; /* tracks + 1 */
	text_id name, url;
	int64_t sort_index;
	bool has_sort;
};

/* Events of one day, or of several that follow each other. */
#define TRACE_DAYS 16
struct trace_day {
	int64_t from, first, last, offset;
	uint64_t n;
};

struct trace_async;
struct trace_cpu;
struct trace_counters;
struct trace_customs;
struct trace_samples;

struct trace {
	struct scan *s;
	struct builder *b;
	struct error *err;
	struct json_tokener *tok;
	struct texts texts;

	struct trace_thread *threads;
	size_t n_threads, cap_threads;
	struct trace_process *processes;
	size_t n_processes, cap_processes;
	uint32_t *thread_slots, *process_slots;
	size_t n_thread_slots, n_process_slots;
	uint32_t last_thread, last_process;

	struct trace_async *async;
	struct trace_cpu *cpu;
	struct trace_counters *counters;
	struct trace_customs *customs;
	struct trace_samples *samples;

	size_t n_facts;
	uint32_t marks; /* track of the whole trace + 1 */
	uint64_t n_events;
	uint64_t by_phase[256];
	int64_t first, last; /* time of timed events, ts 0 left out; first > last: none */
	struct trace_day days[TRACE_DAYS];
	size_t n_days, last_day;
	uint64_t n_zero; /* events at ts 0 */
	int64_t zero_offset;
	bool has_window;
	bool has_events, has_samples, is_bare;
	int64_t good_end; /* behind the last whole event */
};

/* The frame of a name, as builder_slice_frame() has it. */
frame_id trace_frame(struct trace *t, text_id name, struct slice cname);

/* The frame of a name with something behind it. */
frame_id trace_frame_with(struct trace *t, text_id name, const char *tail);

/* Threads and processes by their ids; made if new. Borrowed until the next one is made. */
struct trace_thread *trace_thread(struct trace *t, int64_t pid, int64_t tid);
struct trace_process *trace_process(struct trace *t, int64_t pid);

/* Tracks of marks, made when the first one comes. */
uint32_t trace_marks_of_thread(struct trace *t, const struct event *e);
uint32_t trace_marks_of_process(struct trace *t, int64_t pid);
uint32_t trace_marks_of_all(struct trace *t);
void trace_mark(struct trace *t, uint32_t track, const struct event *e, frame_id frame);

/* The text of a JSON string with its quotes, decoded; 0 if it is none. */
text_id trace_text_of(struct trace *t, struct slice raw);

/* Parse a value with json-c; NULL if it is not valid. To be put. */
struct json_object *trace_parse(struct trace *t, struct slice raw);

/* Read the events of a list, of which the bracket was passed, or of a document that has nothing but
 * events one after another. False on errors; what came before is kept, up to t->good_end. */
bool trace_events_read(struct trace *t, bool is_bare);

/* Send an event to those who keep it; at the end, name the phases that are not drawn. */
bool trace_event(struct trace *t, const struct event *e);
void trace_phases_finish(struct trace *t);

/* Whether one more line of facts will be read by anybody. */
static inline bool trace_may_tell(struct trace *t)
{
	return t->n_facts++ < 100;
}

/* ---- what is kept of events; each with what is done at the end, and how it is freed ---- */

/* Count an event's time for the range, and the end of one just counted; a window where some lie far
 * from the others. */
void trace_range_add(struct trace *t, const struct event *e);
void trace_range_end(struct trace *t, int64_t ts, int64_t end);
void trace_range_finish(struct trace *t);

/* M: names and sort indices. */
void trace_metadata_event(struct trace *t, const struct event *e);

/* What tells the page of a renderer: TracingStartedInBrowser, FrameCommittedInBrowser, CommitLoad.
 */
void trace_frames_event(struct trace *t, const struct event *e);
void trace_frame_committed(struct trace *t, const struct event *e);
void trace_commit_load(struct trace *t, const struct event *e);
void trace_names_finish(struct trace *t);

/* B and E. */
void trace_pairs_add(struct trace *t, const struct event *e);
void trace_pairs_finish(struct trace *t);
void trace_pairs_free(struct trace_thread *thread);

/* b, n, e, S, T, p, F. custom: of trace_custom_number(), 0 for none. */
void trace_async_add(struct trace *t, const struct event *e, uint32_t custom);
void trace_async_finish(struct trace *t);
void trace_async_free(struct trace *t);

/* Where the detail of a user timing puts it, as a number; 0: nowhere else. Then the slice itself.
 */
uint32_t trace_custom_number(struct trace *t, const struct event *e);
void trace_custom_entry(struct trace *t, uint32_t custom, int64_t t0, int64_t t1, frame_id frame,
			int64_t offset, int64_t end_offset, unsigned flags);
void trace_custom_finish(struct trace *t);
void trace_custom_free(struct trace *t);

/* C. */
void trace_counter_event(struct trace *t, const struct event *e);

/* UpdateCounters; false: it holds no numbers. */
bool trace_counters_event(struct trace *t, const struct event *e);
void trace_counters_free(struct trace *t);

/* A TimeStamp that asks for a track; false: it does not. */
bool trace_time_stamp(struct trace *t, const struct event *e);

/* Profile, ProfileChunk, CpuProfile, and the instant that ends a profile. False on errors in their
 * data. */
bool trace_cpu_profile(struct trace *t, const struct event *e);
bool trace_cpu_chunk(struct trace *t, const struct event *e);
bool trace_cpu_whole(struct trace *t, const struct event *e);
void trace_cpu_stop(struct trace *t, const struct event *e);
bool trace_cpu_finish(struct trace *t);
void trace_cpu_free(struct trace *t);

/* The members `samples`, `stackFrames` and `metadata`, standing before their values. */
bool trace_samples_read(struct trace *t);
bool trace_stack_frames_read(struct trace *t);
bool trace_samples_finish(struct trace *t);
void trace_samples_free(struct trace *t);

bool trace_metadata_read(struct trace *t);

/* Mix another number into a hash. */
static inline uint64_t trace_mix(uint64_t h, uint64_t x)
{
	return hash_u64(h ^ (x + UINT64_C(0x9e3779b97f4a7c15) + (h << 6) + (h >> 2)));
}

#endif
