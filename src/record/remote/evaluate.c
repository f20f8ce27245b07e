/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `silent`: an exception does not stop at a debugger, and is not reported to the program.
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
#include "config.h"

#include "record/remote/evaluate.h"

#include "base/clock.h"
#include "base/json/cursor.h"
#include "base/json/json_tree.h"

#include <stdlib.h>
#include <string.h>

#define BRIDGE "flametty"

/* Deno, and the command line API. */
#define CLOSE_INSPECTOR "let u=1;try{u=i.url()}catch(e){}try{u&&i.close()}catch(e){}"

static const char *const params[] = {
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
	[EVALUATE_BRIDGE] = "{\"silent\":true,\"expression\":\"console.profile('" BRIDGE "')\"}",
	[EVALUATE_BRIDGE_END] = "{\"silent\":true,\"expression\":\"console.profileEnd('" BRIDGE
				"')\"}",
	[EVALUATE_COMMAND] =
		"{\"silent\":true,\"returnByValue\":true,\"expression\":"
		"\"typeof process==='object'&&process.versions&&!process.versions.deno?"
		"[process.argv0].concat(process.execArgv,process.argv.slice(1)).join(' ')"
		":0\"}",
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
	return inspector_send(i, session, "Runtime.evaluate", params[expression], deadline, err);
}

bool evaluate_close(struct inspector *i, int64_t deadline, bool *is_asked)
{
	struct inspector_message message;
	struct error err = ERROR_INIT;
	enum websocket_news news = WEBSOCKET_MESSAGE;
	int64_t is_closing = 0;

	if (evaluate_number(i, EVALUATE_CLOSE, deadline, &is_closing, &err) && !is_closing)
		evaluate_number(i, EVALUATE_CLOSE_BY_API, deadline, &is_closing, &err);
	*is_asked = is_closing != 0;
	while (*is_asked && news == WEBSOCKET_MESSAGE && !i->is_leaving)
		news = clock_ns() < deadline ? inspector_next(i, deadline, &message, &err)
					     : WEBSOCKET_LATE;
	return i->is_leaving || (*is_asked && news != WEBSOCKET_LATE);
}

/* The raw value that the call gives; valid until the next message. */
static bool call(struct inspector *i, enum expression expression, int64_t deadline,
		 struct inspector_message *answer, struct str *result, struct error *err)
{
	int64_t id = evaluate_send(i, NULL, expression, deadline, err);

	return id != 0 && inspector_wait(i, id, "Runtime.evaluate", deadline, answer, err) &&
		cursor_find(answer->value, "result", result);
}

bool evaluate_number(struct inspector *i, enum expression expression, int64_t deadline,
		     int64_t *value, struct error *err)
{
	struct inspector_message answer;
	struct str result, raw;
	char digits[24] = "", *end = digits;

	if (call(i, expression, deadline, &answer, &result, err) &&
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
	struct inspector_message answer;
	struct str result;

	return call(i, expression, deadline, &answer, &result, err) &&
		inspector_string(result, "value", text) && text->len > 0;
}
