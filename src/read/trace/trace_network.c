/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests of pages. The events of one requestId are a request, whatever processes they are of: the
 * browser asks for a page, and a renderer gets it. Of sends, which redirects repeat, the first and
 * the last count, of other events the last. All is as in DevTools' NetworkRequestsHandler, which
 * leaves out data: and the schemes of the browser's own. */
#include "config.h"

#include "read/trace/trace.h"

#include "base/alloc.h"
#include "model/request.h"

#include <stdlib.h>
#include <inttypes.h>
#include <string.h>

struct sent {
	struct request r; /* t0: of ResourceWillSendRequest, until the end */
	text_id id, url, first_url, method, type, mime;
	int64_t first_send;
	uint32_t n_will, n_send;
	int64_t will, response, requested, headers, first_byte, end, finish_time; /* times */
	bool has_timing, is_from_cache;
};

struct trace_network {
	struct sent *all;
	size_t n, cap;
	struct hash_table index; /* by id */
};

static void free_network(struct trace *t)
{
	if (t->network) {
		free(t->network->all);
		hash_table_done(&t->network->index);
	}
	free(t->network);
}

static struct sent *sent_of(struct trace *t, text_id id)
{
	struct trace_network *net = TRACE_KEPT(t, network);
	struct hash_probe probe = hash_probe(hash_u64(id));

	while (hash_table_next(&net->index, &probe))
		if (net->all[probe.index].id == id)
			return &net->all[probe.index];
	hash_table_add(&net->index, hash_u64(id), (uint32_t)net->n);
	*ARRAY_ADD(net->all, net->n,
		   net->cap) = (struct sent){ .id = id, .r.bytes = -1, .r.decoded = -1 };
	return &net->all[net->n - 1];
}

/* ---- events ---- */

/* A member as a text of the profile, unless the event lacks it. */
static void take(struct trace *t, const struct json_value *object, const char *name, str_id *to)
{
	struct str text;

	if (json_tree_text(object, name, &text.p, &text.len) && text.len)
		*to = builder_input_text(t->b, text.p, text.len);
}

static void take_send(struct trace *t, const struct trace_event *e, const struct json_value *data,
		      struct sent *s)
{
	const struct json_value *from = json_tree_find(data, "initiator"),
				*stack = json_tree_member(data, "stackTrace", JSON_ARRAY);
	struct request *r = &s->r;

	s->url = trace_text_in(t, data, "url");
	s->first_url = s->n_send ? s->first_url : s->url;
	s->first_send = s->n_send++ ? s->first_send : e->ts;
	r->sent = e->ts;
	r->pid = e->pid;
	r->sent_tid = e->tid;
	r->offset = e->offset;
	s->type = trace_text_in(t, data, "resourceType");
	s->method = trace_text_in(t, data, "requestMethod");
	take(t, data, "url", &r->url);
	take(t, data, "requestMethod", &r->method);
	take(t, data, "resourceType", &r->type);
	take(t, data, "priority", &r->first_priority);
	if (!r->blocking)
		take(t, data, "renderBlocking", &r->blocking);
	take(t, from, "type", &r->initiator);
	take(t, from, "url", &r->initiator_url);
	/* Positions of parsers count from 0, those of stacks from 1. */
	r->initiator_line = trace_text_number(from, "lineNumber", 0, -1) + 1;
	if (stack && stack->first) {
		take(t, stack->first, "url", &r->initiator_url);
		r->initiator_line = trace_text_number(stack->first, "lineNumber", 0, 0);
	}
}

static void take_response(struct trace *t, const struct trace_event *e,
			  const struct json_value *data, struct sent *s)
{
	/* Times of `timing` are ms since requestTime; -1: it did not happen. */
	static const struct {
		enum request_phase phase;
		const char *from, *to;
	} phases[] = {
		{ REQUEST_PROXY, "proxyStart", "proxyEnd" },
		{ REQUEST_DNS, "dnsStart", "dnsEnd" },
		{ REQUEST_CONNECT, "connectStart", "connectEnd" },
		{ REQUEST_TLS, "sslStart", "sslEnd" },
		{ REQUEST_SENT, "sendStart", "sendEnd" },
		{ REQUEST_WAITED, "sendEnd", "receiveHeadersEnd" },
	};
	const struct json_value *timing = json_tree_member(data, "timing", JSON_OBJECT);
	struct request *r = &s->r;
	int64_t *stalled = &r->phase_ns[REQUEST_STALLED];

	*stalled = 0;
	for (size_t i = 0; i < ARRAY_LEN(phases); i++) {
		int64_t from = trace_text_number(timing, phases[i].from, 6, 0);

		r->phase_ns[phases[i].phase] = trace_text_number(timing, phases[i].to, 6, 0) - from;
		if (*stalled <= 0 && from > 0 && phases[i].phase != REQUEST_PROXY &&
		    phases[i].phase != REQUEST_TLS && phases[i].phase != REQUEST_WAITED)
			*stalled = from;
	}
	s->response = e->ts;
	s->has_timing = timing != NULL;
	s->requested = trace_text_number(timing, "requestTime", 9, 0);
	s->first_byte = s->requested + trace_text_number(timing, "receiveHeadersEnd", 6, 0);
	s->headers = s->requested +
		trace_text_number(timing, "receiveHeadersStart", 6, s->first_byte - s->requested);
	s->is_from_cache = trace_text_is_true(data, "fromCache");
	r->has_response = true;
	r->is_from_worker = trace_text_is_true(data, "fromServiceWorker");
	r->status = trace_text_number(data, "statusCode", 0, 0);
	s->mime = trace_text_in(t, data, "mimeType");
	take(t, data, "mimeType", &r->mime);
	take(t, data, "protocol", &r->protocol);
}

void trace_network_event(struct trace *t, const struct trace_event *e)
{
	const struct json_value *data = NULL;
	struct str raw;
	struct sent *s;
	text_id id;

	if (trace_event_find(t, e, e->args, "data", &raw) && raw.p[0] == '{')
		data = trace_text_json(t, raw);
	id = trace_text_in(t, data, "requestId");
	if (!id)
		return;
	s = sent_of(t, id);
	switch (trace_text_get(&t->texts, e->name)->meaning) {
	case MEANS_WILL_SEND:
		s->r.t0 = s->n_will++ ? s->r.t0 : e->ts;
		s->will = e->ts;
		break;
	case MEANS_SEND:
		take_send(t, e, data, s);
		break;
	case MEANS_RESPONSE:
		take_response(t, e, data, s);
		break;
	case MEANS_FINISH:
		s->r.is_finished = true;
		s->r.has_failed = trace_text_is_true(data, "didFail");
		s->r.bytes = trace_text_number(data, "encodedDataLength", 0, -1);
		s->r.decoded = trace_text_number(data, "decodedBodyLength", 0, -1);
		s->finish_time = trace_text_number(data, "finishTime", 9, 0);
		s->end = e->ts;
		break;
	case MEANS_CACHED:
		s->r.is_from_memory = true;
		break;
	case MEANS_PRIORITY:
		take(t, data, "priority", &s->r.priority);
		break;
	default:
		take(t, data, "renderBlocking", &s->r.blocking);
		break;
	}
}

int64_t trace_network_headers(const struct trace *t, text_id id)
{
	struct hash_probe probe = hash_probe(hash_u64(id));

	while (t->network && hash_table_next(&t->network->index, &probe))
		if (t->network->all[probe.index].id == id)
			return t->network->all[probe.index].headers;
	return 0;
}

/* ---- at the end ---- */

static bool is_wanted(const struct trace *t, const struct sent *s)
{
	static const char *const schemes[] = { "http:", "https:", "file:", "blob:", "filesystem:" };
	const char *first = t->texts.all[s->first_url].p, *last = t->texts.all[s->url].p;

	for (size_t i = 0; s->n_send && i < ARRAY_LEN(schemes); i++)
		if (strncmp(first, schemes[i], strlen(schemes[i])) == 0)
			return strncmp(last, "data:", 5) != 0;
	return false;
}

static void set_times(const struct trace *t, struct sent *s)
{
	struct request *r = &s->r;
	int64_t *phase = r->phase_ns, begin = s->n_will ? s->will : r->sent,
		end = r->is_finished ? s->end : begin,
		finish = s->finish_time ? s->finish_time : end, first_byte = s->first_byte;

	r->t0 = s->n_will ? r->t0 : s->first_send;
	r->total_ns = (r->is_finished || t->last < end ? end : t->last) - r->t0;
	if (!s->has_timing || r->is_from_memory) {
		first_byte = r->has_response ? s->response : r->t0 + r->total_ns;
		memset(phase, 0, sizeof r->phase_ns);
		phase[REQUEST_STALLED] = r->has_response ? s->response - r->t0 : 0;
		phase[REQUEST_RECEIVED] = r->has_response ? end - s->response : 0;
	} else {
		phase[REQUEST_QUEUED] = s->requested > begin ? s->requested - begin : 0;
		if (phase[REQUEST_STALLED] <= 0 && s->response > begin)
			phase[REQUEST_STALLED] = s->response - begin;
		phase[REQUEST_RECEIVED] = finish - first_byte;
	}
	phase[REQUEST_REDIRECTED] = begin - r->t0;
	first_byte = first_byte > r->t0 ? first_byte - r->t0 : 0;
	r->first_byte_ns = first_byte < r->total_ns ? first_byte : r->total_ns;
}

/* The name of its event tells the kind of its work: see model/slice_work.h. */
static const char *event_of(const char *type, const char *mime)
{
	static const char *const kinds[][3] = {
		{ "Document", "text/html", "Request document" },
		{ "Stylesheet", "text/css", "Request style" },
		{ "Script", "javascript", "Request script" },
		{ "Image", "image/", "Request image" },
		{ "Font", "font", "Request font" },
		{ "Media", "video/", "Request media" },
	};

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (*type ? strcmp(type, kinds[i][0]) == 0 : strstr(mime, kinds[i][1]) != NULL)
			return kinds[i][2];
	return "Request data";
}

/* `GET app.js`, with the url: the name of its file, or the host; and the status of an error. */
static frame_id frame_of(struct trace *t, struct sent *s)
{
	const struct trace_text *texts = t->texts.all;
	const char *event = event_of(texts[s->type].p, texts[s->mime].p), *url = texts[s->url].p,
		   *at = strstr(url, "://"), *end = url + strcspn(url, "?#"), *last;
	struct track_run run = { .event = track_builder_frame(t->b, event, strlen(event)),
				 .url = trace_text_str(&t->texts, s->url) };
	BUF_LOCAL name = { 0 };
	frame_id frame;

	at = at ? at + 3 : url;
	while (end > at && end[-1] == '/')
		end--;
	for (last = end; last > at && last[-1] != '/';)
		last--;
	buf_addf(&name, "%s %.*s", s->method ? texts[s->method].p : "GET", (int)(end - last), last);
	s->r.name = builder_input_text(t->b, buf_text(&name), name.len);
	if (s->r.status >= 400)
		buf_addf(&name, " %" PRId64, s->r.status);
	run.name = (struct str){ buf_text(&name), name.len };
	frame = track_builder_run(t->b, &run);
	return frame;
}

/* The track of its process, below the thread of its page. */
static uint32_t track_of(struct trace *t, struct request *r)
{
	struct trace_process *p = trace_process_get(t, r->pid);

	if (!p->requests) {
		p->requests_tid = p->has_page_tid ? p->page_tid : r->sent_tid;
		p->requests = track_builder_add(t->b, LANE_ASYNC, r->pid, p->requests_tid,
						"Network", strlen("Network")) +
			1;
	}
	r->tid = p->requests_tid;
	return p->requests - 1;
}

static void finish(struct trace *t)
{
	for (size_t i = 0; t->network && i < t->network->n; i++) {
		struct sent *s = &t->network->all[i];
		struct request *r = &s->r;
		struct track_slice slice = { .group = (uint32_t)i + 1,
					     .offset = r->offset,
					     .end_offset = -1,
					     .flags = r->is_finished ? 0 : SLICE_UNFINISHED };

		if (!is_wanted(t, s))
			continue;
		set_times(t, s);
		r->n_redirects = s->n_send - 1;
		r->priority = r->priority ? r->priority : r->first_priority;
		r->is_from_disk = s->is_from_cache && !r->is_from_worker && !r->bytes;
		slice.t0 = r->t0;
		slice.t1 = r->t0 + r->total_ns;
		slice.frame = frame_of(t, s);
		track_builder_slice(t->b, track_of(t, r), &slice);
		track_builder_request(t->b, r);
	}
}

const struct trace_part trace_network_part = { finish, free_network };
