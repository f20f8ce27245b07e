/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages are taken apart by name: the order of members varies, and a profile of many megabytes
 * stays as it is, as raw JSON.
 *
 * A call to a worker of Node.js is a call of NodeWorker.sendMessageToWorker that has the inner call
 * as a string. Inner and outer call have numbers of their own: the inner one is even, the outer one
 * is the odd number after it. Of the outer answers only errors matter: they answer the inner call.
 */
#include "config.h"

#include "record/remote/inspector.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/json/cursor.h"
#include "base/json/json_read.h"
#include "base/json/json_writer.h"
#include "base/str.h"
#include "record/remote/websocket.h"

#include <stdlib.h>
#include <string.h>

static bool inspector_wait(struct inspector *i, int64_t id, const char *method, int64_t deadline,
			   struct inspector_message *answer, struct error *err);

/* ==== evaluate ====
 *
 * `silent`: an exception does not stop at a debugger, and is not reported to the program.
 *
 * The inspector must not be closed during the call: its connection carries the answer. A process
 * that is about to end must not go on for it: an immediate without a reference does not keep the
 * loop alive, and runs as soon as the loop has passed the message on. `inspector.close()` of
 * Node.js is `process._debugEnd()`, which needs no `require` and does nothing when there is no
 * inspector. Deno has no such function. There, an inspector that is closed already has no URL: the
 * guard may ask for the same; without a permission (--allow-sys) the URL is not told.
 *
 * The command line API has `require`, but Node.js 18 and 20 do not survive a call with it while
 * they end. So it is used only where a program has removed what else there is. An exception that
 * nothing catches would end the process.
 *
 * The arguments of Deno have the path of its program, for which it may ask its user. */

#define BRIDGE "flametty"

/* Deno, and the command line API. */
#define CLOSE_INSPECTOR "let u=1;try{u=i.url()}catch(e){}try{u&&i.close()}catch(e){}"

static const char *const params_evaluate[] = {
	[EVALUATE_PID] = "{\"silent\":true,\"returnByValue\":true,\"expression\":"
			 "\"typeof process==='object'?process.pid:Deno.pid\"}",
	[EVALUATE_CLOSE] = "{\"silent\":true,\"returnByValue\":true,\"expression\":"
			   "\"(p=>{const f=p._debugEnd,"
			   "i=f||!p.getBuiltinModule?0:p.getBuiltinModule('inspector');"
			   "if(!f&&!i)return 0;"
			   "const t=setImmediate(()=>{if(i){" CLOSE_INSPECTOR "}"
			   "else try{f.call(p)}catch(e){}});"
			   "if(f&&t&&t.unref)t.unref();return 1})"
			   "(typeof process==='object'&&process||{})\"}",
	[EVALUATE_CLOSE_BY_API] = "{\"silent\":true,\"returnByValue\":true,"
				  "\"includeCommandLineAPI\":true,\"expression\":"
				  "\"(i=>{setImmediate(()=>{" CLOSE_INSPECTOR "});return 1})"
				  "(require('inspector'))\"}",
	[EVALUATE_MOVE] = "{\"silent\":true,\"returnByValue\":true,"
			  "\"includeCommandLineAPI\":true,\"expression\":"
			  "\"((p,i)=>{if(!i||!i.open||p.versions.deno)return 0;"
			  "const t=setImmediate(()=>{try{const d=p.debugPort;i.close();"
			  "i.open(0,'127.0.0.1');p.debugPort=d}catch(e){}});"
			  "t.unref();return 1})"
			  "(process,process.getBuiltinModule?"
			  "process.getBuiltinModule('inspector'):require('inspector'))\"}",
	[EVALUATE_BRIDGE] = "{\"silent\":true,\"expression\":\"console.profile('" BRIDGE "')\"}",
	[EVALUATE_BRIDGE_END] = "{\"silent\":true,\"expression\":\"console.profileEnd('" BRIDGE
				"')\"}",
	[EVALUATE_COMMAND] =
		"{\"silent\":true,\"returnByValue\":true,\"expression\":"
		"\"typeof process==='object'&&process.versions&&!process.versions.deno?"
		"[process.argv0].concat(process.execArgv,process.argv.slice(1)).join(' ')"
		":0\"}",
	[EVALUATE_RESOURCES] =
		"{\"silent\":true,\"returnByValue\":true,\"expression\":"
		"\"process.getActiveResourcesInfo().join()\\n//# sourceURL=flametty:requests\"}",
};

bool evaluate_is_bridge(struct str title)
{
	return str_is(title, BRIDGE);
}

int64_t evaluate_send(struct inspector *i, const char *session, enum expression expression,
		      int64_t deadline, struct error *err)
{
	if (i->is_leaving) {
		error_set(err, ERR_IO, -1, "it has ended");
		return 0;
	}
	return inspector_send(i, session, "Runtime.evaluate", params_evaluate[expression], deadline,
			      err);
}

/* Wait until the process has closed the connection, or ends. */
static bool await_close(struct inspector *i, int64_t deadline)
{
	struct inspector_message message;
	struct error err = ERROR_INIT;
	enum websocket_news news = WEBSOCKET_MESSAGE;

	while (news == WEBSOCKET_MESSAGE && !i->is_leaving)
		news = clock_ns() < deadline ? inspector_next(i, deadline, &message, &err)
					     : WEBSOCKET_LATE;
	if (news != WEBSOCKET_LATE)
		i->is_closing = false;
	return news != WEBSOCKET_LATE;
}

/* Have the process close the inspector by an expression. Returns false if there is no answer. */
static bool tell_to_close(struct inspector *i, enum expression expression, int64_t deadline)
{
	struct error err = ERROR_INIT;
	int64_t will = 0;
	bool is_answered;

	i->is_closing = true;
	is_answered = evaluate_number(i, expression, deadline, &will, &err);
	if (is_answered)
		i->is_closing = will != 0;
	return is_answered;
}

bool evaluate_close(struct inspector *i, int64_t deadline, bool *is_asked)
{
	bool is_answered = tell_to_close(i, EVALUATE_CLOSE, deadline);

	if (is_answered && !i->is_closing)
		is_answered = tell_to_close(i, EVALUATE_CLOSE_BY_API, deadline);
	*is_asked = is_answered && i->is_closing;
	return (*is_asked && await_close(i, deadline)) || i->is_leaving;
}

bool evaluate_move(struct inspector *i, int64_t deadline, bool *is_asked)
{
	*is_asked = tell_to_close(i, EVALUATE_MOVE, deadline) && i->is_closing;
	return *is_asked && await_close(i, deadline) && !i->is_leaving;
}

/* The raw value that the call gives; valid until the next message. */
static bool call_evaluate(struct inspector *i, enum expression expression, int64_t deadline,
			  struct inspector_message *answer, struct str *result, struct error *err)
{
	int64_t id = evaluate_send(i, NULL, expression, deadline, err);

	return id != 0 && inspector_wait(i, id, "Runtime.evaluate", deadline, answer, err) &&
		cursor_find(answer->value, "result", result);
}

bool evaluate_number(struct inspector *i, enum expression expression, int64_t deadline,
		     int64_t *value, struct error *err)
{
	struct inspector_message answer = { 0 };
	struct str result = { 0 }, raw = { 0 };
	char digits[24] = "", *end = digits;

	if (call_evaluate(i, expression, deadline, &answer, &result, err) &&
	    cursor_find(result, "value", &raw) && raw.len < sizeof digits) {
		memcpy(digits, raw.p, raw.len);
		*value = strtoll(digits, &end, 10);
	}
	if (end == digits && err->kind == ERR_NONE)
		error_set(err, i->is_leaving ? ERR_IO : ERR_UNKNOWN, -1,
			  i->is_leaving ? "it has ended" : "the process does not tell its number");
	return end != digits;
}

bool evaluate_text(struct inspector *i, enum expression expression, int64_t deadline,
		   struct buf *text, struct error *err)
{
	struct inspector_message answer = { 0 };
	struct str result;

	return call_evaluate(i, expression, deadline, &answer, &result, err) &&
		inspector_string(result, "value", text) && text->len > 0;
}

/* ==== inspector ==== */

static bool take_apart(struct str text, struct inspector_message *m, struct error *err);

/* ---- what is unread ---- */

/* An answer came: the process has read all messages up to that one. */
static void note_answer(struct inspector *i, int64_t id)
{
	if (id > i->answered_id)
		i->answered_id = id;
	if (!i->mark_id || id < i->mark_id)
		return;
	i->n_read = i->mark_sent;
	i->mark_id = i->n_read < i->n_sent ? i->last_id : 0;
	i->mark_sent = i->n_sent;
}

static void note_sent(struct inspector *i, size_t len)
{
	i->n_sent += len + WEBSOCKET_HEAD_MAX;
	if (i->mark_id)
		return;
	i->mark_id = i->last_id;
	i->mark_sent = i->n_sent;
}

/* Keep a message for inspector_next(). */
static void keep(struct inspector *i, struct str text)
{
	static const char pad[CURSOR_PAD];

	buf_add(&i->kept, (const char *)&text.len, sizeof text.len);
	buf_add(&i->kept, text.p, text.len);
	buf_add(&i->kept, pad, sizeof pad);
}

static bool take_kept(struct inspector *i, struct str *text)
{
	if (i->kept_at == i->kept.len) {
		buf_clear(&i->kept);
		i->kept_at = 0;
		return false;
	}
	memcpy(&text->len, i->kept.data + i->kept_at, sizeof text->len);
	text->p = i->kept.data + i->kept_at + sizeof text->len;
	i->kept_at += sizeof text->len + text->len + CURSOR_PAD;
	return true;
}

/* Wait until a message of len bytes may be sent. */
static bool wait_until_read(struct inspector *i, size_t len, int64_t deadline, struct error *err)
{
	struct inspector_message m;
	struct str text;

	if (len > INSPECTOR_UNREAD_MAX)
		return error_set(err, ERR_LIMIT, -1, "a message to the process is too long");
	while (i->n_sent - i->n_read + len > INSPECTOR_UNREAD_MAX)
		switch (websocket_next(&i->socket, deadline, &text, err)) {
		case WEBSOCKET_FAILED:
			return false;
		case WEBSOCKET_CLOSED:
			return error_set(err, ERR_IO, -1, "the process closed the connection");
		case WEBSOCKET_LATE:
			return error_set(err, ERR_IO, -1,
					 "the process does not read what was sent");
		case WEBSOCKET_MESSAGE:
			if (!take_apart(text, &m, err))
				return false;
			note_answer(i, m.id);
			keep(i, text);
			break;
		}
	return true;
}

/* ---- sending ---- */

int64_t inspector_send(struct inspector *i, const char *session, const char *method,
		       const char *params, int64_t deadline, struct error *err)
{
	BUF_LOCAL call = { 0 }, outer = { 0 };
	struct json_writer w = { .out = &call };
	int64_t id = i->last_id += 2;

	json_put(&w, json_begin(NULL, "{"), json_integer("id", id), json_string("method", method),
		 json_raw("params", params),
		 json_if(session && i->has_sessions, json_string("sessionId", session)),
		 json_end("}"));
	if (session && !i->has_sessions) {
		w = (struct json_writer){ .out = &outer };
		json_put(&w, json_begin(NULL, "{"), json_integer("id", id + 1),
			 json_string("method", "NodeWorker.sendMessageToWorker"),
			 json_begin("params", "{"), json_string("sessionId", session),
			 json_text("message", call.data, call.len), json_end("}}"));
	}
	if (!wait_until_read(i, w.out->len, deadline, err) ||
	    !websocket_send(&i->socket, w.out->data, w.out->len, deadline, err))
		return 0;
	i->sent_id = session && !i->has_sessions ? id + 1 : id;
	note_sent(i, w.out->len);
	return id;
}

/* ---- receiving ---- */

/* A string's bytes between the quotes, with escapes as they are. Empty: it is none. */
static struct str unquoted(struct str raw)
{
	if (raw.len < 2 || raw.p[0] != '"')
		return (struct str){ "", 0 };
	return (struct str){ raw.p + 1, raw.len - 2 };
}

bool inspector_string(struct str object, const char *name, struct buf *out)
{
	struct str raw;

	return cursor_find(object, name, &raw) && raw.len >= 2 && raw.p[0] == '"' &&
		json_tree_decode(raw.p, raw.len, out);
}

static int64_t number(struct str object, const char *name)
{
	char digits[20] = "";
	struct str raw;

	if (!cursor_find(object, name, &raw) || raw.len >= sizeof digits)
		return 0;
	memcpy(digits, raw.p, raw.len);
	return strtoll(digits, NULL, 10);
}

/* Take a message apart, except its session. */
static bool take_apart(struct str text, struct inspector_message *m, struct error *err)
{
	static const struct str none = { "", 0 };
	struct str raw, message;

	*m = (struct inspector_message){ 0, none, none, none, none };
	if (text.len == 0 || text.p[0] != '{' || !cursor_find(text, "id", &raw))
		m->id = 0;
	else
		m->id = number(text, "id");
	if (cursor_find(text, "method", &raw))
		m->method = unquoted(raw);
	if (m->id == 0 && m->method.len == 0)
		return error_set(err, ERR_FORMAT, -1,
				 "the inspector sent something that is no message");
	cursor_find(text, m->method.len > 0 ? "params" : "result", &m->value);
	if (cursor_find(text, "error", &raw))
		m->error = cursor_find(raw, "message", &message) && unquoted(message).len > 0
			? unquoted(message)
			: raw;
	return true;
}

/* The message of a worker, in place of the event that brings it. */
static bool open_worker_message(struct inspector *i, struct inspector_message *m, struct error *err)
{
	static const char pad[CURSOR_PAD];
	struct str params = m->value;
	struct str text;

	buf_clear(&i->worker);
	buf_clear(&i->session);
	if (!inspector_string(params, "sessionId", &i->session) ||
	    !inspector_string(params, "message", &i->worker))
		return error_set(err, ERR_FORMAT, -1, "a message of a worker is broken");
	text = (struct str){ NULL, i->worker.len };
	buf_add(&i->worker, pad, sizeof pad);
	text.p = i->worker.data;
	if (!take_apart(text, m, err))
		return false;
	m->session = (struct str){ i->session.data, i->session.len };
	return true;
}

enum websocket_news inspector_next(struct inspector *i, int64_t deadline,
				   struct inspector_message *message, struct error *err)
{
	for (;;) {
		struct str text, raw;
		enum websocket_news news = take_kept(i, &text)
			? WEBSOCKET_MESSAGE
			: websocket_next(&i->socket, deadline, &text, err);

		if (news != WEBSOCKET_MESSAGE)
			return news;
		if (!take_apart(text, message, err))
			return WEBSOCKET_FAILED;
		note_answer(i, message->id);
		if (i->has_sessions && cursor_find(text, "sessionId", &raw))
			message->session = unquoted(raw);
		if (str_is(message->method, "NodeRuntime.waitingForDisconnect"))
			i->is_leaving = true;
		if (str_is(message->method, "NodeWorker.receivedMessageFromWorker") &&
		    !open_worker_message(i, message, err))
			return WEBSOCKET_FAILED;
		if (message->id % 2 == 0)
			return WEBSOCKET_MESSAGE;
		if (message->error.len > 0) {
			message->id--;
			return WEBSOCKET_MESSAGE;
		}
		if (clock_ns() >= deadline)
			return WEBSOCKET_LATE;
	}
}

bool inspector_call(struct inspector *i, const char *session, const char *method,
		    const char *params, int64_t deadline, struct inspector_message *answer,
		    struct error *err)
{
	int64_t id = inspector_send(i, session, method, params, deadline, err);

	return id != 0 && inspector_wait(i, id, method, deadline, answer, err);
}

/* Wait for the answer to a call of `method` that was sent. Result as inspector_call(). */
static bool inspector_wait(struct inspector *i, int64_t id, const char *method, int64_t deadline,
			   struct inspector_message *answer, struct error *err)
{
	for (;;) {
		switch (inspector_next(i, deadline, answer, err)) {
		case WEBSOCKET_FAILED:
			return false;
		case WEBSOCKET_CLOSED:
			return error_set(err, ERR_IO, -1, "the process closed the connection");
		case WEBSOCKET_LATE:
			return error_set(err, ERR_IO, -1, "%s: no answer", method);
		case WEBSOCKET_MESSAGE:
			break;
		}
		if (answer->id == id)
			return answer->error.len == 0 ||
				error_set(err, ERR_UNKNOWN, -1, "%s: %.*s", method,
					  answer->error.len < 200 ? (int)answer->error.len : 200,
					  answer->error.p);
		if (i->on_message)
			i->on_message(i->on_message_ctx, answer);
		if (clock_ns() >= deadline)
			return error_set(err, ERR_IO, -1, "%s: no answer", method);
	}
}

void inspector_close(struct inspector *i)
{
	if (i->is_held && (i->answered_id < i->sent_id || i->is_closing))
		connection_close(&i->socket.connection);
	websocket_close(&i->socket);
	buf_done(&i->worker);
	buf_done(&i->session);
	buf_done(&i->kept);
}

bool inspector_watch_end(struct inspector *i, int64_t deadline, struct error *err)
{
	return inspector_send(i, NULL, "NodeRuntime.notifyWhenWaitingForDisconnect",
			      "{\"enabled\":true}", deadline, err) != 0;
}
