/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a trace of a page states about its loading and its reactions: milestones, and for each page
 * that was loaded the figures by which people judge pages (formats(5), MILESTONES). Owned by the
 * profile. */
#ifndef FLAMETTY_MODEL_MILESTONE_H
#define FLAMETTY_MODEL_MILESTONE_H

#include "base/buf.h"
#include "base/intern.h"

#include <stdbool.h>
#include <stdint.h>

/* The order decides whose name stands where there is no room for all. */
enum milestone_kind {
	MILESTONE_LCP,
	MILESTONE_FCP,
	MILESTONE_NAVIGATION,
	MILESTONE_LOAD,
	MILESTONE_DCL,
	MILESTONE_SOFT, /* a soft navigation */
	MILESTONE_FP,
	MILESTONE_SHIFT,
	MILESTONE_TIMING, /* a mark of the page's own */
	MILESTONE_INP,    /* the worst interaction: only of a page_load */
	MILESTONE_KINDS
};

struct milestone {
	enum milestone_kind kind;
	uint32_t input;
	int64_t t;   /* ns since the start of the profile */
	str_id name; /* of MILESTONE_TIMING; of MILESTONE_NAVIGATION the url; else 0 */
};

/* The reaction to a key or a click. */
struct interaction {
	str_id type;                             /* `click`; 0: there is none */
	int64_t t;                               /* ns since the start of the profile */
	int64_t delay, processing, presentation; /* its phases, one after another, in ns */
};

static inline int64_t interaction_ns(const struct interaction *i)
{
	return i->delay + i->processing + i->presentation;
}

/* A page from its navigation on, until the next one. All times but `t` count from the navigation,
 * in ns; -1: unknown. */
struct page_load {
	uint32_t input;
	bool has_navigation; /* false: it was there before the recording */
	int64_t t;           /* if has_navigation: ns since the start of the profile */
	str_id url;          /* 0: unknown */
	/* Of FP, FCP, LCP, DCL, LOAD, INP, and of SHIFT the largest one of `shifts`; -1 also: there
	 * is none. */
	int64_t after[MILESTONE_KINDS];
	int64_t events[MILESTONE_KINDS];        /* of these: the offsets in the file */
	int64_t first_byte, image_t0, image_t1; /* phases of LCP end there; of a text no image */
	bool has_shifts;   /* the trace has events of this kind: `shifts` is known */
	int64_t shifts_t0; /* ns since the start of the profile: its worst session window begins */
	double shifts;     /* the score of that window, and of its largest shift */
	double largest_shift;
	struct interaction worst;
};

/* `FCP`; static text. That of MILESTONE_TIMING is empty. */
const char *milestone_name(enum milestone_kind kind);

enum vital { VITAL_LCP, VITAL_INP, VITAL_CLS, VITALS };

/* Append the vitals of a page with the words of web-vitals: `LCP 1.23 s good · INP 280 ms needs
 * improvement · CLS 0.12 needs improvement`. */
void vital_format(const struct page_load *load, struct buf *out);

/* Append what is known of one of load->after: `FCP, 92 ms after navigation`. */
void milestone_format(const struct page_load *load, enum milestone_kind kind, struct buf *out);

/* Append the phases of LCP or INP: `first byte 27.3 ms, load delay 34.1 ms, ...`; nothing: they are
 * unknown. */
void vital_phases_format(const struct page_load *load, enum vital vital, struct buf *out);

#endif
