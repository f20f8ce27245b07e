/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One look at the clock per report; readers report once per block. */
#include "config.h"

#include "base/progress.h"

#include "base/clock.h"
#include "base/units.h"

#include <stddef.h>

#define TICK_NS (20 * NS_PER_MS)
/* A MiB of a file becomes up to 20 MiB in memory, whose limit the callback checks. */
#define TICK_BYTES ((int64_t)1 << 20)

void progress_start(struct progress *p, const char *doing, int64_t total)
{
	if (!p)
		return;
	p->doing = doing;
	if (!p->is_set) {
		p->total = total;
		p->done = 0;
	}
	if (!p->started_ns)
		p->started_ns = clock_ns();
}

bool progress_add(struct progress *p, int64_t more)
{
	int64_t now;

	if (!p)
		return true;
	p->done += more;
	if (!p->tick || p->is_stopped)
		return !p->is_stopped;
	now = clock_ns();
	if (now < p->next_ns && p->done < p->next_done)
		return true;
	p->next_done = p->done + TICK_BYTES;
	p->next_ns = now + TICK_NS;
	p->elapsed_ns = now - p->started_ns;
	if (!p->tick(p->ctx, p))
		p->is_stopped = true;
	return !p->is_stopped;
}

void progress_step(struct progress *p, const char *step, int64_t total)
{
	if (!p)
		return;
	p->step = total > 0 ? step : NULL;
	p->step_done = 0;
	p->step_total = total;
	p->step_started_ns = p->tick && p->step ? clock_ns() : 0;
	p->step_elapsed_ns = 0;
	p->next_ns = 0;
	progress_step_to(p, 0);
}

void progress_step_to(struct progress *p, int64_t done)
{
	int64_t now;

	if (!p || !p->tick || !p->step)
		return;
	p->step_done = done < p->step_total ? done : p->step_total;
	now = clock_ns();
	if (now < p->next_ns)
		return;
	p->next_ns = now + TICK_NS;
	p->step_elapsed_ns = now - p->step_started_ns;
	p->tick(p->ctx, p);
}

void progress_shared_begin(struct progress_shared *s, struct progress *p, const char *step,
			   int64_t total)
{
	*s = (struct progress_shared){ .p = p, .owner = pthread_self() };
	progress_step(p, step, total);
}

void progress_shared_add(struct progress_shared *s, int64_t more)
{
	int64_t done;

	if (!s || !s->p)
		return;
	done = atomic_fetch_add(&s->done, more) + more;
	if (pthread_equal(pthread_self(), s->owner))
		progress_step_to(s->p, done);
}
