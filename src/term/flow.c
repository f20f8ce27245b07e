/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One picture is under way at most, two on a quick line; of one that would be long under way a part, and as
 * much more as the line takes while the answer is on its way.
 *
 * How quick the line is: a picture that is sent while another one is under way is shown that much later than
 * it as the line needs for it. One that is sent alone takes a way there and back besides, so
 * the shortest such time is not counted. What came while nobody looked says nothing of either. */
#include "config.h"

#include "term/flow.h"

#include "base/clock.h"
#include "base/units.h"

#include <string.h>

#define QUICK_NS (300 * NS_PER_MS)      /* from picture to picture: a key is held */
#define NEAR_NS (400 * NS_PER_MS)       /* to an answer: a second picture may be under way */
#define ANSWER_NS (3 * NS_PER_S)        /* no answer will come after that */
#define FIRST_ANSWER_NS (NS_PER_S / 2)  /* if there has never been one */
#define UNANSWERED_MOST 4
#define NEAR_MOST 2
#define PART_NS (250 * NS_PER_MS)       /* that a part is under way, and what is sent at once without an answer */
#define PART_LEAST 2048                 /* bytes of a part; fewer tell nothing of the line */
#define LATE_NS (20 * NS_PER_MS)        /* since a look: when an answer came is not known */
#define SILENT_RATE 32e-6               /* bytes a ns to a far terminal that never answered: 256 kbit/s */

struct question {
	int64_t asked_ns;
	size_t bytes;           /* sent since the one before */
};

static struct {
	bool is_remote;
	bool has_asked, has_answered;
	int n_unanswered;
	struct question list[UNANSWERED_MOST]; /* the oldest first */
	size_t n_sent;          /* bytes since the last question */
	int64_t trip_ns;        /* how long the last answer took, at least */
	int64_t least_trip_ns;  /* of those that were waited for alone; 0: not known */
	int64_t answered_ns;    /* the last one came */
	double rate;            /* bytes a ns; 0: not known */
	int64_t looked_ns;      /* when no more than what was read had come */
	int64_t busy_ns;        /* the last picture or answer */
	int64_t free_ns;        /* when all that was sent has come, at SILENT_RATE */
} flow;

void flow_open(bool is_remote)
{
	memset(&flow, 0, sizeof flow);
	flow.is_remote = is_remote;
}

void flow_begin(void)
{
	flow.n_unanswered = 0;
	flow.n_sent = 0;
	flow.free_ns = 0;
	flow.has_asked = flow.has_answered;
}

void flow_looked(void)
{
	flow.looked_ns = clock_ns();
}

static void learn_rate(double bytes, int64_t took_ns)
{
	double rate = bytes / (double)(took_ns > NS_PER_MS ? took_ns : NS_PER_MS);

	flow.rate = flow.rate > 0 ? (flow.rate + rate) / 2 : rate;
}

/* An answer to the oldest question came now. is_alone: no other was waited for when it was sent. */
static void learn(const struct question *q, bool is_alone, int64_t now)
{
	int64_t trip = now - q->asked_ns;

	if (is_alone && q->bytes >= PART_LEAST && flow.least_trip_ns && trip > flow.least_trip_ns * 3 / 2)
		learn_rate((double)q->bytes, trip - flow.least_trip_ns);
	else if (is_alone && flow.rate == 0)
		learn_rate((double)(q->bytes > PART_LEAST ? q->bytes : PART_LEAST), trip);
	else if (!is_alone && q->bytes >= PART_LEAST)
		learn_rate((double)q->bytes, now - flow.answered_ns);
	if (is_alone && (!flow.least_trip_ns || trip < flow.least_trip_ns))
		flow.least_trip_ns = trip;
}

/* An answer that was not waited for may have been there since the last look: the time until
 * it is read is mostly our own, and no reason to think that the terminal is far away. */
void flow_take(int n)
{
	int64_t now = clock_ns();
	bool is_late = n > 1 || now - flow.looked_ns > LATE_NS;

	if (n == 0)
		flow_looked();
	for (; n > 0 && flow.n_unanswered > 0; n--) {
		struct question q = flow.list[0];

		if (!is_late)
			learn(&q, flow.answered_ns < q.asked_ns, now);
		flow.busy_ns = flow.answered_ns = now;
		flow.trip_ns = flow.looked_ns > q.asked_ns ? flow.looked_ns - q.asked_ns : 0;
		flow.n_unanswered--;
		memmove(&flow.list[0], &flow.list[1], (size_t)flow.n_unanswered * sizeof flow.list[0]);
		flow.has_answered = true;
	}
}

void flow_sent(size_t bytes)
{
	int64_t now = clock_ns();

	flow.n_sent += bytes;
	flow.free_ns = (flow.free_ns > now ? flow.free_ns : now) + (int64_t)((double)bytes / SILENT_RATE);
}

bool flow_asks(bool is_part)
{
	int64_t now = clock_ns();
	bool is_quick = is_part || now - flow.busy_ns < QUICK_NS;

	flow.busy_ns = now;
	if (flow.n_unanswered == UNANSWERED_MOST)
		return false;
	if (flow.has_asked && !(flow.has_answered && is_quick)) {
		flow.n_sent = 0;
		return false;
	}
	flow.list[flow.n_unanswered++] = (struct question){ now, flow.n_sent };
	flow.n_sent = 0;
	flow.has_asked = true;
	return true;
}

static bool is_silent(void)
{
	return flow.is_remote && !flow.has_answered;
}

size_t flow_part_bytes(void)
{
	double bytes = (is_silent() ? SILENT_RATE : flow.rate) * (double)PART_NS;

	if (bytes <= 0 || bytes > (double)(SIZE_MAX / 2))
		return SIZE_MAX;
	return bytes > PART_LEAST ? (size_t)bytes : PART_LEAST;
}

int64_t flow_patience_ns(void)
{
	int64_t left = flow.n_unanswered ? flow.list[flow.n_unanswered - 1].asked_ns - clock_ns() : 0;

	left += flow.has_answered ? ANSWER_NS : FIRST_ANSWER_NS;
	if (flow.n_unanswered && left <= 0)
		flow.n_unanswered = 0;
	return flow.n_unanswered ? left : 0;
}

/* Whether what is under way leaves room for more. */
static bool has_room(void)
{
	double bytes = 0;

	if (flow.n_unanswered == 0 || flow.n_unanswered == UNANSWERED_MOST)
		return flow.n_unanswered == 0;
	if (flow.trip_ns < NEAR_NS && flow.n_unanswered < NEAR_MOST)
		return true;
	for (int i = 0; i < flow.n_unanswered; i++)
		bytes += (double)flow.list[i].bytes;
	return bytes < flow.rate * (double)(PART_NS + flow.least_trip_ns);
}

int64_t flow_wait_ns(void)
{
	int64_t left = flow.has_answered ? flow_patience_ns() : 0;

	if (is_silent()) {
		left = flow.free_ns - PART_NS - clock_ns();
		return left > 0 ? left : 0;
	}
	return has_room() ? 0 : left;
}

int64_t flow_trip_ns(void)
{
	return flow.trip_ns;
}
