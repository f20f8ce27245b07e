/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The builder of trace data: tracks of slices, async slices, objects and marks, counters, flows,
 * and the names of processes and threads. Events may be passed in any order; lanes are built by
 * builder_finish(). Times are ns of the file's clock. */
#ifndef FLAMETTY_MODEL_BUILD_TRACK_BUILDER_H
#define FLAMETTY_MODEL_BUILD_TRACK_BUILDER_H

#include "base/str.h"
#include "model/build/builder.h"
#include "model/build/track_raw.h"
#include "model/request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- track lanes ----
 *
 * From the tracks and counters of a builder to lanes. */

/* Add the lanes of all tracks and counters. Their t0 and t1 are of the file's clock; all other
 * times count from t0, as in the lanes of CPU profiles. */
void track_lanes_build(struct builder *b);

/* A slice [t0, t1).
 *
 * On a LANE_SLICES track nesting follows from the times (formats(5), SLICES): slices are sorted by
 * start, longer first, then by their place in the file. On LANE_ASYNC tracks slices of one
 * group nest, and groups that overlap stand on rows of their own. On LANE_OBJECTS tracks the first
 * slice of a group is a lifetime, and the others, of no length, are its marks. */
struct track_slice {
	int64_t t0, t1;     /* t1 < t0 counts as t0 */
	frame_id frame;     /* from track_builder_frame() or track_builder_variant() */
	uint32_t group;     /* on LANE_SLICES: SLICE_GROUP_OF_CPU(), or 0 */
	int64_t offset;     /* byte where its event begins, -1 unknown */
	int64_t end_offset; /* the same of the event of its end, -1 if it has none */
	unsigned flags;     /* SLICE_* */
	unsigned color;     /* a reserved colour (frame_color_find()); 0: none */
};

/* A frame of `stackFrames`: ids are text; an empty category or parent is none. */
struct track_stack_frame {
	struct str id, name, category, parent;
};

/* The names and sort order of threads, and of processes (tid LANE_NO_ID); the last call wins.
 * sort_index: lower first, 0 by default. rank: order among threads of one sort index, 0: main
 * thread. */
void track_builder_name(struct builder *b, int64_t pid, int64_t tid, const char *name, size_t len);
void track_builder_sort(struct builder *b, int64_t pid, int64_t tid, int64_t sort_index, int rank);

/* Set the page of a thread, if it has one, and the title that stands for the name of the thread
 * where a lane is named. */
void track_builder_page(struct builder *b, int64_t pid, int64_t tid, struct str title,
			struct str page);

/* A process has a page, which this thread runs. Of those with a rank, the lowest is the page that
 * the input is about; of equal ones the busiest. 0: it is none. */
void track_builder_page_order(struct builder *b, int64_t pid, int64_t tid, enum page_order order,
			      int rank);

/* The current input says that the recording began at t. */
void track_builder_started(struct builder *b, int64_t t);

/* Time 0 stands for no time in the current input. */
void track_builder_zero_is_void(struct builder *b);

/* Nothing of the current input is stray (stray.h), however far from the rest. */
void track_builder_keeps_all(struct builder *b);

/* Show exact times in ns. */
void track_builder_show_ns(struct builder *b);

/* The input has samples beside its events: those of its lanes from this number on.
 * track_builder_lanes: how many lanes there are. */
uint32_t track_builder_lanes(const struct builder *b);
void track_builder_sample_list(struct builder *b, uint32_t first);

/* Set the first window. Those before it are windows on the way there. */
void track_builder_window(struct builder *b, int64_t t0, int64_t t1);

/* All notes, and the number of the current input. */
struct notes *track_builder_notes(struct builder *b, uint32_t *input);

/* Add a copy of a note about the current input. */
void track_builder_note(struct builder *b, const struct user_note *note);

/* Add a milestone, or a page, of the current input. Times are ns of the file's clock. */
void track_builder_milestone(struct builder *b, const struct milestone *milestone);
void track_builder_load(struct builder *b, const struct page_load *load);

/* The frame of a slice with a name. Equal names have equal frames. */
frame_id track_builder_frame(struct builder *b, const char *name, size_t len);

/* What slices of an event run. The frame of such slices has the name and the place; equal ones have
 * equal frames. */
struct track_run {
	frame_id event;               /* the frame of the event's own name */
	struct str name, url, script; /* name: empty: that of the file, or with is_plain of the
					 event */
	struct str cat;               /* as in the file */
	int32_t line, column;         /* from 1; 0: none */
	bool is_plain;
	bool is_mark;
};
frame_id track_builder_run(struct builder *b, const struct track_run *run);

/* The frame of a mark with a name, or with that of the frame of a slice. */
frame_id track_builder_mark(struct builder *b, const char *name, size_t len);
frame_id track_builder_mark_of(struct builder *b, frame_id frame);

/* Set the event category of a frame, unless it has one; cat: as in the file. */
void track_builder_frame_cat(struct builder *b, frame_id frame, struct str cat);

/* The frame with another event category, for slices that have it. */
frame_id track_builder_variant(struct builder *b, frame_id frame, struct str cat);

/* Add a track of LANE_SLICES, LANE_ASYNC, LANE_OBJECTS or LANE_MARKS. It becomes one lane, or
 * several joined lanes where slices overlap. tid LANE_NO_ID: belongs to the process; pid
 * LANE_NO_ID: to the whole trace. title: "" for a thread's own slices. Returns the index of the
 * track. */
uint32_t track_builder_add(struct builder *b, enum lane_kind kind, int64_t pid, int64_t tid,
			   const char *title, size_t len);

/* The marks of a track are about all lanes of its process, or about the whole trace. */
void track_builder_across(struct builder *b, uint32_t track);

/* A LANE_ASYNC track of requests that are served, or of what these wait for. */
void track_builder_serves(struct builder *b, uint32_t track, enum lane_served served);

/* The slices of a LANE_SLICES track are placed by the reader: the group of each is a
 * track_builder_place(). Slices of one layer nest; all layers up to the last one are used. Of
 * slices with the same times, those around others are added first. */
void track_builder_placed(struct builder *b, uint32_t track);

/* Layers of such a track; and how deep the slice around another may be. */
#define TRACK_BUILDER_LAYERS 512u
#define TRACK_BUILDER_DEPTHS (UINT32_C(1) << 14)

/* A slice on `layer` that is inside of the slice at `depth` of the layer `around`, for as long as
 * both last, and takes self time from it. around = layer: what is around it follows from the times,
 * or there is none. */
static inline uint32_t track_builder_place(uint32_t layer, uint32_t around, uint32_t depth)
{
	return layer | around << 9 | depth << 18;
}

void track_builder_slice(struct builder *b, uint32_t track, const struct track_slice *slice);

/* The slice at `depth` of `layer` of a track has no self time from t0 to t1, as another lane has a
 * slice that is inside of it. TRACK_COVER_INNERMOST: the innermost slice, whatever its depth is. Of
 * a track whose layers the reader did not choose, `layer` is 0. */
#define TRACK_COVER_INNERMOST UINT32_MAX
struct track_cover {
	int64_t t0, t1;
	uint32_t layer, depth;
};
void track_builder_cover(struct builder *b, uint32_t track, const struct track_cover *cover);

/* Find or add the counter with this process and name (which includes its id, if any). Returns its
 * index. */
uint32_t track_builder_counter(struct builder *b, int64_t pid, const char *name, size_t len);

/* The values of a counter are bytes. */
void track_builder_counter_bytes(struct builder *b, uint32_t counter);

/* Add a value that holds from t on to a series of a counter, in any order of time. Values that are
 * not finite are dropped with WARN_ODD_COUNTER. */
void track_builder_counter_value(struct builder *b, uint32_t counter, const char *series,
				 size_t len, int64_t t, double value);

/* Add a point of a flow. Points without a slice are dropped, with a note. */
void track_builder_flow(struct builder *b, const struct track_flow *flow);

/* Add a request that a process serves, what one waits for, or the time when a thread runs for it,
 * with times of the file's clock. The input is set. Returns the index of the request, for the
 * others. */
uint32_t track_builder_served(struct builder *b, const struct served *served);
void track_builder_served_wait(struct builder *b, const struct served_wait *wait);
void track_builder_served_run(struct builder *b, const struct served_run *run);

/* Add a row of the list of stalls, with times of the file's clock and texts of
 * builder_input_text(). The input is set. */
void track_builder_stall(struct builder *b, const struct stall_entry *entry);

/* Add a request, with times of the file's clock. Its slice is added to a track of its pid and tid.
 */
void track_builder_request(struct builder *b, const struct request *request);

void track_builder_stack_frame(struct builder *b, const struct track_stack_frame *frame);

/* ---- flow bind ----
 *
 * Binds the points of flows to slices (flow_bind.c). */

/* Points that can be counted. */
#define FLOW_BIND_MAX ((size_t)UINT32_MAX - 1)

/* Fill the profile's flows. Times of lanes must be those of the profile, and lanes in order.
 * There are at most FLOW_BIND_MAX points. */
void flow_bind(struct builder *b);

/* Find the slices of the profile's requests, put them in order, and add their flows. The same must
 * hold, and flows must be bound. */
void request_bind(struct builder *b);

/* Add the links of users' notes as flows; the other flows are there. */
void flow_bind_links(struct profile *p);

/* Make flows_by_lane of the profile's flows. */
void flow_bind_index(struct profile *p);

#endif
