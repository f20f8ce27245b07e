/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A view: the call trees of several lanes as one tree, after transforms, with functions, files,
 * packages or categories as frames. The self time of a lane's node goes to the view's node that it
 * is mapped to, or is dropped. No time is lost: the times of the view's nodes and the dropped time
 * add up to the time of the lanes. */
#ifndef FLAMETTY_ANALYSE_VIEW_VIEW_H
#define FLAMETTY_ANALYSE_VIEW_VIEW_H

#include "analyse/match_set.h"
#include "base/budget.h"
#include "base/buf.h"
#include "base/error.h"
#include "model/profile.h"
#include "model/span_find.h"

enum transform_kind {
	TRANSFORM_FOCUS,    /* only calls below a match, which becomes outermost */
	TRANSFORM_KEEP,     /* only whole stacks with a match */
	TRANSFORM_DROP,     /* only stacks without a match */
	TRANSFORM_MERGE,    /* remove matches; their time goes to their callers */
	TRANSFORM_COLLAPSE, /* the time of calls below a match counts as self time of the match */
	TRANSFORM_FOLD, /* matches in a row become one frame: their package, or Node.js internals */
	TRANSFORM_RECURSION, /* a function inside itself is the outer one: the frames between the
				two are removed */
	TRANSFORM_COUNT,     /* of those that change call trees */
	TRANSFORM_INVERT = TRANSFORM_COUNT, /* stacks begin with what ran: only the left heavy view
					       and its tables can show that (view/merged.h) */
	TRANSFORM_DURING, /* only the time of slices or requests that match (scope.h): it cuts lanes
			     (view/scoped.h) */
};

/* What a transform matches. */
enum transform_by {
	BY_FUNCTION,
	BY_FILE,
	BY_PACKAGE,
	BY_CATEGORY,
	BY_ANY_PACKAGE, /* all frames of packages */
	BY_OTHERS,      /* code that is not the user's own: packages, Node.js, native, ... */
	BY_SET,         /* a set of frames, as a search finds it */
	BY_PATH,        /* one node: a chain of frames, the outermost first, of the view so far;
			   TRANSFORM_FOCUS only */
	BY_ALL
};

struct transform {
	enum transform_kind kind;
	enum transform_by by;
	uint32_t id;          /* frame_id, or str_id of an url or a package, or enum category */
	struct match_set set; /* BY_SET: of the profile; must outlive the view */
	const frame_id *path; /* BY_PATH */
	uint32_t n_path;
	const char *text; /* BY_SET: the pattern, for descriptions */
};

/* Append what a transform does, for headers: `focus parse`, `drop (idle)`; counts are of the whole
 * recording. */
void transform_describe(const struct profile *profile, const struct transform *transform,
			struct buf *out);

/* Whether a transform of a pattern is possible: labels keep or drop whole stacks. */
bool transform_is_possible(const struct transform *transform, struct error *err) MUST_USE;

#define VIEW_DROPPED UINT32_MAX

/* What the frames of a view stand for. The states idle, program and garbage collection stay as they
 * are. */
enum view_group {
	GROUP_FUNCTION,
	GROUP_FILE,
	GROUP_PACKAGE,
	GROUP_CATEGORY,
	GROUP_LANE,
	GROUP_EVENT_CAT, /* event category of slices (cat) */
	GROUP_NAME,      /* functions of one name in one file, whatever their lines */
	GROUP_ORIGIN,    /* of code of the web */
	GROUP_COUNT,
	GROUP_LABEL = GROUP_COUNT /* + index of a key of the profile's labels (model/profile.h) */
};

/* A lane of the view. */
struct view_source {
	const struct lane *lane;
	node_id *map;   /* by node of the lane: node of the view that gets its self time, or
			   VIEW_DROPPED; NULL: the same node */
	node_id *place; /* by node of the lane: node of the view that stands for it as a caller,
			   which may stay although its self time is dropped; may be the map itself;
			   NULL: a lane without slices or siblings, where it is
			   not needed */
	struct slice_time *united; /* `more` and `less` of the lane, where transforms dropped slices
				      of its thread; NULL: as in the lane */
	struct slice_stretches *inner; /* `inner` of the lane with nodes of the view, where
					  transforms or groups changed its frames; NULL: as in the
					  lane */
};

struct view {
	const struct profile *profile;
	struct view_source *sources;
	uint32_t n_sources;
	const struct calltree *tree;
	/* What tree->frame refers to: the profile's frames, then those made here. */
	const struct frame *frames;
	uint32_t n_frames;
	frame_id *frame_ids;    /* by frame of the view: the frame of the profile; NULL: the same */
	frame_id *label_frames; /* by GROUP_LABEL: by set of labels, its frame; NULL: otherwise */
	uint8_t *label_drops;   /* by set of labels: 1: transforms drop its samples; NULL: none */
	node_id *label_nodes;   /* likewise its node, which gets the time of samples that are mapped
				   to label_nodes[0], of samples without labels */
	struct calltree own_tree; /* with frame_ids, everything except `frame` is the lane's */
	struct frame *own_frames;
};

/* Make a view of n lanes of the profile as they are, by function; the profile must outlive it.
 * Lanes without a tree (counters) are ignored. A view of one lane and no change has the tree of the
 * lane. Returns false when there are more than VIEW_NODES_MAX nodes, which one lane never has; the
 * view is then empty. */
bool view_init(struct view *view, const struct profile *profile, const struct lane *const *lanes,
	       uint32_t n);
void view_done(struct view *view);

/* Free it in steps: call it until it returns true. Until then the view is of no other use. */
bool view_free_work(struct view *view, struct budget *budget);

/* Make a view of one lane as it is. If its tree has few nodes among the frames of the profile, the
 * view has only the frames of these nodes, in the order of their ids in the profile. So what is
 * computed by frame costs no more than the lane has nodes, and a report on many small lanes does
 * not cost lanes times functions. */
void view_init_lane(struct view *view, const struct profile *profile, const struct lane *lane);

/* The frame of the profile that frame `id` of the view stands for, where the view has no transforms
 * and no grouping. */
static inline frame_id view_frame_id(const struct view *view, frame_id id)
{
	return view->frame_ids ? view->frame_ids[id] : id;
}

/* Set the error for a view that is too large. Always returns false. */
bool view_too_large(struct error *err);

/* Whether a view of all lanes of a profile has at most VIEW_NODES_MAX nodes. */
bool view_fits(const struct profile *profile, struct error *err) MUST_USE;

/* The same with transforms and groups, in steps: begin, call view_work() until it returns true,
 * then end. Until then the view is only good for view_done(), which comes after view_end(); what is
 * passed to begin, except the plan itself and the array of lanes, must stay. NULL: there are too
 * many nodes. */
struct view_plan {
	const struct transform *transforms;
	size_t n_transforms;
	enum view_group group;
	const frame_id *match; /* by frame of the profile: the frame that stands for it, before all
				  transforms (compare/match.h); NULL: each stands for itself */
	const str_id *files;   /* the same by URL, for GROUP_FILE */
};

struct view_work *view_begin(struct view *view, const struct profile *profile,
			     const struct lane *const *lanes, uint32_t n,
			     const struct view_plan *plan);
bool view_work(struct view_work *work, struct budget *budget);
void view_end(struct view_work *work);

/* How much memory that takes, about, and not more. */
size_t view_bytes(const struct lane *const *lanes, uint32_t n, const struct view_plan *plan);

/* Seek the spans of nodes of the view in the lane of source `source`; see model/span_find.h. */
void view_seek_init(struct span_find *seek, const struct view *view, uint32_t source,
		    const node_id *nodes, uint32_t n);

/* The node of the view for a node of source `source`. */
static inline node_id view_node(const struct view *view, uint32_t source, node_id node)
{
	return view->sources[source].map ? view->sources[source].map[node] : node;
}

/* The node of the view for sample `i` of a source, which may be VIEW_DROPPED. */
static inline node_id view_sample_node(const struct view *view, uint32_t source, size_t i)
{
	const struct lane *lane = view->sources[source].lane;
	node_id node = view_node(view, source, lane->samples.leaf[i]);

	if (view->label_drops && lane->samples.leaf[i] != NODE_ROOT &&
	    view->label_drops[lane->labels ? lane->labels[i] : 0])
		return VIEW_DROPPED;
	return view->label_nodes && lane->labels && node == view->label_nodes[0]
		? view->label_nodes[lane->labels[i]]
		: node;
}

/* Whether labels of samples have a part in that. */
static inline bool view_has_labels(const struct view *view)
{
	return view->label_drops || view->label_nodes;
}

/* What the samples of a source lack of the time of its thread: `more` and `less` (slices.h).
 * May be NULL. */
static inline const struct slice_time *view_slice_time(const struct view_source *source)
{
	return source->united ? source->united : source->lane->slice_time;
}

/* The stretches of slices that are inside of one of their frame on another lane; the nodes are
 * those of the view if source->inner is set, else of the lane, which has slice_time. */
static inline const struct slice_stretches *view_inner(const struct view_source *source)
{
	return source->inner ? source->inner : &source->lane->slice_time->inner;
}

/* The number of rows of the view's tree that stay open from sample i to sample i + 1 of a source.
 * Spans that a transform brought together are one where they touch. */
unsigned view_shared(const struct view *view, uint32_t source, size_t i);

/* `function`, `file`, ..., as prose; of a label its key. */
const char *view_group_name(const struct profile *profile, enum view_group group);

/* The same as one word; the last one, `label:`, is followed by a key; NULL: i is past it. */
const char *view_group_word(unsigned i);

/* The group of the label with this key. Fails with ERR_FORMAT when no sample has it. */
bool view_group_find_label(const struct profile *profile, const char *key, enum view_group *group,
			   struct error *err);

#endif
