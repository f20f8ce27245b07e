/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile: strings, frames, lanes, inputs and their warnings. Made by the builder; not changed
 * afterwards. */
#ifndef FLAMETTY_MODEL_PROFILE_H
#define FLAMETTY_MODEL_PROFILE_H

#include "base/buf.h"
#include "base/fingerprint.h"
#include "base/intern.h"
#include "base/str.h"
#include "base/units.h"
#include "model/frame.h"
#include "model/lane.h"
#include "model/milestone.h"
#include "model/notes.h"
#include "model/served.h"
#include "model/stall_list.h"
#include "model/warning.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A note about an input, for the details page: "12 044 events of phase O not drawn". */
struct input_note {
	str_id text;
	bool is_loss; /* tells what is not shown */
};

/* A source map inside an input: an object of `metadata.sourceMaps` of a trace, which is not kept.
 */
struct input_map {
	str_id url;     /* of the script */
	int64_t offset; /* of the object in the uncompressed text */
};

/* A file of an input that was written as several. */
struct input_part {
	str_id path;
	int64_t from;             /* offsets of the input are in this file from here on */
	struct fingerprint print; /* as in struct input */
};

/* What a file says of the machine that it was recorded on; first what the user says, by the labels
 * `host` and `boot`. */
enum input_host {
	INPUT_HOST_LABEL,
	INPUT_HOST_BOOT,
	INPUT_HOST_NAME,
	INPUT_HOST_CPU,
	INPUT_HOST_OS,
	INPUT_HOST_CLOCK, /* which of its clocks, by name */
	INPUT_HOSTS
};

struct input {
	str_id path;             /* of several files: `log.{1,2}`; see input_place */
	str_id name;             /* the end of the path that no other input has; 0: not known yet */
	uint32_t argument;       /* which of the files and directories that were asked for it is
				    from, counted from 0 */
	const char *format;      /* "cpuprofile"; static text */
	const char *compression; /* "gzip", "zstd", "lz4", or NULL; static text */
	int64_t bytes;           /* size of the file as it is stored, or of all files */
	struct fingerprint print; /* of the file, for reading it again; owned */
	struct input_part *parts; /* the files, in order; NULL: the input is one file */
	size_t n_parts;
	bool has_date;
	bool is_utc;    /* the zone of date_s */
	int64_t date_s; /* if has_date: wall clock when its recording began, in seconds since
			   1970 of the machine's zone */
	str_id host[INPUT_HOSTS]; /* 0: unknown */
	uint32_t labels;          /* a set of labels, which its samples have, too; 0: none */
	str_id date_text;         /* a date that does not exist, as the name has it; 0: none */
	int64_t seq;              /* number of the file within its process; -1: unknown */
	int64_t zero_ns;          /* the machine's clock in this file at time 0 of the profile */
	/* has_kept: times far from all others were left out (model/build/stray.h). What is
	 * kept is in [kept_t0, kept_t1], by the file's clock; INT64_MIN, INT64_MAX: no limit there.
	 */
	bool has_kept;
	int64_t kept_t0, kept_t1;
	struct warning *warnings;
	size_t n_warnings;
	struct input_note *notes;
	size_t n_notes;
	struct input_map *maps; /* in the order of the file */
	size_t n_maps, cap_maps;
	bool has_metadata; /* a trace: what its `metadata` says may name events by their number */
	bool has_sample_list; /* a trace: it has samples beside the events; their lanes say so */
};

/* A window that a user had zoomed to. */
struct crumb {
	int64_t t0, t1;
};

/* A point of a flow: where an arrow begins, continues or ends. */
struct flow_point {
	uint32_t flow;    /* number of the flow */
	uint32_t lane;    /* index into lanes */
	int64_t t;        /* ns since the start of the profile */
	struct span span; /* the slice that it belongs to */
	enum flow_kind { FLOW_START, FLOW_STEP, FLOW_END } kind;
	frame_id initiator; /* by the names of scripts: what it did, and where; FRAME_NONE: it is no
			       initiator */
};

/* A frame of `stackFrames`, to which the events of a trace refer by `sf` and `esf`. */
struct stack_frame {
	str_id id;
	str_id name;
	str_id category; /* as in the file; 0: none */
	str_id parent;   /* id of the caller; 0: none */
	uint32_t input;  /* the ids are those of this input */
};

/* A thread, or a process (tid LANE_NO_ID), that has a name and no lane. */
struct profile_named {
	int64_t pid, tid;
	str_id process_name, thread_name; /* 0: none */
	str_id thread_title;              /* as in struct lane */
};

/* An event category. */
struct event_cat_name {
	str_id text;  /* as in the file: `input,benchmark` */
	str_id first; /* up to the first comma */
};

struct other_names;
struct request;
struct whole_lanes;

/* Samples are on a lane for each value of a label. */
struct label_lanes_of {
	uint32_t key; /* the index of its key, from 1; 0: they are not */
	size_t n_own; /* values that have a lane of their own, */
	size_t n_all; /* of the lane with most of them */
};

/* ---- labels ----
 *
 * Labels of samples: pairs of a key and a text, such as `trace endpoint` and `GET /users`. Each
 * different set of labels is stored once; a lane whose samples have labels has the number of a set
 * for each sample (lane.labels), all other lanes have nothing. Set 0 is empty. A number is a text,
 * too, and is known to be one. */

/* Limits; what is beyond has a warning. */
#define LABELS_SETS_MAX ((size_t)1 << 22)
#define LABELS_KEYS_MAX 256u
#define LABELS_TEXT_MAX 1024u /* bytes of a key or a value */

struct label {
	uint32_t key;  /* index of labels.keys */
	str_id value;  /* of the profile's strings; not 0 */
	uint32_t form; /* LABEL_TEXT; or LABEL_NUMBER, plus the str_id of its unit, with which the
			  value ends behind a blank; or LABEL_JOINED */
};

enum {
	LABEL_TEXT,
	LABEL_NUMBER,
	LABEL_JOINED = INT32_MAX /* several values of a key as one; they follow it one by one */
};

/* What labels with some keys say about all samples of a thread: see formats(5), PPROF. */
enum label_says {
	LABEL_SAYS_NOTHING,
	LABEL_SAYS_PID,
	LABEL_SAYS_TID,
	LABEL_SAYS_THREAD,
	LABEL_SAYS_PROCESS
};
enum label_says labels_says(const char *key, size_t len);

struct label_key {
	str_id name;
	str_id none; /* `(no trace endpoint)` */
};

/* Zeroed: there are none. */
struct labels {
	struct intern sets; /* each a list of struct label, by key */
	struct label_key *keys;
	uint32_t n_keys;
	size_t cap_keys;
};

/* The number of sets, with the empty one; at least 1. */
static inline size_t labels_count(const struct labels *labels)
{
	return labels->sets.n ? labels->sets.n : 1;
}

/* Get label i of a set. False: it has fewer. */
bool labels_get(const struct labels *labels, uint32_t set, size_t i, struct label *out);

/* The index of a key. Fails with ERR_FORMAT, and some that there are, when no sample has it. */
bool labels_find(const struct labels *labels, const struct intern *strings, const char *key,
		 uint32_t *index, struct error *err) MUST_USE;

/* The value of a key in a set; 0: it has none. */
str_id labels_value(const struct labels *labels, uint32_t set, uint32_t key);

/* Append `host=web1 version=1.4.1`: a set, in visible form. */
void labels_add(const struct labels *labels, const struct intern *strings, uint32_t set,
		struct buf *out);

struct profile {
	struct intern strings;
	struct frame_table frames;
	struct lane *lanes;
	uint32_t n_lanes;
	struct input *inputs;
	uint32_t n_inputs;
	struct flow_point *flows; /* by flow, then time */
	size_t n_flows;
	uint32_t first_link; /* flows from this number on are links of users; 0: there are none */
	uint32_t *flows_by_lane;  /* indices into flows: by lane, then time */
	struct request *requests; /* by input and offset */
	size_t n_requests;
	struct served_all served;         /* requests that recorded processes serve */
	struct stall_list stalls;         /* what `flametty watch` has told */
	struct stack_frame *stack_frames; /* in the order of the file */
	size_t n_stack_frames;
	struct profile_named *named; /* by pid and tid */
	uint32_t n_named;
	struct labels labels;         /* of samples */
	struct milestone *milestones; /* by input, then time */
	size_t n_milestones;
	struct page_load *loads; /* the same */
	size_t n_loads;
	struct event_cat_name *event_cats;     /* by event_cat; NULL: there are none */
	uint32_t n_event_cats;                 /* with the first, which is none */
	str_id no_event_cat;                   /* "(no event category)" */
	str_id category_names[CATEGORY_COUNT]; /* category_name() as text of this profile */
	int64_t window_t0,
		window_t1;    /* the first window, if a file asks for one; t1 <= t0: the whole */
	struct crumb *crumbs; /* the windows on the way there, and it */
	size_t n_crumbs, cap_crumbs;
	struct notes notes;
	/* is_borrower: strings, inputs, `named`, labels, event_cats, requests, served, stalls,
	 * notes, crumbs and `whole` belong to the profile from which this one was made. */
	bool is_borrower;
	/* See "whole lanes" in profile.c; NULL: the lanes are as loaded. */
	struct whole_lanes *whole;
	/* See "other names" in profile.c; NULL: functions have one name. */
	struct other_names *other;
	bool has_input_labels;
	bool has_origins;   /* some frames have one */
	bool has_cat_lanes; /* slices of threads are on a lane for each event category */
	struct label_lanes_of label_lanes;
	bool has_own_zero;       /* each group of lanes begins at 0 */
	bool has_groups;         /* there are several such groups, */
	bool is_one_clock;       /* whose clocks are comparable by the rules, */
	bool is_clock_assumed;   /* though nothing proves that they are of one machine; */
	bool has_other_clock;    /* or one has no clock of the machine: they have none in common */
	int64_t origin_ns;       /* the clock of the files at time 0 of the profile */
	int64_t t1;              /* end of the last lane; the profile is [0, t1) */
	bool is_transformed;     /* lanes lack stacks that the files have (analyse/view/scoped.h) */
	bool is_raw;             /* GC at row 0 and lone (program) samples kept */
	bool has_ns;             /* a file asks for exact times in ns (displayTimeUnit) */
	struct amount_unit unit; /* of all values: times, bytes or counts. What is called a time is
				    a value of this unit */
};

/* A number for how lanes are split: 0: as they were loaded; 1: by event category; from 2: by the
 * label of key index + 2. */
static inline unsigned profile_split(const struct profile *profile)
{
	return profile->label_lanes.key ? profile->label_lanes.key + 1 : profile->has_cat_lanes;
}

void profile_free(struct profile *profile);

static inline const char *profile_text(const struct profile *profile, str_id id)
{
	return intern_text(&profile->strings, id);
}

/* A short name of an input, by index: the last part of its path, with as many directories as make
 * it differ from those of the other inputs. */
const char *profile_input_name(const struct profile *profile, uint32_t input);

static inline const struct frame *profile_frame(const struct profile *profile, frame_id id)
{
	return &profile->frames.frames[id];
}

/* The frame of a node of a lane. */
static inline const struct frame *profile_node_frame(const struct profile *profile,
						     const struct lane *lane, node_id node)
{
	return &profile->frames.frames[lane->tree.frame[node]];
}

/* The flow points of a span of lane `lane` (an index): sets the first index in flows_by_lane, and
 * returns their number. */
size_t profile_flows_of(const struct profile *profile, uint32_t lane, const struct span *span,
			size_t *first);

/* Whether any lane has times. Lanes of hit counts have none, although they look like samples. */
static inline bool profile_has_timeline(const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->n_lanes; i++)
		if (profile->lanes[i].has_timeline)
			return true;
	return false;
}

/* Whether a node of a lane is that of a mark. */
static inline bool profile_is_mark(const struct profile *profile, const struct lane *lane,
				   node_id node)
{
	return profile_node_frame(profile, lane, node)->category == CATEGORY_MARK;
}

/* The event category of a node of a lane. */
static inline event_cat profile_node_cat(const struct profile *profile, const struct lane *lane,
					 node_id node)
{
	return lane->cats ? lane->cats[node] : profile_node_frame(profile, lane, node)->cat;
}

/* Format a value in the profile's unit: see amount_text() and amount_near(). */
static inline const char *profile_value(const struct profile *profile, int64_t ns,
					char out[UNITS_MAX])
{
	return amount_text(&profile->unit, ns, out);
}

static inline const char *profile_value_near(const struct profile *profile, int64_t ns,
					     int64_t step, char out[UNITS_MAX])
{
	return amount_near(&profile->unit, ns, step, out);
}

/* Format a value with all digits; a time in the unit that the file asks for: see units_exact(). */
static inline const char *profile_exact(const struct profile *profile, int64_t ns,
					char out[UNITS_MAX])
{
	if (profile->has_ns && amount_is_time(&profile->unit))
		units_exact_ns(ns, out);
	else
		amount_exact(&profile->unit, ns, out);
	return out;
}

/* Whether an input has a warning of this kind. */
bool profile_warns(const struct profile *profile, enum warning_kind kind);

/* Whether times of samples are made up, all of them or the last ones. */
static inline bool profile_has_made_up_times(const struct profile *profile)
{
	return profile_warns(profile, WARN_DELTAS_MISSING) ||
		profile_warns(profile, WARN_DELTAS_SHORT);
}

/* An arrow of a flow: two points that follow each other. */
struct flow_link {
	const struct flow_point *from, *to;
};

/* Find the arrow that leads to a span of lane `lane`, or on from it (is_next): of an initiator, if
 * there is one. If it has none, that of the innermost span around it that has; for a span of
 * samples, of the slices of its thread. */
bool flow_link_find(const struct profile *profile, uint32_t lane, const struct span *span,
		    bool is_next, struct flow_link *out);

/* The same for the arrow of what initiated it, or what is around it. */
bool flow_link_cause(const struct profile *profile, uint32_t lane, const struct span *span,
		     struct flow_link *out);

/* What the initiator of an arrow did, and where; NULL: it has none. */
const struct frame *flow_link_initiator(const struct profile *profile,
					const struct flow_link *link);

/* The function that was sampled where an arrow begins; NULL: none. */
const struct frame *flow_link_sampled(const struct profile *profile, const struct flow_link *link);

/* Whether the file gives the function no name. */
static inline bool profile_is_anonymous(const struct profile *profile, const struct frame *frame)
{
	return strcmp(profile_text(profile, frame->name), "(anonymous)") == 0;
}

/* Whether a function has a place, and no name: the place stands for it wherever people read. */
static inline bool profile_is_placed(const struct profile *profile, const struct frame *frame)
{
	return frame->url && frame->line > 0 && profile_is_anonymous(profile, frame);
}

/* Append `app.js`, the name of the file of a url, to an empty text. */
void profile_file_name(const struct profile *profile, str_id url, struct buf *out);

/* Whether a slice runs a script, which is called by its file. */
bool profile_is_script(const struct profile *profile, const struct frame *frame);

/* Append the name of a function for people, in visible form: `app.js:12` where the file gives it
 * none. */
void profile_add_name(const struct profile *profile, const struct frame *frame, struct buf *out);

/* Append `app.js:12:5`: the part of the url after its last slash, or the whole url if `is_full`.
 * Percent-decoded, without file://. Appends nothing if there is no url. */
void profile_location(const struct profile *profile, const struct frame *frame, bool is_full,
		      struct buf *out);

/* The same, but of a very long one only the two ends (text_add_ends()), for the screen. */
void profile_location_ends(const struct profile *profile, const struct frame *frame, bool is_full,
			   struct buf *out);

/* What differs of a lane; frame is NULL: nothing. */
struct other_lane {
	frame_id *frame;   /* by node */
	uint8_t *is_outer; /* by node, as in struct calltree */
	struct line_ticks *ticks;
	size_t n_ticks;
};

struct other_names {
	struct frame_table frames;
	/* By frame of the profile: the frame of `frames` that is the same function; of several, the
	 * first; FRAME_NONE: none is. */
	frame_id *same;
	uint32_t n_same;
	frame_id *source_of; /* by frame with the names of the scripts: the same function by its
				source; for both ways */
	uint32_t n_scripts;
	struct other_lane *lanes; /* by lane of the profile */
	uint32_t n_lanes;
	bool is_source; /* these are the names of the sources */
};

/* Make the names of sources from a new table of frames, which is taken over. frame_of: by frame of
 * the profile, its frame in `frames`. The lanes get copies of the profile's line_ticks, which the
 * caller may change. */
struct other_names *other_names_new(const struct profile *profile, struct frame_table *frames,
				    const frame_id *frame_of);

/* Exchange the names of the profile with profile->other, which is not NULL. All that was computed
 * from the profile before is void. */
void other_names_swap(struct profile *profile);

/* Whether the profile shows the names of sources. */
static inline bool other_names_shows_source(const struct profile *profile)
{
	return profile->other && !profile->other->is_source;
}

/* Mark the functions of the profile that a set has by its other way: there: by frame of
 * profile->other, which is not NULL; here: by frame of the profile, 1 is set. A function of a
 * source can be several of a script. */
void other_names_find(const struct profile *profile, const uint8_t *there, uint8_t *here);

/* The frame of the other way that has the same function; NULL: there is none, or it is no other. */
const struct frame *other_names_of(const struct profile *profile, frame_id frame);

struct whole_lanes {
	struct lane *lanes; /* those without a replacement are also in the profile */
	uint32_t n_lanes;
	struct flow_point *flows;
	uint32_t *flows_by_lane;
	size_t n_flows;
};

/* Let the profile have its lanes again, and free those that replace them. Nothing that was computed
 * from the profile may be used. Does nothing if it has them. */
void whole_lanes_restore(struct profile *profile);

/* ---- wall clock ----
 *
 * The wall clock of a profile, as far as the names of its files tell it. */

/* Times of the wall clock are not before this, in 2001. */
#define PROFILE_WALL_CLOCK_MIN (INT64_C(1000000000) * NS_PER_S)

/* The clock of places in sentences. All 0: seconds since the start of the profile. */
struct place_clock {
	int64_t origin; /* the clock at time 0 of the profile */
	bool is_wall;   /* the time of day */
	bool is_file;   /* seconds by the clock of the file */
};

/* The wall clock at time 0 of the profile, for a lane: ns since 1970, in the time zone of the
 * machine that recorded it. It is that of the input with the latest start by its name, among those
 * that share the lane's clock: names have whole seconds, so the real time is up to a second later.
 * False: no name of these inputs has a date. */
bool wall_clock_find(const struct profile *profile, const struct lane *lane, int64_t *at_zero);

/* Append when the recording of an input began, `2025-05-10 13:46:25`, and ` UTC` if that is the
 * time zone; nothing if its name has no date. An impossible date is shown as it is. */
void wall_clock_recorded(const struct profile *profile, const struct input *input, struct buf *out);

static inline bool wall_clock_is_same(const struct place_clock *a, const struct place_clock *b)
{
	return a->origin == b->origin && a->is_wall == b->is_wall && a->is_file == b->is_file;
}

/* Format a time of the profile as a place in a sentence: `60.05 s`, `02:37:05.12`. */
void wall_clock_place(const struct place_clock *clock, int64_t t, char out[UNITS_MAX]);

/* ---- input place ----
 *
 * The files of an input. Most inputs are one file; one that was written as several has them one
 * after another, and its offsets count through all of them. Results borrow from the input. */

/* A byte of the uncompressed text of a file. */
struct input_place {
	str_id path;
	const struct fingerprint *print; /* of the file when it was loaded */
	int64_t offset;
};

/* The number of files of an input, and the first byte of one of them. */
static inline size_t input_place_files(const struct input *in)
{
	return in->parts ? in->n_parts : 1;
}

static inline struct input_place input_place_file(const struct input *in, size_t i)
{
	if (!in->parts)
		return (struct input_place){ in->path, &in->print, 0 };
	return (struct input_place){ in->parts[i].path, &in->parts[i].print, 0 };
}

/* Where a byte of an input is. offset: -1 stays -1. */
struct input_place input_place_at(const struct input *in, int64_t offset);

/* Append `, first at byte 17`, with the name of the file if the input has several. Appends nothing
 * if the offset is -1. */
void input_place_add_first(const struct profile *profile, const struct input *in, int64_t offset,
			   struct buf *out);

/* ---- lane name ----
 *
 * The name of a lane for users. */

/* Find out which lanes stand below slices of the same thread. Must be called for the lanes of a
 * profile, which are in order, before they are named. */
void lane_name_prepare(struct lane *lanes, uint32_t n);

/* `main thread`, `thread 3 (pid 123)`, `build: Compositor (pid 7)`; not truncated. Where lanes
 * would have the same name, it has the thread's id, `(pid 7, tid 12)`, or the file. has_process:
 * false leaves out name and id of the process. */
void lane_name(const struct profile *profile, const struct lane *lane, bool has_process,
	       struct buf *out);

/* `samples`, `slices`, `async`, `counter` or `marks`; static text. */
const char *lane_name_kind(enum lane_kind kind);

/* lane_name() with the process, in at most `room` cells. If it is too long, the name of the process
 * is truncated first, or left out. */
void lane_name_fit(const struct profile *profile, const struct lane *lane, int room,
		   struct buf *out);

/* Append what tells the thread from the others: its page, if no other one has it; without the
 * process if all lanes are of one. */
void lane_name_brief(const struct profile *profile, const struct lane *lane, struct buf *out);

/* The same as lane_name() for a thread or process without a lane: `build: Compositor (pid 7)`. */
void lane_name_of_named(const struct profile *profile, const struct profile_named *named,
			struct buf *out);

/* Append `hit counts`, or what the sums are: `cpu`, `alloc_space`. */
void lane_value_text(const struct profile *profile, const struct lane *lane, struct buf *out);

/* What the length of one hit is, if all lanes of samples have hit counts and one such length;
 * else 0. */
int64_t lane_value_hit_ns(const struct profile *profile);

#define OBJECT_NAME_CREATED " created"
#define OBJECT_NAME_SNAPSHOT " snapshot"
#define OBJECT_NAME_DELETED " deleted"

/* Append the title of a lane. scope: empty: none; type: empty: objects of several types. */
void object_name_title(struct str scope, struct str type, struct buf *out);

/* The parts of the name of a lifetime, which all point into the two texts. */
struct object_name {
	struct str scope; /* empty: none */
	struct str type;
	struct str id; /* empty: the name has none */
};

struct object_name object_name_of(struct str title, struct str name);

/* The scope and the type of a lane; type: empty: objects of several types. */
struct object_name object_name_of_lane(struct str title);

/* The phase of the event that a mark stands for, N, O or D, and in *type its name without the tail;
 * '\0': it is another mark. */
char object_name_phase(struct str mark, struct str *type);

/* Set the origins of all frames, and whether they are of the site of the page. */
void site_set_origins(struct profile *profile);

#endif
