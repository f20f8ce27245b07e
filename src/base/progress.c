/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One look at the clock per report; readers report once per block. */
#include "config.h"

#include "base/progress.h"

#include "base/clock.h"
#include "base/units.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ==== progress text ====
 *
 * Reading has bytes; each step after it counts in units of its own, which are shown as a share. */

/* What both kinds of progress have. */
struct progress_phase {
	const char *name;
	int64_t done, total, elapsed_ns; /* total 0: unknown */
};

static struct progress_phase part_of(const struct progress *p)
{
	if (p->step)
		return (struct progress_phase){ p->step, p->step_done, p->step_total,
						p->step_elapsed_ns };
	return (struct progress_phase){ "reading", p->done, p->total > 0 ? p->total : 0,
					p->elapsed_ns };
}

double progress_text_share(const struct progress *p)
{
	struct progress_phase part = part_of(p);

	if (part.total == 0)
		return -1;
	return part.done < part.total ? (double)part.done / (double)part.total : 1;
}

static double per_second(const struct progress_phase *part)
{
	return part->elapsed_ns > 0 ? (double)part->done * 1e9 / (double)part->elapsed_ns : 0;
}

/* ` 2.0 s left`, in tenths of a second, after `separator`; empty while the speed is
 * not known, and in the last tenth. */
static void format_left(const struct progress_phase *part, const char *separator, char *text,
			size_t size)
{
	double speed = per_second(part);
	char left[UNITS_MAX];
	int64_t ns;

	text[0] = '\0';
	if (part->total == 0 || speed <= 0 || part->done >= part->total)
		return;
	ns = (int64_t)((double)(part->total - part->done) / speed * 10) * (NS_PER_S / 10);
	if (ns == 0)
		return;
	units_time(ns, left);
	snprintf(text, size, "%s%s left", separator, left);
}

static void format_share(const struct progress_phase *part, char *text)
{
	units_percent(part->done < part->total ? part->done : part->total, part->total, text);
}

void progress_text_line(const struct progress *p, char *text)
{
	struct progress_phase part = part_of(p);
	char done[UNITS_MAX], total[UNITS_MAX], rate[UNITS_MAX], left[UNITS_MAX + 16];
	char files[2 * UNITS_MAX + 16] = "";

	format_left(&part, "   ", left, sizeof left);
	if (p->step) {
		format_share(&part, done);
		snprintf(text, PROGRESS_TEXT_MAX, "%s   %s%s", part.name, done, left);
		return;
	}
	units_bytes(part.done, done);
	units_bytes((int64_t)per_second(&part), rate);
	units_bytes(part.total, total);
	if (p->n_total) {
		char n[UNITS_MAX], of[UNITS_MAX];

		snprintf(files, sizeof files, "%s of %s files   ",
			 units_count((uint64_t)p->n_done, n),
			 units_count((uint64_t)p->n_total, of));
	}
	snprintf(text, PROGRESS_TEXT_MAX, "%s   %s%s%s%s   %s/s%s", part.name, files, done,
		 part.total ? " of " : "", part.total ? total : "", rate, left);
}

void progress_text_short(const struct progress *p, char *text)
{
	struct progress_phase part = part_of(p);
	char done[UNITS_MAX], left[UNITS_MAX + 16];

	format_left(&part, ", ", left, sizeof left);
	if (part.total)
		format_share(&part, done);
	else
		units_bytes(part.done, done);
	snprintf(text, PROGRESS_TEXT_MAX, "%s %s%s", part.name, done, left);
}

/* ==== progress ==== */

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
