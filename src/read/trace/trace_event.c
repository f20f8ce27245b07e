/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes one event apart. Common members are recognised by four bytes of their key, before the end
 * of the key is known, so that the processor can continue with the value. Only values that every
 * event needs are decoded. `args` and unknown members are skipped; the place of `args` is kept for
 * the few events that need it.
 *
 * To read another member, add a MEMBER_ constant, a row in `members`, and a case in
 * read_member(). */
#include "config.h"

#include "read/trace/trace_event.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/json/cursor.h"
#include "base/json/json_number.h"
#include "base/json/json_repair.h"
#include "model/frame.h"
#include "read/trace/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ==== trace text ====
 *
 * Names and event categories of a trace: millions of occurrences of a few hundred texts. A hash
 * table finds them by their bytes in the file. A new text with escapes is decoded, and points to
 * its decoded text, so that equal names have equal ids however they are written.
 *
 * To give a name a meaning, add a constant in trace_event.h, a row in `meanings`, and a case
 * where its phase is handled. */

#define TWINS_MAX 1000 /* entries of one text, for other event categories */

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
	{ "RasterTask", MEANS_RASTER },
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
	{ "FunctionCall", MEANS_CALL },
	{ "EvaluateScript", MEANS_SCRIPT },
	{ "v8.compile", MEANS_SCRIPT },
	{ "v8.compileModule", MEANS_SCRIPT },
	{ "v8.evaluateModule", MEANS_SCRIPT },
	{ "v8.run", MEANS_SCRIPT },
	{ "v8.produceCache", MEANS_SCRIPT },
	{ "v8.parseOnBackground", MEANS_SCRIPT },
	{ "v8.streamingCompile.start", MEANS_SCRIPT },
	{ "v8.streamingCompile.complete", MEANS_SCRIPT },
	{ "EventDispatch", MEANS_DISPATCH },
	{ "XHRReadyStateChange", MEANS_FILE },
	{ "XHRLoad", MEANS_FILE },
	{ "ParseHTML", MEANS_PARSE },
	{ "ParseAuthorStyleSheet", MEANS_PARSE },
	{ "TimerFire", MEANS_TIMER },
	{ "v8::Debugger::AsyncTaskScheduled", MEANS_TASK },
	{ "v8::Debugger::AsyncTaskRun", MEANS_TASK_RUN },
	{ "SetLayerTreeId", MEANS_LAYER },
	{ "BeginFrame", MEANS_BEGIN },
	{ "DroppedFrame", MEANS_DROPPED },
	{ "DrawFrame", MEANS_DRAW },
	{ "RequestMainThreadFrame", MEANS_REQUEST },
	{ "BeginMainThreadFrame", MEANS_BEGIN_MAIN },
	{ "Commit", MEANS_COMMIT },
	{ "CompositeLayers", MEANS_COMMIT },
	{ "http.server.request", MEANS_HTTP },
	{ "http.client.request", MEANS_HTTP },
	{ "ResourceWillSendRequest", MEANS_WILL_SEND },
	{ "ResourceSendRequest", MEANS_SEND },
	{ "ResourceReceiveResponse", MEANS_RESPONSE },
	{ "ResourceFinish", MEANS_FINISH },
	{ "ResourceMarkAsCached", MEANS_CACHED },
	{ "ResourceChangePriority", MEANS_PRIORITY },
	{ "PreloadRenderBlockingStatusChange", MEANS_BLOCKING },
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
	{ "firstPaint", MEANS_FIRST_PAINT },
	{ "firstContentfulPaint", MEANS_CONTENTFUL_PAINT },
	{ "largestContentfulPaint::Candidate", MEANS_LARGEST_PAINT },
	{ "MarkDOMContent", MEANS_DOM_CONTENT },
	{ "MarkLoad", MEANS_LOAD },
	{ "LayoutShift", MEANS_LAYOUT_SHIFT },
	{ "SoftNavigationStart", MEANS_SOFT_NAVIGATION },
	{ "EventTiming", MEANS_EVENT_TIMING },
	{ "commitNavigationEnd", MEANS_NAVIGATION },
	{ "startTime", MEANS_NAVIGATION },
	{ "duration", MEANS_NAVIGATION },
};

/* Whether a comma-separated list of event categories has a word. */
static bool has_word(const char *p, size_t len, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= len; i++)
		if (memcmp(p + i, word, n) == 0)
			return true;
	return false;
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

/* Name i of those with a meaning; NULL: there are not as many. */
static const char *name_with_meaning(size_t i)
{
	return i < ARRAY_LEN(meanings) ? meanings[i].name
				       : trace_initiator_name(i - ARRAY_LEN(meanings));
}

void trace_text_init(struct trace_texts *texts)
{
	const char *name;

	*texts = (struct trace_texts){ .n = 1, .cap = 256 };
	texts->all = xcalloc(texts->cap, sizeof *texts->all);
	texts->all[0].p = "";
	for (uint32_t i = 0; (name = name_with_meaning(i)) != NULL; i++)
		hash_table_add(&texts->meanings, quick_hash(name, strlen(name)), i);
}

static unsigned meaning_of(const struct trace_texts *texts, struct str raw, uint32_t hash)
{
	struct hash_probe probe = hash_probe(hash);

	while (hash_table_next(&texts->meanings, &probe))
		if (str_is(raw, name_with_meaning(probe.index)))
			return probe.index < ARRAY_LEN(meanings)
				? meanings[probe.index].meaning
				: MEANS_INITIATOR + probe.index - (unsigned)ARRAY_LEN(meanings);
	return MEANS_NOTHING;
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
		    hash_same(x->p, raw.p, raw.len))
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

	if (texts->all[base].n_twins >= TWINS_MAX)
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

text_id trace_text_of_run(struct trace_texts *texts, text_id base, frame_id frame)
{
	char key[1 + sizeof frame] = "\1"; /* no name in a file begins with it */
	text_id id;

	memcpy(key + 1, &frame, sizeof frame);
	id = trace_text_add(texts, key, sizeof key);
	texts->all[id].base = base;
	texts->all[id].frame = frame;
	return id;
}

static text_id add_plain(struct trace_texts *texts, struct str raw, const struct hash_probe *probe)
{
	text_id id = add(texts, raw, false, probe);
	struct trace_text *text = &texts->all[id];

	text->meaning = (uint8_t)meaning_of(texts, raw, probe->hash);
	text->served = (uint8_t)trace_served_kind_of(raw);
	texts->has_served |= text->served != TRACE_SERVED_NOT;
	if (!memchr(raw.p, '.', raw.len))
		return id;
	text->is_user_timing = has_word(raw.p, raw.len, "blink.user_timing") ||
		has_word(raw.p, raw.len, "node.perf.usertiming");
	text->is_debugger = has_word(raw.p, raw.len, "v8.inspector");
	text->is_console = has_word(raw.p, raw.len, "blink.console") ||
		has_word(raw.p, raw.len, "node.console");
	return id;
}

static text_id add_escaped(struct trace_texts *texts, struct str raw,
			   const struct hash_probe *probe)
{
	text_id id = add(texts, raw, true, probe), same;
	BUF_LOCAL text = { 0 };

	/* A text with an unknown escape is shown as in the file. */
	if (json_tree_decode(raw.p - 1, raw.len + 2, &text)) {
		same = trace_text_add(texts, buf_text(&text), text.len);
		texts->all[id].same = same;
	}
	return id;
}

/* Not inline: what it needs on the stack would cost time at each text that is known. */
static __attribute__((noinline)) text_id add_new(struct trace_texts *texts, struct str raw,
						 bool has_escape, struct hash_probe probe)
{
	return has_escape ? add_escaped(texts, raw, &probe) : add_plain(texts, raw, &probe);
}

text_id trace_text_raw(struct trace_texts *texts, struct str raw, bool has_escape)
{
	struct hash_probe probe;
	text_id id;

	if (raw.len == 0 || raw.len > UINT32_MAX)
		return 0;
	id = find(texts, raw, has_escape, &probe);
	if (!id)
		id = add_new(texts, raw, has_escape, probe);
	return texts->all[id].same;
}

text_id trace_text_string(struct trace *t, struct str raw)
{
	if (raw.len < 2 || raw.p[0] != '"')
		return 0;
	return trace_text_quoted(&t->texts, (struct str){ raw.p + 1, raw.len - 2 });
}

const struct json_value *trace_text_json(struct trace *t, struct str raw)
{
	const char *why;
	size_t bad_at;

	return raw.len ? json_tree_parse(&t->tree, raw, &bad_at, &why) : NULL;
}

text_id trace_text_in(struct trace *t, const struct json_value *object, const char *name)
{
	const char *text;
	size_t len;

	return json_tree_text(object, name, &text, &len) ? trace_text_add(&t->texts, text, len) : 0;
}

int64_t trace_text_number(const struct json_value *object, const char *name, int scale,
			  int64_t otherwise)
{
	struct str text = { NULL, 0 };
	enum number_kind kind;
	int64_t value;

	return json_tree_text(object, name, &text.p, &text.len) &&
			json_number_parse(text.p, text.len, scale, &value, &kind) &&
			kind != NUMBER_HUGE && value < PROFILE_TIME_MAX && value > -PROFILE_TIME_MAX
		? value
		: otherwise;
}

bool trace_text_is_true(const struct json_value *object, const char *name)
{
	const struct json_value *v = json_tree_member(object, name, JSON_BOOLEAN);

	return v && v->text.p[0] == 't';
}

/* ==== trace event ==== */

/* Escapes of a string are decoded before it is compared. Few strings have any. A string with an
 * escape that JSON does not know stays as it is. */
static uint64_t hash_of(struct str text, bool has_escape)
{
	BUF_LOCAL decoded = { 0 };
	uint64_t hash;

	if (has_escape && json_tree_decode(text.p - 1, text.len + 2, &decoded))
		text = (struct str){ buf_text(&decoded), decoded.len };
	hash = hash_bytes(text.p, text.len);
	return hash;
}

/* The number of the string that ends before the cursor, after its escapes are decoded. It begins at
 * or after `from`. */
static void decode_number(const struct cursor *c, const char *from, int scale, int64_t *value,
			  enum number_kind *kind, bool *is_text)
{
	BUF_LOCAL decoded = { 0 };
	size_t len = (size_t)((const char *)c->p - from);

	if (!memchr(from, '\\', len))
		return;
	from = memchr(from, '"', len);
	len = from ? (size_t)((const char *)c->p - from) : 0;
	if (len && json_tree_decode(from, len, &decoded))
		*is_text = json_number_parse(buf_text(&decoded), decoded.len, scale, value, kind);
}

/* Read a number, or a string that is one. */
static inline bool read_number(struct cursor *c, int scale, int64_t *value, enum number_kind *kind,
			       bool *is_text)
{
	const char *from = (const char *)c->p;

	if (!cursor_number(c, scale, value, kind, is_text))
		return false;
	if (*kind == NUMBER_NONE)
		decode_number(c, from, scale, value, kind, is_text);
	return true;
}

/* Read an id, which may be a number or a string, as a hash of its text. 0: null, an object or a
 * list is not an id. */
static bool read_id(struct cursor *c, uint64_t *id, struct str *id_text)
{
	struct str text = { NULL, 0 };
	bool has_escape = false;
	int b = cursor_peek(c);

	if (b == '"') {
		if (!cursor_string(c, &text, &has_escape))
			return false;
	} else if (!cursor_raw(c, &text)) {
		return false;
	}
	*id_text = text;
	*id = b == 'n' || b == '{' || b == '[' ? 0 : hash_of(text, has_escape) | 1;
	return true;
}

/* Read the id of the event. What is no id changes nothing. */
static bool take_id(struct cursor *c, struct trace_event *e, enum id_kind kind)
{
	struct str text;
	uint64_t id;

	if (!read_id(c, &id, &text))
		return false;
	if (!id)
		return true;
	e->id = id;
	e->id_text = text;
	e->id_kind = (uint8_t)kind;
	return true;
}

static bool read_plain_id(struct cursor *c, struct trace_event *e)
{
	return take_id(c, e, ID_PLAIN);
}

/* id2: {"local": "0x1"} or {"global": "0x1"}; a text or number is the same as one at `id`. */
static bool read_id2(struct cursor *c, struct trace_event *e)
{
	bool is_first = true;
	struct str key;

	if (cursor_peek(c) != '{')
		return read_plain_id(c, e);
	c->p++;
	while (cursor_key(c, &is_first, &key)) {
		bool is_local = json_key_is(key, "local");

		if (!is_local && !json_key_is(key, "global")) {
			if (!cursor_skip(c))
				return false;
			continue;
		}
		if (!take_id(c, e, is_local ? ID_LOCAL : ID_GLOBAL))
			return false;
	}
	return !c->why && !c->is_cut;
}

/* Read a string, or a number as a text. */
static bool read_name(struct cursor *c, struct trace_event *e)
{
	int b = cursor_peek(c);

	e->name_text = (struct str){ NULL, 0 };
	e->is_name_escaped = false;
	if (b == '"')
		return cursor_string(c, &e->name_text, &e->is_name_escaped);
	if (b == '-' || (b >= '0' && b <= '9'))
		return cursor_raw(c, &e->name_text);
	return cursor_skip(c);
}

/* Most events never need their event category. trace_resolve_category() makes a text of it. */
static bool read_category(struct cursor *c, struct trace_event *e)
{
	e->cat_text = (struct str){ NULL, 0 };
	if (cursor_peek(c) != '"')
		return cursor_skip(c);
	return cursor_string(c, &e->cat_text, &e->is_cat_escaped);
}

/* The functions *_far() are for values that are not written as usual. */
static bool read_letter_far(struct cursor *c, char *letter)
{
	BUF_LOCAL decoded = { 0 };
	struct str text;
	bool has_escape;

	*letter = '\0';
	if (cursor_peek(c) != '"')
		return cursor_skip(c);
	if (!cursor_string(c, &text, &has_escape))
		return false;
	if (text.len == 1)
		*letter = *text.p;
	else if (has_escape && json_tree_decode(text.p - 1, text.len + 2, &decoded) &&
		 decoded.len == 1)
		*letter = *buf_text(&decoded);
	return true;
}

/* Read a string of one letter. *letter: 0 for any other value. */
static inline bool read_letter(struct cursor *c, char *letter)
{
	const unsigned char *p = c->p;

	if (c->end - p > 3 && p[0] == '"' && p[2] == '"' && p[1] != '"' && p[1] != '\\') {
		*letter = (char)p[1];
		c->p += 3;
		return true;
	}
	return read_letter_far(c, letter);
}

static bool read_time_far(struct cursor *c, int64_t *ns, unsigned *has, unsigned bit)
{
	enum number_kind kind;
	bool is_text;

	if (!read_number(c, 3, ns, &kind, &is_text))
		return false;
	if (is_text)
		*has |= HAS_TEXT_TIME;
	*has &= ~bit;
	if (kind == NUMBER_NONE)
		return true;
	if (kind == NUMBER_HUGE || *ns > PROFILE_TIME_MAX || *ns < -PROFILE_TIME_MAX) {
		*has |= HAS_ODD_TIME;
		return true;
	}
	*has |= bit;
	return true;
}

static inline __attribute__((always_inline)) bool read_time(struct cursor *c, int64_t *ns,
							    unsigned *has, unsigned bit)
{
	if (!cursor_short_number(c, 3, ns))
		return read_time_far(c, ns, has, bit);
	*has |= bit;
	return true;
}

static bool read_thread_id_far(struct cursor *c, int64_t *id, struct str *text, unsigned *has,
			       unsigned bit, unsigned text_bit)
{
	enum number_kind kind;
	bool is_text;
	const unsigned char *from;
	int b = cursor_peek(c);

	from = c->p;
	if (!read_number(c, 0, id, &kind, &is_text))
		return false;
	*has &= ~(bit | text_bit);
	if (kind == NUMBER_INTEGER && *id != LANE_NO_ID) {
		*has |= bit;
	} else if (b == '"' || kind != NUMBER_NONE) {
		*text = (struct str){ (const char *)from + (b == '"'),
				      (size_t)(c->p - from) - (b == '"' ? 2 : 0) };
		*has |= text_bit;
	}
	return true;
}

/* Few ids come millions of times: those that were read last, by the eight bytes from their first
 * digit on, which reach beyond their last one. */
static _Thread_local struct known_id {
	uint64_t bytes;
	uint32_t id, len;
} known_ids[128];

static inline __attribute__((always_inline)) bool read_known_id(struct cursor *c, int64_t *id)
{
	static _Thread_local unsigned last;
	const unsigned char *p = c->p;
	struct known_id *known;
	uint64_t bytes;

	if (c->end - p < 20 || *p < '0' || *p > '9')
		return cursor_short_number(c, 0, id);
	memcpy(&bytes, p, sizeof bytes);
	known = &known_ids[bytes * UINT64_C(0x9e3779b97f4a7c15) >> 57];
	if (known->bytes == bytes) {
		*id = known->id;
		c->p = cursor_after(p, known->len, &last);
		return true;
	}
	if (!cursor_short_number(c, 0, id))
		return false;
	if (c->p - p < (ptrdiff_t)sizeof bytes)
		*known = (struct known_id){ bytes, (uint32_t)*id, (uint32_t)(c->p - p) };
	return true;
}

/* Read a whole number. Of any other value, keep the text. */
static inline __attribute__((always_inline)) bool read_thread_id(struct cursor *c, int64_t *id,
								 struct str *text, unsigned *has,
								 unsigned bit, unsigned text_bit)
{
	if (!read_known_id(c, id))
		return read_thread_id_far(c, id, text, has, bit, text_bit);
	*has = (*has & ~text_bit) | bit;
	return true;
}

/* What is wrong with it does not matter. */
static inline __attribute__((always_inline)) bool read_cpu(struct cursor *c, struct trace_event *e)
{
	unsigned has = 0;
	bool is_read = read_time(c, &e->cpu, &has, HAS_CPU);

	e->has = (e->has & ~(unsigned)HAS_CPU) | (has & HAS_CPU);
	return is_read;
}

static bool read_color(struct cursor *c, struct trace_event *e)
{
	bool has_escape;

	if (cursor_peek(c) != '"')
		return cursor_skip(c);
	if (!cursor_string(c, &e->cname, &has_escape))
		return false;
	e->has = e->cname.len ? e->has | HAS_COLOR : e->has & ~(unsigned)HAS_COLOR;
	return true;
}

static bool read_true(struct cursor *c, struct trace_event *e, unsigned bit)
{
	if (cursor_peek(c) == 't')
		e->has |= bit;
	return cursor_skip(c);
}

/* Read the id of a stack frame. A list of names is left in the file. */
static bool read_stack(struct cursor *c, struct str *id, unsigned *has, unsigned bit)
{
	int b = cursor_peek(c);

	if (b == '[' || b == 'n')
		return cursor_skip(c);
	*has |= bit;
	return cursor_raw(c, id);
}

/* ---- members ---- */

enum member {
	MEMBER_NONE,
	MEMBER_OTHER,
	MEMBER_PH,
	MEMBER_TS,
	MEMBER_DUR,
	MEMBER_CPU,
	MEMBER_TTS,
	MEMBER_PID,
	MEMBER_TID,
	MEMBER_NAME,
	MEMBER_CAT,
	MEMBER_ARGS,
	MEMBER_ID,
	MEMBER_ID2,
	MEMBER_SCOPE,
	MEMBER_S,
	MEMBER_BP,
	MEMBER_CNAME,
	MEMBER_BIND_ID,
	MEMBER_FLOW_IN,
	MEMBER_FLOW_OUT,
	MEMBER_STACK,
	MEMBER_END_STACK,
};

static const struct {
	const char *name;
	size_t len;
	enum member member;
} members[] = {
	{ "ph", 2, MEMBER_PH },
	{ "ts", 2, MEMBER_TS },
	{ "dur", 3, MEMBER_DUR },
	{ "tdur", 4, MEMBER_CPU },
	{ "tts", 3, MEMBER_TTS },
	{ "pid", 3, MEMBER_PID },
	{ "tid", 3, MEMBER_TID },
	{ "name", 4, MEMBER_NAME },
	{ "cat", 3, MEMBER_CAT },
	{ "args", 4, MEMBER_ARGS },
	{ "id", 2, MEMBER_ID },
	{ "id2", 3, MEMBER_ID2 },
	{ "scope", 5, MEMBER_SCOPE },
	{ "s", 1, MEMBER_S },
	{ "bp", 2, MEMBER_BP },
	{ "cname", 5, MEMBER_CNAME },
	{ "bind_id", 7, MEMBER_BIND_ID },
	{ "flow_in", 7, MEMBER_FLOW_IN },
	{ "flow_out", 8, MEMBER_FLOW_OUT },
	{ "sf", 2, MEMBER_STACK },
	{ "stack", 5, MEMBER_STACK },
	{ "esf", 3, MEMBER_END_STACK },
	{ "estack", 6, MEMBER_END_STACK },
};

static enum member member_of(struct str key)
{
	for (size_t i = 0; i < ARRAY_LEN(members); i++)
		if (key.len == members[i].len && memcmp(key.p, members[i].name, key.len) == 0)
			return members[i].member;
	for (size_t i = 0; i < ARRAY_LEN(members) && memchr(key.p, '\\', key.len); i++)
		if (json_key_is(key, members[i].name))
			return members[i].member;
	return MEMBER_OTHER;
}

#define FOUR(a, b, c, d)                                                                           \
	((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

/* Always inline: for common members, `member` is a constant. */
static inline __attribute__((always_inline)) bool read_member(struct cursor *c,
							      struct trace_event *e,
							      enum member member)
{
	struct str none;

	switch (member) {
	case MEMBER_PH:
		e->has |= HAS_PHASE;
		return read_letter(c, &e->ph);
	case MEMBER_TS:
		return read_time(c, &e->ts, &e->has, HAS_TS);
	case MEMBER_DUR:
		return read_time(c, &e->dur, &e->has, HAS_DUR);
	case MEMBER_CPU:
		return read_cpu(c, e);
	case MEMBER_TTS:
		e->tts = c->p;
		return cursor_skip_digits(c) || cursor_skip(c);
	case MEMBER_PID:
		return read_thread_id(c, &e->pid, &e->pid_text, &e->has, HAS_PID, HAS_PID_TEXT);
	case MEMBER_TID:
		return read_thread_id(c, &e->tid, &e->tid_text, &e->has, HAS_TID, HAS_TID_TEXT);
	case MEMBER_NAME:
		return read_name(c, e);
	case MEMBER_CAT:
		return read_category(c, e);
	case MEMBER_ARGS:
		return cursor_raw(c, &e->args);
	case MEMBER_ID:
		return read_plain_id(c, e);
	case MEMBER_ID2:
		return read_id2(c, e);
	case MEMBER_SCOPE:
		return read_id(c, &e->scope, &e->scope_text);
	case MEMBER_S:
		return read_letter(c, &e->s);
	case MEMBER_BP:
		return read_letter(c, &e->bp);
	case MEMBER_CNAME:
		return read_color(c, e);
	case MEMBER_BIND_ID:
		return read_id(c, &e->bind_id, &none);
	case MEMBER_FLOW_IN:
		return read_true(c, e, FLOWS_IN);
	case MEMBER_FLOW_OUT:
		return read_true(c, e, FLOWS_OUT);
	case MEMBER_STACK:
		return read_stack(c, &e->stack, &e->has, HAS_STACK);
	case MEMBER_END_STACK:
		return read_stack(c, &e->end_stack, &e->has, HAS_END_STACK);
	default:
		return cursor_skip_digits(c) || cursor_skip(c);
	}
}

/* ENDED: there are no more members, or the event is cut off or wrong. */
enum outcome { READ, ENDED, OTHER_KEY };

/* Pass a key of `len` bytes with its quote and colon at p, of which four bytes are known to be
 * right, and read its member. */
static inline __attribute__((always_inline)) enum outcome read_after(struct cursor *c,
								     struct trace_event *e,
								     const unsigned char *p,
								     int len, enum member member)
{
	if (len > 4 && p[len - 1] != ':')
		return OTHER_KEY;
	if (len > 5 && p[len - 2] != '"')
		return OTHER_KEY;
	c->p = p + len;
	return read_member(c, e, member) ? READ : ENDED;
}

/* Pass `lead`, a brace or a comma, and read a common member whose key is written without blanks.
 * OTHER_KEY: it is another one; the cursor did not move. */
static inline enum outcome read_common(struct cursor *c, struct trace_event *e, unsigned char lead)
{
	const unsigned char *p = c->p;

	if (c->end - p < 24 || p[0] != lead || p[1] != '"') {
		if (c->p == c->end || *p != '}' || lead != ',')
			return OTHER_KEY;
		c->p++;
		return ENDED;
	}
	p += 2;
	switch (FOUR(p[0], p[1], p[2], p[3])) {
	case FOUR('p', 'h', '"', ':'):
		return read_after(c, e, p, 4, MEMBER_PH);
	case FOUR('t', 's', '"', ':'):
		return read_after(c, e, p, 4, MEMBER_TS);
	case FOUR('p', 'i', 'd', '"'):
		return read_after(c, e, p, 5, MEMBER_PID);
	case FOUR('t', 'i', 'd', '"'):
		return read_after(c, e, p, 5, MEMBER_TID);
	case FOUR('d', 'u', 'r', '"'):
		return read_after(c, e, p, 5, MEMBER_DUR);
	case FOUR('c', 'a', 't', '"'):
		return read_after(c, e, p, 5, MEMBER_CAT);
	case FOUR('t', 't', 's', '"'):
		return read_after(c, e, p, 5, MEMBER_TTS);
	case FOUR('t', 'd', 'u', 'r'):
		return read_after(c, e, p, 6, MEMBER_CPU);
	case FOUR('n', 'a', 'm', 'e'):
		return read_after(c, e, p, 6, MEMBER_NAME);
	case FOUR('a', 'r', 'g', 's'):
		return read_after(c, e, p, 6, MEMBER_ARGS);
	default:
		return OTHER_KEY;
	}
}

/* Clear all members that are valid in each event, but its place. */
static void clear(struct trace_event *e)
{
	static const struct str none = { NULL, 0 };

	e->ts = e->dur = e->pid = e->tid = 0;
	e->args = e->id_text = e->cat_text = e->name_text = none;
	e->is_cat_escaped = e->is_name_escaped = false;
	e->tts = NULL;
	e->id = e->bind_id = e->scope = 0;
	e->name = 0;
	e->has = 0;
	e->id_kind = ID_NONE;
	e->ph = e->s = e->bp = '\0';
}

/* Read a member with any key. */
static __attribute__((noinline)) enum outcome read_other(struct cursor *c, struct trace_event *e,
							 bool is_first)
{
	struct str key;

	c->p += is_first;
	return cursor_key(c, &is_first, &key) && read_member(c, e, member_of(key)) ? READ : ENDED;
}

enum parsed trace_event_parse(struct cursor *c, struct trace_event *e)
{
	enum outcome outcome = READ;

	clear(e);
	e->start = (const char *)c->p;
	e->limit = c->end;
	for (unsigned char lead = '{'; outcome == READ; lead = ',') {
		outcome = read_common(c, e, lead);
		if (outcome == OTHER_KEY)
			outcome = read_other(c, e, lead == '{');
	}
	return c->why ? PARSED_BAD : c->is_cut ? PARSED_CUT : PARSED;
}

int64_t trace_event_tts(const struct trace_event *e)
{
	const unsigned char *start = (const unsigned char *)e->start;
	struct cursor c = { e->tts, start + (e->end - e->offset), NULL, false };
	unsigned has = 0;
	int64_t ns;

	return read_time(&c, &ns, &has, HAS_CPU) && has & HAS_CPU && ns >= 0 ? ns : -1;
}

void trace_event_no_value_needed(struct trace *t, const struct trace_event *e)
{
	if (t->odd_args == e->offset)
		return;
	t->odd_args = e->offset;
	builder_warn_text(t->b, WARN_ODD_ARGS, e->offset, trace_text_get(&t->texts, e->name)->p);
}

bool trace_event_no_value(struct trace *t, const struct trace_event *e)
{
	if (e->args.len && !str_is(e->args, "null") &&
	    (e->args.p[0] != '{' || json_repair_is_needed(e->args)))
		trace_event_no_value_needed(t, e);
	return false;
}

bool trace_event_find(struct trace *t, const struct trace_event *e, struct str object,
		      const char *name, struct str *raw)
{
	bool is_damaged, is_found = cursor_find_checked(object, name, raw, &is_damaged);

	if (is_found && is_damaged)
		trace_event_no_value_needed(t, e);
	return is_found;
}
