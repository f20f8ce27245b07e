/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "record/remote/request_pull.h"

#include "base/alloc.h"
#include "base/json/cursor.h"
#include "base/json/json_writer.h"

#include <string.h>

#define ENDS_MAX 4 /* calls to end it, while it is in the middle of a record */

/* A function of Node.js with a loader in its scopes, instead of the script where that has none.
 * Programs replace process.cwd(), not this one. */
#define HAS_NO_LOADER                                                                              \
	"typeof process==='object'&&!process.getBuiltinModule&&"                                   \
	"!(process.mainModule&&process.mainModule.require)?process.resourceUsage:"
#define FIND_LOADER                                                                                \
	"function(){for(let i=0;i<this.length;i++){const s=this[i].object;"                        \
	"if(s&&typeof s.require==='function')return "
#define FOUND_NONE "}return{error:'modules cannot be loaded'}}"

static const char *const lines[] = {
#include "requests_lines.h"
};

void request_pull_script(struct buf *out)
{
	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		buf_adds(out, lines[i]);
}

bool request_pull_begin(struct request_pull *p, struct inspector *i, const char *session,
			const char *settings, int64_t deadline, struct error *err)
{
	struct buf text = { 0 }, params = { 0 };
	struct json_writer w = { .out = &params };
	const char *method = !p->via ? "Runtime.evaluate"
		: p->has_scopes      ? "Runtime.callFunctionOn"
				     : "Runtime.getProperties";

	if (i->is_leaving)
		return true;
	if (!p->via &&
	    inspector_send(i, session, "Runtime.addBinding",
			   "{\"name\":\"" REQUEST_PULL_BINDING "\"}", deadline, err) == 0)
		return false;
	buf_adds(&text, p->via ? FIND_LOADER : HAS_NO_LOADER);
	request_pull_script(&text);
	buf_addf(&text,
		 "(%s,binding:'" REQUEST_PULL_BINDING "'}%s)%s\n//# sourceURL=flametty:requests\n",
		 settings, p->via ? ",s.require" : "", p->via ? FOUND_NONE : "");
	json_put(&w, json_begin(NULL, "{"),
		 json_if(p->via, json_raw("objectId", p->via ? p->via : "")),
		 json_if(!p->via || p->has_scopes, json_boolean("silent", true)),
		 json_if(!p->via, json_text("expression", text.data, text.len)),
		 json_if(p->has_scopes, json_text("functionDeclaration", text.data, text.len)),
		 json_if(p->via && !p->has_scopes, json_boolean("ownProperties", true)),
		 json_end("}"));
	p->id_begin = inspector_send(i, session, method, buf_text(&params), deadline, err);
	buf_done(&text);
	buf_done(&params);
	return p->id_begin != 0;
}

/* The utilisation of the event loop is not asked for: what libuv calls idle time ends with the
 * signals of the sampler. */
#define METRICS                                                                                    \
	"({at:0,late:-1,pull(){const p=process,now=()=>Number(p.hrtime.bigint()/1000n),t=now(),"   \
	"v=[t,this.at?t-this.at:this.late,-1,-1,-1,-1];"                                           \
	"try{const m=p.memoryUsage();v[2]=m.rss;v[3]=m.heapUsed;v[4]=m.external}catch{}"           \
	"try{v[5]=p.getActiveResourcesInfo().length}catch{}"                                       \
	"if(!this.at){this.at=t;setImmediate(()=>{this.late=now()-this.at;this.at=0})}"            \
	"return'v1,'+v.join()}})\n//# sourceURL=flametty:metrics\n"

bool request_pull_begin_metrics(struct request_pull *p, struct inspector *i, int64_t deadline,
				struct error *err)
{
	struct buf params = { 0 };
	struct json_writer w = { .out = &params };

	if (i->is_leaving)
		return true;
	json_put(&w, json_begin(NULL, "{"), json_boolean("silent", true),
		 json_string("expression", METRICS), json_end("}"));
	p->id_begin = inspector_send(i, NULL, "Runtime.evaluate", buf_text(&params), deadline, err);
	buf_done(&params);
	return p->id_begin != 0;
}

/* Call a function of the object. */
static int64_t call(const struct request_pull *p, struct inspector *i, const char *session,
		    const char *function, int64_t deadline, struct error *err)
{
	struct buf params = { 0 };
	int64_t id;

	buf_addf(&params,
		 "{\"silent\":true,\"returnByValue\":true,\"objectId\":%s,"
		 "\"functionDeclaration\":\"function(){return this.error||this.%s()}\"}",
		 p->object, function);
	id = inspector_send(i, session, "Runtime.callFunctionOn", buf_text(&params), deadline, err);
	buf_done(&params);
	return id;
}

bool request_pull_ask(struct request_pull *p, struct inspector *i, const char *session,
		      int64_t deadline, struct error *err)
{
	if (!p->object || p->id_pull || p->is_ended || i->is_leaving)
		return true;
	p->id_pull = call(p, i, session, "pull", deadline, err);
	return p->id_pull != 0;
}

bool request_pull_end(struct request_pull *p, struct inspector *i, const char *session,
		      int64_t deadline, struct error *err)
{
	if (!p->object || p->id_end || p->n_ends >= ENDS_MAX || i->is_leaving)
		return true;
	p->is_ended = true;
	p->id_end = call(p, i, session, p->n_ends++ ? "pull" : "stop", deadline, err);
	return p->id_end != 0;
}

/* Whether the script was in the middle of a record: its head says so in its fourth number. */
static bool is_busy(const struct buf *text)
{
	const char *p = buf_text(text);

	for (int i = 0; i < 4 && p; i++) {
		p = strchr(p, ',');
		p = p ? p + 1 : NULL;
	}
	return p && *p == '1';
}

/* The id of the list of scopes, among the properties of a function. */
static bool find_scopes(struct str properties, struct str *id)
{
	struct cursor c = cursor_of(properties);
	struct str entry, name, value;

	do {
		c.p++;
		if (cursor_peek(&c) != '{' || !cursor_raw(&c, &entry))
			return false;
		if (cursor_find(entry, "name", &name) && str_is(name, "\"[[Scopes]]\"") &&
		    cursor_find(entry, "value", &value))
			return cursor_find(value, "objectId", id);
	} while (cursor_peek(&c) == ',');
	return false;
}

/* The answer to a call that begins it. */
static enum request_news begun(struct request_pull *p, const struct inspector_message *m,
			       struct buf *text)
{
	struct str result, object, type, properties;

	if (!p->has_scopes && cursor_find(m->value, "internalProperties", &properties) &&
	    find_scopes(properties, &object)) {
		free(p->via);
		p->via = xstrndup(object.p, object.len);
		p->has_scopes = true;
		return REQUEST_BEGINS;
	}
	if (m->error.len == 0 && !cursor_find(m->value, "exceptionDetails", &properties) &&
	    cursor_find(m->value, "result", &result) && cursor_find(result, "type", &type) &&
	    cursor_find(result, "objectId", &object)) {
		/* An inspector that answers so again and again would never begin. */
		bool is_function = !p->via && str_is(type, "\"function\"");

		*(is_function ? &p->via : &p->object) = xstrndup(object.p, object.len);
		return is_function ? REQUEST_BEGINS : REQUEST_DONE;
	}
	if (m->error.len > 0)
		buf_add(text, m->error.p, m->error.len);
	else if (!cursor_find(m->value, "exceptionDetails", &properties) ||
		 !cursor_find(properties, "exception", &properties) ||
		 !inspector_string(properties, "description", text))
		buf_adds(text, "the script does not begin");
	return REQUEST_REFUSED;
}

enum request_news request_pull_take(struct request_pull *p, const struct inspector_message *m,
				    struct buf *text, bool *is_again)
{
	struct str result;

	*is_again = false;
	if (m->id == 0) {
		struct buf name = { 0 };
		bool is_ours = str_is(m->method, "Runtime.bindingCalled") &&
			inspector_string(m->value, "name", &name) &&
			strcmp(buf_text(&name), REQUEST_PULL_BINDING) == 0;

		buf_done(&name);
		return is_ours && inspector_string(m->value, "payload", text) ? REQUEST_TEXT
									      : REQUEST_OTHER;
	}
	if (m->id == p->id_begin) {
		p->id_begin = 0;
		return begun(p, m, text);
	}
	if (m->id != p->id_pull && m->id != p->id_end)
		return REQUEST_OTHER;
	*is_again = m->id == p->id_end;
	p->id_pull = m->id == p->id_pull ? 0 : p->id_pull;
	p->id_end = m->id == p->id_end ? 0 : p->id_end;
	if (!cursor_find(m->value, "result", &result) || !inspector_string(result, "value", text)) {
		*is_again = false;
		return REQUEST_DONE;
	}
	*is_again &= is_busy(text);
	if (strncmp(buf_text(text), "v1,", 3) == 0)
		return REQUEST_TEXT;
	p->is_ended = true;
	return REQUEST_REFUSED;
}
