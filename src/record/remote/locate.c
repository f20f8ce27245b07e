/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A port on which the process listens is asked if it may be that of an inspector, and has ASK_MS to
 * answer. A server of the program may not expect such a request. */
#include "config.h"

#include "record/remote/locate.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/json/cursor.h"
#include "base/sort.h"
#include "base/str.h"
#include "record/remote/connection.h"
#include "record/remote/inspector.h"
#include "record/remote/process.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== ports ====
 *
 * A port belongs to a process if one of its descriptors is a socket with the inode that the table
 * of its network namespace names. All threads share the descriptors. */

SORT_ORDER(by_inode, struct inode, SORT_BY_2(x->inode, y->inode, x->fd, y->fd))

bool ports_inodes(const char *proc, pid_t pid, struct inodes *list)
{
	char path[PROC_FILE_PATH];
	struct dirent *entry;
	DIR *dir;

	proc_file_path(path, proc, pid, "fd");
	dir = opendir(path);
	if (!dir)
		return false;
	while ((entry = readdir(dir))) {
		char name[64];
		BUF_LOCAL link = { 0 };
		static const char socket[] = "socket:[";

		snprintf(name, sizeof name, "fd/%.32s", entry->d_name);
		if (entry->d_name[0] != '.' && proc_file_link(proc, pid, name, &link) &&
		    strncmp(buf_text(&link), socket, strlen(socket)) == 0) {
			*ARRAY_ADD(list->list, list->n, list->cap) = (struct inode){
				strtoull(buf_text(&link) + strlen(socket), NULL, 10),
				(int)strtol(entry->d_name, NULL, 10)
			};
		}
	}
	closedir(dir);
	if (list->n)
		qsort(list->list, list->n, sizeof *list->list, by_inode);
	return true;
}

int ports_find_inode(const struct inodes *list, uint64_t inode)
{
	size_t lo = 0, n = list->n;

	SORT_BISECT(lo, n, mid, list->list[mid].inode < inode);
	return lo < list->n && list->list[lo].inode == inode ? list->list[lo].fd : -1;
}

/* Whether an address of the table, 8 or 32 hexadecimal digits, is a loopback or any address: bytes
 * are in the order of the machine within each group of four. */
static bool is_local(const char *address)
{
	static const char *const local[] = { "00000000", "00000000000000000000000000000000",
					     "00000000000000000000000001000000" };

	if (strlen(address) == 8 && strcmp(address + 6, "7F") == 0)
		return true; /* 127.x.y.z */
	if (STR_IN(str_of(address), local))
		return true;
	/* ::ffff:127.x.y.z */
	return strlen(address) == 32 && strncmp(address, "0000000000000000FFFF0000", 24) == 0 &&
		strcmp(address + 30, "7F") == 0;
}

/* Whether nothing else can listen at 127.0.0.1 and the same port. */
static bool has_loopback(const char *address)
{
	static const char *const own[] = { "0100007F", "00000000",
					   "00000000000000000000000000000000",
					   "0000000000000000FFFF00000100007F" };

	return STR_IN(str_of(address), own);
}

/* A socket that listens at a local address, or has a connection. */
struct listener {
	int port;
	uint64_t inode;
	bool has_loopback, is_local;
	const char *address, *peer; /* as in the table; peer: of a connection, with a port */
};

#define STATE_LISTENS "0A"
#define STATE_CONNECTED "01"

/* A row of the table: `0: 0100007F:240D 00000000:0000 0A 00000000:00000000 00:00000000 00000000
 * 1000 0 501 ...`. */
static bool read_row(char *row, const char *state, struct listener *listener)
{
	char *words[10] = { NULL }, *rest = NULL, *colon;
	size_t n = 0;

	for (char *word = strtok_r(row, " ", &rest); word && n < ARRAY_LEN(words);
	     word = strtok_r(NULL, " ", &rest))
		words[n++] = word;
	colon = n == ARRAY_LEN(words) ? strchr(words[1], ':') : NULL;
	if (!colon || strcmp(words[3], state) != 0)
		return false;
	*colon = '\0';
	*listener = (struct listener){ (int)strtol(colon + 1, NULL, 16),
				       strtoull(words[9], NULL, 10),
				       has_loopback(words[1]),
				       is_local(words[1]),
				       words[1],
				       words[2] };
	return true;
}

/* Call `take` with all sockets of a state in the network namespace of a process. */
static void read_tables(const char *proc, pid_t pid, const char *state,
			void (*take)(void *ctx, const struct listener *listener), void *ctx)
{
	static const char *const tables[] = { "net/tcp", "net/tcp6" };

	for (size_t i = 0; i < ARRAY_LEN(tables); i++) {
		struct buf text = { 0 };
		char *rest = NULL;

		proc_file_read(proc, pid, tables[i], (size_t)16 << 20, &text);
		for (char *row = text.data ? strtok_r(text.data, "\n", &rest) : NULL; row;
		     row = strtok_r(NULL, "\n", &rest)) {
			struct listener listener;

			if (read_row(row, state, &listener))
				take(ctx, &listener);
		}
		buf_done(&text);
	}
}

struct ports {
	struct inodes inodes; /* of the process */
	int *list, n;
	bool has_others;       /* at other addresses, too */
	int oldest, oldest_fd; /* port of the lowest descriptor; 0: there is none */
};

static void take_port(void *ctx, const struct listener *listener)
{
	struct ports *ports = ctx;
	int fd = ports_find_inode(&ports->inodes, listener->inode);
	bool is_wanted = ports->n < PORTS_MAX && fd >= 0 &&
		(listener->is_local || ports->has_others);

	if (is_wanted && listener->is_local && (!ports->oldest || fd < ports->oldest_fd)) {
		ports->oldest = listener->port;
		ports->oldest_fd = fd;
	}
	for (int i = 0; i < ports->n; i++)
		is_wanted &= ports->list[i] != listener->port;
	if (is_wanted)
		ports->list[ports->n++] = listener->port;
}

static bool is_usual(int port)
{
	return port >= 9229 && port <= 9240;
}

/* Inspectors first, then by number. */
static int compare_ports(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;
	bool is_x = is_usual(x), is_y = is_usual(y);

	return is_x != is_y ? (is_x ? -1 : 1) : (x > y) - (x < y);
}

static int find_ports(const char *proc, const struct process *process, bool has_others,
		      int ports[PORTS_MAX], int *oldest)
{
	struct ports found = { .list = ports, .has_others = has_others };

	if (!ports_inodes(proc, process->pid, &found.inodes))
		return -1;
	read_tables(proc, process->pid, STATE_LISTENS, take_port, &found);
	qsort(ports, (size_t)found.n, sizeof *ports, compare_ports);
	free(found.inodes.list);
	*oldest = found.oldest;
	return found.n;
}

int ports_of(const char *proc, const struct process *process, int ports[PORTS_MAX])
{
	int oldest;

	return find_ports(proc, process, false, ports, &oldest);
}

/* Keep the ports of servers of the program. Returns their number; -1 if n_all is that. */
static int keep_program(const char *proc, const struct process *process, int ports[PORTS_MAX],
			int n_all, int oldest)
{
	struct process_inspector own;
	int n = 0;

	process_inspector_find(proc, process, &own);
	for (int i = 0; i < n_all; i++)
		if (!is_usual(ports[i]) && ports[i] != own.port &&
		    !(own.opens && own.port == 0 && ports[i] == oldest))
			ports[n++] = ports[i];
	return n_all < 0 ? -1 : n;
}

int ports_of_program(const char *proc, const struct process *process, int ports[PORTS_MAX])
{
	int oldest = 0, n = find_ports(proc, process, true, ports, &oldest);

	return keep_program(proc, process, ports, n, oldest);
}

/* An address of the table as a client writes it: groups of 8 digits are numbers in the order of the
 * machine. */
static void write_address(const char *address, size_t len, char *host, size_t size)
{
	bool is_v6 = len == 32;
	uint32_t words[4] = { 0 };

	for (int i = 0; i < (is_v6 ? 4 : 1); i++) {
		char digits[9] = "";

		memcpy(digits, address + i * 8, 8);
		words[i] = (uint32_t)strtoul(digits, NULL, 16);
	}
	if (is_v6 && words[0] == 0 && words[1] == 0 && words[2] != 0)
		inet_ntop(AF_INET, &words[3], host, (socklen_t)size);
	else
		inet_ntop(is_v6 ? AF_INET6 : AF_INET, words, host, (socklen_t)size);
}

struct hosting {
	struct inodes inodes; /* of the process */
	int port;
	char *host;
	size_t size;
	bool is_found;
};

static void take_host(void *ctx, const struct listener *listener)
{
	struct hosting *h = ctx;

	if (h->is_found || listener->port != h->port || !listener->is_local ||
	    ports_find_inode(&h->inodes, listener->inode) < 0)
		return;
	h->is_found = true;
	/* Any address, and 127.x.y.z as one of version 6, can be reached by version 4. */
	if (listener->has_loopback)
		snprintf(h->host, h->size, "127.0.0.1");
	else
		write_address(listener->address, strlen(listener->address), h->host, h->size);
}

bool ports_host(const char *proc, const struct process *process, int port, char *host, size_t size)
{
	struct hosting hosting = { .port = port, .host = host, .size = size };

	if (ports_inodes(proc, process->pid, &hosting.inodes))
		read_tables(proc, process->pid, STATE_LISTENS, take_host, &hosting);
	free(hosting.inodes.list);
	return hosting.is_found;
}

#define PEERS_MAX 64
#define PEERS_TOLD 3

/* The connections of a process: to other addresses, and of clients to its ports. */
struct peers {
	struct inodes inodes; /* of the process */
	int ports[PORTS_MAX], n_ports, program[PORTS_MAX], n_program;
	struct peer {
		char name[80];
		int n;
	} list[PEERS_MAX];
	size_t n;
	int n_clients, n_more; /* n_more: to addresses for which the list has no room */
};

static bool has_port(const int *ports, int n, int port)
{
	for (int i = 0; i < n; i++)
		if (ports[i] == port)
			return true;
	return false;
}

static void take_peer(void *ctx, const struct listener *connected)
{
	struct peers *p = ctx;
	const char *colon = strchr(connected->peer, ':');
	char host[64] = "", name[80];
	size_t i = 0;

	if (!colon || ports_find_inode(&p->inodes, connected->inode) < 0)
		return;
	/* Those of an inspector are ours. */
	if (has_port(p->ports, p->n_ports, connected->port)) {
		p->n_clients += has_port(p->program, p->n_program, connected->port);
		return;
	}
	write_address(connected->peer, (size_t)(colon - connected->peer), host, sizeof host);
	snprintf(name, sizeof name, strchr(host, ':') ? "[%s]:%ld" : "%s:%ld", host,
		 strtol(colon + 1, NULL, 16));
	while (i < p->n && strcmp(p->list[i].name, name) != 0)
		i++;
	if (i == p->n && p->n < PEERS_MAX)
		memcpy(p->list[p->n++].name, name, sizeof name);
	if (i < p->n)
		p->list[i].n++;
	else
		p->n_more++;
}

SORT_ORDER(compare_peers, struct peer,
	   x->n != y->n ? (x->n < y->n) - (x->n > y->n) : strcmp(x->name, y->name))

static void tell_peers(const struct peers *p, struct buf *out)
{
	int n_more = p->n_more;

	for (size_t i = 0; i < p->n; i++)
		if (i < PEERS_TOLD)
			buf_addf(out, ", %d connection%s to %s", p->list[i].n,
				 p->list[i].n == 1 ? "" : "s", p->list[i].name);
		else
			n_more += p->list[i].n;
	if (n_more)
		buf_addf(out, ", %d to other addresses", n_more);
	if (p->n_clients)
		buf_addf(out, ", %d connection%s of clients", p->n_clients,
			 p->n_clients == 1 ? "" : "s");
	for (int i = 0; i < p->n_program; i++)
		buf_addf(out, "%s:%d", i ? " " : ", listens on ", p->program[i]);
}

void ports_tell(const char *proc, const struct process *process, struct buf *out)
{
	ALLOC_LOCAL struct peers *p = xcalloc(1, sizeof *p);

	if (ports_inodes(proc, process->pid, &p->inodes)) {
		int oldest = 0;

		p->n_ports = find_ports(proc, process, true, p->ports, &oldest);
		memcpy(p->program, p->ports, sizeof p->program);
		p->n_program = keep_program(proc, process, p->program, p->n_ports, oldest);
		read_tables(proc, process->pid, STATE_CONNECTED, take_peer, p);
		if (p->n)
			qsort(p->list, p->n, sizeof *p->list, compare_peers);
		tell_peers(p, out);
	}
	free(p->inodes.list);
}

struct holding {
	int port;
	uint64_t inode; /* of the socket that listens on it; 0: none does */
};

static void take_holding(void *ctx, const struct listener *listener)
{
	struct holding *holding = ctx;

	if (listener->port == holding->port && listener->has_loopback)
		holding->inode = listener->inode;
}

pid_t ports_holder(const char *proc, const struct process *process, int port)
{
	struct holding holding = { .port = port };
	pid_t *pids = NULL, found = 0;
	size_t n = 0;

	read_tables(proc, process->pid, STATE_LISTENS, take_holding, &holding);
	/* To look at the descriptors of all processes takes long. */
	if (holding.inode != 0)
		n = process_list(proc, &pids);
	for (size_t i = 0; i < n && found == 0; i++) {
		struct inodes inodes = { 0 };

		if (ports_inodes(proc, pids[i], &inodes) &&
		    ports_find_inode(&inodes, holding.inode) >= 0)
			found = pids[i];
		free(inodes.list);
	}
	free(pids);
	return holding.inode != 0 && found == 0 ? PORTS_UNKNOWN : found;
}

/* ==== locate ==== */

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
static bool is_wanted_locate(struct str entry)
{
	BUF_LOCAL type = { 0 };

	return inspector_string(entry, "type", &type) &&
		(strcmp(buf_text(&type), "node") == 0 || strcmp(buf_text(&type), "page") == 0);
}

static bool take_entry(struct locate_place *place, struct str entry, struct buf *title)
{
	struct buf url = { 0 };
	bool is_taken = is_wanted_locate(entry) &&
		inspector_string(entry, "webSocketDebuggerUrl", &url) &&
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
	BUF_LOCAL copy = { 0 };
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
	int ports[PORTS_MAX] = { 0 }, n = ports_of(search->proc, search->process, ports);

	if (n < 0) { /* its descriptors may not be read */
		struct process_inspector own;

		process_inspector_find(search->proc, search->process, &own);
		ports[0] = own.port ? own.port : PROCESS_PORT;
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
