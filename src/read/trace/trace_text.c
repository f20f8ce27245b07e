/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and event categories of a trace: millions of occurrences of a few hundred texts. A hash
 * table finds them by their bytes in the file. A new text with escapes is decoded, and points to
 * its decoded text, so that equal names have equal ids however they are written.
 *
 * To give a name a meaning, add a constant in trace_text.h, a row in `meanings`, and a case
 * where its phase is handled. */
#include "config.h"

#include "read/trace/trace.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	enum meaning meaning;
} meanings[] = {
	{ "Profile", MEANS_PROFILE },
	{ "ProfileChunk", MEANS_CHUNK },
	{ "CpuProfile", MEANS_CPU_PROFILE },
	{ "CpuProfiler::StopProfiling", MEANS_STOP_PROFILING },
	{ "TracingStartedInBrowser", MEANS_STARTED_IN_BROWSER },
	{ "TracingStartedInPage", MEANS_STARTED_IN_PAGE },
	{ "TracingSessionIdForWorker", MEANS_WORKER_SESSION },
	{ "FrameCommittedInBrowser", MEANS_FRAME_COMMITTED },
	{ "CommitLoad", MEANS_COMMIT_LOAD },
	{ "UpdateCounters", MEANS_COUNTERS },
	{ "TimeStamp", MEANS_TIME_STAMP },
	{ "version", MEANS_VERSION },
	{ "process_name", MEANS_PROCESS_NAME },
	{ "process_labels", MEANS_PROCESS_LABELS },
	{ "process_sort_index", MEANS_PROCESS_SORT },
	{ "thread_name", MEANS_THREAD_NAME },
	{ "thread_sort_index", MEANS_THREAD_SORT },
	{ "thread_no_self_time", MEANS_THREAD_NO_SELF },
	/* Marks of navigation timing and resource timing. */
	{ "navigationStart", MEANS_NAVIGATION_START },
	{ "unloadEventStart", MEANS_NAVIGATION },
	{ "unloadEventEnd", MEANS_NAVIGATION },
	{ "redirectStart", MEANS_NAVIGATION },
	{ "redirectEnd", MEANS_NAVIGATION },
	{ "fetchStart", MEANS_NAVIGATION },
	{ "domainLookupStart", MEANS_NAVIGATION },
	{ "domainLookupEnd", MEANS_NAVIGATION },
	{ "connectStart", MEANS_NAVIGATION },
	{ "connectEnd", MEANS_NAVIGATION },
	{ "secureConnectionStart", MEANS_NAVIGATION },
	{ "requestStart", MEANS_NAVIGATION },
	{ "responseStart", MEANS_NAVIGATION },
	{ "responseEnd", MEANS_NAVIGATION },
	{ "domLoading", MEANS_NAVIGATION },
	{ "domInteractive", MEANS_NAVIGATION },
	{ "domContentLoadedEventStart", MEANS_NAVIGATION },
	{ "domContentLoadedEventEnd", MEANS_NAVIGATION },
	{ "domComplete", MEANS_NAVIGATION },
	{ "loadEventStart", MEANS_NAVIGATION },
	{ "loadEventEnd", MEANS_NAVIGATION },
	{ "firstPaint", MEANS_NAVIGATION },
	{ "firstContentfulPaint", MEANS_NAVIGATION },
	{ "commitNavigationEnd", MEANS_NAVIGATION },
	{ "startTime", MEANS_NAVIGATION },
	{ "duration", MEANS_NAVIGATION },
};

static enum meaning meaning_of(const char *p, size_t len)
{
	for (size_t i = 0; i < ARRAY_LEN(meanings); i++)
		if (strlen(meanings[i].name) == len && memcmp(meanings[i].name, p, len) == 0)
			return meanings[i].meaning;
	return MEANS_NOTHING;
}

/* Whether a comma-separated list of event categories has a word. */
static bool has_word(const char *p, size_t len, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= len; i++)
		if (memcmp(p + i, word, n) == 0)
			return true;
	return false;
}

void trace_text_init(struct trace_texts *texts)
{
	*texts = (struct trace_texts){ .n = 1, .cap = 256 };
	texts->all = xcalloc(texts->cap, sizeof *texts->all);
	texts->all[0].p = "";
}

void trace_text_done(struct trace_texts *texts)
{
	arena_done(&texts->arena);
	free(texts->all);
	hash_table_done(&texts->index);
	*texts = (struct trace_texts){ 0 };
}

static inline uint32_t load32(const char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

/* Hash up to 32 bytes by a few overlapping loads. Longer texts are rare. */
static inline uint32_t quick_hash(const char *p, size_t len)
{
	uint64_t a = len, b = 0;

	if (len > 32)
		return (uint32_t)hash_bytes(p, len);
	if (len > 16) {
		a = hash_load64(p) ^ hash_load64(p + 8) * UINT64_C(0x9e3779b97f4a7c15);
		b = hash_load64(p + len - 16) * UINT64_C(0xc2b2ae3d27d4eb4f) ^
			hash_load64(p + len - 8);
	} else if (len >= 8) {
		a = hash_load64(p);
		b = hash_load64(p + len - 8);
	} else if (len >= 4) {
		a = (uint64_t)load32(p) << 32 | load32(p + len - 4);
	} else if (len > 0) {
		a = (unsigned)(unsigned char)p[0] << 16 | (unsigned)(unsigned char)p[len / 2] << 8 |
			(unsigned char)p[len - 1];
	}
	return (uint32_t)hash_u64(a * UINT64_C(0x9e3779b97f4a7c15) ^ (b + (b >> 29)) ^ len);
}

/* The id of a text with the bytes of `raw`. 0: it is new; then *probe is what add() needs. Inline:
 * it runs once for each event. */
static inline text_id find(const struct trace_texts *texts, struct str raw, bool is_escaped,
			   struct hash_probe *probe)
{
	*probe = hash_probe(quick_hash(raw.p, raw.len) ^ (is_escaped ? 0x5bd1e995u : 0));
	while (hash_table_next(&texts->index, probe)) {
		const struct trace_text *x = &texts->all[probe->index];

		if (x->len == raw.len && x->is_escaped == is_escaped &&
		    memcmp(x->p, raw.p, raw.len) == 0)
			return probe->index;
	}
	return 0;
}

/* Add the text that find() just did not find. */
static text_id add(struct trace_texts *texts, struct str raw, bool is_escaped,
		   const struct hash_probe *probe)
{
	text_id id = texts->n++;

	texts->all = xgrow(texts->all, &texts->cap, texts->n, sizeof *texts->all);
	texts->all[id] = (struct trace_text){ .p = arena_copy(&texts->arena, raw.p, raw.len),
					      .len = (uint32_t)raw.len,
					      .same = id,
					      .is_escaped = is_escaped };
	hash_table_add_missing(&texts->index, probe, id);
	return id;
}

text_id trace_text_twin(struct trace_texts *texts, text_id base)
{
	text_id id;

	if (texts->all[base].n_twins >= TRACE_TEXT_TWINS)
		return 0;
	texts->all[base].n_twins++;
	id = texts->n++;
	texts->all = xgrow(texts->all, &texts->cap, texts->n, sizeof *texts->all);
	texts->all[id] = texts->all[base];
	texts->all[id].frame = texts->all[id].mark = FRAME_NONE;
	texts->all[id].base = base;
	texts->all[id].next = texts->all[base].next;
	texts->all[base].next = id;
	return id;
}

static text_id add_plain(struct trace_texts *texts, struct str raw, const struct hash_probe *probe)
{
	text_id id = add(texts, raw, false, probe);
	struct trace_text *text = &texts->all[id];

	text->meaning = (uint8_t)meaning_of(raw.p, raw.len);
	text->is_user_timing = has_word(raw.p, raw.len, "blink.user_timing") ||
		has_word(raw.p, raw.len, "node.perf.usertiming");
	text->is_console = has_word(raw.p, raw.len, "blink.console") ||
		has_word(raw.p, raw.len, "node.console");
	return id;
}

text_id trace_text_add(struct trace_texts *texts, const char *text, size_t len)
{
	return trace_text_raw(texts, (struct str){ text, len }, false);
}

static text_id add_escaped(struct trace_texts *texts, struct str raw,
			   const struct hash_probe *probe)
{
	text_id id = add(texts, raw, true, probe), same;
	struct buf text = { 0 };

	/* A text with an unknown escape is shown as in the file. */
	if (json_tree_decode(raw.p - 1, raw.len + 2, &text)) {
		same = trace_text_add(texts, buf_text(&text), text.len);
		texts->all[id].same = same;
	}
	buf_done(&text);
	return id;
}

text_id trace_text_raw(struct trace_texts *texts, struct str raw, bool has_escape)
{
	struct hash_probe probe;
	text_id id;

	if (raw.len == 0 || raw.len > UINT32_MAX)
		return 0;
	id = find(texts, raw, has_escape, &probe);
	if (!id)
		id = has_escape ? add_escaped(texts, raw, &probe) : add_plain(texts, raw, &probe);
	return texts->all[id].same;
}

text_id trace_text_string(struct trace *t, struct str raw)
{
	if (raw.len < 2 || raw.p[0] != '"')
		return 0;
	raw = (struct str){ raw.p + 1, raw.len - 2 };
	return trace_text_raw(&t->texts, raw, memchr(raw.p, '\\', raw.len) != NULL);
}

const struct json_value *trace_text_json(struct trace *t, struct str raw)
{
	const char *why;
	size_t bad_at;

	return json_tree_parse(&t->tree, raw, &bad_at, &why);
}
