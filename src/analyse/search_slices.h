/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lanes of searches for labels and events, where single samples or slices match. */
#ifndef FLAMETTY_ANALYSE_SEARCH_SLICES_H
#define FLAMETTY_ANALYSE_SEARCH_SLICES_H

#include "analyse/search.h"

#define SEARCH_NODE_BYTES (sizeof(node_id) + 2 * sizeof(uint16_t)) /* search_slices_arrays() */

/* Make near, deep and n of a lane. */
void search_slices_arrays(struct search_lane *l);

/* Mark the functions on the stacks of samples whose sets match: search.labels is complete. In
 * steps: returns whether all lanes are done. */
bool search_samples_mark(struct search *search, struct budget *budget);

/* Make the samples and nodes of a lane, in the same way. */
bool search_samples_prepare(struct search *search, struct search_lane *l, struct budget *budget);

/* The pattern for a status: `5xx` stands for all that begin with 5. */
struct pattern *search_slices_status(const char *text, size_t len, struct error *err) MUST_USE;

/* A search for requests: find them by its pattern. */
void search_slices_requests(struct search *search);

/* A search for events is not complete without those that were found; they are copied. */
void search_slices_take(struct search *search, const struct event_hits *hits);

/* Whether a span of lane `lane` matches; not of a search for labels. */
bool search_slices_has(struct search *search, uint32_t lane, const struct span *span);

/* Split a lane if a slice matches. In steps. */
bool search_slices_prepare(struct search *search, struct search_lane *l, struct budget *budget);
void search_slices_done(struct search_lane *l);

#endif
