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
	bool has_navigation;            /* false: it was there before the recording */
	int64_t t;                      /* if has_navigation: ns since the start of the profile */
	str_id url;                     /* 0: unknown */
	int64_t after[MILESTONE_KINDS]; /* of FP, FCP, LCP, DCL, LOAD */
	int64_t first_byte, image_t0, image_t1; /* phases of LCP end there; of a text no image */
	bool has_shifts; /* the trace has events of this kind: `shifts` is known */
	double shifts;   /* the score of its worst session window */
	struct interaction worst;
};

/* `FCP`; static text. That of MILESTONE_TIMING is empty. */
const char *milestone_name(enum milestone_kind kind);

enum vital { VITAL_LCP, VITAL_INP, VITAL_CLS, VITALS };

/* Append the vitals of a page with the words of web-vitals: `LCP 1.23 s good · INP 280 ms needs
 * improvement · CLS 0.12 needs improvement`. */
void vital_format(const struct page_load *load, struct buf *out);

/* Append the phases of LCP or INP: `first byte 27.3 ms, load delay 34.1 ms, ...`; nothing: they are
 * unknown. */
void vital_phases_format(const struct page_load *load, enum vital vital, struct buf *out);

#endif
