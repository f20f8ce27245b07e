/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Joined chunks. Nodes and texts that no sample needs any more are freed when half of them may be
 * such, so that the cost of doing it is a constant for each node that was added.
 *
 * How many bytes a chunk has by itself is not known, for chunks share nodes. When there are too
 * many bytes, a quarter of the chunks goes at once: freeing is not needed again for some time. */
#include "config.h"

#include "record/remote/ring.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/units.h"
#include "record/remote/join.h"

#include <stdlib.h>
#include <string.h>

struct ring {
	struct join *join;
	struct ring_limits limits;
	struct ring_text {
		int64_t us; /* end of the chunk before it; 0: there is none yet */
		struct buf text;
	} * texts; /* of requests */
	size_t n_texts, cap_texts, text_bytes;
	uint64_t n_dropped; /* texts that came before these */
};

struct ring *ring_new(struct ring_limits limits)
{
	struct ring *r = xcalloc(1, sizeof *r);

	r->join = join_new();
	r->limits = limits;
	if (r->limits.us == 0)
		r->limits.us = RING_US;
	if (r->limits.bytes == 0)
		r->limits.bytes = RING_BYTES;
	return r;
}

/* Drop the texts that came before a time. */
static void drop_texts(struct ring *r, int64_t us)
{
	size_t n = 0;

	for (; n < r->n_texts && r->texts[n].us < us; n++) {
		r->text_bytes -= r->texts[n].text.len;
		buf_done(&r->texts[n].text);
	}
	r->n_texts -= n;
	r->n_dropped += n;
	if (n)
		memmove(r->texts, r->texts + n, r->n_texts * sizeof *r->texts);
}

void ring_free(struct ring *r)
{
	if (!r)
		return;
	drop_texts(r, INT64_MAX);
	free(r->texts);
	join_free(r->join);
	free(r);
}

/* Number of chunks at the beginning that are older than the limit. The chunk in which the limit
 * lies is one of them: the ring is never longer. */
static size_t n_old(const struct ring *r)
{
	int64_t oldest = join_last_us(r->join) - r->limits.us;
	size_t n = 0;

	while (n + 1 < join_chunks(r->join) && join_chunk_us(r->join, n) < oldest)
		n++;
	return n;
}

bool ring_add(struct ring *r, struct str profile, struct error *err)
{
	if (!join_add(r->join, profile, err))
		return false;
	for (size_t i = 0; i < r->n_texts && r->texts[i].us == 0; i++)
		r->texts[i].us = join_last_us(r->join);
	join_drop(r->join, n_old(r));
	if (join_is_untidy(r->join))
		join_tidy(r->join);
	drop_texts(r, join_last_us(r->join) - r->limits.us);
	while (join_bytes(r->join) + r->text_bytes > r->limits.bytes && join_chunks(r->join) > 1) {
		join_drop(r->join, (join_chunks(r->join) + 3) / 4);
		join_tidy(r->join);
		drop_texts(r, join_first_us(r->join));
	}
	return true;
}

void ring_add_requests(struct ring *r, struct str text)
{
	struct ring_text *t = ARRAY_ADD(r->texts, r->n_texts, r->cap_texts);

	*t = (struct ring_text){ .us = join_last_us(r->join) };
	buf_add(&t->text, text.p, text.len);
	r->text_bytes += text.len;
}

uint64_t ring_requests(const struct ring *r, uint64_t from, struct buf *out)
{
	for (size_t i = from > r->n_dropped ? (size_t)(from - r->n_dropped) : 0; i < r->n_texts;
	     i++) {
		buf_add(out, r->texts[i].text.data, r->texts[i].text.len);
		buf_addc(out, '\n');
	}
	return r->n_dropped + r->n_texts;
}

uint64_t ring_samples(const struct ring *r)
{
	return join_samples(r->join);
}

int64_t ring_first_us(const struct ring *r)
{
	return join_first_us(r->join);
}

int64_t ring_last_us(const struct ring *r)
{
	return join_last_us(r->join);
}

void ring_begin_with(struct ring *r, const char *member)
{
	join_begin_with(r->join, member);
}

bool ring_write(const struct ring *r, int64_t t0, int64_t t1, struct buf *out)
{
	size_t before = out->len;

	join_write_range(r->join, t0, t1, false, out);
	return out->len > before;
}

bool ring_write_whole(const struct ring *r, int64_t t0, int64_t t1, struct buf *out)
{
	size_t before = out->len;

	join_write_range(r->join, t0, t1, true, out);
	return out->len > before;
}

int64_t ring_wall_ns(int64_t us)
{
	return clock_wall_ns() - (clock_ns() - us * NS_PER_US);
}
