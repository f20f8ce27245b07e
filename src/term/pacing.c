/* SPDX-License-Identifier: GPL-2.0-or-later */
/* At most one picture is on its way, two on a quick line. Of a picture that takes long, at most a
 * part is on its way, and as much more as the line carries until the answer is back. A trip is the
 * time from a request to its answer.
 *
 * The rate of the line: if a picture is sent while another one is on its way, the time between
 * their answers is what the line needs for it. If it is sent alone, its trip includes the
 * round-trip time, so the shortest trip is subtracted. Answers that came while the program did not
 * read tell nothing. */
#include "config.h"

#include "term/pacing.h"

#include "base/clock.h"
#include "base/units.h"

#include <string.h>

#define QUICK_NS (300 * NS_PER_MS) /* pictures follow each other quickly: a key is held */
#define NEAR_NS (400 * NS_PER_MS)  /* trip on a quick line: a second picture may be on its way */
#define ANSWER_NS (3 * NS_PER_S)   /* no answer comes after this time */
#define FIRST_ANSWER_NS (NS_PER_S / 2) /* the same before the first answer */
#define UNANSWERED_MAX 4
#define NEAR_MAX 2
#define PART_MIN 2048            /* bytes of a part; fewer do not tell the rate */
#define LATE_NS (20 * NS_PER_MS) /* since the last read: an answer came at an unknown time */
#define SILENT_RATE 32e-6 /* bytes a ns to a remote terminal that never answered: 256 kbit/s */

/* The time that a part takes on the line; without answers, as much is sent ahead. */
#define PART_NS (250 * NS_PER_MS)

struct question {
	int64_t asked_ns;
	size_t bytes; /* sent since the question before */
};

static struct {
	bool is_remote;
	bool has_asked, has_answered;
	int n_unanswered;
	struct question list[UNANSWERED_MAX]; /* the oldest first */
	size_t n_sent;                        /* bytes since the last question */
	int64_t trip_ns;                      /* of the last answer, at least */
	int64_t least_trip_ns; /* the shortest of a question that was alone; 0: not known */
	int64_t answered_ns;   /* the last answer came */
	double rate;           /* bytes a ns; 0: not known */
	int64_t looked_ns;     /* all input had been read */
	int64_t busy_ns;       /* the last picture or answer */
	int64_t free_ns;       /* all output has arrived, at SILENT_RATE */
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

/* The answer to the oldest question came now. is_alone: no other question was open when it was
 * sent. */
static void learn(const struct question *q, bool is_alone, int64_t now)
{
	int64_t trip = now - q->asked_ns;

	if (is_alone && q->bytes >= PART_MIN && pacing.least_trip_ns &&
	    trip > pacing.least_trip_ns * 3 / 2)
		learn_rate((double)q->bytes, trip - pacing.least_trip_ns);
	else if (is_alone && pacing.rate == 0)
		learn_rate((double)(q->bytes > PART_MIN ? q->bytes : PART_MIN), trip);
	else if (!is_alone && q->bytes >= PART_MIN)
		learn_rate((double)q->bytes, now - pacing.answered_ns);
	if (is_alone && (!pacing.least_trip_ns || trip < pacing.least_trip_ns))
		pacing.least_trip_ns = trip;
}

/* An answer may have been there since the last read: a trip counts up to then only, because the
 * rest of the time was the program's own and does not make the terminal slow. */
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
	if (pacing.n_unanswered == UNANSWERED_MAX)
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
	return bytes > PART_MIN ? (size_t)bytes : PART_MIN;
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

/* Whether more may be sent before the next answer. */
static bool has_room(void)
{
	double bytes = 0;

	if (pacing.n_unanswered == 0 || pacing.n_unanswered == UNANSWERED_MAX)
		return pacing.n_unanswered == 0;
	if (pacing.trip_ns < NEAR_NS && pacing.n_unanswered < NEAR_MAX)
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
