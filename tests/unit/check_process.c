/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes in a folder that looks like /proc. */
#include "config.h"

#include "suite.h"
#include "temp_folder.h"

#include "base/alloc.h"
#include "record/remote/locate.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void put(const char *name, const char *text, size_t len)
{
	char path[400];
	FILE *file;

	snprintf(path, sizeof path, "%s/%s", temp_folder, name);
	for (char *slash = path + strlen(temp_folder) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fwrite(text, 1, len, file);
	fclose(file);
}

static void link_to(const char *target, const char *name)
{
	char path[400];

	put(name, "", 0);
	snprintf(path, sizeof path, "%s/%s", temp_folder, name);
	unlink(path);
	ck_assert_int_eq(symlink(target, path), 0);
}

/* Process 71, with these masks of signals. */
static void make(const char *caught, const char *blocked, const char *exe)
{
	char status[400];

	snprintf(
		status, sizeof status,
		"Name:\tMain Thread\nState:\tS (sleeping)\nPPid:\t70\nUid:\t1000\t1000\t1000\t1000\n"
		"NSpid:\t71\t9\nVmRSS:\t  45128 kB\nSigBlk:\t%s\nSigCgt:\t%s\n",
		blocked, caught);
	put("71/status", status, strlen(status));
	/* A name with a parenthesis and a blank. */
	put("71/stat", "71 (a) b) S 70 71 71 0 -1 4194304 0 0 0 0 250 150 0 0 20 0 11 0 12345 0",
	    strlen("71 (a) b) S 70 71 71 0 -1 4194304 0 0 0 0 250 150 0 0 20 0 11 0 12345 0"));
	put("71/cmdline",
	    "node\0server.js\0--port\0"
	    "1\0",
	    24);
	put("uptime", "200.00 100.00\n", 14);
	link_to(exe, "71/exe");
}

#define CAUGHT "0000000180000200" /* bit 9 */
#define NONE "0000000000000000"

static struct process read_one(void)
{
	struct process p;
	struct error err = ERROR_INIT;

	ck_assert_msg(process_read(temp_folder, 71, &p, &err), "%s", err.text);
	return p;
}

START_TEST(status_and_stat_are_read)
{
	struct process p;
	long ticks = sysconf(_SC_CLK_TCK);

	make(CAUGHT, NONE, "/usr/bin/node");
	p = read_one();
	ck_assert_int_eq(p.inner_pid, 9);
	ck_assert_int_eq(p.parent, 70);
	ck_assert_uint_eq(p.uid, 1000);
	ck_assert_int_eq(p.resident_kb, 45128);
	ck_assert_uint_eq(p.start_ticks, 12345);
	ck_assert_double_eq_tol(p.cpu_seconds, 400.0 / (double)ticks, 1e-9);
	ck_assert_double_eq_tol(p.age_seconds, 200.0 - 12345.0 / (double)ticks, 1e-6);
	ck_assert_str_eq(buf_text(&p.command), "node server.js --port 1");
	ck_assert_str_eq(p.name, "Main Thread");
	ck_assert(process_is_same(temp_folder, &p));
	p.start_ticks++;
	ck_assert(!process_is_same(temp_folder, &p));
	ck_assert(!p.is_fork);
	process_done(&p);
	put("71/stat", "71 (node) S 70 71 71 0 -1 4194368 0", 36);
	p = read_one();
	ck_assert(p.is_fork);
	process_done(&p);
}
END_TEST

/* What SIGUSR1 may be sent to: runtimes die of it that have no handler. */
static const struct {
	const char *exe, *caught, *blocked;
	enum process_runtime runtime;
	bool is_allowed;
} programs[] = {
	{ "/usr/bin/node", CAUGHT, NONE, RUNTIME_NODE, true },
	{ "/opt/node-22.3/bin/node-22", CAUGHT, NONE, RUNTIME_NODE, true },
	{ "/usr/bin/node (deleted)", CAUGHT, NONE, RUNTIME_NODE, true },
	{ "/usr/bin/node", NONE, NONE, RUNTIME_NODE, false },
	{ "/usr/bin/node", CAUGHT, "0000000000000200", RUNTIME_NODE, false },
	{ "/usr/bin/deno", CAUGHT, NONE, RUNTIME_DENO, true },
	{ "/usr/bin/deno", NONE, NONE, RUNTIME_DENO, false },
	{ "/usr/bin/bun", NONE, NONE, RUNTIME_BUN, false },
	{ "/usr/bin/bun", CAUGHT, NONE, RUNTIME_BUN, false },
	{ "/srv/node_modules/bun/bin/bun.exe", NONE, NONE, RUNTIME_BUN, false },
	{ "/usr/bin/node.exec", CAUGHT, NONE, RUNTIME_NONE, false },
	{ "/usr/lib/electron", CAUGHT, NONE, RUNTIME_ELECTRON, true },
	{ "/usr/bin/chromium", CAUGHT, NONE, RUNTIME_CHROMIUM, false },
	{ "/usr/bin/nodemon", CAUGHT, NONE, RUNTIME_NONE, false },
	{ "/usr/bin/vim", CAUGHT, NONE, RUNTIME_NONE, false },
};

START_TEST(the_signal_goes_only_where_it_is_safe)
{
	struct process p;

	make(programs[_i].caught, programs[_i].blocked, programs[_i].exe);
	p = read_one();
	ck_assert_int_eq(p.runtime, programs[_i].runtime);
	ck_assert_int_eq(process_refusal(temp_folder, &p) == NULL, programs[_i].is_allowed);
	process_done(&p);
}
END_TEST

START_TEST(what_has_changed_before_the_signal_is_said)
{
	struct process p;
	char path[400];
	bool is_blocked;

	make(CAUGHT, NONE, "/usr/bin/node");
	p = read_one();
	snprintf(path, sizeof path, "%s/71/exe", temp_folder);
	ck_assert_ptr_null(process_change(temp_folder, &p, &is_blocked));
	ck_assert(!is_blocked);
	/* It starts a thread: it has its handler. */
	unlink(path);
	make(CAUGHT, "fffffffffffbfeff", "/usr/bin/node");
	ck_assert_ptr_null(process_change(temp_folder, &p, &is_blocked));
	ck_assert(is_blocked);
	unlink(path);
	make(NONE, NONE, "/usr/bin/node");
	ck_assert_str_eq(process_change(temp_folder, &p, &is_blocked),
			 "it has no handler for SIGUSR1 any more: nothing was sent");
	unlink(path);
	make(NONE, NONE, "/usr/bin/sleep");
	ck_assert_str_eq(process_change(temp_folder, &p, &is_blocked),
			 "it is another program now, as after exec(): nothing was sent");
	/* On its way out: its state is not that of a zombie yet. */
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_str_eq(process_change(temp_folder, &p, &is_blocked), "it has ended");
	process_done(&p);
}
END_TEST

START_TEST(a_thread_of_node_tells_its_runtime)
{
	struct process p;

	make(CAUGHT, NONE, "/opt/app/server");
	put("71/task/71/comm", "server\n", 7);
	put("71/task/72/comm", "SignalInspector\n", 16);
	p = read_one();
	ck_assert_int_eq(p.runtime, RUNTIME_NODE);
	process_done(&p);
}
END_TEST

static void put_words(const char *name, const char *text)
{
	char words[100] = "";
	size_t len = strlen(text);

	for (size_t i = 0; i < len; i++)
		words[i] = text[i] == ' ' ? '\0' : text[i] == '+' ? ' ' : text[i];
	put(name, words, len > 0 ? len + 1 : 0);
}

/* A row of a table: the socket is one of those of the process if its inode is 501 to 505. */
static void add_row(struct buf *out, const char *local, const char *peer, const char *state,
		    int inode)
{
	buf_addf(out, "   9: %s %s %s 00000000:00000000 00:00000000 00000000  1000  0 %d 1 0\n",
		 local, peer, state, inode);
}

/* Connections by address, most first; clients of its servers, not of its inspector. */
static void ck_waits(const struct process *p, const char *tcp)
{
	struct buf table = { 0 }, said = { 0 };

	put_words("71/cmdline", "node server.js");
	ports_tell(temp_folder, p, &said);
	ck_assert_str_eq(buf_text(&said),
			 ", 1 connection to 127.0.0.1:4096, listens on :80 :8080 :8081");
	buf_adds(&table, tcp);
	for (int i = 0; i < 2; i++)
		add_row(&table, "0205A8C0:9000", "0700000A:1538", "01", 505);
	add_row(&table, "0205A8C0:9000", "0800000A:0050", "01", 504);
	add_row(&table, "0205A8C0:9000", "0900000A:0050", "01", 504);
	add_row(&table, "0205A8C0:9000", "0A00000A:0050", "01", 504);
	add_row(&table, "0100007F:1F90", "0100007F:8888", "01", 501);
	add_row(&table, "0100007F:2411", "0100007F:8889", "01", 502); /* the inspector's */
	add_row(&table, "0205A8C0:9000", "0700000A:1538", "01", 999); /* another process */
	add_row(&table, "0205A8C0:9000", "0700000A:1538", "06", 505); /* it is closed */
	put("71/net/tcp", table.data, table.len);
	buf_clear(&said);
	ports_tell(temp_folder, p, &said);
	ck_assert_str_eq(
		buf_text(&said),
		", 2 connections to 10.0.0.7:5432, 1 connection to 10.0.0.10:80, 1 connection "
		"to 10.0.0.8:80, 2 to other addresses, 1 connection of clients, listens on :80 "
		":8080 :8081");
	buf_clear(&table);
	add_row(&table, "00000000000000000000000001000000:9000",
		"00000000000000000000000001000000:1538", "01", 505);
	add_row(&table, "0000000000000000FFFF00000100007F:9001",
		"0000000000000000FFFF00000700000A:0050", "01", 505);
	put("71/net/tcp", "", 0);
	put("71/net/tcp6", table.data, table.len);
	buf_clear(&said);
	ports_tell(temp_folder, p, &said);
	ck_assert_str_eq(buf_text(&said),
			 ", 1 connection to 10.0.0.7:80, 1 connection to [::1]:5432");
	put("71/net/tcp", tcp, strlen(tcp));
	buf_done(&table);
	buf_done(&said);
}

/* Ports of its own sockets that listen at a local address; inspectors first. */
START_TEST(ports_are_those_of_its_sockets)
{
	static const char tcp[] =
		"  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n"
		"   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000  "
		"      0 501 1 0\n"
		"   1: 0100007F:2411 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000  "
		"      0 502 1 0\n"
		/* another process, not listening, another address */
		"   2: 0100007F:2412 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000  "
		"      0 999 1 0\n"
		"   3: 0100007F:2413 0100007F:1000 01 00000000:00000000 00:00000000 00000000  1000  "
		"      0 503 1 0\n"
		"   4: 0205A8C0:2414 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000  "
		"      0 504 1 0\n"
		"   5: 0205A8C0:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000  "
		"      0 506 1 0\n";
	static const char tcp6[] =
		"  sl  local_address                         remote_address                        st\n"
		"   0: 00000000000000000000000001000000:0050 "
		"00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  "
		"1000        0 505 1 0\n";
	static const struct {
		const char *command;
		int n, ports[3];
	} servers[] = { { "node server.js", 3, { 80, 8080, 8081 } },
			{ "node --inspect server.js", 3, { 80, 8080, 8081 } },
			{ "node --inspect=80 server.js", 2, { 8080, 8081 } },
			{ "node --inspect=0 server.js", 2, { 80, 8081 } },
			{ "node --inspect-port=0 server.js", 3, { 80, 8080, 8081 } } };
	int ports[PORTS_MAX];
	struct process p;

	make(CAUGHT, NONE, "/usr/bin/node");
	p = read_one();
	ck_assert_int_eq(ports_of_program(temp_folder, &p, ports), -1);
	ck_assert_int_eq(ports_of(temp_folder, &p, ports), -1);
	for (int i = 501; i <= 506; i++) {
		char name[32], target[32];

		snprintf(name, sizeof name, "71/fd/%d", i - 480);
		snprintf(target, sizeof target, "socket:[%d]", i);
		link_to(target, name);
	}
	link_to("/dev/null", "71/fd/0");
	put("71/net/tcp", tcp, sizeof tcp - 1);
	put("71/net/tcp6", tcp6, sizeof tcp6 - 1);
	ck_assert_int_eq(ports_of(temp_folder, &p, ports), 3);
	ck_assert_int_eq(ports[0], 9233);
	ck_assert_int_eq(ports[1], 80);
	ck_assert_int_eq(ports[2], 8080);
	/* All others may be the inspector's. */
	for (size_t i = 0; i < N(servers); i++) {
		int n = 0;

		put_words("71/cmdline", servers[i].command);
		ck_assert_int_eq(ports_of_program(temp_folder, &p, ports), servers[i].n);
		for (; n < servers[i].n; n++)
			ck_assert_int_eq(ports[n], servers[i].ports[n]);
	}
	for (int i = 0; i < 2; i++) {
		static const char *const hosts[] = { "::1", "127.0.0.1" };
		char host[64];

		ck_assert(ports_host(temp_folder, &p, i ? 9233 : 80, host, sizeof host));
		ck_assert_str_eq(host, hosts[i]);
		ck_assert(!ports_host(temp_folder, &p, 9236, host, sizeof host));
	}
	ck_waits(&p, tcp);
	/* Who holds a port: in the network of the process, which has another one at 9234. */
	put("72/net/tcp", tcp, sizeof tcp - 1);
	link_to("socket:[999]", "72/fd/3");
	link_to("socket:[502]", "73/fd/3");
	ck_assert_int_eq(ports_holder(temp_folder, &p, 9233), 71);
	ck_assert_int_eq(ports_holder(temp_folder, &p, 9234), 72);
	ck_assert_int_eq(ports_holder(temp_folder, &p, 9229), 0);
	ck_assert_int_eq(ports_holder(temp_folder, &p, 9236), 0); /* not at a local address */
	ck_assert_int_eq(ports_holder(temp_folder, &p, 80), 0);   /* [::1] leaves 127.0.0.1 free */
	link_to("socket:[998]", "72/fd/3");
	ck_assert_int_eq(ports_holder(temp_folder, &p, 9234), PORTS_UNKNOWN);
	put("71/net/tcp", "", 0);
	ck_assert_int_eq(ports_holder(temp_folder, &p, 9234), 0);
	process_done(&p);
}
END_TEST

/* ---- what it does ---- */

static void put_stat(char state, int start)
{
	char text[200];

	snprintf(text, sizeof text,
		 "71 (a) Z) %c 70 71 71 0 -1 4194304 0 0 0 0 250 150 0 0 20 0 11 0 %d 0", state,
		 start);
	put("71/stat", text, strlen(text));
}

START_TEST(what_a_process_does_is_seen)
{
	static const struct {
		char state;
		const char *wait;
		enum process_doing doing;
	} rows[] = {
		{ 'S', "do_epoll_wait", PROCESS_POLLS },
		{ 'S', "ep_poll", PROCESS_POLLS },
		{ 'S', "futex_do_wait", PROCESS_LOCKED },
		{ 'S', "0", PROCESS_RUNS },
		{ 'R', "0", PROCESS_RUNS },
		{ 'D', "ep_poll", PROCESS_RUNS },
		{ 'T', "do_signal_stop", PROCESS_STOPPED },
		{ 't', "0", PROCESS_STOPPED },
		{ 'Z', "0", PROCESS_ENDED },
		{ 'X', "0", PROCESS_ENDED },
	};
	struct process p;
	pid_t *workers;

	make(CAUGHT, NONE, "/usr/bin/node");
	p = read_one();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		put_stat(rows[i].state, 12345);
		put("71/wchan", rows[i].wait, strlen(rows[i].wait));
		ck_assert_int_eq(process_doing(temp_folder, &p), rows[i].doing);
		ck_assert(process_is_same(temp_folder, &p) == (rows[i].doing != PROCESS_ENDED));
	}
	put_stat('S', 12346); /* another process */
	ck_assert_int_eq(process_doing(temp_folder, &p), PROCESS_ENDED);
	ck_assert(!process_has_children(temp_folder, &p));
	put("71/task/71/children", "72 73 ", 6);
	ck_assert(process_has_children(temp_folder, &p));
	put("72/environ", "HOME=/\0NODE_UNIQUE_ID=1\0", 24);
	put("73/environ", "NODE_UNIQUE=1\0A=NODE_UNIQUE_ID=2", 32);
	ck_assert_uint_eq(process_cluster(temp_folder, &p, &workers), 1);
	ck_assert_int_eq(workers[0], 72);
	free(workers);
	ck_assert(!process_has_signal(temp_folder, &p));
	put("71/status", "SigPnd:\t0000000000000000\nShdPnd:\t0000000000000200\n", 51);
	ck_assert(process_has_signal(temp_folder, &p));
	process_done(&p);
}
END_TEST

/* The fourth figure of loadavg: threads that run, of all. */
START_TEST(a_free_processor_is_seen)
{
	ck_assert(process_has_room(temp_folder)); /* nothing is known */
	put("loadavg", "4.31 5.13 4.29 1/103 22394\n", 27);
	ck_assert(process_has_room(temp_folder));
	put("loadavg", "4.31 5.13 4.29 99999/100000 22394\n", 34);
	ck_assert(!process_has_room(temp_folder));
}
END_TEST

START_TEST(the_port_of_its_inspector_is_in_its_options)
{
	static const struct {
		/* Words end with a blank here, with a NUL there; `+` is a blank in a word. */
		const char *command, *environment, *host;
		int port;
		bool waits, is_watcher;
	} rows[] = {
		{ "node server.js", "", "", 9229, false, false },
		{ "node --inspect-port=0 server.js", "", "", 0, false, false },
		{ "node --inspect-port=9300 server.js", "", "", 9300, false, false },
		{ "node --inspect_port=9300 server.js", "", "", 9300, false, false },
		{ "node --inspect-port 9300 server.js", "", "", 9300, false, false },
		{ "node --inspect=127.0.0.1:9301 server.js", "", "127.0.0.1", 9301, false, false },
		{ "node --inspect-brk=[::1]:9302 server.js", "", "::1", 9302, true, false },
		{ "node --inspect server.js", "", "", 9229, false, false },
		{ "node --inspect-wait server.js", "", "", 9229, true, false },
		{ "node --inspect=0.0.0.0 server.js", "", "0.0.0.0", 9229, false, false },
		{ "node -r hook.js --inspect-port=9303 server.js", "", "", 9303, false, false },
		{ "node --no-warnings server.js --inspect-port=1", "", "", 9229, false, false },
		{ "node --inspect-port=1 --inspect-port=9304 a.js", "", "", 9304, false, false },
		{ "node server.js --inspect-port=9305", "", "", 9229, false, false },
		{ "node -- --inspect-port=9305", "", "", 9229, false, false },
		{ "node -e 1+--inspect-port=1", "", "", 9229, false, false },
		{ "node --watch server.js", "", "", 9229, false, true },
		{ "node --watch-path=src server.js", "", "", 9229, false, true },
		{ "node --run start", "", "", 9229, false, false },
		{ "node server.js --watch --inspect-brk", "", "", 9229, false, false },
		{ "node a.js", "NODE_OPTIONS=--inspect-port=0", "", 0, false, false },
		{ "node a.js", "NODE_OPTIONS=--inspect-brk", "", 9229, true, false },
		{ "node a.js", "A=1 NODE_OPTIONS=-r+x+--inspect-port=9306 B=2", "", 9306, false,
		  false },
		{ "node a.js", "NODE_OPTIONS=-r+\"x+--inspect-port=1\"", "", 9229, false, false },
		{ "node --inspect-port=9307 a.js", "NODE_OPTIONS=--inspect-port=0", "", 9307, false,
		  false },
	};

	make(CAUGHT, NONE, "/usr/bin/node");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct process_inspector place;
		struct process p;

		put_words("71/environ", rows[i].environment);
		put_words("71/cmdline", rows[i].command);
		p = read_one();
		process_inspector_find(temp_folder, &p, &place);
		ck_assert_msg(place.port == rows[i].port, "%s: %d", rows[i].command, place.port);
		ck_assert_str_eq(place.host, rows[i].host);
		ck_assert_int_eq(place.waits, rows[i].waits);
		ck_assert_int_eq(place.is_watcher, rows[i].is_watcher);
		ck_assert_int_eq(place.is_runner, (strstr(rows[i].command, "--run") != NULL));
		ck_assert_int_eq(process_refusal(temp_folder, &p) == NULL,
				 !place.is_watcher && !place.is_runner);
		ck_assert_int_eq(process_inspector_is_local(&place),
				 strcmp(rows[i].host, "0.0.0.0") != 0);
		process_done(&p);
	}
}
END_TEST

START_TEST(a_process_that_is_not_there_is_said)
{
	struct error err = ERROR_INIT;
	struct process p;

	ck_assert(!process_read(temp_folder, 4711, &p, &err));
	ck_assert_str_eq(err.text, "there is no process 4711");
	process_done(&p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_checked_fixture(tc, temp_folder_make, temp_folder_remove);
	tcase_add_test(tc, status_and_stat_are_read);
	tcase_add_loop_test(tc, the_signal_goes_only_where_it_is_safe, 0, N(programs));
	tcase_add_test(tc, what_has_changed_before_the_signal_is_said);
	tcase_add_test(tc, a_thread_of_node_tells_its_runtime);
	tcase_add_test(tc, ports_are_those_of_its_sockets);
	tcase_add_test(tc, what_a_process_does_is_seen);
	tcase_add_test(tc, a_free_processor_is_seen);
	tcase_add_test(tc, the_port_of_its_inspector_is_in_its_options);
	tcase_add_test(tc, a_process_that_is_not_there_is_said);
}

int main(void)
{
	return suite_run("process", add_tests);
}
