/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The thread enters the network namespace of the process, if that is another one. A list of
 * connections is brought up to date by dumps; each of it has the kernel's cookie, so an answer is
 * never about another one with the same ports. */
#include "config.h"

#include "record/remote/socket_watch.h"

#ifdef __linux__
#include "base/alloc.h"
#include "base/clock.h"
#include "base/thread.h"
#include "base/units.h"
#include "record/remote/locate.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROUND_MS 10
#define ROUND_MANY_MS 20 /* with more than MANY connections */
#define MANY 64
#define DUMP_NS NS_PER_S
#define DUMP_SOON_NS (NS_PER_S / 5) /* where there are few sockets */
#define CONNECTIONS_MAX 256         /* that are asked for in a round */
#define LISTENERS_MAX 16
#define ANSWER_MS 200
#define BYTES_MAX ((size_t)32 << 20) /* of what was seen and not taken */
#define TOLD_MAX 4000000             /* in all: each takes 40 bytes */
#define STATE_ESTABLISHED 1
#define STATE_LISTEN 10

/* ---- the kernel's interface ----
 *
 * As netlink(7) and sock_diag(7) have it. Not all C libraries have headers for it. */

enum {
	NETLINK_SOCK_DIAG = 4,
	SOCK_DIAG_BY_FAMILY = 20,
	NLM_F_REQUEST = 1,
	NLM_F_DUMP = 0x300,
	NLMSG_ERROR = 2,
	NLMSG_DONE = 3,
	INET_DIAG_INFO = 2
};

struct nlmsghdr {
	uint32_t nlmsg_len; /* with this head */
	uint16_t nlmsg_type, nlmsg_flags;
	uint32_t nlmsg_seq, nlmsg_pid;
};

/* An attribute behind a message; len: with this head. The next one is at a multiple of 4. */
struct rtattr {
	uint16_t rta_len, rta_type;
};

/* Ports and addresses in the order of bytes of the network. */
struct inet_diag_sockid {
	uint16_t idiag_sport, idiag_dport;
	uint32_t idiag_src[4], idiag_dst[4], idiag_if, idiag_cookie[2];
};

struct inet_diag_req_v2 {
	uint8_t sdiag_family, sdiag_protocol, idiag_ext, pad;
	uint32_t idiag_states;
	struct inet_diag_sockid id;
};

struct inet_diag_msg {
	uint8_t idiag_family, idiag_state, idiag_timer, idiag_retrans;
	struct inet_diag_sockid id;
	uint32_t idiag_expires, idiag_rqueue, idiag_wqueue, idiag_uid, idiag_inode;
};

#define ALIGNED(len) (((size_t)(len) + 3) & ~(size_t)3)

struct connection {
	struct inet_diag_sockid id;
	uint8_t family;
	bool is_unread; /* bytes lay unread when it was asked for last */
	bool is_there;  /* in the last dump */
};

struct socket_watch {
	const char *proc;
	pid_t pid;
	int fd, namespace_fd; /* of netlink; of the process' network namespace, -1: ours */
	pthread_t thread;
	atomic_bool is_ended;
	struct connection listeners[LISTENERS_MAX];
	int n_listeners;
	struct connection *list;
	size_t n, cap;
	struct inodes inodes; /* of the process */
	int64_t asked;        /* us; of the last question: an answer is not older */
	pthread_mutex_t lock; /* of `seen` */
	struct buf seen;
	uint64_t n_told;
	bool is_full; /* something was not told, or not looked at */
};

/* ---- netlink ---- */

static int64_t now_us(void)
{
	return clock_ns() / 1000;
}

static bool ask(struct socket_watch *w, uint8_t family, const struct inet_diag_sockid *id,
		uint32_t states)
{
	struct {
		struct nlmsghdr head;
		struct inet_diag_req_v2 request;
	} message = { .head = { .nlmsg_len = sizeof message,
				.nlmsg_type = SOCK_DIAG_BY_FAMILY,
				.nlmsg_flags = (uint16_t)(NLM_F_REQUEST | (id ? 0 : NLM_F_DUMP)) },
		      .request = { .sdiag_family = family,
				   .sdiag_protocol = IPPROTO_TCP,
				   .idiag_ext = 1 << (INET_DIAG_INFO - 1),
				   .idiag_states = states } };

	char late[64];

	/* What is left of an answer that came too late. */
	while (recv(w->fd, late, sizeof late, MSG_DONTWAIT) > 0)
		continue;
	if (id)
		message.request.id = *id;
	w->asked = now_us();
	return send(w->fd, &message, sizeof message, 0) == (ssize_t)sizeof message;
}

/* The state of the connection, among the attributes behind a message; NULL: it is not there. */
static const struct tcp_info *info_of(const struct inet_diag_msg *m, size_t len)
{
	const char *p = (const char *)(m + 1);

	while (len >= sizeof(struct rtattr)) {
		const struct rtattr *a = (const void *)p;
		size_t step = ALIGNED(a->rta_len);

		if (a->rta_len < sizeof *a || step > len)
			break;
		if (a->rta_type == INET_DIAG_INFO &&
		    a->rta_len >= sizeof *a + offsetof(struct tcp_info, tcpi_pmtu))
			return (const void *)(p + sizeof *a);
		p += step;
		len -= step;
	}
	return NULL;
}

/* Take the answers to one question. `take` gets each socket. */
static void answers(struct socket_watch *w, bool is_dump,
		    void (*take)(struct socket_watch *w, void *ctx, const struct inet_diag_msg *m,
				 const struct tcp_info *info),
		    void *ctx)
{
	static _Thread_local union {
		char bytes[1 << 15];
		struct nlmsghdr align;
	} answer;
	struct pollfd ready = { w->fd, POLLIN, 0 };

	while (poll(&ready, 1, ANSWER_MS) > 0) {
		ssize_t n = recv(w->fd, answer.bytes, sizeof answer.bytes, 0);
		size_t left = n > 0 ? (size_t)n : 0;
		const char *p = answer.bytes;

		while (left >= sizeof(struct nlmsghdr)) {
			const struct nlmsghdr *h = (const void *)p;
			const struct inet_diag_msg *m = (const void *)(h + 1);
			size_t len = h->nlmsg_len, head = sizeof *h + sizeof *m;

			if (h->nlmsg_type == NLMSG_DONE || h->nlmsg_type == NLMSG_ERROR ||
			    len < sizeof *h || len > left)
				return;
			if (len >= head)
				take(w, ctx, m, info_of(m, len - head));
			if (!is_dump)
				return;
			p += ALIGNED(len) < left ? ALIGNED(len) : left;
			left -= ALIGNED(len) < left ? ALIGNED(len) : left;
		}
		if (n <= 0)
			return;
	}
}

/* ---- what is seen ---- */

/* Bytes lie unread since they arrived, or, once, no longer. */
static void note(struct socket_watch *w, struct connection *c, const struct inet_diag_msg *m,
		 const struct tcp_info *info)
{
	/* The end of a connection counts as a byte that is not read. */
	bool is_unread = m->idiag_rqueue > 0 && m->idiag_state == STATE_ESTABLISHED;
	int64_t arrived = !is_unread ? 0
		: info               ? now_us() - (int64_t)info->tcpi_last_data_recv * 1000
				     : w->asked;

	if (is_unread || c->is_unread) {
		pthread_mutex_lock(&w->lock);
		w->is_full |= w->seen.len >= BYTES_MAX || w->n_told >= TOLD_MAX;
		w->n_told++;
		if (w->seen.len < BYTES_MAX && w->n_told <= TOLD_MAX)
			buf_addf(&w->seen, ";%u,%u,%" PRId64 ",%" PRId64, ntohs(m->id.idiag_dport),
				 ntohs(m->id.idiag_sport), w->asked, arrived);
		pthread_mutex_unlock(&w->lock);
	}
	c->is_unread = is_unread;
}

static bool is_served(const struct socket_watch *w, const struct inet_diag_msg *m)
{
	for (int i = 0; i < w->n_listeners; i++)
		if (w->listeners[i].id.idiag_sport == m->id.idiag_sport)
			return true;
	return false;
}

static void take_one(struct socket_watch *w, void *ctx, const struct inet_diag_msg *m,
		     const struct tcp_info *info)
{
	const struct connection *c = ctx;

	if (memcmp(&c->id, &m->id, sizeof m->id) == 0)
		note(w, ctx, m, info);
}

/* A listener's unread are connections that wait to be accepted. */
static void take_backlog(struct socket_watch *w, void *ctx, const struct inet_diag_msg *m,
			 const struct tcp_info *info)
{
	(void)w;
	(void)info;
	*(bool *)ctx |= m->idiag_rqueue > 0;
}

static void take_listener(struct socket_watch *w, void *ctx, const struct inet_diag_msg *m,
			  const struct tcp_info *info)
{
	(void)ctx;
	(void)info;
	if (w->n_listeners < LISTENERS_MAX && ports_find_inode(&w->inodes, m->idiag_inode) >= 0)
		w->listeners[w->n_listeners++] = (struct connection){ .id = m->id,
								      .family = m->idiag_family };
}

static void take_connection(struct socket_watch *w, void *ctx, const struct inet_diag_msg *m,
			    const struct tcp_info *info)
{
	struct connection *c = NULL;

	(void)ctx;
	/* One that is not accepted yet has no inode. */
	if (m->idiag_inode ? ports_find_inode(&w->inodes, m->idiag_inode) < 0 : !is_served(w, m))
		return;
	for (size_t i = 0; i < w->n && !c; i++)
		if (memcmp(&w->list[i].id, &m->id, sizeof m->id) == 0)
			c = &w->list[i];
	if (!c && w->n < CONNECTIONS_MAX) {
		c = ARRAY_ADD(w->list, w->n, w->cap);
		*c = (struct connection){ .id = m->id, .family = m->idiag_family };
	}
	w->is_full |= !c;
	if (c) {
		c->is_there = true;
		note(w, c, m, info);
	}
}

static const uint8_t families[] = { AF_INET, AF_INET6 };

static void dump(struct socket_watch *w)
{
	size_t n = 0;

	w->inodes.n = 0;
	ports_inodes(w->proc, w->pid, &w->inodes);
	w->n_listeners = 0;
	for (size_t i = 0; i < ARRAY_LEN(families); i++)
		if (ask(w, families[i], NULL, 1u << STATE_LISTEN))
			answers(w, true, take_listener, NULL);
	for (size_t i = 0; i < w->n; i++)
		w->list[i].is_there = false;
	for (size_t i = 0; i < ARRAY_LEN(families); i++)
		if (ask(w, families[i], NULL, 1u << STATE_ESTABLISHED))
			answers(w, true, take_connection, NULL);
	for (size_t i = 0; i < w->n; i++)
		if (w->list[i].is_there)
			w->list[n++] = w->list[i];
	w->n = n;
}

static void *watch(void *ctx)
{
	struct socket_watch *w = ctx;
	int64_t dumped = 0, cost = 0;

	if (w->namespace_fd >= 0 && setns(w->namespace_fd, CLONE_NEWNET) != 0)
		return NULL;
	w->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	while (w->fd >= 0 && !w->is_ended) {
		int64_t now = clock_ns(), passed = now - dumped;
		bool has_backlog = false;

		for (int i = 0; i < w->n_listeners; i++)
			if (ask(w, w->listeners[i].family, &w->listeners[i].id, ~0u))
				answers(w, false, take_backlog, &has_backlog);
		/* New connections are found by a dump, which is dear where there are many. */
		if (passed >= DUMP_NS || (has_backlog && passed >= 10 * cost) ||
		    (passed >= DUMP_SOON_NS && passed >= 50 * cost)) {
			dump(w);
			dumped = clock_ns();
			cost = dumped - now;
		} else {
			for (size_t i = 0; i < w->n; i++)
				if (ask(w, w->list[i].family, &w->list[i].id, ~0u))
					answers(w, false, take_one, &w->list[i]);
		}
		poll(NULL, 0, w->n > MANY ? ROUND_MANY_MS : ROUND_MS);
	}
	if (w->fd >= 0)
		close(w->fd);
	return NULL;
}

/* ---- begin and end ---- */

/* The network namespace of the process; -1: it is ours. False: it is another one, which cannot be
 * entered. */
static bool find_namespace(const char *proc, pid_t pid, int *fd)
{
	char path[64];
	struct stat own, other;

	snprintf(path, sizeof path, "%s/%d/ns/net", proc, (int)pid);
	*fd = -1;
	if (stat("/proc/self/ns/net", &own) != 0 || stat(path, &other) != 0 ||
	    (own.st_ino == other.st_ino && own.st_dev == other.st_dev))
		return true;
	*fd = geteuid() == 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	return *fd >= 0;
}

struct socket_watch *socket_watch_start(const char *proc, pid_t pid, const char **why)
{
	struct socket_watch *w = xcalloc(1, sizeof *w);
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);

	*w = (struct socket_watch){ .proc = proc, .pid = pid, .fd = -1, .namespace_fd = -1 };
	pthread_mutex_init(&w->lock, NULL);
	*why = fd < 0 ? "the kernel does not tell of connections"
		: !find_namespace(proc, pid, &w->namespace_fd)
		? "it is in another network namespace, which only root may enter"
		: !thread_start(&w->thread, watch, w) ? "no thread can be started"
						      : NULL;
	if (fd >= 0)
		close(fd);
	if (!*why)
		return w;
	if (w->namespace_fd >= 0)
		close(w->namespace_fd);
	pthread_mutex_destroy(&w->lock);
	free(w);
	return NULL;
}

void socket_watch_take(struct socket_watch *w, struct buf *out)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	buf_adds(out, w->seen.len ? "k1" : "");
	buf_add(out, buf_text(&w->seen), w->seen.len);
	buf_clear(&w->seen);
	pthread_mutex_unlock(&w->lock);
}

bool socket_watch_end(struct socket_watch *w)
{
	bool is_whole;

	if (!w)
		return true;
	w->is_ended = true;
	pthread_join(w->thread, NULL);
	is_whole = !w->is_full;
	if (w->namespace_fd >= 0)
		close(w->namespace_fd);
	pthread_mutex_destroy(&w->lock);
	buf_done(&w->seen);
	free(w->list);
	free(w->inodes.list);
	free(w);
	return is_whole;
}
#else
struct socket_watch *socket_watch_start(const char *proc, pid_t pid, const char **why)
{
	(void)proc;
	(void)pid;
	*why = "only Linux tells of connections";
	return NULL;
}

void socket_watch_take(struct socket_watch *w, struct buf *out)
{
	(void)w;
	(void)out;
}

bool socket_watch_end(struct socket_watch *w)
{
	(void)w;
	return true;
}
#endif
