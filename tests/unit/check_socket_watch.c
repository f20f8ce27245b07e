/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The limits of what a watch tells about connections. This process has both ends of each one. */
#include "config.h"

#include "suite.h"

#include "record/remote/socket_watch.c"

/* Without it there are no such functions. */
#ifdef __linux__

static struct socket_watch *new_watch(void)
{
	struct socket_watch *w = xcalloc(1, sizeof *w);

	w->proc = "/proc";
	w->pid = getpid();
	w->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	pthread_mutex_init(&w->lock, NULL);
	return w;
}

static void free_watch(struct socket_watch *w)
{
	if (w->fd >= 0)
		close(w->fd);
	pthread_mutex_destroy(&w->lock);
	buf_done(&w->seen);
	free(w->list);
	free(w->inodes.list);
	free(w);
}

/* ---- connections ---- */

struct pairs {
	int listener, n, ends[2 * CONNECTIONS_MAX];
	struct sockaddr_in address;
};

static void listen_to(struct pairs *p)
{
	socklen_t len = sizeof p->address;

	*p = (struct pairs){ .address = { .sin_family = AF_INET,
					  .sin_addr = { htonl(INADDR_LOOPBACK) } } };
	p->listener = socket(AF_INET, SOCK_STREAM, 0);
	ck_assert_int_eq(bind(p->listener, (struct sockaddr *)&p->address, len), 0);
	ck_assert_int_eq(listen(p->listener, 8), 0);
	ck_assert_int_eq(getsockname(p->listener, (struct sockaddr *)&p->address, &len), 0);
}

/* A connection more: two ends. */
static void add_pair(struct pairs *p)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	ck_assert_int_eq(connect(fd, (struct sockaddr *)&p->address, sizeof p->address), 0);
	p->ends[p->n++] = fd;
	p->ends[p->n++] = accept(p->listener, NULL, NULL);
	ck_assert_int_ge(p->ends[p->n - 1], 0);
}

static void close_pairs(struct pairs *p)
{
	for (int i = 0; i < p->n; i++)
		close(p->ends[i]);
	close(p->listener);
}

START_TEST(so_many_connections_are_known)
{
	struct socket_watch *w = new_watch();
	struct pairs *p = xcalloc(1, sizeof *p);

	listen_to(p);
	add_pair(p);
	dump(w);
	if (w->n == 0)
		fputs("the kernel does not tell of connections here\n", stderr);
	else {
		ck_assert_uint_eq(w->n, 2);
		while (p->n < CONNECTIONS_MAX)
			add_pair(p);
		dump(w);
		ck_assert_uint_eq(w->n, CONNECTIONS_MAX);
		ck_assert(!w->is_full);
		add_pair(p);
		dump(w);
		ck_assert_uint_eq(w->n, CONNECTIONS_MAX);
		ck_assert(w->is_full);
	}
	close_pairs(p);
	free(p);
	free_watch(w);
}
END_TEST

/* ---- arrivals ---- */

static const struct inet_diag_msg unread = { .idiag_rqueue = 1, .idiag_state = STATE_ESTABLISHED };

/* How many of `n` arrivals are told. */
static int tell(struct socket_watch *w, int n)
{
	struct connection c = { .family = AF_INET };
	size_t before = w->seen.len;
	int told = 0;

	for (int i = 0; i < n; i++)
		note(w, &c, &unread, NULL);
	for (size_t i = before; i < w->seen.len; i++)
		told += w->seen.data[i] == ';';
	return told;
}

START_TEST(so_many_arrivals_are_told)
{
	struct socket_watch *w = new_watch();

	w->n_told = TOLD_MAX - 3;
	ck_assert_int_eq(tell(w, 3), 3);
	ck_assert(!w->is_full);
	ck_assert_int_eq(tell(w, 2), 0);
	ck_assert(w->is_full);
	free_watch(w);
}
END_TEST

/* What is taken makes room. */
START_TEST(so_many_arrivals_wait)
{
	struct socket_watch *w = new_watch();
	BUF_LOCAL out = { 0 };

	for (size_t i = 0; i < BYTES_MAX - 1; i++)
		buf_addc(&w->seen, ' ');
	ck_assert_int_eq(tell(w, 1), 1);
	ck_assert(!w->is_full);
	ck_assert_int_eq(tell(w, 1), 0);
	ck_assert(w->is_full);
	socket_watch_take(w, &out);
	ck_assert_uint_gt(out.len, BYTES_MAX);
	ck_assert_int_eq(tell(w, 1), 1);
	free_watch(w);
}
END_TEST
#endif

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "limits", SUITE_SECONDS);

	(void)tc;
#ifdef __linux__
	tcase_add_test(tc, so_many_connections_are_known);
	tcase_add_test(tc, so_many_arrivals_are_told);
	tcase_add_test(tc, so_many_arrivals_wait);
#endif
}

int main(void)
{
	return suite_run("socket_watch", add_tests);
}
