/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line of text is: time, process, event, and what there is to say. The words of events are the
 * same in both forms. */
#include "config.h"

#include "record/watch_line.h"

#include "base/json/json_writer.h"
#include "base/text.h"
#include "base/units.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

static const char *const words[] = {
	[WATCH_BEGIN] = "begin",   [WATCH_STALL] = "stall",   [WATCH_STARVED] = "starved",
	[WATCH_SERIES] = "series", [WATCH_OPEN] = "open",     [WATCH_GC] = "gc",
	[WATCH_GC_END] = "gc-end", [WATCH_BUSY] = "busy",     [WATCH_BUSY_END] = "busy-end",
	[WATCH_GROW] = "grow",     [WATCH_SILENT] = "silent", [WATCH_LEFT_OUT] = "left-out",
	[WATCH_FILE] = "file",     [WATCH_END] = "end",
};

const char *watch_line_word(unsigned i)
{
	static const char *const formats[] = { "text", "json", NULL };

	return formats[i < 2 ? i : 2];
}

/* Append a time of the wall clock with milliseconds and zone: `2026-11-23T03:12:44.123+01:00`. */
static void watch_line_time(int64_t wall_ns, struct buf *out)
{
	int64_t ms = wall_ns / NS_PER_MS;
	time_t seconds = (time_t)(ms / 1000);
	struct tm local = { 0 };
	char date[40] = "", zone[8] = "";

	localtime_r(&seconds, &local);
	strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &local);
	strftime(zone, sizeof zone, "%z", &local);
	buf_addf(out, "%s.%03d%.3s:%s", date, (int)(ms % 1000), zone,
		 strlen(zone) == 5 ? zone + 3 : "00");
}

/* ---- text ---- */

static void add_what(const struct watch_line *line, struct buf *out)
{
	char length[UNITS_MAX], share[UNITS_MAX];

	units_time(line->length_ns, length);
	units_share(line->ns, line->length_ns, share);
	switch (line->kind) {
	case WATCH_STALL:
		buf_addf(out, "at most %s", length);
		break;
	case WATCH_STARVED:
		buf_addf(out, "at most %s, in which the process hardly ran", length);
		break;
	case WATCH_SERIES:
		units_time(line->ns, share);
		buf_addf(out, "at most %s, of calls that took at most %s each", length, share);
		break;
	case WATCH_OPEN:
		buf_addf(out, "goes on, %s so far", length);
		break;
	case WATCH_GC:
	case WATCH_BUSY:
		buf_addf(out, "%s of %s", share, length);
		break;
	case WATCH_GC_END:
	case WATCH_BUSY_END:
		buf_addf(out, "after %s", length);
		break;
	case WATCH_GROW:
		buf_addf(out, "%s within %s: ", units_bytes(line->ns, share), length);
		text_visible(out, line->text, strlen(line->text));
		break;
	case WATCH_SILENT:
		buf_addf(out, "no answer since %s", length);
		break;
	case WATCH_LEFT_OUT:
		buf_addf(out, "%" PRIu64 " more %s, the longest at most %s", line->n,
			 line->n == 1 ? "stall" : "stalls", length);
		break;
	case WATCH_FILE:
		buf_addf(out, "%s, %" PRIu64 " %s", length, line->n,
			 line->n == 1 ? "event" : "events");
		break;
	case WATCH_BEGIN:
	case WATCH_END:
		text_visible(out, line->text ? line->text : "",
			     line->text ? strlen(line->text) : 0);
		break;
	}
}

void watch_line_text(const struct watch_line *line, struct buf *out)
{
	watch_line_time(line->wall_ns, out);
	if (line->pid)
		buf_addf(out, " %" PRId64, line->pid);
	else
		buf_addf(out, " %s", line->address);
	if (line->tid)
		buf_addf(out, "/%d", line->tid);
	buf_addf(out, " %s ", words[line->kind]);
	add_what(line, out);
	if (line->blame && line->blame->text.len > 0)
		buf_addf(out, ": %s", buf_text(&line->blame->text));
	if (line->file) {
		buf_adds(out, " > ");
		text_visible(out, line->file, strlen(line->file));
	}
	buf_addc(out, '\n');
}

/* ---- JSON ---- */

static void add_blame(struct json_writer *w, const struct blame *b)
{
	json_put(w, json_string("text", buf_text(&b->text)));
	if (b->name.len > 0 || b->url.len > 0)
		json_put(w, json_begin("function", "{"),
			 json_text("name", buf_text(&b->name), b->name.len),
			 json_string("url", buf_text(&b->url)), json_integer("line", b->line),
			 json_integer("column", b->column), json_decimals("share", b->share, 4),
			 json_end("}"));
}

static void add_sites(struct json_writer *w, const struct watch_line *line)
{
	json_put(w, json_begin("sites", "["));
	for (size_t i = 0; i < line->n_sites; i++) {
		const struct watch_site *s = &line->sites[i];

		json_put(w, json_begin(NULL, "{"), json_string("name", s->name),
			 json_string("url", s->url), json_integer("line", s->line),
			 json_integer("column", s->column), json_integer("bytes", s->bytes),
			 json_decimals("share", s->share, 4), json_end("}"));
	}
	json_put(w, json_end("]"));
}

void watch_line_json(const struct watch_line *line, struct buf *out)
{
	struct json_writer w = { .out = out };
	enum watch_line_kind kind = line->kind;
	struct buf date = { 0 };

	watch_line_time(line->wall_ns, &date);
	json_put(&w, json_begin(NULL, "{"), json_string("time", buf_text(&date)),
		 json_string("event", words[kind]),
		 line->pid ? json_integer("pid", line->pid) : json_string("address", line->address),
		 json_integer("worker", line->tid),
		 json_if(line->length_ns > 0,
			 json_integer("duration_us", line->length_ns / NS_PER_US)),
		 json_if(kind == WATCH_STALL || kind == WATCH_STARVED || kind == WATCH_SERIES ||
				 kind == WATCH_LEFT_OUT,
			 json_boolean("at_most", true)),
		 json_if(kind == WATCH_GC || kind == WATCH_BUSY,
			 json_decimals("share", (double)line->ns / (double)line->length_ns, 4)),
		 json_if(kind == WATCH_GROW, json_integer("grown_bytes", line->ns)),
		 json_if(kind == WATCH_STARVED, json_integer("ran_us", line->ns / NS_PER_US)),
		 json_if(kind == WATCH_SERIES, json_integer("call_us", line->ns / NS_PER_US)),
		 json_if(kind == WATCH_LEFT_OUT || kind == WATCH_FILE,
			 json_integer("count", (int64_t)line->n)));
	buf_done(&date);
	if (line->blame)
		add_blame(&w, line->blame);
	if (kind == WATCH_GROW)
		add_sites(&w, line);
	json_put(&w, json_if(!line->blame && line->text, json_string("text", line->text)),
		 json_if(line->file, json_string("file", line->file)), json_end("}\n"));
}
