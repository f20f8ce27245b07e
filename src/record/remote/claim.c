/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A claim is a socket with a name that is no file (unix(7), abstract): there can be one only, and
 * nothing is left when its process ends. The kernel tells whose it is to those that connect. The
 * holder never accepts, so there is room for a limited number of them. */
#include "config.h"

#include "record/remote/claim.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define WAITING_MOST 128

static socklen_t make_address(const char *name, struct sockaddr_un *address)
{
	int n;

	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	n = snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "flametty/%s", name);
	if (n > (int)sizeof address->sun_path - 2)
		n = (int)sizeof address->sun_path - 2;
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

/* Whether a name that is taken is a claim, and no other user's. */
static bool is_claim(const struct sockaddr_un *address, socklen_t len, uid_t uid, pid_t *holder)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct ucred peer = { 0 };
	socklen_t size = sizeof peer;
	bool is;

	if (fd >= 0 && connect(fd, (const struct sockaddr *)address, len) == 0) {
		is = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
			(peer.uid == 0 || peer.uid == uid || peer.uid == geteuid());
		/* The kernel gives 0 for a process of another PID namespace. */
		*holder = is ? peer.pid : 0;
	} else {
		/* The queue of the holder is full. */
		is = fd >= 0 && errno == EAGAIN;
	}
	if (fd >= 0)
		close(fd);
	return is;
}

bool claim_again(struct claim *c, const char *name)
{
	struct sockaddr_un address;
	socklen_t len = make_address(name, &address);

	c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (c->fd < 0)
		return true;
	if (bind(c->fd, (const struct sockaddr *)&address, len) == 0 &&
	    listen(c->fd, WAITING_MOST) == 0)
		return true;
	claim_end(c);
	return errno != EADDRINUSE;
}

bool claim_take(struct claim *c, const char *name, uid_t uid, pid_t *holder)
{
	struct sockaddr_un address;
	socklen_t len = make_address(name, &address);

	*holder = 0;
	if (claim_again(c, name))
		return true;
	return !is_claim(&address, len, uid, holder);
}

static void name_process(char out[96], const struct claim_process *p)
{
	snprintf(out, 96, "process/%" PRIu64 "/%d/%" PRIu64, p->space, (int)p->pid, p->start_ticks);
}

bool claim_process(struct claim *c, const struct claim_process *process, uid_t uid, pid_t *holder)
{
	char name[96];

	name_process(name, process);
	return claim_take(c, name, uid, holder);
}

bool claim_process_again(struct claim *c, const struct claim_process *process)
{
	char name[96];

	name_process(name, process);
	return claim_again(c, name);
}

void claim_end(struct claim *c)
{
	int saved = errno;

	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
	errno = saved;
}
