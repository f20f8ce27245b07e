/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of export formats. The first one is the default. Each format has a test that reads its
 * output back. */
#include "config.h"

#include "write/export/export.h"

#include "analyse/scope.h"
#include "analyse/view/scoped.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "model/profile.h"
#include "write/report/report.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ==== lane names ==== */

static void add_string(struct buf *out, const struct profile *profile, str_id id)
{
	buf_add(out, profile_text(profile, id), intern_len(&profile->strings, id));
}

void export_full_name(const struct profile *profile, const struct lane *lane, struct buf *out)
{
	if (lane->title || lane->thread_name || lane->tid != LANE_NO_ID)
		lane_name(profile, lane, true, out);
	else
		export_lane_name(profile, lane, out);
}

void export_lane_name(const struct profile *profile, const struct lane *lane, struct buf *out)
{
	if (lane->title)
		add_string(out, profile, lane->title);
	else if (lane->thread_name)
		add_string(out, profile, lane->thread_name);
	else if (lane->tid == 0 && lane->pid != LANE_NO_ID)
		buf_adds(out, "main thread");
	else if (lane->tid != LANE_NO_ID && lane->tid != 0)
		buf_addf(out, "thread %" PRId64, lane->tid);
	else
		buf_adds(out, profile_input_name(profile, lane->input));
}

/* ==== cut ====
 *
 * Spans are found sample by sample: a sample opens those below the depth that it shares with the
 * sample before, or all of them if it is the first in the range. */

const struct lane **cut_lanes(const struct profile *p, uint32_t *n)
{
	const struct lane **lanes = xcalloc(p->n_lanes ? p->n_lanes : 1, sizeof *lanes);

	*n = 0;
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].kind == LANE_SAMPLES || p->lanes[i].kind == LANE_SLICES)
			lanes[(*n)++] = &p->lanes[i];
	return lanes;
}

bool cut_each_span(const struct lane *lane, int64_t t0, int64_t t1, bool has_empty,
		   bool (*visit)(void *ctx, const struct span *span), void *ctx)
{
	const struct samples *s = &lane->samples;
	size_t first = s->n ? samples_find(s, t0) : 0;

	/* Take all samples with the same time. */
	while (first > 0 && samples_time(s, first) >= t0)
		first--;
	for (size_t i = first; i < s->n && samples_time(s, i) < t1; i++) {
		int depth = i > first ? samples_shared(s, i - 1) : 0,
		    rows = lane->tree.rows[s->leaf[i]];

		for (; depth < rows; depth++) {
			struct span span;

			if (!span_of_sample(s, &lane->tree, i, depth, &span))
				break;
			if (span.t1 < t0 ||
			    (span.t0 == span.t1 ? !has_empty || span.t0 < t0 : span.t1 == t0))
				continue;
			span.t0 = span.t0 < t0 ? t0 : span.t0;
			span.t1 = span.t1 > t1 ? t1 : span.t1;
			if (!visit(ctx, &span))
				return false;
		}
	}
	return true;
}

uint8_t *cut_nodes(const struct profile *p, const struct lane *lane, const struct scope *scope)
{
	const struct samples *s = &lane->samples;
	uint8_t *is = xcalloc(lane->tree.n, 1);

	if (scope->t0 <= 0 && scope->t1 >= p->t1) {
		memset(is, 1, lane->tree.n);
		return is;
	}
	for (size_t i = 0; i < s->n && samples_time(s, i) < scope->t1; i++)
		if (samples_time(s, i + 1) > scope->t0 || samples_time(s, i) >= scope->t0)
			is[s->leaf[i]] = 1;
	for (node_id i = lane->tree.n; i-- > 1;)
		is[lane->tree.parent[i]] |= is[i];
	return is;
}

/* ==== export report ====
 *
 * Reports as exports: what `report` prints in the same format, byte for byte. */

#define TOP 10 /* rows of a table, without options */

static void write_report(const struct report *report, const struct profile *p,
			 const struct export_options *options, struct sink *sink)
{
	const struct scoped plain = { .profile = p, .original = p };
	struct report_options own = { .top = TOP };
	uint64_t n_left;

	if (options->report)
		own = *options->report;
	own.scope = options->scope;
	n_left = report_write(report, options->scoped ? options->scoped : &plain, &own, sink);
	if (options->n_left)
		*options->n_left = n_left;
}

static void json_write(const struct profile *p, const struct export_options *options,
		       struct sink *sink)
{
	write_report(&report_json, p, options, sink);
}

static void csv_write(const struct profile *p, const struct export_options *options,
		      struct sink *sink)
{
	write_report(&report_csv, p, options, sink);
}

static void md_write(const struct profile *p, const struct export_options *options,
		     struct sink *sink)
{
	write_report(&report_md, p, options, sink);
}

static const struct export_format export_json = {
	.name = "json",
	.help = "the report as JSON",
	.opens = "jq and whatever reads JSON",
	.is_gathered = true,
	.write = json_write,
};

static const struct export_format export_csv = {
	.name = "csv",
	.help = "one table of the report",
	.opens = "DuckDB, ClickHouse and spreadsheets",
	.is_gathered = true,
	.is_of_stacks = true,
	.write = csv_write,
};

static const struct export_format export_md = {
	.name = "md",
	.help = "the report as Markdown",
	.opens = "a ticket or a pull request",
	.is_gathered = true,
	.write = md_write,
};

/* ==== export ==== */

/* clang-format off */
const struct export_format *const export_formats[] = {
	&export_trace,
	&export_cpuprofile,
	&export_folded,
	&export_speedscope,
	&export_pprof,
	&export_svg,
	&export_html,
	&export_d3,
	&export_json,
	&export_csv,
	&export_md,
	NULL,
};

/* clang-format on */

/* Bytes of any profile, and for each sample and each node. */
#define BYTES_SURE ((int64_t)128 << 20)
#define BYTES_EACH 2048

int64_t export_bytes_most(const struct profile *p)
{
	int64_t n = 0;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		n += (int64_t)p->lanes[i].samples.n + p->lanes[i].tree.n;
	return BYTES_SURE + n * BYTES_EACH;
}

const char *export_value_word(unsigned i)
{
	static const char *const words[] = { "time", "samples" };

	return i < ARRAY_LEN(words) ? words[i] : NULL;
}

const char *export_word(unsigned i)
{
	return i + 1 < ARRAY_LEN(export_formats) ? export_formats[i]->name : NULL;
}

const struct export_format *export_find(const char *name)
{
	if (!name)
		return export_formats[0];
	for (size_t i = 0; export_formats[i]; i++)
		if (strcmp(export_formats[i]->name, name) == 0)
			return export_formats[i];
	return NULL;
}

static bool is_of_request(const struct profile *p, const struct label_key *key)
{
	const char *name = profile_text(p, key->name);

	return labels_says(name, intern_len(&p->strings, key->name)) == LABEL_SAYS_NOTHING &&
		strcmp(name, "package") != 0;
}

static bool has_labels(const struct profile *p, uint32_t set)
{
	struct label label;

	for (size_t i = 0; labels_get(&p->labels, set, i, &label); i++)
		if (is_of_request(p, &p->labels.keys[label.key]))
			return true;
	return false;
}

bool export_loses_labels(const struct export_format *format, const struct profile *p)
{
	ALLOC_LOCAL uint8_t *is_used = NULL;
	bool has = false;

	if (format->has_labels || format->is_gathered || !p->labels.n_keys)
		return false;
	is_used = xcalloc(labels_count(&p->labels), 1);
	for (uint32_t i = 0; i < p->n_lanes; i++)
		for (size_t k = 0; p->lanes[i].labels && k < p->lanes[i].samples.n; k++)
			is_used[p->lanes[i].labels[k]] |= p->lanes[i].samples.leaf[k] != NODE_ROOT;
	for (size_t i = 0; i < labels_count(&p->labels) && !has; i++)
		has = is_used[i] && has_labels(p, (uint32_t)i);
	return has;
}

static bool has_process(const struct profile *p, int64_t pid)
{
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].pid == pid)
			return true;
	return false;
}

uint64_t export_lost_requests(const struct export_format *format, const struct profile *p,
			      const struct scope *scope)
{
	const struct served_all *all = &p->served;
	bool has = false;
	uint64_t n = 0;

	for (size_t i = 0; !format->has_requests && !format->is_gathered && i < all->n; i++) {
		const struct served *s = &all->requests[i];

		has = i && s->pid == all->requests[i - 1].pid ? has : has_process(p, s->pid);
		n += has && s->t0 < scope->t1 && s->t1 > scope->t0;
	}
	return n;
}
