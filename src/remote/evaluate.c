/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `silent`: an exception does not stop at a debugger, and is not reported to the program.
 *
 * The inspector must not be closed during the call: its connection carries the answer. One that is
 * closed already has no URL: the guard may ask for the same. Deno does not tell the URL without a
 * permission (--allow-sys), but closes it. `require` is there only with the command line API, and
 * only during the call; `process.getBuiltinModule` since Node.js 22. An exception that nothing
 * catches would end the process. */
#include "config.h"

#include "remote/evaluate.h"

#include "json/cursor.h"
#include "json/json_tree.h"

#include <stdlib.h>
#include <string.h>

#define TITLE_A "flametty a"
#define TITLE_B "flametty b"

#define SAVE(signal)                                                                               \
	"{\"silent\":true,\"returnByValue\":true,\"expression\":"                                  \
	"\"globalThis[Symbol.for('flametty.run')]('" signal "')\"}"

static const char *const params[] = {
	[EVALUATE_PID] = "{\"silent\":true,\"returnByValue\":true,\"expression\":"
			 "\"typeof process==='object'?process.pid:Deno.pid\"}",
	[EVALUATE_CLOSE] = "{\"silent\":true,\"returnByValue\":true,\"includeCommandLineAPI\":true,"
			   "\"expression\":\"(i=>setImmediate(()=>{let u=1;try{u=i.url()}catch(e){}"
			   "try{u&&i.close()}catch(e){}}))"
			   "(process.getBuiltinModule?process.getBuiltinModule('inspector'):"
			   "require('inspector')),1\"}",
	[EVALUATE_BEGIN_A] = "{\"silent\":true,\"expression\":\"console.profile('" TITLE_A "')\"}",
	[EVALUATE_BEGIN_B] = "{\"silent\":true,\"expression\":\"console.profile('" TITLE_B "')\"}",
	[EVALUATE_END_A] = "{\"silent\":true,\"expression\":\"console.profileEnd('" TITLE_A "')\"}",
	[EVALUATE_END_B] = "{\"silent\":true,\"expression\":\"console.profileEnd('" TITLE_B "')\"}",
	[EVALUATE_SAVE_HUP] = SAVE("SIGHUP"),
	[EVALUATE_SAVE_INT] = SAVE("SIGINT"),
	[EVALUATE_SAVE_TERM] = SAVE("SIGTERM"),
	[EVALUATE_SAVE_USR2] = SAVE("SIGUSR2"),
};

int evaluate_title(struct str title)
{
	return str_is(title, TITLE_A) ? 0 : str_is(title, TITLE_B) ? 1 : -1;
}

int64_t evaluate_send(struct inspector *i, const char *session, enum expression expression,
		      int64_t deadline, struct error *err)
{
	return inspector_send(i, session, "Runtime.evaluate", params[expression], deadline, err);
}

bool evaluate_close(struct inspector *i, int64_t deadline, bool *is_asked)
{
	struct inspector_message message;
	struct error err = ERROR_INIT;
	enum websocket_news news = WEBSOCKET_MESSAGE;
	int64_t value;

	*is_asked = evaluate_number(i, EVALUATE_CLOSE, deadline, &value, &err);
	while (*is_asked && news == WEBSOCKET_MESSAGE)
		news = inspector_next(i, deadline, &message, &err);
	return *is_asked && news != WEBSOCKET_LATE;
}

bool evaluate_number(struct inspector *i, enum expression expression, int64_t deadline,
		     int64_t *value, struct error *err)
{
	struct inspector_message answer;
	struct str result, raw;
	char digits[24] = "", *end = digits;

	if (!inspector_call(i, NULL, "Runtime.evaluate", params[expression], deadline, &answer,
			    err))
		return false;
	if (cursor_find(answer.value, "result", &result) && cursor_find(result, "value", &raw) &&
	    raw.len < sizeof digits) {
		memcpy(digits, raw.p, raw.len);
		*value = strtoll(digits, &end, 10);
	}
	return end != digits ||
		error_set(err, ERR_UNKNOWN, -1, "the process does not tell its number");
}
