/* SPDX-License-Identifier: GPL-2.0-or-later */
/* State of the trace reader, which its files share. A file calls those below it. trace.c and
 * trace_stack.c are there twice, as their first sections serve all other files:
 *
 *   trace            the document and its events; sends each, by its phase, to who keeps it:
 *     trace_pairs      B, E, which it pairs; what two threads can do before all is passed on
 *     trace_async      b, n, e, S, T, p, F
 *     trace_object     N, O, D; C and UpdateCounters
 *     trace_custom     user timings and time stamps with a track of their own
 *     trace_network    requests of pages
 *     trace_frame      frames that were drawn or dropped
 *     trace_cpu        profiles in pieces
 *     trace_initiator  what initiated slices
 *     trace_run        what slices run, by their args
 *     trace_metadata   M: names and sort indices of processes and threads; the pages of renderers;
 *                      entries that a user changed in DevTools
 *     trace_milestone  milestones of pages, their interactions and figures
 *     trace_served     requests that processes of Node.js serve
 *   trace_stack      the stacks that events and samples name
 *   trace, trace_stack   what each event needs: process, thread, marks, what its texts mean, the
 *                    frames of its names
 *   trace_event      takes one event apart; names and event categories, once each
 * trace_peek.c and trace_copy.c are apart: they look at files before they are read, and read them
 * again.
 *
 * What needs the whole trace is done at the end, by each struct trace_part.
 *
 * Ownership: struct trace owns all of its state; each part frees its own. The builder has
 * copies. */
#ifndef FLAMETTY_READ_TRACE_TRACE_H
#define FLAMETTY_READ_TRACE_TRACE_H

#include "base/alloc.h"
#include "base/hash.h"
#include "base/json/json_read.h"
#include "model/build/cpu_builder.h"
#include "model/build/track_builder.h"
#include "read/trace/trace_event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct builder;
struct error;
struct scan;
struct str;

/* A process or thread id that is not a whole number becomes this plus the number of its text.
 * Systems do not use ids of that size. */
#define TRACE_TEXT_ID (INT64_C(1) << 40)

struct trace;

/* ---- one event ---- */

/* The event category as a text. */
text_id trace_resolve_category(struct trace *t, const struct trace_event *e);

/* ---- the trace ---- */

/* A part of the reader that keeps events until all are read. */
struct trace_part {
	/* Pass on what needs the whole trace. Errors are set in t->err. */
	void (*finish)(struct trace *t);
	void (*free)(
		struct trace *t); /* NULL: nothing is to be freed. The trace is not used after it */
};

/* What a part keeps in a member of struct trace, made when it is first needed. */
#define TRACE_KEPT(t, member)                                                                      \
	((t)->member ? (t)->member : ((t)->member = xcalloc(1, sizeof *(t)->member)))

extern const struct trace_part trace_names_part;
extern const struct trace_part trace_entry_part;
extern const struct trace_part trace_pairs_part;
extern const struct trace_part trace_async_part;
extern const struct trace_part trace_object_part;
extern const struct trace_part trace_initiator_part;
extern const struct trace_part trace_stack_part;
extern const struct trace_part trace_custom_part;
extern const struct trace_part trace_network_part;
extern const struct trace_part trace_frame_part;
extern const struct trace_part trace_cpu_part;
extern const struct trace_part trace_samples_part;
extern const struct trace_part trace_milestone_part;
extern const struct trace_part trace_served_part;

struct pair_chunk;
struct pair_warnings;

struct trace_thread {
	int64_t pid, tid;
	uint32_t slices, marks;   /* tracks + 1; 0: not made yet */
	struct pair_chunk *pairs; /* begins and ends (trace_pairs.c) */
	size_t n_pairs, n_pair_chunks, cap_pair_chunks;
	struct pair_warnings *pair_warnings; /* NULL: none */
	struct pair_color *colors; /* of the begins that have one, in the order of the file */
	size_t n_colors, cap_colors;
	int64_t last_ts;
	bool is_unsorted, has_passed_pairs;
	bool has_timer; /* whose slice is kept: see trace_run_timer() */
	struct track_slice timer;
	bool is_raster; /* has slices of rasterization */
	text_id name;
	text_id url; /* of a worker's script */
	int64_t sort_index;
};

struct trace_process {
	int64_t pid;
	uint32_t marks, timings, requests, interactions; /* tracks + 1 */
	text_id name;
	text_id url; /* of its page */
	text_id labels;
	int64_t requests_tid; /* of the track of requests */
	int64_t page_tid;     /* has_page_tid: the thread that loads the page */
	bool has_page_tid;
	bool is_stated;   /* the recording states that it is about the main frame */
	bool is_subframe; /* url is that of a frame whose page is in another process */
	int64_t sort_index;
	bool has_sort;
};

struct trace_async;
struct trace_objects;
struct trace_cpu;
struct trace_counters;
struct trace_initiators;
struct trace_customs;
struct trace_network;
struct trace_frames;
struct trace_samples;
struct trace_stacks;
struct trace_milestones;
struct trace_serveds;

#define TRACE_PAIRS_MAX 0x7FFFFFFFu

/* Bytes of an event. Larger ones are not read, and cannot be copied. */
#define TRACE_EVENT_MAX ((size_t)1 << 30)

/* How the events of a file are enclosed: as the standard says, in an object or a list; one after
 * another, without brackets; in messages of the DevTools protocol, {"method":
 * "Tracing.dataCollected", "params": {"value": [events]}}, with other messages between them. */
enum trace_form { TRACE_ENCLOSED, TRACE_BARE, TRACE_MESSAGES };

struct trace {
	struct scan *s;
	struct builder *b;
	struct error *err;
	struct json_tree tree;
	struct trace_texts texts;

	struct trace_thread *threads;
	size_t n_threads, cap_threads;
	struct trace_process *processes;
	size_t n_processes, cap_processes;
	struct hash_table thread_index, process_index; /* by pid and tid; by pid */
	uint32_t last_thread, last_process;

	struct trace_async *async;
	struct trace_objects *objects;
	struct trace_cpu *cpu;
	struct trace_counters *counters;
	struct trace_initiators *initiators;
	struct trace_run {
		const char *name, *url;
		int32_t line, column;
		frame_id event, frame;
	} runs[2048]; /* the last ones, by a hash */
	struct trace_customs *customs;
	struct trace_network *network;
	struct trace_frames *frames;
	text_id main_frame; /* the main frame of the page, if the recording states it */
	struct trace_samples *samples;
	struct trace_stacks *stacks;
	struct trace_milestones *milestones;
	struct trace_serveds *served;

	struct notes entries;
	uint64_t next_entry; /* number of the event that the next entry names; UINT64_MAX: none */

	size_t n_notes;
	size_t most_pairs; /* B and E events of a thread that can be counted */
	uint32_t marks;    /* track of the whole trace + 1 */
	uint32_t labels;   /* track of labelled ranges + 1 */
	uint32_t n_labels;
	uint64_t n_events;
	uint64_t by_phase[256];
	int64_t first, last;          /* of timed events; first > last: there are none */
	bool has_events, has_samples; /* has_events: of the present file */
	enum trace_form form;         /* of the present file */
	int64_t odd_args;             /* offset of the last event with a warning about args */
	bool is_other;                /* the message is no Tracing.dataCollected */
	uint64_t n_profiles;          /* CPU profiles that messages have as a whole */
	bool has_before;              /* a file before it had events */
	int64_t good_end;             /* the end of the last complete event */
};

/* The name of an event, which also tells its event category: of a second category of one name it is
 * an entry of its own, with the same text (trace_text_plain()). Inline, as others below: they run
 * for nearly each event. */
text_id trace_frame_other_name(struct trace *t, const struct trace_event *e);

static inline text_id trace_frame_name(struct trace *t, const struct trace_event *e)
{
	const struct trace_text *text = &t->texts.all[e->name];
	const struct trace_text *cat = &t->texts.all[text->cat];

	/* Nearly all events of one name have one category: no hash is needed. */
	if (text->has_cat && cat->len == e->cat_text.len && !e->is_cat_escaped &&
	    hash_same(cat->p, e->cat_text.p ? e->cat_text.p : "", cat->len))
		return e->name;
	return e->name ? trace_frame_other_name(t, e) : 0;
}

/* The frame of a name. */
frame_id trace_frame_make(struct trace *t, text_id name);

static inline frame_id trace_frame_of(struct trace *t, text_id name)
{
	frame_id frame = t->texts.all[name].frame;

	return frame != FRAME_NONE ? frame : trace_frame_make(t, name);
}

/* The frame of a slice that is called by what it runs; FRAME_NONE: it has its name. If others
 * initiate it, that is noted. */
frame_id trace_run_frame(struct trace *t, const struct trace_event *e);

static inline bool trace_initiator_is_meant(unsigned meaning)
{
	return meaning >= MEANS_INITIATOR && meaning < MEANS_NAVIGATION;
}

/* Whether trace_run_frame() is to be asked. */
static inline bool trace_run_is_meant(const struct trace_event *e, unsigned meaning)
{
	/* Many have `{}`. */
	return e->args.len > 2 ? (meaning >= MEANS_TIMER && meaning <= MEANS_TASK_RUN) ||
			trace_initiator_is_meant(meaning)
			       : meaning == MEANS_TASK_RUN;
}

/* Members of the object `data` or `beginData` of the args, or of the args themselves. */
enum trace_member {
	TRACE_FUNCTION,
	TRACE_TYPE,
	TRACE_URL,
	TRACE_SCRIPT,
	TRACE_LINE,
	TRACE_COLUMN,
	TRACE_PAGE_FRAME,
	TRACE_STACK,
	TRACE_SINGLE_SHOT,
	TRACE_ID,
	TRACE_TIMER_ID,
	TRACE_TASK_ID,
	TRACE_TRACE_ID,
	TRACE_IDENTIFIER,
	TRACE_DATA, /* of the args */
	TRACE_BEGIN_DATA,
	TRACE_MEMBERS,
};

/* Set value[TRACE_MEMBERS] as in the file; len 0: there is none. is_needed: damage is to be warned
 * about. Returns whether they are of `data` or `beginData`. */
bool trace_run_members(struct trace *t, const struct trace_event *e, bool is_needed,
		       struct str *value);

/* Keep the slice of a timer, until the call in it names it; pass on the one that is kept. */
void trace_run_timer(struct trace *t, struct trace_thread *thread, const struct track_slice *slice);
void trace_run_timer_pass(struct trace *t, struct trace_thread *thread);

/* Set the place to that of the first of a JSON list of call frames. */
void trace_run_top(struct trace *t, const struct trace_event *e, struct str stack,
		   struct track_run *run);

/* Keep an event that initiates slices, or is initiated, with its members (trace_run_members()).
 * Returns the frame of an initiator. */
frame_id trace_initiator_add(struct trace *t, const struct trace_event *e, const struct str *value);

/* Keep an asynchronous task, with its frame, or a run of one, FRAME_NONE; keep a point of a flow
 * between these. */
void trace_initiator_task(struct trace *t, const struct trace_event *e, frame_id frame);
void trace_initiator_flow(struct trace *t, const struct track_flow *flow);

/* The name of the events of a rule, which mean MEANS_INITIATOR + i; "": they have another meaning.
 * NULL: there are not as many rules. */
const char *trace_initiator_name(size_t i);

/* Method, url or path, and status of a request of Node.js, as far as the event has them, with
 * blanks between them; 0: it has none. */
text_id trace_run_request(struct trace *t, const struct trace_event *e);

/* The frame of the name of an event, whose event category is then noted. */
static inline frame_id trace_frame_of_event(struct trace *t, const struct trace_event *e)
{
	trace_frame_name(t, e);
	return trace_frame_of(t, e->name);
}

/* The reserved colour of an event that HAS_COLOR; 0: there is no such colour. */
unsigned trace_resolve_color(const struct trace_event *e);

/* The reserved colour that an event asks for; 0: none. */
static inline unsigned trace_color(const struct trace_event *e)
{
	return e->has & HAS_COLOR ? trace_resolve_color(e) : 0;
}

/* The frame of a mark with a name. */
frame_id trace_frame_of_mark(struct trace *t, text_id name);

/* The thread or process with these ids, made if it is new. Borrowed until the next one is made. */
struct trace_thread *trace_thread_find(struct trace *t, int64_t pid, int64_t tid);

static inline struct trace_thread *trace_thread_get(struct trace *t, int64_t pid, int64_t tid)
{
	/* Consecutive events often are of one thread. */
	if (t->last_thread < t->n_threads && t->threads[t->last_thread].pid == pid &&
	    t->threads[t->last_thread].tid == tid)
		return &t->threads[t->last_thread];
	return trace_thread_find(t, pid, tid);
}

struct trace_process *trace_process_get(struct trace *t, int64_t pid);

/* The track of a thread's slices, made if it is missing. */
static inline uint32_t trace_thread_slices(struct trace *t, struct trace_thread *thread)
{
	if (!thread->slices)
		thread->slices =
			track_builder_add(t->b, LANE_SLICES, thread->pid, thread->tid, "", 0) + 1;
	return thread->slices - 1;
}

/* The tracks of a thread's and the whole trace's marks. Made if missing. */
uint32_t trace_mark_thread(struct trace *t, const struct trace_event *e);
uint32_t trace_mark_all(struct trace *t);
void trace_mark_add(struct trace *t, uint32_t track, const struct trace_event *e, frame_id frame);

/* The text of a JSON string with its quotes, decoded. 0: not a string. */
text_id trace_text_string(struct trace *t, struct str raw);

/* Parse a value. NULL: it is not valid. The result lives until the next call. */
const struct json_value *trace_text_json(struct trace *t, struct str raw);

/* A member of a value, which may be NULL: a text, 0: none; a number times 10^scale within the times
 * of a profile; whether it is true. */
text_id trace_text_in(struct trace *t, const struct json_value *object, const char *name);
int64_t trace_text_number(const struct json_value *object, const char *name, int scale,
			  int64_t otherwise);
bool trace_text_is_true(const struct json_value *object, const char *name);

/* The form of the document at the scanner. */
enum trace_form trace_form_of(struct scan *s);

/* Whether one more input note may be added. A user does not read hundreds. */
static inline bool trace_may_note(struct trace *t)
{
	return t->n_notes++ < 100;
}

/* Warn about an event in whose args a value was not found, if the args are damaged. _needed():
 * also if they only lack the value. Returns false. */
bool trace_event_no_value(struct trace *t, const struct trace_event *e);
void trace_event_no_value_needed(struct trace *t, const struct trace_event *e);

/* Find a member of the args of an event, or of an object in them, and warn if the object is damaged
 * behind it. */
bool trace_event_find(struct trace *t, const struct trace_event *e, struct str object,
		      const char *name, struct str *raw);

/* ---- what is kept of events ---- */

/* M: names and sort indices of processes and threads. These functions of phases return false on
 * errors. */
bool trace_names_metadata(struct trace *t, const struct trace_event *e);

/* Events that tell the page of a renderer, or the script of a worker: TracingStartedInBrowser,
 * FrameCommittedInBrowser, TracingStartedInPage, CommitLoad, navigationStart,
 * TracingSessionIdForWorker. */
void trace_page_event(struct trace *t, const struct trace_event *e);

/* Events that are milestones of a page, or tell what its figures follow from; also marks of the
 * page's own. _timing(): EventTiming. _frame(): a frame that the beginning of the recording states,
 * or NULL. */
void trace_milestone_event(struct trace *t, const struct trace_event *e);
void trace_milestone_timing(struct trace *t, const struct trace_event *e);
void trace_milestone_frame(struct trace *t, const struct json_value *frame);

/* B and E. False: there are more than can be counted. */
bool trace_pairs_add(struct trace *t, const struct trace_event *e);

/* b, n, e, S, T, p, F. */
bool trace_async_add(struct trace *t, const struct trace_event *e);

/* What events of a category and name are about: recordings say it by the category, trace logs of
 * Node.js by the name. */
enum trace_served_kind trace_served_of(const struct trace *t, text_id cat, text_id name);

/* Events about requests that a process serves: b, e, X of such a kind. */
void trace_served_event(struct trace *t, const struct trace_event *e, enum trace_served_kind kind);

/* Whether some were of requests that this process serves. */
bool trace_served_has(const struct trace *t, int64_t pid);

/* N, O, D. */
bool trace_object_add(struct trace *t, const struct trace_event *e);

/* The number of the place that the detail of a user timing gives it; 0: none. _entry() adds a
 * slice there. */
uint32_t trace_custom_number(struct trace *t, const struct trace_event *e);
void trace_custom_entry(struct trace *t, uint32_t number, const struct track_slice *entry);

/* C. */
bool trace_counter_event(struct trace *t, const struct trace_event *e);

/* UpdateCounters. False: it has no numbers. */
bool trace_counter_update(struct trace *t, const struct trace_event *e);

/* TimeStamp, the event of console.timeStamp(). False: it has no data. */
bool trace_custom_time_stamp(struct trace *t, const struct trace_event *e);

/* Events of network requests, and of frames that are drawn. */
void trace_network_event(struct trace *t, const struct trace_event *e);
void trace_frame_event(struct trace *t, const struct trace_event *e);

/* When the headers of a request's response began to come; 0: unknown. */
int64_t trace_network_headers(const struct trace *t, text_id id);

/* Profile, ProfileChunk, CpuProfile, and the instant that ends a profile. False on errors in their
 * data. */
bool trace_cpu_event(struct trace *t, const struct trace_event *e);

/* Put the last profile aside, too. Then _parked() gives profile i, NULL if it has no data, borrowed
 * until the end. False: there are not as many. */
void trace_cpu_park(struct trace *t);
bool trace_cpu_parked(const struct trace *t, size_t i, struct cpu_raw **raw);

/* The call that a sample has by the id of its node: set time, depth and function of a note, which
 * has its thread. */
bool trace_cpu_call(struct trace *t, size_t sample, int64_t id, struct user_note *note);

/* Read the member `stackFrames`, with the scanner before the value. ctx: the struct trace. */
bool trace_stack_frames_read(void *ctx);

/* Count the stacks that an event names by an id, to warn about those that are not whole. */
void trace_stack_use(struct trace *t, const struct trace_event *e);

/* In the same way the members `samples` and `metadata`. */
bool trace_samples_read(void *ctx);
bool trace_metadata_read(void *ctx);

/* The event with the number t->next_entry, which a user changed in DevTools, is there. */
void trace_entry_take(struct trace *t, const struct trace_event *e);

/* Mix another number into a hash. */
static inline uint64_t trace_mix(uint64_t h, uint64_t x)
{
	return hash_u64(h ^ (x + UINT64_C(0x9e3779b97f4a7c15) + (h << 6) + (h >> 2)));
}

#endif
