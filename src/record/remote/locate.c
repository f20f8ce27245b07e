/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each port on which the process listens is asked: an application's own server is asked, too, and
 * has ASK_MS to answer. */
#include "config.h"

#include "record/remote/locate.h"

#include "base/json/cursor.h"
#include "record/remote/http.h"
#include "record/remote/inspector.h"

#include <stdio.h>
#include <string.h>

#define ASK_MS 300

/* ---- the list of an inspector ---- */

/* Take the path of `ws://HOST:PORT/PATH`. */
static bool take_url(struct locate_place *place, const char *url)
{
	const char *path = strncmp(url, "ws://", 5) == 0 ? strchr(url + 5, '/') : NULL;

	if (!path || strlen(path) >= sizeof place->path ||
	    !http_is_path((struct str){ path, strlen(path) }))
		return false;
	memcpy(place->path, path, strlen(path) + 1);
	return true;
}

/* Whether an entry of the list is something that runs JavaScript on its own, and not a worker, a
 * browser or an extension. */
static bool is_wanted(struct str entry)
{
	struct buf type = { 0 };
	bool is = inspector_string(entry, "type", &type) &&
		(strcmp(buf_text(&type), "node") == 0 || strcmp(buf_text(&type), "page") == 0);

	buf_done(&type);
	return is;
}

static bool take_entry(struct locate_place *place, struct str entry, struct buf *title)
{
	struct buf url = { 0 };
	bool is_taken = is_wanted(entry) && inspector_string(entry, "webSocketDebuggerUrl", &url) &&
		take_url(place, buf_text(&url));

	buf_done(&url);
	if (!is_taken)
		return false;
	buf_clear(title);
	inspector_string(entry, "title", title);
	return true;
}

/* The first usable entry of the list. */
static bool take_list(struct locate_place *place, struct str list, struct buf *title)
{
	struct cursor c = cursor_of(list);
	struct str entry;

	if (cursor_peek(&c) != '[')
		return false;
	do {
		c.p++;
		if (cursor_peek(&c) != '{' || !cursor_raw(&c, &entry))
			return false;
		if (take_entry(place, entry, title))
			return true;
	} while (cursor_peek(&c) == ',');
	return false;
}

bool locate_at(struct locate_place *place, int cancel_fd, struct buf *title, struct error *err)
{
	static const char pad[CURSOR_PAD];
	struct connection c = { .fd = -1, .cancel_fd = cancel_fd };
	struct http_answer answer = { 0 };
	int64_t deadline = connection_deadline(ASK_MS);
	const char *netns = place->netns[0] ? place->netns : NULL;
	struct buf copy = { 0 };
	struct str body;
	bool is_found = false;

	if (connection_open(&c, place->host, place->port, netns, deadline, err) &&
	    http_get(&c, place->host, place->port, "/json/list", "", deadline, &answer, err) &&
	    answer.status == 200 && http_body(&c, &answer, deadline, &body, err)) {
		size_t len = body.len;

		buf_add(&copy, body.p, len);
		buf_add(&copy, pad, sizeof pad);
		is_found = take_list(place, (struct str){ copy.data, len }, title);
	}
	buf_done(&copy);
	http_done(&answer);
	connection_close(&c);
	return is_found || error_set(err, ERR_UNKNOWN, -1, "no inspector answers at this port");
}

struct locate_place locate_begin(const char *proc, const struct process *process)
{
	struct locate_place place = { .host = "127.0.0.1", .pid = process->pid };

	if (process->is_other_netns)
		snprintf(place.netns, sizeof place.netns, "%s/%d/ns/net", proc, (int)process->pid);
	return place;
}

static bool is_known(const struct locate_search *search, int port)
{
	for (int i = 0; i < search->n_known; i++)
		if (search->known[i] == port)
			return true;
	return false;
}

bool locate_process(const struct locate_search *search, struct locate_place *place,
		    struct buf *title, struct error *err)
{
	int ports[PORTS_MOST], n = ports_of(search->proc, search->process, ports);

	if (n < 0) { /* its descriptors may not be read */
		ports[0] = PROCESS_PORT;
		n = 1;
	}
	for (int i = 0; i < n; i++) {
		struct error one = ERROR_INIT;

		if (is_known(search, ports[i]))
			continue;
		place->port = ports[i];
		if (!ports_host(search->proc, search->process, ports[i], place->host,
				sizeof place->host))
			snprintf(place->host, sizeof place->host, "127.0.0.1");
		if (locate_at(place, search->cancel_fd, title, &one))
			return true;
		place->port = 0;
		if (one.kind == ERR_CANCELLED || strstr(one.text, "CAP_SYS_ADMIN"))
			return error_set(err, one.kind, -1, "%s", one.text);
	}
	return false;
}
