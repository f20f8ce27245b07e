/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "record/watch_settings.h"

#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STALL_NS (200 * NS_PER_MS)
#define STALL_LEAST_NS (5 * NS_PER_MS)
#define KEEP_NS (30 * NS_PER_S)
#define KEEP_LEAST_NS NS_PER_S
#define KEEP_MOST_NS (300 * NS_PER_S)
#define WINDOW_NS (10 * NS_PER_S)
#define WINDOW_LEAST_NS NS_PER_S
#define WINDOW_MOST_NS (3600 * NS_PER_S)
#define FILES 20
#define FILES_MOST 1000000

/* A time in [least, most]; a percentage is none. */
static bool parse_time(const char *text, int64_t least, int64_t most, int64_t *ns)
{
	return !strchr(text, '%') && units_parse_time(text, 0, ns) && *ns >= least && *ns <= most;
}

static bool find_stall(struct watch_settings *s, const char *text, struct error *err)
{
	s->stall_ns = STALL_NS;
	if (!text)
		return true;
	if (strcmp(text, "0") == 0) {
		s->stall_ns = INT64_MAX;
		return true;
	}
	return parse_time(text, STALL_LEAST_NS, WINDOW_MOST_NS, &s->stall_ns) ||
		error_set(err, ERR_FORMAT, -1,
			  "--stall wants a time from 5ms to 1 hour, or 0 for none, not '%s'", text);
}

/* `40%`, `40%/10s` */
static bool parse_share(const char *text, struct watch_share *share)
{
	char *end;
	double percent = strtod(text, &end);

	if (end == text || *end != '%' || !(percent > 0 && percent <= 100))
		return false;
	share->limit = percent / 100;
	if (end[1] == '\0')
		return true;
	return end[1] == '/' &&
		parse_time(end + 2, WINDOW_LEAST_NS, WINDOW_MOST_NS, &share->window_ns);
}

static bool find_share(struct watch_share *share, const char *option, const char *text,
		       struct error *err)
{
	*share = (struct watch_share){ HUGE_VAL, WINDOW_NS };
	return !text || parse_share(text, share) ||
		error_set(
			err, ERR_FORMAT, -1,
			"--%s wants a percentage, as 40%%, or one of a time from 1s to 1 hour, as "
			"40%%/10s, not '%s'",
			option, text);
}

static bool find_most(struct watch_settings *s, const char *text, struct error *err)
{
	char *end;
	long n;

	s->most = FILES;
	if (!text)
		return true;
	n = strtol(text, &end, 10);
	if (end == text || *end != '\0' || n < 0 || n > FILES_MOST)
		return error_set(err, ERR_FORMAT, -1,
				 "--max wants a number of files up to 1000000, not '%s'", text);
	s->most = (uint32_t)n;
	return true;
}

bool watch_settings_find(struct watch_settings *s, const struct options *o, struct error *err)
{
	int64_t interval_ns = OPTIONS_INTERVAL_US * NS_PER_US;

	*s = (struct watch_settings){ .keep_ns = KEEP_NS };
	if (o->keep && !parse_time(o->keep, KEEP_LEAST_NS, KEEP_MOST_NS, &s->keep_ns))
		return error_set(err, ERR_FORMAT, -1,
				 "--keep wants a time from 1s to 5min, not '%s'", o->keep);
	if (o->interval &&
	    !parse_time(o->interval, OPTIONS_INTERVAL_LEAST_US * NS_PER_US, NS_PER_S, &interval_ns))
		return error_set(err, ERR_FORMAT, -1,
				 "--interval wants a time from 10us to 1s, not '%s'", o->interval);
	s->interval_us = interval_ns / NS_PER_US;
	s->is_json = o->format && strcmp(o->format, watch_line_word(1)) == 0;
	return find_stall(s, o->stall, err) && find_share(&s->gc, "gc", o->gc, err) &&
		find_share(&s->busy, "busy", o->busy, err) && find_most(s, o->max_files, err);
}
