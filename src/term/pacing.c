/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One picture is under way at most, two on a quick line; of one that would be long under way a
 * part, and as much more as the line takes while the answer is on its way.
 *
 * How quick the line is: a picture that is sent while another one is under way is shown that much
 * later than it as the line needs for it. One that is sent alone takes a way there and back
 * besides, so the shortest such time is not counted. What came while nobody looked says nothing of
 * either. */
#include "config.h"

#include "term/pacing.h"

#include "base/clock.h"
#include "base/units.h"

#include <string.h>

#define QUICK_NS (300 * NS_PER_MS)     /* from picture to picture: a key is held */
#define NEAR_NS (400 * NS_PER_MS)      /* to an answer: a second picture may be under way */
#define ANSWER_NS (3 * NS_PER_S)       /* no answer will come after that */
#define FIRST_ANSWER_NS (NS_PER_S / 2) /* if there has never been one */
#define UNANSWERED_MOST 4
#define NEAR_MOST 2
#define PART_NS                                                                                    \
	(250 * NS_PER_MS) /* that a part is under way, and what is sent at once without an answer  \
			   */
#define PART_LEAST 2048   /* bytes of a part; fewer tell nothing of the line */
#define LATE_NS (20 * NS_PER_MS) /* since a look: when an answer came is not known */
#define SILENT_RATE 32e-6        /* bytes a ns to a far terminal that never answered: 256 kbit/s */

struct question {
	int64_t asked_ns;
	size_t bytes; /* sent since the one before */
};

static struct {
	bool is_remote;
	bool has_asked, has_answered;
	int n_unanswered;
	struct question list[UNANSWERED_MOST]; /* the oldest first */
	size_t n_sent;                         /* bytes since the last question */
	int64_t trip_ns;                       /* how long the last answer took, at least */
	int64_t least_trip_ns; /* of those that were waited for alone; 0: not known */
	int64_t answered_ns;   /* the last one came */
	double rate;           /* bytes a ns; 0: not known */
	int64_t looked_ns;     /* when no more than what was read had come */
	int64_t busy_ns;       /* the last picture or answer */
	int64_t free_ns;       /* when all that was sent has come, at SILENT_RATE */
} pacing;

void pacing_open(bool is_remote)
{
	memset(&pacing, 0, sizeof pacing);
	pacing.is_remote = is_remote;
}

void pacing_begin(void)
{
	pacing.n_unanswered = 0;
	pacing.n_sent = 0;
	pacing.free_ns = 0;
	pacing.has_asked = pacing.has_answered;
}

void pacing_looked(void)
{
	pacing.looked_ns = clock_ns();
}

static void learn_rate(double bytes, int64_t took_ns)
{
	double rate = bytes / (double)(took_ns > NS_PER_MS ? took_ns : NS_PER_MS);

	pacing.rate = pacing.rate > 0 ? (pacing.rate + rate) / 2 : rate;
}

/* An answer to the oldest question came now. is_alone: no other was waited for when it was sent. */
static void learn(const struct question *q, bool is_alone, int64_t now)
{
	int64_t trip = now - q->asked_ns;

	if (is_alone && q->bytes >= PART_LEAST && pacing.least_trip_ns &&
	    trip > pacing.least_trip_ns * 3 / 2)
		learn_rate((double)q->bytes, trip - pacing.least_trip_ns);
	else if (is_alone && pacing.rate == 0)
		learn_rate((double)(q->bytes > PART_LEAST ? q->bytes : PART_LEAST), trip);
	else if (!is_alone && q->bytes >= PART_LEAST)
		learn_rate((double)q->bytes, now - pacing.answered_ns);
	if (is_alone && (!pacing.least_trip_ns || trip < pacing.least_trip_ns))
		pacing.least_trip_ns = trip;
}

/* An answer that was not waited for may have been there since the last look: the time until
 * it is read is mostly our own, and no reason to think that the terminal is far away. */
void pacing_take(int n)
{
	int64_t now = clock_ns();
	bool is_late = n > 1 || now - pacing.looked_ns > LATE_NS;

	if (n == 0)
		pacing_looked();
	for (; n > 0 && pacing.n_unanswered > 0; n--) {
		struct question q = pacing.list[0];

		if (!is_late)
			learn(&q, pacing.answered_ns < q.asked_ns, now);
		pacing.busy_ns = pacing.answered_ns = now;
		pacing.trip_ns = pacing.looked_ns > q.asked_ns ? pacing.looked_ns - q.asked_ns : 0;
		pacing.n_unanswered--;
		memmove(&pacing.list[0], &pacing.list[1],
			(size_t)pacing.n_unanswered * sizeof pacing.list[0]);
		pacing.has_answered = true;
	}
}

void pacing_sent(size_t bytes)
{
	int64_t now = clock_ns();

	pacing.n_sent += bytes;
	pacing.free_ns = (pacing.free_ns > now ? pacing.free_ns : now) +
		(int64_t)((double)bytes / SILENT_RATE);
}

bool pacing_asks(bool is_part)
{
	int64_t now = clock_ns();
	bool is_quick = is_part || now - pacing.busy_ns < QUICK_NS;

	pacing.busy_ns = now;
	if (pacing.n_unanswered == UNANSWERED_MOST)
		return false;
	if (pacing.has_asked && !(pacing.has_answered && is_quick)) {
		pacing.n_sent = 0;
		return false;
	}
	pacing.list[pacing.n_unanswered++] = (struct question){ now, pacing.n_sent };
	pacing.n_sent = 0;
	pacing.has_asked = true;
	return true;
}

static bool is_silent(void)
{
	return pacing.is_remote && !pacing.has_answered;
}

size_t pacing_part_bytes(void)
{
	double bytes = (is_silent() ? SILENT_RATE : pacing.rate) * (double)PART_NS;

	if (bytes <= 0 || bytes > (double)(SIZE_MAX / 2))
		return SIZE_MAX;
	return bytes > PART_LEAST ? (size_t)bytes : PART_LEAST;
}

int64_t pacing_patience_ns(void)
{
	int64_t left = pacing.n_unanswered
		? pacing.list[pacing.n_unanswered - 1].asked_ns - clock_ns()
		: 0;

	left += pacing.has_answered ? ANSWER_NS : FIRST_ANSWER_NS;
	if (pacing.n_unanswered && left <= 0)
		pacing.n_unanswered = 0;
	return pacing.n_unanswered ? left : 0;
}

/* Whether what is under way leaves room for more. */
static bool has_room(void)
{
	double bytes = 0;

	if (pacing.n_unanswered == 0 || pacing.n_unanswered == UNANSWERED_MOST)
		return pacing.n_unanswered == 0;
	if (pacing.trip_ns < NEAR_NS && pacing.n_unanswered < NEAR_MOST)
		return true;
	for (int i = 0; i < pacing.n_unanswered; i++)
		bytes += (double)pacing.list[i].bytes;
	return bytes < pacing.rate * (double)(PART_NS + pacing.least_trip_ns);
}

int64_t pacing_wait_ns(void)
{
	int64_t left = pacing.has_answered ? pacing_patience_ns() : 0;

	if (is_silent()) {
		left = pacing.free_ns - PART_NS - clock_ns();
		return left > 0 ? left : 0;
	}
	return has_room() ? 0 : left;
}

int64_t pacing_trip_ns(void)
{
	return pacing.trip_ns;
}
