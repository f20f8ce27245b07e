/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of functions and other parts of sentences, and the hottest line of a function. */
#ifndef FLAMETTY_FINDINGS_FINDING_NAME_H
#define FLAMETTY_FINDINGS_FINDING_NAME_H

#include "findings/finding_rule.h"

/* A text of the profile, in visible form. */
void finding_name_text(const struct profile *p, str_id id, struct buf *out);

/* The end of a url: `catalogue.js`, `data:`, `wasm`. */
void finding_name_file(const char *url, struct buf *out);

/* `formatPrice catalogue.js:28`. Without a name: `catalogue.js:28 in list`, where `list` is the
 * nearest named caller in the same file that has most of its time; at the beginning of a file, the
 * file alone. In minified code a short name is no name, and a place has its column, unless lines
 * are short and the name is not. */
void finding_name_label(struct finding_window *w, frame_id frame, struct buf *out);

/* The name without a location; with it if the name is a short one of minified code; as
 * finding_name_label() if there is none. */
void finding_name_short(struct finding_window *w, frame_id frame, struct buf *out);

/* ` 37 %` without the blank: the share of the busy time. */
static inline void finding_name_share(const struct finding_window *w, int64_t ns, struct buf *out)
{
	char share[UNITS_MAX];

	units_share(ns, w->times.busy, share);
	buf_adds(out, share);
}

/* ---- parts of sentences ---- */

/* ` 37 %`; where the window is mostly idle, a share says little without the time: ` 37 % of 80 ms`.
 */
void finding_tell_share(struct finding_window *w, const struct finding_draft *d, struct buf *text);

/* Begin `: 62 % of it under `, after such a part `, 62 % under `. */
void finding_tell_part(const struct finding_draft *d, int64_t ns, bool is_first, const char *word,
		       struct buf *text);

/* Such a part about the function under which most of it is, if there is one. */
void finding_tell_under(struct finding_window *w, const struct finding_draft *d, bool is_first,
			struct buf *text);

static inline void finding_tell_length(int64_t ns, struct buf *text)
{
	char length[UNITS_MAX];

	units_time_whole(ns, length);
	buf_adds(text, length);
}

/* ` at 0.54 s` */
static inline void finding_tell_at(const struct finding_window *w, int64_t t, struct buf *text)
{
	char place[UNITS_MAX];

	wall_clock_place(&w->result->clock, t, place);
	buf_addf(text, " at %s", place);
}

/* ---- of slices (finding_work.c) ---- */

/* The kinds of work of (program), or of a lane of slices, as `rendering 31 %, painting 12 %`, the
 * largest first; at least a twentieth of `whole` each. is_short: without garbage collection, and
 * what tasks do by themselves. */
void finding_work_tell(const struct finding_window *w, int64_t whole, bool is_short,
		       struct buf *text);

/* Whether kinds of work that are known are most of such a time. */
bool finding_work_explains(const struct finding_window *w, int64_t whole);

/* Append `rendering 71 %, Layout 60 %` behind `begin`: what the place is spent in. */
void finding_work_tell_task(struct finding_window *w, const struct finding_draft *d,
			    const char *begin, struct finding_texts *out);

/* Name and label are the same text. */
static inline void finding_tell_both(struct finding_texts *out, const char *text)
{
	buf_adds(&out->name, text);
	buf_adds(&out->label, text);
}

/* ---- more about a function ---- */

/* Append ` (line 30, JSON.parse: 50 % of its self time)`: the line with at least half of the
 * function's ticks, and the next one if it has about as much, as `line 30: 50 %; line 29: 47 %`. A
 * line of another function, which was inlined, has its name. If the source is there, what the line
 * calls and has no frame of its own follows; then the line may be the only one. Nothing is appended
 * if there are few ticks, or if the window is not the whole lane: ticks have no times. */
void finding_note_line(struct finding_window *w, frame_id function, struct buf *out);

#endif
