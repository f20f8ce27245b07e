/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Access to a finished profile. */
#include "config.h"

#include "model/profile.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/units.h"
#include "model/request.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== labels ==== */

#define LABELS_LISTED 10u /* in an error */

enum label_says labels_says(const char *key, size_t len)
{
	static const struct {
		const char *key;
		enum label_says says;
	} keys[] = {
		{ "pid", LABEL_SAYS_PID },
		{ "process id", LABEL_SAYS_PID },
		{ "process_id", LABEL_SAYS_PID },
		{ "tid", LABEL_SAYS_TID },
		{ "thread id", LABEL_SAYS_TID },
		{ "thread_id", LABEL_SAYS_TID },
		{ "thread", LABEL_SAYS_THREAD },
		{ "thread name", LABEL_SAYS_THREAD },
		{ "thread_name", LABEL_SAYS_THREAD },
		{ "process", LABEL_SAYS_PROCESS },
		{ "process name", LABEL_SAYS_PROCESS },
		{ "process_name", LABEL_SAYS_PROCESS },
	};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (strlen(keys[i].key) == len && memcmp(keys[i].key, key, len) == 0)
			return keys[i].says;
	return LABEL_SAYS_NOTHING;
}

bool labels_get(const struct labels *labels, uint32_t set, size_t i, struct label *out)
{
	if (!set || i >= intern_len(&labels->sets, set) / sizeof *out)
		return false;
	/* Texts are not aligned. */
	memcpy(out, intern_text(&labels->sets, set) + i * sizeof *out, sizeof *out);
	return true;
}

bool labels_find(const struct labels *labels, const struct intern *strings, const char *key,
		 uint32_t *index, struct error *err)
{
	BUF_LOCAL list = { 0 };

	for (uint32_t i = 0; i < labels->n_keys; i++) {
		const char *name = intern_text(strings, labels->keys[i].name);

		if (strcmp(name, key) == 0) {
			*index = i;
			return true;
		}
		if (i < LABELS_LISTED)
			buf_addf(&list, "%s%s", i ? ", " : "", name);
	}
	error_set(err, ERR_FORMAT, -1, "no sample has a label '%s'%s%s%s", key,
		  list.len ? "; there are " : "", buf_text(&list),
		  labels->n_keys > LABELS_LISTED ? ", ..." : "");
	return false;
}

str_id labels_value(const struct labels *labels, uint32_t set, uint32_t key)
{
	struct label label;

	for (size_t i = 0; labels_get(labels, set, i, &label); i++)
		if (label.key == key)
			return label.value;
	return 0;
}

void labels_add(const struct labels *labels, const struct intern *strings, uint32_t set,
		struct buf *out)
{
	struct label label;

	for (size_t i = 0; labels_get(labels, set, i, &label); i++) {
		str_id key = labels->keys[label.key].name;

		buf_adds(out, i ? " " : "");
		text_visible(out, intern_text(strings, key), intern_len(strings, key));
		buf_addc(out, '=');
		text_visible(out, intern_text(strings, label.value),
			     intern_len(strings, label.value));
	}
}

/* ==== other names ====
 *
 * A profile can name its functions in two ways: as the scripts that ran have them, and as their
 * sources have them, where source maps are there. The profile holds one way; this struct holds what
 * differs in the other. Samples, slices and times are the same in both. */

/* By frame of the profile, which shows the names of `is_source`, the same function by the others.
 */
static frame_id *find_same(const struct other_names *names, uint32_t n_frames, bool is_source)
{
	frame_id *same = xcalloc(n_frames, sizeof(*same));

	for (frame_id i = 1; i < names->n_scripts; i++)
		if (!is_source)
			same[i] = names->source_of[i];
		else if (same[names->source_of[i]] == FRAME_NONE)
			same[names->source_of[i]] = i;
	return same;
}

struct other_names *other_names_new(const struct profile *profile, struct frame_table *frames,
				    const frame_id *frame_of)
{
	struct other_names *names = xcalloc(1, sizeof(*names));

	names->frames = *frames;
	*frames = (struct frame_table){ 0 };
	names->is_source = true;
	names->n_lanes = profile->n_lanes;
	names->lanes = xcalloc(profile->n_lanes ? profile->n_lanes : 1, sizeof(*names->lanes));
	names->source_of = xmalloc((size_t)profile->frames.n * sizeof(*names->source_of));
	memcpy(names->source_of, frame_of, (size_t)profile->frames.n * sizeof(*names->source_of));
	names->n_same = names->n_scripts = profile->frames.n;
	names->same = find_same(names, names->n_same, false);
	for (uint32_t i = 0; i < profile->n_lanes; i++) {
		const struct lane *lane = &profile->lanes[i];
		struct other_lane *other = &names->lanes[i];

		if (!lane->tree.n)
			continue;
		other->frame = xmalloc((size_t)lane->tree.n * sizeof(*other->frame));
		for (uint32_t k = 0; k < lane->tree.n; k++)
			other->frame[k] = frame_of[lane->tree.frame[k]];
		other->n_ticks = lane->n_ticks;
		if (lane->n_ticks)
			other->ticks = memcpy(xmalloc(lane->n_ticks * sizeof(*lane->ticks)),
					      lane->ticks, lane->n_ticks * sizeof(*lane->ticks));
		other->is_outer = calltree_outer(&lane->tree, other->frame);
	}
	return names;
}

static void other_names_free(struct other_names *names)
{
	if (!names)
		return;
	for (uint32_t i = 0; i < names->n_lanes; i++) {
		free(names->lanes[i].frame);
		free(names->lanes[i].is_outer);
		free(names->lanes[i].ticks);
	}
	free(names->lanes);
	free(names->same);
	free(names->source_of);
	frame_table_done(&names->frames);
	free(names);
}

void other_names_swap(struct profile *profile)
{
	struct other_names *names = profile->other;
	struct frame_table frames = profile->frames;

	profile->frames = names->frames;
	names->frames = frames;
	free(names->same);
	names->same = find_same(names, profile->frames.n, names->is_source);
	names->n_same = profile->frames.n;
	for (uint32_t i = 0; i < profile->n_lanes; i++) {
		struct lane *lane = &profile->lanes[i];
		struct other_lane *other = &names->lanes[i], was;

		if (!other->frame)
			continue;
		was = (struct other_lane){ lane->tree.frame, lane->tree.is_outer, lane->ticks,
					   lane->n_ticks };
		lane->tree.frame = other->frame;
		lane->tree.is_outer = other->is_outer;
		lane->ticks = other->ticks;
		lane->n_ticks = other->n_ticks;
		*other = was;
	}
	names->is_source = !names->is_source;
}

void other_names_find(const struct profile *profile, const uint8_t *there, uint8_t *here)
{
	const struct other_names *names = profile->other;

	for (frame_id i = 1; i < names->n_scripts; i++)
		if (names->is_source && there[names->source_of[i]])
			here[i] = 1;
		else if (!names->is_source && there[i])
			here[names->source_of[i]] = 1;
}

const struct frame *other_names_of(const struct profile *profile, frame_id frame)
{
	const struct other_names *names = profile->other;
	const struct frame *here = profile_frame(profile, frame), *there;

	/* A view adds frames of its own behind those of the profile. */
	if (!names || frame >= names->n_same || names->same[frame] == FRAME_NONE)
		return NULL;
	there = &names->frames.frames[names->same[frame]];
	return there->name == here->name && there->url == here->url && there->line == here->line &&
			there->column == here->column
		? NULL
		: there;
}

/* ==== whole lanes ====
 *
 * The lanes of a profile as they were loaded, while it has others in place of some of them: slices
 * on one lane for each event category (read/load/split_lanes.h), or samples on one for each value
 * of a label (read/load/split_lanes.h). The profile owns this. */

void whole_lanes_restore(struct profile *p)
{
	struct whole_lanes *whole = p->whole;

	if (!whole || p->is_borrower)
		return;
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].is_part)
			lane_done(&p->lanes[i]);
	free(p->lanes);
	free(p->flows);
	free(p->flows_by_lane);
	p->lanes = whole->lanes;
	p->n_lanes = whole->n_lanes;
	p->flows = whole->flows;
	p->flows_by_lane = whole->flows_by_lane;
	p->n_flows = whole->n_flows;
	p->whole = NULL;
	p->has_cat_lanes = false;
	p->label_lanes = (struct label_lanes_of){ 0 };
	free(whole);
}

/* ==== profile ==== */

void profile_free(struct profile *profile)
{
	if (!profile)
		return;
	whole_lanes_restore(profile);
	for (uint32_t i = 0; i < profile->n_lanes; i++)
		lane_done(&profile->lanes[i]);
	for (uint32_t i = 0; i < profile->n_inputs && !profile->is_borrower; i++) {
		fingerprint_done(&profile->inputs[i].print);
		for (size_t k = 0; k < profile->inputs[i].n_parts; k++)
			fingerprint_done(&profile->inputs[i].parts[k].print);
		free(profile->inputs[i].parts);
		free(profile->inputs[i].warnings);
		free(profile->inputs[i].notes);
		free(profile->inputs[i].maps);
	}
	free(profile->flows);
	free(profile->flows_by_lane);
	free(profile->stack_frames);
	free(profile->lanes);
	frame_table_done(&profile->frames);
	if (!profile->is_borrower) {
		other_names_free(profile->other);
		free(profile->inputs);
		free(profile->named);
		free(profile->milestones);
		free(profile->loads);
		free(profile->event_cats);
		free(profile->requests);
		served_done(&profile->served);
		free(profile->stalls.all);
		if (profile->labels.sets.n)
			intern_done(&profile->labels.sets);
		free(profile->labels.keys);
		free(profile->crumbs);
		notes_done(&profile->notes);
		intern_done(&profile->strings);
	}
	free(profile);
}

const char *profile_input_name(const struct profile *p, uint32_t input)
{
	const struct input *in = &p->inputs[input];
	const char *path = profile_text(p, in->path), *slash = strrchr(path, '/');

	if (in->name)
		return profile_text(p, in->name);
	return slash && slash[1] ? slash + 1 : path;
}

bool profile_warns(const struct profile *profile, enum warning_kind kind)
{
	for (uint32_t i = 0; i < profile->n_inputs; i++)
		for (size_t k = 0; k < profile->inputs[i].n_warnings; k++)
			if (profile->inputs[i].warnings[k].kind == kind)
				return true;
	return false;
}

/* The part of a url after its last slash that is not at the end. */
static const char *last_part(const char *url)
{
	size_t len = strlen(url);
	const char *slash, *back;

	if (len == 0)
		return url;
	slash = memrchr(url, '/', len - 1);
	back = memrchr(slash ? slash : url, '\\', len - 1 - (size_t)(slash ? slash - url : 0));
	return back ? back + 1 : slash ? slash + 1 : url;
}

/* Append a location. is_cut: of a very long url only the two ends. */
static void add_location(const struct profile *profile, const struct frame *frame, bool is_full,
			 bool is_cut, struct buf *out)
{
	const char *url = profile_text(profile, frame->url);
	struct buf ends = { 0 };
	size_t len;
	const char *end;

	if (!frame->url)
		return;
	if (strncmp(url, "file://", 7) == 0)
		url += 7;
	/* Names of Node's own modules are short, and the scheme tells what they are. */
	if (!is_full && strncmp(url, "node:", 5) != 0)
		url = last_part(url);
	len = strlen(url);
	if (is_cut && len > TEXT_CELLS_MAX) {
		text_add_ends(&ends, url, len);
		url = buf_text(&ends);
		len = ends.len;
	}
	/* Append a url percent-decoded. */
	end = url + len;
	for (const char *p = url; p < end; p++) {
		if (*p == '%' && text_hex_pair(p + 1) >= 0) {
			buf_addc(out, (char)text_hex_pair(p + 1));
			p += 2;
		} else {
			buf_addc(out, *p);
		}
	}
	buf_done(&ends);
	if (frame->line > 0)
		buf_addf(out, ":%d", frame->line);
	if (frame->line > 0 && frame->column > 0)
		buf_addf(out, ":%d", frame->column);
}

void profile_location(const struct profile *profile, const struct frame *frame, bool is_full,
		      struct buf *out)
{
	add_location(profile, frame, is_full, false, out);
}

void profile_location_ends(const struct profile *profile, const struct frame *frame, bool is_full,
			   struct buf *out)
{
	add_location(profile, frame, is_full, true, out);
}

void profile_file_name(const struct profile *profile, str_id url, struct buf *out)
{
	struct frame file = { .url = url };
	size_t len;

	add_location(profile, &file, false, false, out);
	len = strcspn(buf_text(out), "?#");
	if (len && len < out->len)
		out->data[out->len = len] = '\0';
}

bool profile_is_script(const struct profile *profile, const struct frame *frame)
{
	BUF_LOCAL text = { 0 };

	if (!frame->event || !frame->url)
		return false;
	profile_file_name(profile, frame->url, &text);
	return strcmp(buf_text(&text), profile_text(profile, frame->name)) == 0;
}

void profile_add_name(const struct profile *profile, const struct frame *frame, struct buf *out)
{
	struct frame f = *frame;

	/* The line tells functions apart; the column only takes room. */
	f.column = 0;
	if (profile_is_placed(profile, frame))
		profile_location_ends(profile, &f, false, out);
	else
		text_visible(out, profile_text(profile, f.name),
			     intern_len(&profile->strings, f.name));
}

size_t profile_flows_of(const struct profile *p, uint32_t lane, const struct span *span,
			size_t *first)
{
	size_t lo = 0, n = 0;

	SORT_BISECT(lo, p->n_flows, mid,
		    p->flows[p->flows_by_lane[mid]].lane < lane ||
			    (p->flows[p->flows_by_lane[mid]].lane == lane &&
			     p->flows[p->flows_by_lane[mid]].span.t0 < span->t0));
	/* Slices of one start share the range: those of other depths are passed at its ends. */
	for (*first = lo; lo < p->n_flows; lo++) {
		const struct flow_point *at = &p->flows[p->flows_by_lane[lo]];

		if (at->lane != lane || at->span.t0 != span->t0)
			break;
		if (at->span.depth == span->depth && at->span.first == span->first) {
			if (n == 0)
				*first = lo;
			n++;
		} else if (n) {
			break;
		}
	}
	return n;
}

/* ==== wall clock ====
 *
 * The name of each file gives a lower limit of the wall clock at time 0: its date minus the start
 * of its lane. The highest of these limits is the nearest to the truth. */

/* Later dates have no room as nanoseconds, together with a time of the profile. */
#define LATEST_S (INT64_MAX / 2 / NS_PER_S)

bool wall_clock_find(const struct profile *p, const struct lane *lane, int64_t *at_zero)
{
	bool is_known = false;

	for (uint32_t i = 0; lane && i < p->n_lanes; i++) {
		const struct lane *l = &p->lanes[i];
		const struct input *in = &p->inputs[l->input];
		int64_t at;

		if (!in->has_date || in->date_s < 0 || in->date_s > LATEST_S ||
		    (p->has_own_zero && l->zero_ns != lane->zero_ns))
			continue;
		at = in->date_s * NS_PER_S - l->t0;
		*at_zero = !is_known || at > *at_zero ? at : *at_zero;
		is_known = true;
	}
	return is_known;
}

void wall_clock_recorded(const struct profile *p, const struct input *in, struct buf *out)
{
	char date[DATE_MAX];

	if (in->has_date) {
		date_format(in->date_s, ' ', date);
		buf_addf(out, "%s%s", date, in->is_utc ? " UTC" : "");
	} else if (in->date_text) {
		text_visible(out, profile_text(p, in->date_text),
			     intern_len(&p->strings, in->date_text));
	}
}

void wall_clock_place(const struct place_clock *clock, int64_t t, char out[UNITS_MAX])
{
	int64_t at = t + (clock->is_file ? clock->origin : 0);

	if (clock->is_wall)
		date_clock(t + clock->origin, 2, out);
	else if (at > -NS_PER_S / 200 && at < NS_PER_S / 200)
		units_time(at, out); /* not 0.00 s */
	else
		snprintf(out, UNITS_MAX, "%.2f s", (double)at / (double)NS_PER_S);
}

/* ==== input place ==== */

struct input_place input_place_at(const struct input *in, int64_t offset)
{
	size_t i = input_place_files(in) - 1;
	struct input_place place;

	while (i > 0 && offset < in->parts[i].from)
		i--;
	place = input_place_file(in, i);
	place.offset = offset - (in->parts && offset >= 0 ? in->parts[i].from : 0);
	return place;
}

void input_place_add_first(const struct profile *profile, const struct input *in, int64_t offset,
			   struct buf *out)
{
	struct input_place place = input_place_at(in, offset);
	const char *path = profile_text(profile, place.path), *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	if (offset < 0)
		return;
	buf_addf(out, ", first at byte %" PRId64, place.offset);
	if (!in->parts)
		return;
	buf_adds(out, " of ");
	text_visible(out, name, strlen(name));
}

/* ==== lane value ====
 *
 * What a lane without a time line has instead of samples, for users. */

void lane_value_text(const struct profile *profile, const struct lane *lane, struct buf *out)
{
	const struct lane_value *value = &lane->value;

	if (!value->type) {
		buf_adds(out, "hit counts");
		return;
	}
	text_visible(out, profile_text(profile, value->type),
		     intern_len(&profile->strings, value->type));
}

int64_t lane_value_hit_ns(const struct profile *profile)
{
	int64_t ns = 0;

	for (uint32_t i = 0; i < profile->n_lanes; i++) {
		const struct lane *lane = &profile->lanes[i];

		if (lane->kind != LANE_SAMPLES)
			continue;
		if (!lane->hit_ns || (ns && lane->hit_ns != ns))
			return 0;
		ns = lane->hit_ns;
	}
	return ns;
}

/* ==== object name ====
 *
 * A scope that contains ": " is cut at the wrong place when its title is taken apart. The objects
 * stay apart, because the rest becomes part of the type. */

#define OBJECTS "Objects"
#define IN " in "
#define BEFORE_TYPE ": "

void object_name_title(struct str scope, struct str type, struct buf *out)
{
	buf_adds(out, OBJECTS);
	if (scope.len) {
		buf_adds(out, IN);
		buf_add(out, scope.p, scope.len);
	}
	if (type.len) {
		buf_adds(out, BEFORE_TYPE);
		buf_add(out, type.p, type.len);
	}
}

static struct str after(struct str text, size_t n)
{
	return (struct str){ text.p + n, text.len - n };
}

static bool begins(struct str text, const char *start)
{
	return text.len >= strlen(start) && memcmp(text.p, start, strlen(start)) == 0;
}

struct object_name object_name_of_lane(struct str title)
{
	struct object_name out = { .scope = { "", 0 }, .type = { "", 0 }, .id = { "", 0 } };
	struct str rest = begins(title, OBJECTS) ? after(title, strlen(OBJECTS)) : title;
	const char *colon;

	if (begins(rest, IN)) {
		rest = after(rest, strlen(IN));
		colon = memmem(rest.p, rest.len, BEFORE_TYPE, strlen(BEFORE_TYPE));
		out.scope = (struct str){ rest.p, colon ? (size_t)(colon - rest.p) : rest.len };
		rest = after(rest, out.scope.len);
	}
	if (begins(rest, BEFORE_TYPE))
		out.type = after(rest, strlen(BEFORE_TYPE));
	return out;
}

struct object_name object_name_of(struct str title, struct str name)
{
	struct object_name out = object_name_of_lane(title);
	size_t n = out.type.len;

	if (n && name.len >= n && memcmp(name.p, out.type.p, n) == 0 &&
	    (name.len == n || name.p[n] == ' ')) {
		out.id = after(name, name.len > n ? n + 1 : n);
		return out;
	}
	for (n = name.len; n > 0 && name.p[n - 1] != ' ';)
		n--;
	out.type = (struct str){ name.p, n ? n - 1 : name.len };
	out.id = n ? after(name, n) : out.id;
	return out;
}

char object_name_phase(struct str mark, struct str *type)
{
	static const struct {
		const char *tail;
		char phase;
	} tails[] = { { OBJECT_NAME_CREATED, 'N' },
		      { OBJECT_NAME_SNAPSHOT, 'O' },
		      { OBJECT_NAME_DELETED, 'D' } };

	for (size_t i = 0; i < ARRAY_LEN(tails); i++) {
		size_t len = strlen(tails[i].tail);

		if (mark.len < len || memcmp(mark.p + mark.len - len, tails[i].tail, len) != 0)
			continue;
		*type = (struct str){ mark.p, mark.len - len };
		return tails[i].phase;
	}
	return '\0';
}

/* ==== lane name ====
 *
 * Text from a file passes through text_visible(); everything else is ASCII and the middle dot. */

#define PROCESS_MIN 8  /* cells of a truncated name of a process */
#define NAME_MIN 12    /* and of a thread */
#define BRIEF_CELLS 40 /* before a sentence */

void lane_name_prepare(struct lane *lanes, uint32_t n)
{
	bool has_slices = false;

	for (uint32_t i = 0; i < n; i++) {
		struct lane *lane = &lanes[i];

		if (i == 0 || !lane_is_of_process(lane, lane - 1) || lane[-1].tid != lane->tid)
			has_slices = false;
		lane->is_below_slices = has_slices;
		has_slices |= lane->kind == LANE_SLICES;
	}
}

/* The name of a lane of which only the file is known. */
static void add_file(const struct profile *profile, const struct lane *lane, struct buf *out)
{
	const char *name;

	if (lane->input >= profile->n_inputs) {
		buf_adds(out, lane_name_kind(lane->kind));
		return;
	}
	name = profile_input_name(profile, lane->input);
	text_visible(out, name, strlen(name));
}

/* `(pid 7, tid 12)`; nothing if neither is asked for. */
static void add_ids(const struct lane *lane, bool has_process, struct buf *out)
{
	bool has_pid = lane->pid != LANE_NO_ID && has_process;

	if (has_pid)
		buf_addf(out, " (pid %" PRId64, lane->pid);
	if (lane->shows_tid)
		buf_addf(out, "%stid %" PRId64, has_pid ? ", " : " (", lane->tid);
	if (has_pid || lane->shows_tid)
		buf_addc(out, ')');
}

void lane_name(const struct profile *profile, const struct lane *lane, bool has_process,
	       struct buf *out)
{
	const char *process = profile_text(profile, lane->process_name);
	const char *thread = profile_text(
		profile, lane->thread_title ? lane->thread_title : lane->thread_name);
	/* A title is sufficient, unless another file may have the same one. */
	bool is_track = lane->title &&
		(lane->tid == LANE_NO_ID || (lane->page && lane->kind == LANE_ASYNC)) &&
		(lane->kind != LANE_SAMPLES || lane->pid != LANE_NO_ID || profile->n_inputs == 1);

	/* A page says more than the name of the process, which repeats its origin. */
	if (*process && has_process && !lane->page) {
		text_visible(out, process, strlen(process));
		buf_adds(out, ": ");
	}
	if (is_track)
		;
	else if (*thread)
		text_visible(out, thread, strlen(thread));
	else if (lane->tid == 0 || (lane->tid == LANE_NO_ID && profile->n_lanes == 1))
		buf_adds(out, lane->is_worker ? "worker thread" : "main thread");
	else if (lane->tid != LANE_NO_ID)
		buf_addf(out, "thread %" PRId64, lane->tid);
	else
		add_file(profile, lane, out);
	if (lane->title) {
		buf_adds(out, is_track ? "" : " \302\267 ");
		text_visible(out, profile_text(profile, lane->title),
			     intern_len(&profile->strings, lane->title));
	} else if (lane->kind == LANE_SAMPLES && lane->is_below_slices) {
		buf_adds(out, " \302\267 CPU samples");
	} else if (lane->kind == LANE_MARKS) {
		buf_adds(out, " \302\267 marks");
	}
	if (lane->shows_file) {
		buf_adds(out, " \302\267 ");
		add_file(profile, lane, out);
	}
	add_ids(lane, has_process, out);
}

const char *lane_name_kind(enum lane_kind kind)
{
	static const char *const name[] = { "samples", "slices", "async",
					    "counter", "marks",  "objects" };

	return name[kind];
}

/* Where the end of a name begins that says which lane of the thread it is, and the ids. */
static size_t find_end(const char *name, size_t len)
{
	static const char kind[] = " \302\267 CPU samples";
	const char *at = memmem(name, len, kind, strlen(kind));

	if (at)
		return (size_t)(at - name);
	at = memrchr(name, '(', len);
	return at ? (size_t)(at - name) - (at > name) : len;
}

/* Truncate a name in front of its end, if the rest has room. */
static void fit_thread(const char *name, size_t len, int room, struct buf *out)
{
	size_t end = find_end(name, len);
	int left = room - text_cells(name + end, len - end);

	if (left < NAME_MIN || text_cells(name, len) <= room) {
		text_fit(out, name, len, room);
		return;
	}
	text_fit(out, name, end, left);
	buf_add(out, name + end, len - end);
}

void lane_name_fit(const struct profile *profile, const struct lane *lane, int room,
		   struct buf *out)
{
	const char *process = profile_text(profile, lane->process_name);
	BUF_LOCAL prefix = { 0 }, name = { 0 };
	bool is_prefix;
	int left;

	lane_name(profile, lane, true, &name);
	text_visible(&prefix, process, strlen(process));
	left = room - text_cells(buf_text(&name), name.len) +
		text_cells(buf_text(&prefix), prefix.len);
	/* The name may do without that of the process. */
	is_prefix = name.len > prefix.len && prefix.len > 0 &&
		memcmp(name.data, prefix.data, prefix.len) == 0 && name.data[prefix.len] == ':';
	if (is_prefix && left >= PROCESS_MIN && left < text_cells(prefix.data, prefix.len)) {
		text_fit(out, prefix.data, prefix.len, left);
		buf_add(out, name.data + prefix.len, name.len - prefix.len);
	} else {
		/* The id of the process remains. */
		size_t from = is_prefix && left < PROCESS_MIN ? prefix.len + strlen(": ") : 0;

		fit_thread(buf_text(&name) + from, name.len - from, room, out);
	}
}

void lane_name_brief(const struct profile *profile, const struct lane *lane, struct buf *out)
{
	bool is_one = true, is_unlike = lane->page && !lane->title;

	for (uint32_t i = 0; i < profile->n_lanes; i++) {
		const struct lane *l = &profile->lanes[i];

		is_one &= lane_is_of_process(l, lane);
		is_unlike &= l->thread_title != lane->thread_title || lane_is_of_thread(l, lane);
	}
	if (is_unlike)
		text_fit(out, profile_text(profile, lane->thread_title),
			 intern_len(&profile->strings, lane->thread_title), BRIEF_CELLS);
	else if (is_one)
		lane_name(profile, lane, false, out);
	else
		lane_name_fit(profile, lane, BRIEF_CELLS, out);
}

void lane_name_of_named(const struct profile *profile, const struct profile_named *named,
			struct buf *out)
{
	const char *process = profile_text(profile, named->process_name);
	str_id thread = named->thread_title ? named->thread_title : named->thread_name;

	if (*process)
		text_visible(out, process, strlen(process));
	if (*process && thread)
		buf_adds(out, ": ");
	text_visible(out, profile_text(profile, thread), intern_len(&profile->strings, thread));
	if (named->tid != LANE_NO_ID)
		buf_addf(out, " (pid %" PRId64 ", tid %" PRId64 ")", named->pid, named->tid);
	else
		buf_addf(out, " (pid %" PRId64 ")", named->pid);
}

/* ==== flow link ====
 *
 * Arrows of flows, as users follow them. */

/* The arrow of one span, if it has any. */
static bool flow_link_of(const struct profile *p, uint32_t lane, const struct span *span,
			 bool is_next, struct flow_link *out)
{
	size_t first, n = profile_flows_of(p, lane, span, &first);
	bool has_found = false;

	for (size_t i = 0; i < n; i++) {
		size_t at = p->flows_by_lane[first + i], from = is_next ? at : at - 1;

		if (from == SIZE_MAX || from + 1 >= p->n_flows ||
		    p->flows[from].flow != p->flows[from + 1].flow ||
		    (has_found && !p->flows[from].initiator))
			continue;
		*out = (struct flow_link){ &p->flows[from], &p->flows[from + 1] };
		if (out->from->initiator)
			return true;
		has_found = true;
	}
	return has_found;
}

/* The lane of the slices, or of the samples, of the thread of a lane; n_lanes: it has none. */
static uint32_t lane_of_thread(const struct profile *p, uint32_t lane, enum lane_kind kind)
{
	uint32_t i = 0;

	if (p->lanes[lane].kind == kind)
		return lane;
	while (i < p->n_lanes &&
	       (p->lanes[i].kind != kind || !p->lanes[i].samples.n ||
		!(p->lanes[lane].input == p->lanes[i].input &&
		  p->lanes[lane].pid == p->lanes[i].pid && p->lanes[lane].tid == p->lanes[i].tid &&
		  p->lanes[lane].tid != LANE_NO_ID)))
		i++;
	return i;
}

/* Find the innermost span of a lane at t. */
static bool innermost(const struct lane *lane, int64_t t, struct span *out)
{
	const struct samples *s = &lane->samples;
	size_t i;

	if (s->n == 0 || t < samples_time(s, 0) || t > samples_time(s, s->n))
		return false;
	i = samples_find(s, t);
	return span_of_sample(s, &lane->tree, i, lane->tree.rows[samples_leaf(s, i)] - 1, out);
}

/* The arrow of a span, or of the innermost one around it. */
static bool walk_out(const struct profile *p, uint32_t lane, const struct span *span, bool is_next,
		     bool is_cause, struct flow_link *out)
{
	const struct lane *l;
	struct span at = *span;

	if (!p->n_flows || lane >= p->n_lanes)
		return false;
	if (p->lanes[lane].kind == LANE_SAMPLES) {
		lane = lane_of_thread(p, lane, LANE_SLICES);
		if (lane == p->n_lanes || !innermost(&p->lanes[lane], span->t0, &at))
			return false;
	}
	l = &p->lanes[lane];
	while (!flow_link_of(p, lane, &at, is_next, out) || (is_cause && !out->from->initiator))
		if (at.depth == 0 || l->kind != LANE_SLICES ||
		    !span_at(&l->samples, &l->tree, at.depth - 1, at.t0, &at))
			return false;
	return true;
}

bool flow_link_find(const struct profile *p, uint32_t lane, const struct span *span, bool is_next,
		    struct flow_link *out)
{
	return walk_out(p, lane, span, is_next, false, out);
}

bool flow_link_cause(const struct profile *p, uint32_t lane, const struct span *span,
		     struct flow_link *out)
{
	return walk_out(p, lane, span, false, true, out);
}

const struct frame *flow_link_initiator(const struct profile *p, const struct flow_link *link)
{
	frame_id frame = link->from->initiator;

	if (!frame)
		return NULL;
	return profile_frame(p,
			     p->other && !p->other->is_source ? p->other->source_of[frame] : frame);
}

const struct frame *flow_link_sampled(const struct profile *p, const struct flow_link *link)
{
	uint32_t lane = lane_of_thread(p, link->from->lane, LANE_SAMPLES);
	struct span span;

	return lane < p->n_lanes && innermost(&p->lanes[lane], link->from->t, &span)
		? profile_node_frame(p, &p->lanes[lane], span.node)
		: NULL;
}

/* ==== site ==== */

void site_set_origins(struct profile *p)
{
	struct str page = { "", 0 }, host, site;
	str_id url = 0;

	for (uint32_t i = 0; i < p->n_lanes && !page.len; i++)
		if (p->lanes[i].is_page_main)
			page = site_of(site_host(profile_text(p, p->lanes[i].page)));
	for (frame_id i = 1; i < p->frames.n; i++) {
		struct frame *f = &p->frames.frames[i];

		/* Most functions have the url of the one before. */
		if (f->url == url) {
			f->origin = f[-1].origin;
			f->party = f[-1].party;
			continue;
		}
		url = f->url;
		host = site_host(profile_text(p, url));
		site = site_of(host);
		f->origin = host.len ? intern_add(&p->strings, host.p, host.len) : 0;
		if (host.len && page.len)
			f->party = site.len == page.len && !memcmp(site.p, page.p, site.len)
				? PARTY_FIRST
				: PARTY_THIRD;
		p->has_origins |= host.len > 0;
	}
}

/* ==== request ====
 *
 * Requests are sorted by input and offset. */

const struct request *request_of(const struct profile *profile, const struct lane *lane,
				 const struct span *span)
{
	size_t lo = 0, n = lane->has_requests ? profile->n_requests : 0;
	int64_t offset = n ? slice_event(lane, span) : -1;
	const struct request *r = profile->requests;

	SORT_BISECT(lo, n, mid,
		    r[mid].input < lane->input ||
			    (r[mid].input == lane->input && r[mid].offset < offset));
	return lo < n && r[lo].input == lane->input && r[lo].offset == offset ? &r[lo] : NULL;
}

bool request_span(const struct profile *profile, const struct request *r, uint32_t *lane,
		  struct span *span)
{
	int64_t t0 = r->t0 - profile->inputs[r->input].zero_ns;

	for (*lane = 0; *lane < profile->n_lanes; ++*lane) {
		const struct lane *l = &profile->lanes[*lane];

		if (l->kind == LANE_ASYNC && l->pid == r->pid && l->tid == r->tid &&
		    l->input == r->input && slice_find(l, r->offset, t0, span))
			return true;
	}
	return false;
}
