/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Network requests of the pages of a trace. Each also is a slice of the lane `Network` of its
 * process (lane.has_requests); `offset`, the place of its event, ties the two. Times are as
 * DevTools computes them. */
#ifndef FLAMETTY_MODEL_REQUEST_H
#define FLAMETTY_MODEL_REQUEST_H

#include "base/intern.h"
#include "model/lane.h"

#include <stdbool.h>
#include <stdint.h>

struct profile;

/* What the time of a request was spent on, in this order; TLS is a part of connecting. */
enum request_phase {
	REQUEST_REDIRECTED,
	REQUEST_QUEUED,
	REQUEST_STALLED,
	REQUEST_PROXY,
	REQUEST_DNS,
	REQUEST_CONNECT,
	REQUEST_TLS,
	REQUEST_SENT,
	REQUEST_WAITED,
	REQUEST_RECEIVED,
	REQUEST_PHASES
};

struct request {
	str_id name; /* that of its slice: `GET app.js` */
	str_id method, url, type, mime, protocol, blocking;
	str_id first_priority, priority; /* at first, and at the end */
	str_id initiator, initiator_url; /* `parser`, `script`; 0: unknown */
	int64_t initiator_line;          /* counted from 1; 0: unknown */
	int64_t status;                  /* 0: there is none */
	int64_t bytes, decoded;          /* transferred, and unpacked; negative: unknown */
	int64_t pid, tid, sent_tid;      /* of its lane; and of the thread that sent it, */
	int64_t offset;
	int64_t t0, sent;      /* at this time of the file's clock */
	int64_t total_ns;      /* not finished: until the end of the recording */
	int64_t first_byte_ns; /* from t0 on; total_ns: no response came */
	int64_t phase_ns[REQUEST_PHASES];
	uint32_t input, n_redirects;
	bool is_finished, has_failed, has_response;
	bool is_from_memory, is_from_disk, is_from_worker; /* caches, service worker */
};

/* The request that a span of a lane is; NULL: none. O(log n). */
const struct request *request_of(const struct profile *profile, const struct lane *lane,
				 const struct span *span);

/* Find the slice of a request: the index of its lane. False: the profile does not have it now, or
 * has cut it. */
bool request_span(const struct profile *profile, const struct request *r, uint32_t *lane,
		  struct span *span);

#endif
