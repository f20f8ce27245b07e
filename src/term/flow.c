/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One picture is under way at most, two on a quick line. */
#include "config.h"

#include "term/flow.h"

#include "base/clock.h"
#include "base/units.h"

#define QUICK_NS (300 * NS_PER_MS)      /* from picture to picture: a key is held */
#define NEAR_NS (400 * NS_PER_MS)       /* to an answer: a second picture may be under way */
#define ANSWER_NS (3 * NS_PER_S)        /* no answer will come after that */
#define FIRST_ANSWER_NS (NS_PER_S / 2)  /* if there has never been one */
#define UNANSWERED_MOST 2

static struct {
	bool has_asked, has_answered;
	int n_unanswered;
	int64_t asked_ns[UNANSWERED_MOST]; /* when; the oldest first */
	int64_t trip_ns;        /* how long the last answer took, at least */
	int64_t looked_ns;      /* when no more than what was read had come */
	int64_t busy_ns;        /* the last picture or answer */
} flow;

void flow_begin(void)
{
	flow.n_unanswered = 0;
	flow.has_asked = flow.has_answered;
}

void flow_looked(void)
{
	flow.looked_ns = clock_ns();
}

/* An answer that was not waited for may have been there since the last look: the time until
 * it is read is mostly our own, and no reason to think that the terminal is far away. */
void flow_take(int n)
{
	if (n == 0)
		flow_looked();
	for (; n > 0 && flow.n_unanswered > 0; n--) {
		flow.busy_ns = clock_ns();
		flow.trip_ns = flow.looked_ns > flow.asked_ns[0] ? flow.looked_ns - flow.asked_ns[0] : 0;
		flow.asked_ns[0] = flow.asked_ns[1];
		flow.n_unanswered--;
		flow.has_answered = true;
	}
}

bool flow_asks(void)
{
	int64_t now = clock_ns();
	bool is_quick = now - flow.busy_ns < QUICK_NS;

	flow.busy_ns = now;
	if (flow.n_unanswered == UNANSWERED_MOST || (flow.has_asked && !(flow.has_answered && is_quick)))
		return false;
	flow.asked_ns[flow.n_unanswered++] = now;
	flow.has_asked = true;
	return true;
}

int64_t flow_patience_ns(void)
{
	int64_t left = flow.n_unanswered ? flow.asked_ns[flow.n_unanswered - 1] - clock_ns() : 0;

	left += flow.has_answered ? ANSWER_NS : FIRST_ANSWER_NS;
	if (flow.n_unanswered && left <= 0)
		flow.n_unanswered = 0;
	return flow.n_unanswered ? left : 0;
}

int64_t flow_wait_ns(void)
{
	int64_t left = flow.has_answered ? flow_patience_ns() : 0;

	return flow.n_unanswered < (flow.trip_ns < NEAR_NS ? UNANSWERED_MOST : 1) ? 0 : left;
}

int64_t flow_trip_ns(void)
{
	return flow.trip_ns;
}
