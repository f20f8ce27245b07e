/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Profiles and samples are written as they come; stacks and functions when all are known. */
#include "config.h"

#include "write/export/fleet_tables.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/json/json_writer.h"
#include "base/sink.h"
#include "base/stream/unpack.h"
#include "base/text.h"
#include "base/units.h"
#include "model/lane.h"

#include <inttypes.h>
#include <string.h>

#define PACK_BYTES ((size_t)1 << 16) /* that are compressed at once */
#define QUALITY_MAX 1.0

/* ==== sql ==== */

struct engine {
	const char *name;
	const char *const *lines;
	const char *before, *after; /* of a parameter in the file of queries */
	bool has_escapes;           /* a backslash in a text is special */
};

static const char *const duckdb_lines[] = {
#include "fleet_duckdb_lines.h"
	NULL,
};

static const char *const clickhouse_lines[] = {
#include "fleet_clickhouse_lines.h"
	NULL,
};

static const struct engine engines[] = {
	{ "duckdb", duckdb_lines, "getvariable('", "')", false },
	{ "clickhouse", clickhouse_lines, "{", ":String}", true },
};

/* The sections of a script, each of which a line `-- NAME` begins. The first ones load. Of those,
 * and of the queries, the last one needs spans. */
static const char *const sections[] = { "load",    "load spans", "top",    "different",
					"changed", "since",      "stacks", "slowest" };

#define QUERIES 2 /* the first section that is one */

const char *fleet_tables_engine(unsigned i)
{
	return i < ARRAY_LEN(engines) ? engines[i].name : NULL;
}

/* The number of the section that a line begins; SIZE_MAX: none. */
static size_t section_of(const char *line)
{
	for (size_t i = 0; i < ARRAY_LEN(sections); i++) {
		size_t n = strlen(sections[i]);

		if (strncmp(line, "-- ", 3) == 0 && strncmp(line + 3, sections[i], n) == 0 &&
		    strcmp(line + 3 + n, "\n") == 0)
			return i;
	}
	return SIZE_MAX;
}

/* Append text between quotes, each of which in it is there twice, in visible form: as tables have
 * it. */
static void add_quoted(struct buf *out, char quote, const char *text, size_t len, bool has_escapes)
{
	BUF_LOCAL visible = { 0 };

	text_visible(&visible, text, len);
	buf_addc(out, quote);
	for (size_t i = 0; i < visible.len; i++) {
		char c = visible.data[i];

		if (c == quote || (c == '\\' && has_escapes))
			buf_addc(out, c);
		buf_addc(out, c);
	}
	buf_addc(out, quote);
}

static void add_literal(const struct engine *e, const char *text, size_t len, struct buf *out)
{
	add_quoted(out, '\'', text, len, e->has_escapes);
}

/* What stands for the parameters of a text. */
struct filling {
	const char *dir;     /* of tables; NULL: the text has none */
	char *const *values; /* KEY=VALUE; NULL: as parameters */
	int n_values;
	unsigned used;       /* a bit for each value */
	const char *missing; /* a parameter without a value, */
	size_t missing_len;
};

/* name: `host`, or with its default, `host=`; n: its bytes. */
static void fill(const struct engine *e, const char *name, size_t n, struct filling *f,
		 struct buf *out)
{
	const char *equal = memchr(name, '=', n);
	size_t len = n;

	BUF_LOCAL path = { 0 };

	if (f->dir && n > 4 && memcmp(name, "dir/", 4) == 0) {
		buf_addf(&path, "%s%s%.*s.csv%s", f->dir,
			 f->dir[strlen(f->dir) - 1] == '/' ? "" : "/", (int)n - 4, name + 4,
			 packer_suffix);
		/* Engines look for patterns in paths: `?` is any character. */
		for (char *c = path.data; (c = strpbrk(c, "*[]{}")) != NULL; c++)
			*c = '?';
		add_literal(e, buf_text(&path), path.len, out);
		return;
	}
	n = equal ? (size_t)(equal - name) : n;
	for (int i = 0; i < f->n_values; i++) {
		if (strncmp(f->values[i], name, n) != 0 || f->values[i][n] != '=')
			continue;
		f->used |= 1u << i;
		add_literal(e, f->values[i] + n + 1, strlen(f->values[i] + n + 1), out);
		return;
	}
	if (f->values && equal) {
		add_literal(e, equal + 1, len - n - 1, out);
		return;
	}
	if (f->values) {
		f->missing = name;
		f->missing_len = n;
	}
	buf_addf(out, "%s%.*s%s", e->before, (int)n, name, e->after);
}

/* Append the sections from `first` to before `end`. */
static void add_sections(const struct engine *e, size_t first, size_t end, struct filling *f,
			 struct buf *out)
{
	size_t now = SIZE_MAX;

	for (size_t i = 0; e->lines[i]; i++) {
		const char *p = e->lines[i], *open;

		now = section_of(p) != SIZE_MAX ? section_of(p) : now;
		/* A query is an argument of a client, which must not begin like an option. */
		if (now == SIZE_MAX || now < first || now >= end ||
		    (f->values && strncmp(p, "--", 2) == 0))
			continue;
		while ((open = strstr(p, "{{")) != NULL) {
			size_t n = strcspn(open + 2, "}");

			buf_add(out, p, (size_t)(open - p));
			fill(e, open + 2, n, f, out);
			p = open + 2 + n + 2;
		}
		buf_adds(out, p);
	}
}

bool fleet_tables_query(unsigned engine, const char *name, char *const *values, int n_values,
			struct buf *out, struct error *err)
{
	struct filling f = { .values = values, .n_values = n_values };
	size_t i = QUERIES;

	while (i < ARRAY_LEN(sections) && strcmp(sections[i], name) != 0)
		i++;
	if (i == ARRAY_LEN(sections))
		return error_set(
			err, ERR_USAGE, -1,
			"no query '%.100s'; there are top, different, changed, since, stacks and "
			"slowest",
			name);
	if (n_values > 16)
		return error_set(err, ERR_USAGE, -1, "too many values");
	add_sections(&engines[engine], i, i + 1, &f, out);
	if (f.missing)
		return error_set(err, ERR_USAGE, -1, "%s wants %.*s=VALUE", name,
				 (int)f.missing_len, f.missing);
	for (int k = 0; k < n_values; k++)
		if (!(f.used >> k & 1))
			return error_set(err, ERR_USAGE, -1, "%s has no parameter for %.100s", name,
					 values[k]);
	return true;
}

/* ==== tables ==== */

enum { PROFILES, SAMPLES, STACKS, FUNCTIONS, SPANS, TABLES };

static const char *const names[TABLES] = { "profiles", "samples", "stacks", "functions", "spans" };

static const char *const heads[TABLES] = {
	("profile_id,path,time,host,service,version,labels,format,pid,tid,thread,duration_ns,"
	 "busy_ns,idle_ns,gc_ns,program_ns,samples,expected,interval_ns,quality,longest_gap_ns\r\n"),
	"profile_id,stack_id,value_ns,samples\r\n",
	"stack_id,frames\r\n",
	"function_key,name,file,url,line,column,package,category\r\n",
	"profile_id,function_key,start_ns,dur_ns\r\n",
};

struct fleet_tables {
	char *dir;
	bool is_forced;
	int n_tables; /* without spans, those before them */
	struct sink *sinks[TABLES];
	struct packer *packers[TABLES];
	struct buf plain[TABLES];
	uint64_t *ids; /* of stacks, by number; 0: not known yet */
	size_t n_ids, cap_ids;
	uint8_t *is_used; /* stacks that have samples */
	size_t cap_used;
};

static void pack(struct fleet_tables *t, int table, bool is_end)
{
	struct buf *plain = &t->plain[table];

	if (!is_end && plain->len < PACK_BYTES)
		return;
	packer_add(t->packers[table], buf_text(plain), plain->len, is_end,
		   sink_buf(t->sinks[table]));
	buf_clear(plain);
}

static struct sink *open_file(const struct fleet_tables *t, const char *name, const char *suffix,
			      struct error *err)
{
	BUF_LOCAL path = { 0 };

	buf_addf(&path, "%s%s%s%s", t->dir, t->dir[strlen(t->dir) - 1] == '/' ? "" : "/", name,
		 suffix);
	return sink_open(buf_text(&path), t->is_forced, err);
}

struct fleet_tables *fleet_tables_begin(const char *dir, bool has_spans, bool is_forced,
					struct error *err)
{
	struct fleet_tables *t = xcalloc(1, sizeof *t);
	BUF_LOCAL suffix = { 0 };

	t->dir = xstrdup(*dir ? dir : ".");
	t->is_forced = is_forced;
	t->n_tables = has_spans ? TABLES : SPANS;
	buf_addf(&suffix, ".csv%s", packer_suffix);
	for (int i = 0; i < t->n_tables; i++) {
		t->sinks[i] = open_file(t, names[i], buf_text(&suffix), err);
		if (!t->sinks[i]) {
			fleet_tables_drop(t);
			return NULL;
		}
		t->packers[i] = packer_new();
		buf_adds(&t->plain[i], heads[i]);
	}
	return t;
}

void fleet_tables_drop(struct fleet_tables *t)
{
	if (!t)
		return;
	for (int i = 0; i < TABLES; i++) {
		sink_drop(t->sinks[i]);
		packer_free(t->packers[i]);
		buf_done(&t->plain[i]);
	}
	free(t->dir);
	free(t->ids);
	free(t->is_used);
	free(t);
}

/* ---- fields ---- */

static void add_text(struct buf *out, const char *text, size_t len)
{
	add_quoted(out, '"', text, len, false);
	buf_addc(out, ',');
}

static void add_string(struct buf *out, const struct fleet *f, str_id id)
{
	add_text(out, intern_text(&f->strings, id), intern_len(&f->strings, id));
}

static void add_label(struct buf *out, const struct fleet_profile *p, const char *key)
{
	struct str value = { "", 0 };

	for (size_t i = 0; i < p->n_labels; i++)
		if (p->labels[i].key.len == strlen(key) &&
		    memcmp(p->labels[i].key.p, key, strlen(key)) == 0)
			value = p->labels[i].value;
	add_text(out, value.p, value.len);
}

/* An object of texts. */
static void add_labels(struct buf *out, const struct fleet_profile *p)
{
	BUF_LOCAL json = { 0 };
	struct json_writer w = { .out = &json };

	json_put(&w, json_begin(NULL, "{"));
	for (size_t i = 0; i < p->n_labels; i++)
		json_put(&w,
			 json_text(p->labels[i].key.p, p->labels[i].value.p,
				   p->labels[i].value.len));
	json_put(&w, json_end("}"));
	add_text(out, json.data, json.len);
}

static void add_time(struct buf *out, int64_t at)
{
	char text[DATE_MAX];

	/* What both engines can have. */
	if (at >= 0 && at <= UINT32_MAX) {
		date_format(at, ' ', text);
		buf_adds(out, text);
	}
	buf_addc(out, ',');
}

static void add_number(struct buf *out, int64_t n, bool is_known)
{
	if (is_known)
		buf_addf(out, "%" PRId64, n);
	buf_addc(out, ',');
}

/* ---- rows ---- */

static uint64_t id_of(struct fleet_tables *t, const struct fleet *f, uint32_t stack)
{
	if (!stack)
		return 1;
	if (!t->ids[stack])
		t->ids[stack] = hash_u64(id_of(t, f, f->stack_parent[stack]) * 31 ^
					 f->functions[f->stack_function[stack]].key);
	return t->ids[stack];
}

static void grow(struct fleet_tables *t, size_t n)
{
	size_t ids = t->cap_ids, used = t->cap_used;

	t->ids = xgrow(t->ids, &t->cap_ids, n, sizeof *t->ids);
	t->is_used = xgrow(t->is_used, &t->cap_used, n, 1);
	if (t->cap_ids > ids)
		memset(t->ids + ids, 0, (t->cap_ids - ids) * sizeof *t->ids);
	if (t->cap_used > used)
		memset(t->is_used + used, 0, t->cap_used - used);
}

static bool add_spans(struct fleet_tables *t, const struct fleet_profile *p)
{
	if (t->n_tables <= SPANS)
		return true;
	for (size_t i = 0; i < p->n_spans; i++) {
		const struct fleet_span *s = &p->spans[i];

		buf_addf(&t->plain[SPANS], "%" PRIu64 ",%" PRIu64 ",%" PRId64 ",%" PRId64 "\r\n",
			 p->id, p->fleet->functions[s->function].key, s->start_ns, s->length_ns);
		pack(t, SPANS, false);
	}
	return sink_step(t->sinks[SPANS]);
}

bool fleet_tables_add(struct fleet_tables *t, const struct fleet_profile *p)
{
	struct buf *row = &t->plain[PROFILES], *out = &t->plain[SAMPLES];
	double quality = p->facts.n_expected
		? (double)p->facts.n_samples / (double)p->facts.n_expected
		: QUALITY_MAX;

	buf_addf(row, "%" PRIu64 ",", p->id);
	add_text(row, p->path, strlen(p->path));
	add_time(row, p->at);
	add_text(row, p->host, strlen(p->host));
	add_label(row, p, "service");
	add_label(row, p, "version");
	add_labels(row, p);
	add_text(row, p->format, strlen(p->format));
	add_number(row, p->pid, p->pid != LANE_NO_ID);
	add_number(row, p->tid, p->tid != LANE_NO_ID);
	add_label(row, p, "thread");
	buf_addf(row,
		 "%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRIu64 ",%" PRIu64
		 ",%" PRId64 ",%.6g,%" PRId64 "\r\n",
		 p->facts.length_ns, p->facts.busy_ns, p->facts.idle_ns, p->facts.gc_ns,
		 p->facts.program_ns, p->facts.n_samples, p->facts.n_expected, p->interval_ns,
		 quality < QUALITY_MAX ? quality : QUALITY_MAX, p->facts.gap_ns);
	grow(t, p->fleet->n_stacks);
	for (size_t i = 0; i < p->n_selves; i++) {
		uint32_t stack = p->selves[i].stack;

		t->is_used[stack] = 1;
		buf_addf(out, "%" PRIu64 ",%" PRIu64 ",%" PRId64 ",%u\r\n", p->id,
			 id_of(t, p->fleet, stack), p->selves[i].ns, p->selves[i].n_samples);
	}
	pack(t, PROFILES, false);
	pack(t, SAMPLES, false);
	return sink_step(t->sinks[PROFILES]) && sink_step(t->sinks[SAMPLES]) && add_spans(t, p);
}

static void write_stacks(struct fleet_tables *t, const struct fleet *f)
{
	uint32_t *path = NULL;
	size_t cap = 0;

	for (uint32_t s = 1; s < f->n_stacks && s < t->cap_used; s++) {
		struct buf *out = &t->plain[STACKS];
		size_t n = 0;

		if (!t->is_used[s])
			continue;
		for (uint32_t k = s; k; k = f->stack_parent[k])
			*ARRAY_ADD(path, n, cap) = f->stack_function[k];
		buf_addf(out, "%" PRIu64 ",\"[", id_of(t, f, s));
		while (n-- > 0)
			buf_addf(out, "%" PRIu64 "%s", f->functions[path[n]].key, n ? "," : "");
		buf_adds(out, "]\"\r\n");
		pack(t, STACKS, false);
		sink_step(t->sinks[STACKS]);
	}
	free(path);
}

static void write_functions(struct fleet_tables *t, const struct fleet *f)
{
	struct buf *out = &t->plain[FUNCTIONS];

	for (uint32_t i = 0; i < f->n_functions; i++) {
		const struct fleet_function *fn = &f->functions[i];
		const char *category = category_name(fn->category);

		buf_addf(out, "%" PRIu64 ",", fn->key);
		add_string(out, f, fn->name);
		add_string(out, f, fn->file);
		add_string(out, f, fn->url);
		buf_addf(out, "%" PRId64 ",%" PRId64 ",", fn->line, fn->column);
		add_string(out, f, fn->package);
		buf_addf(out, "\"%s\"\r\n", category);
		pack(t, FUNCTIONS, false);
		sink_step(t->sinks[FUNCTIONS]);
	}
}

static bool write_sql(struct fleet_tables *t, struct error *err)
{
	size_t without = t->n_tables <= SPANS; /* sections that need spans */

	for (size_t e = 0; e < ARRAY_LEN(engines); e++)
		for (int is_load = 0; is_load < 2; is_load++) {
			struct filling f = { .dir = t->dir };
			BUF_LOCAL name = { 0 };
			struct sink *sink;

			buf_addf(&name, "%s.%s", is_load ? "load" : "queries", engines[e].name);
			sink = open_file(t, buf_text(&name), ".sql", err);
			if (!sink)
				return false;
			add_sections(&engines[e], is_load ? 0 : QUERIES,
				     (is_load ? QUERIES : ARRAY_LEN(sections)) - without, &f,
				     sink_buf(sink));
			if (!sink_close(sink, err))
				return false;
		}
	return true;
}

bool fleet_tables_end(struct fleet_tables *t, const struct fleet *fleet, struct error *err)
{
	bool is_good = true;

	write_stacks(t, fleet);
	write_functions(t, fleet);
	for (int i = 0; i < t->n_tables && is_good; i++) {
		pack(t, i, true);
		is_good = sink_close(t->sinks[i], err);
		t->sinks[i] = NULL;
	}
	is_good = is_good && write_sql(t, err);
	fleet_tables_drop(t);
	return is_good;
}
