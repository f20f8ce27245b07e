/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the texts of requests.cjs to a trace. */
#include "config.h"

#include "base/sink.h"
#include "record/request_trace.h"
#include "suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* now, from, state, busy, lost, left out, errors, open, sockets, unseen, pool, user, system */
#define HEAD(now) "v1," #now ",1000,1,0,0,0,0,0,0,0,4,0,0"

static struct request_counts counts;
static struct request_range range = { INT64_MIN, INT64_MAX };

/* The trace of a main thread with these texts; the caller frees the sink. */
static struct sink *written(const char *texts, int64_t tid)
{
	struct sink *sink = sink_open_memory();
	struct request_source source = { 7, tid, "", "", { texts, strlen(texts) }, NULL };

	request_trace_write(&source, 1, range, sink, &counts);
	return sink;
}

static void ck_has(const char *texts, const char *part)
{
	struct sink *sink = written(texts, 0);

	if (!strstr(buf_text(sink_buf(sink)), part))
		ck_abort_msg("no %s in %s", part, buf_text(sink_buf(sink)));
	sink_drop(sink);
}

static void ck_lacks(const char *texts, const char *part)
{
	struct sink *sink = written(texts, 0);

	if (strstr(buf_text(sink_buf(sink)), part))
		ck_abort_msg("%s in %s", part, buf_text(sink_buf(sink)));
	sink_drop(sink);
}

START_TEST(served_request_is_a_pair)
{
	static const char text[] = HEAD(
		9000) ";sGET;s/users/17;S10,3,1,2,3,50000,80;R5,3;s/users/:id;F85,3,200,4";

	ck_has(text,
	       "{\"ph\":\"b\",\"cat\":\"http.server\",\"name\":\"GET /users/:id\",\"pid\":7,\"tid\":7,"
	       "\"ts\":1010,\"id\":\"r7.0.3\",\"args\":{\"method\":\"GET\",\"path\":\"/users/17\","
	       "\"route\":\"/users/:id\",\"status\":200,\"remotePort\":50000,\"port\":80}},"
	       "{\"ph\":\"e\",\"cat\":\"http.server\",\"name\":\"GET /users/:id\",\"pid\":7,\"tid\":7,"
	       "\"ts\":1100,\"id\":\"r7.0.3\",\"args\":{}}");
	ck_assert_uint_eq(counts.n_served, 1);
	ck_assert_uint_eq(counts.n_broken, 0);
}
END_TEST

START_TEST(request_is_a_part_of_a_trace)
{
	ck_has(HEAD(9000) ";sGET;s/users/17;S10,3,1,2,3,50000,80;"
			  "V0,3,1274621749,2008239526,2748224157,235816758;F85,3,200,0",
	       "\"status\":200,\"trace\":\"4bf92f3577b34da6a3ce929d0e0e4736\",\"remotePort\"");
	ck_lacks(HEAD(9000) ";sGET;s/;S10,3,1,2,3,50000,80;V0,4,1,2,3,4;F85,3,200,0", "trace\"");
}
END_TEST

START_TEST(route_is_guessed_from_the_path)
{
	static const struct {
		const char *path, *name;
	} paths[] = {
		{ "/", "GET /" },
		{ "/users/17", "GET /users/:n" },
		{ "/v2/a1", "GET /v2/a1" },
		{ "/f/3b241101-e2bb-4255-8caf-4136c566a962/x", "GET /f/:n/x" },
		{ "/deadbeefdeadbeef", "GET /deadbeefdeadbeef" },
		{ "/deadbeefdeadbee0", "GET /:n" },
		{ "//3/", "GET //:n/" },
		{ "%2Fa%3Bb%22", "GET /a;b\\\"" },
	};

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		char text[200], name[200];

		snprintf(text, sizeof text, HEAD(9000) ";sGET;s%s;S0,3,1,2,3,1,2;F1,3,200,0",
			 paths[i].path);
		snprintf(name, sizeof name, "\"name\":\"%s\"", paths[i].name);
		ck_has(text, name);
	}
}
END_TEST

START_TEST(ids_are_known_in_later_texts)
{
	static const char text[] = HEAD(2000) ";sGET;s/a;S10,3,1,2,3,1,2\n" HEAD(
		3000) ";s/b;F500,3,503,2\n";

	ck_has(text, "\"name\":\"GET /b\"");
	ck_has(text, "\"ts\":1500");
	ck_has(text, "\"status\":503");
}
END_TEST

START_TEST(what_goes_on_ends_with_the_recording)
{
	ck_has(HEAD(9000) ";sGET;s/a;S10,3,1,2,3,1,2", "\"unfinished\":true");
	ck_has(HEAD(9000) ";sGET;s/a;S10,3,1,2,3,1,2", "\"ts\":9000");
	ck_has(HEAD(9000) ";sGET;s/a;O10,3,1,2,3,1,2;A5,3,0", "\"aborted\":true,\"open\":true");
}
END_TEST

/* A part of a recording has what it cuts, marked; nothing of what is before and after it. */
START_TEST(a_range_cuts_what_it_has)
{
	static const char served[] = HEAD(
		9000) ";sGET;s/a;S1000,3,1,2,3,1,2;R5,3;R2000,0;F995,3,200,4";
	static const char call[] = HEAD(
		9000) ";sGET;sdb:80;s/x;C1000,5,3,1,2,3,4;W1000,5,0,1;H1000,5,404;E1000,5,0";
	static const struct {
		int64_t t0, t1;
		const char *text, *has, *lacks;
	} cases[] = {
		{ 2000, 5000, served, "\"ts\":2000", "open" },
		{ 2000, 5000, served, "\"ts\":5000", "unfinished" },
		{ 2500, 5000, served, "\"ts\":2500", "unfinished" },
		{ 2500, 5000, served, "\"open\":true", "\"ts\":2000" },
		{ 2500, 5000, served, "\"ts\":2500,\"dur\":1505", "\"ts\":2005" },
		{ 2000, 3000, served, "\"unfinished\":true", "open" },
		{ 2000, 3000, served, "\"dur\":995", "\"ts\":5000" },
		{ 4500, 9000, served, "http.server", "request.cpu" },
		{ 6000, 9000, served, "traceEvents", "http.server" },
		{ 1000, 2000, served, "traceEvents", "http.server" },
		{ 2500, 9000, call, "\"sent\":500,\"headers\":1500", "\"ts\":2000" },
		{ 3500, 9000, call, "\"headers\":500", "sent" },
		{ 2500, 3500, HEAD(9000) ";s10.0.0.9:5432;Q1000,4,3,2000,1,90,2", "\"ts\":3500",
		  "\"ts\":2000" },
		{ 5000, 6000, HEAD(9000) ";s10.0.0.9:5432;Q1000,4,3,2000,1,90,2", "traceEvents",
		  "socket" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		range = (struct request_range){ cases[i].t0, cases[i].t1 };
		ck_has(cases[i].text, cases[i].has);
		ck_lacks(cases[i].text, cases[i].lacks);
	}
	range = REQUEST_RANGE_ALL;
}
END_TEST

START_TEST(call_has_its_request)
{
	static const char text[] = HEAD(
		9000) ";sGET;sdb:80;s/x;C10,5,3,1,2,3,4;W2,5,0,1;H3,5,404;E5,5,0";

	ck_has(text, "\"cat\":\"http.client\",\"name\":\"GET db:80/x\"");
	ck_has(text,
	       "\"status\":404,\"request\":\"r7.0.3\",\"sent\":2,\"headers\":5,\"reused\":true");
	ck_has(HEAD(9000) ";sGET;sdb:80;s/x;sECONNREFUSED;C10,5,0,1,2,3,4;E5,5,5",
	       "\"error\":\"ECONNREFUSED\"");
}
END_TEST

/* The request that goes on after the answer waited for it; one that only wrote may not be it. */
START_TEST(wait_on_a_socket_has_its_owner)
{
	ck_has(HEAD(9000) ";s10.0.0.9:5432;Q10,4,3,500,1,90,2",
	       "\"cat\":\"socket\",\"name\":\"pg 10.0.0.9:5432\"");
	ck_has(HEAD(9000) ";s10.0.0.9:5432;Q10,4,3,500,1,90,2", "\"request\":\"r7.0.3\"");
	ck_lacks(HEAD(9000) ";s10.0.0.9:5432;Q10,4,-3,500,1,90,2", "\"request\"");
	ck_has(HEAD(9000) ";s10.0.0.9:5432;G520,4,8;Q-510,4,-3,500,1,90,2",
	       "\"request\":\"r7.0.8\"");
	ck_lacks(HEAD(9000) ";s10.0.0.9:5432;G7000,4,8;Q-6990,4,-3,500,1,90,2", "\"request\"");
	ck_lacks(HEAD(9000) ";s10.0.0.9:5432;G520,5,8;Q-510,4,-3,500,1,90,2", "\"request\"");
}
END_TEST

START_TEST(jobs_and_names_are_waits)
{
	ck_has(HEAD(9000) ";sFSREQCALLBACK;T10,40,2,3",
	       "\"cat\":\"thread pool\",\"name\":\"file\"");
	ck_has(HEAD(9000) ";sFSREQCALLBACK;T10,40,2,3", "\"request\":\"r7.0.3\",\"threads\":4");
	ck_has(HEAD(9000) ";sdb.example;D10,40,2", "\"cat\":\"dns\",\"name\":\"db.example\"");
	ck_assert_uint_eq(counts.n_waits, 1);
}
END_TEST

START_TEST(name_is_of_the_request_whose_connection_needs_it)
{
	ck_has(HEAD(9000) ";sdb.example;N5,4,3;L45,4,0,2;D-40,40,2",
	       "\"cat\":\"dns\",\"name\":\"db.example\",\"pid\":7,\"tid\":7,\"ts\":1010,"
	       "\"id\":\"w7.0.0\",\"args\":{\"request\":\"r7.0.3\"}");
	ck_lacks(HEAD(9000) ";sdb.example;N5,4,3;L9000,4,0,2;D-8995,40,2",
		 "\"id\":\"w7.0.0\",\"args\":{\"request\"");
	ck_lacks(HEAD(9000) ";sdb.example;sother;N5,4,3;L45,4,0,3;D-40,40,2",
		 "\"id\":\"w7.0.0\",\"args\":{\"request\"");
}
END_TEST

/* Two ask for one name, and have it at the same time; then one asks that no request needs. */
START_TEST(each_name_is_of_the_connection_that_began_before_it)
{
	static const char both[] = HEAD(
		9000) ";sdb.example;N5,4,3;N2,5,6;L45,4,0,2;L0,5,0,2;D-46,46,2;D2,44,2";

	ck_has(both, "\"id\":\"w7.0.0\",\"args\":{\"request\":\"r7.0.3\"");
	ck_has(both, "\"id\":\"w7.0.1\",\"args\":{\"request\":\"r7.0.6\"");
	ck_lacks(HEAD(9000) ";sdb.example;N5,4,3;N2,5,0;L45,4,0,2;L0,5,0,2;D-44,44,2",
		 "\"id\":\"w7.0.0\",\"args\":{\"request\"");
}
END_TEST

START_TEST(thread_runs_for_a_request)
{
	static const char text[] = HEAD(
		9000) ";sGET;s/a;S10,3,1,2,3,1,2;R5,3;R20,0;R30,3;F1,3,200,0;R4,0";

	ck_has(text,
	       "{\"ph\":\"X\",\"cat\":\"request.cpu\",\"name\":\"GET /a\",\"pid\":7,\"tid\":7,"
	       "\"ts\":1015,\"dur\":20,\"args\":{\"request\":\"r7.0.3\"}}");
	ck_has(text, "\"ts\":1065,\"dur\":5");
	ck_lacks(HEAD(9000) ";R5,99;R20,0", "request.cpu");
}
END_TEST

/* The kernel saw the bytes of the request, on its connection, before it was read. */
START_TEST(request_begins_when_its_bytes_arrive)
{
#define SERVED HEAD(90000) ";sGET;s/a;S50000,3,1,2,3,1,2;F10,3,200,0\n"

	ck_has(SERVED "k1;1,2,40000,21000\n", "\"ts\":21000");
	ck_has(SERVED "k1;1,2,40000,21000\n", "\"unread\":30000");
	ck_has(SERVED "k1;1,2,40000,21000;1,2,45000,22000\n", "\"unread\":30000");
	/* More than a minute counts as a minute. */
	ck_has(HEAD(90000000) ";sGET;s/a;S60009999,3,1,2,3,1,2;F10,3,200,0\nk1;1,2,40000,11000\n",
	       "\"unread\":59999999");
	ck_has(HEAD(90000000) ";sGET;s/a;S60010001,3,1,2,3,1,2;F10,3,200,0\nk1;1,2,40000,11000\n",
	       "\"unread\":60000000");
	/* Of another connection; after it was read; of the request before it. */
	ck_lacks(SERVED "k1;9,2,40000,21000\n", "unread");
	ck_lacks(SERVED "k1;1,9,40000,21000\n", "unread");
	ck_lacks(SERVED "k1;1,2,70000,60000\n", "unread");
	ck_lacks(HEAD(90000) ";sGET;s/a;S40000,4,1,2,3,1,2;F10,4,200,0;S9990,3,1,2,3,1,2\n"
			     "k1;1,2,38000,35000\n",
		 "\"unread\":16000");
	/* Seen after the one before was answered, but dated some milliseconds too early. */
	ck_has(HEAD(90000) ";sGET;s/a;S40000,4,1,2,3,1,2;F10,4,200,0;S9990,3,1,2,3,1,2\n"
			   "k1;1,2,40500,38000;1,2,45000,39000\n",
	       "\"unread\":9989");
	/* All was read in between; other bytes, of a request before the recording. */
	ck_lacks(SERVED "k1;1,2,20000,15000;1,2,30000,0\n", "unread");
	ck_has(SERVED "k1;1,2,20000,15000;1,2,30000,0;1,2,45000,42000\n", "\"unread\":9000");
	ck_has(SERVED "k1;1,2,20000,15000;1,2,45000,42000\n", "\"unread\":9000");
	ck_has(SERVED "k1\n", "\"ts\":51000");
	ck_assert_uint_eq(counts.n_broken, 0);
	ck_has(SERVED "k1;x\n", "\"ts\":51000");
	ck_assert_uint_eq(counts.n_broken, 1);
}
END_TEST

/* An answer lay unread while the thread did something else. */
START_TEST(wait_ends_when_its_answer_arrives)
{
#define CALLED                                                                                     \
	HEAD(90000)                                                                                \
	";sGET;sh;s/x;C9000,3,0,1,2,3,4;W10,3,0,1,8080,500;H39990,3,200,8080,500;E10,"             \
	"3,0\n"
#define QUERIED HEAD(90000) ";sx:5432;Q9000,1,0,40000,1,20,2,5432,600\n"

	ck_has(CALLED "k1;8080,500,30000,28000;8080,500,45000,27000\n", "\"unread\":23010");
	/* All was read after that; of another connection; before it was sent. */
	ck_lacks(CALLED "k1;8080,500,30000,28000;8080,500,45000,0\n", "unread");
	ck_lacks(CALLED "k1;8080,501,45000,28000;8081,500,45000,28000\n", "unread");
	ck_lacks(CALLED "k1;8080,500,9500,9400\n", "unread");
	ck_has(QUERIED "k1;5432,600,30000,28000\n", "\"unread\":22000");
	ck_lacks(QUERIED "k1;5432,601,30000,28000;5432,600,60000,55000\n", "unread");
}
END_TEST

/* However many others came since: what arrived before the last request of a connection is its. */
START_TEST(connection_had_a_request_long_ago)
{
	struct buf text = { 0 };

	buf_adds(&text, HEAD(90000) ";sGET;s/a;S40000,1,1,2,3,1,2");
	for (int i = 0; i < 21000; i++)
		buf_addf(&text, ";S0,%d,1,2,3,7,2", i + 2);
	buf_adds(&text, ";S10000,30000,1,2,3,1,2\nk1;1,2,40500,38000\n");
	ck_lacks(buf_text(&text), "\"unread\":13000");
	ck_has(buf_text(&text), "\"unread\":3000");
	buf_done(&text);
}
END_TEST

START_TEST(damage_is_counted)
{
	static const char *const bad[] = {
		"",
		"v2,1",
		"v1,",
		"v1,x",
		"v1,1,2,",
		HEAD(9) ";S1,,",
		HEAD(9) ";",
		HEAD(9) ";;",
		HEAD(9) ";S99999999999999999999,1",
		HEAD(9) ";S1 ,2",
	};
	struct sink *sink;

	for (size_t i = 1; i < sizeof bad / sizeof *bad; i++) {
		sink = written(bad[i], 0);
		if (i != 6)
			ck_assert_msg(counts.n_broken == 1, "%s", bad[i]);
		sink_drop(sink);
	}
	sink = written("v1,9,1,1,0,5,0,6,0,0,7,4,0,0", 0);
	ck_assert_uint_eq(counts.n_lost, 5);
	ck_assert_uint_eq(counts.n_errors, 6);
	ck_assert_uint_eq(counts.n_unseen, 7);
	sink_drop(sink);
}
END_TEST

/* Any bytes end, and give JSON without control characters. */
/* Times are sums of what the records tell, which may be anything. */
START_TEST(times_do_not_overflow)
{
	struct buf text = { 0 };

	buf_adds(&text, HEAD(9000) ";sGET;s/a");
	for (int i = 0; i < 100; i++)
		buf_addf(&text, ";S99999999999999999,%d,1,2,3,4,5", i + 1);
	ck_lacks(buf_text(&text), "\"ts\":-");
	ck_assert_uint_eq(counts.n_broken, 1);
	ck_assert_uint_lt(counts.n_served, 20);
	buf_done(&text);
}
END_TEST

/* Of two with one id, what comes later is about the first. */
START_TEST(id_comes_again)
{
	ck_has(HEAD(9000) ";sGET;s/a;s/b;S1,3,1,2,3,4,5;S1,3,1,2,4,4,5;F1,3,204",
	       "\"path\":\"/a\",\"status\":204");
}
END_TEST

START_TEST(any_text_ends)
{
	static const char bytes[] = "SFCOWHAEKNQDITGRUXs0123456789,;-%\n\"\\\001\377v1";
	uint64_t seed = (uint64_t)_i + 1;
	char text[600] = HEAD(9000) ";";
	size_t n = strlen(text);
	struct sink *sink;

	while (n < sizeof text - 1) {
		seed = seed * UINT64_C(6364136223846793005) + 1;
		text[n++] = bytes[(seed >> 33) % (sizeof bytes - 1)];
	}
	sink = written(text, 0);
	for (const char *p = buf_text(sink_buf(sink)); *p && p[1]; p++)
		ck_assert_int_ge((unsigned char)*p, ' ');
	sink_drop(sink);
}
END_TEST

/* A second of a thread: a request each 10 ms that calls another server and lasts 25 ms; the bytes
 * of some lie unread. Each hundredth is open for 4 s. */
static void add_second(struct buf *out, int second)
{
	int64_t from = (int64_t)second * 1000000;

	buf_addf(out, "v1,%" PRId64 ",%" PRId64 ",1,0,%d,0,0,0,0,0,4,0,0;sGET;sh:80",
		 from + 1000000, from, second == 4);
	for (int i = 0; i < 100; i++) {
		int id = (second * 100 + i) * 2 + 1, old = id - (id % 100 == 1 ? 800 : 4);

		buf_addf(out, ";s/users/%d;S5000,%d,1,2,%d,%d,80;R10,%d;C10,%d,%d,1,2,3,%d", id, id,
			 i + 4, 5000 + i % 10, id, id + 1, id, i + 4);
		buf_addf(out, ";R10,0;E4000,%d,0;F970,%d,200,0", id + 1 - 2, old);
	}
	buf_adds(out, "\nk1");
	for (int i = 0; i < 100; i += 3)
		buf_addf(out, ";%d,80,%" PRId64 ",%" PRId64, 5000 + i % 10, from + i * 10000 + 4000,
			 from + i * 10000 + 2000);
	buf_addc(out, '\n');
}

static void write_range(struct request_reader *reader, struct str texts, struct request_range r,
			struct sink *sink)
{
	request_trace_write(&(struct request_source){ 7, 0, "", "", texts, reader }, 1, r, sink,
			    &counts);
}

/* Second by second the last ones are the same as of all texts at once, and memory does not grow. */
START_TEST(reader_goes_on_and_forgets)
{
	struct request_reader reader;
	struct buf all = { 0 };

	request_reader_init(&reader);
	for (int second = 0; second < 30; second++) {
		struct sink *sinks[] = { sink_open_memory(), sink_open_memory() };
		struct request_range last = { (int64_t)(second - 2) * 1000000,
					      (int64_t)(second + 1) * 1000000 };
		size_t before = all.len;
		uint64_t n_lost;

		add_second(&all, second);
		write_range(NULL, (struct str){ all.data, all.len }, last, sinks[0]);
		n_lost = counts.n_lost;
		write_range(&reader, (struct str){ all.data + before, all.len - before }, last,
			    sinks[1]);
		ck_assert_str_eq(buf_text(sink_buf(sinks[0])), buf_text(sink_buf(sinks[1])));
		ck_assert_uint_eq(n_lost, second >= 4 && second <= 7);
		ck_assert_uint_eq(counts.n_lost, second == 4);
		ck_assert_uint_le(reader.n_items, 2500);
		ck_assert_uint_le(reader.strings.n, 6000);
		sink_drop(sinks[0]);
		sink_drop(sinks[1]);
	}
	request_reader_done(&reader);
	buf_done(&all);
}
END_TEST

/* What has no end, or runs for ever, is forgotten after minutes. */
START_TEST(reader_forgets_what_has_no_end)
{
	struct request_reader reader;

	request_reader_init(&reader);
	for (int second = 0; second < 700; second++) {
		int64_t from = (int64_t)second * 1000000;
		struct buf text = { 0 };

		buf_addf(&text, "v1,%" PRId64 ",%" PRId64 ",1,0,0,0,0,0,0,0,4,0,0;sGET",
			 from + 1000000, from);
		for (int i = 0; i < 10; i++)
			buf_addf(&text, ";s/%d;S100,%d,1,2,%d,1,80;U0,%d", second * 10 + i,
				 second * 10 + i, i + 3, second * 10 + i);
		request_reader_take(&reader, (struct str){ text.data, text.len }, REQUEST_RANGE_ALL,
				    &counts);
		request_reader_forget(&reader, from);
		ck_assert_uint_le(reader.n_items, 3020);
		ck_assert_uint_le(reader.strings.n, 8000);
		buf_done(&text);
	}
	request_reader_done(&reader);
}
END_TEST

START_TEST(head_says_what_is_missing)
{
	static const char text[] = "v1,9000,1000,1,0,12,0,3,0,0,4,4,0,0;sGET",
			  arrivals[] = "k1;1,2,3,4";
	struct request_counts c = { 0 };

	for (int i = 0; i < 2; i++)
		request_reader_count((struct str){ text, sizeof text - 1 }, &c);
	request_reader_count((struct str){ arrivals, sizeof arrivals - 1 }, &c);
	request_reader_count((struct str){ "v1,9000,1000,1,0,-5", 19 }, &c);
	ck_assert_uint_eq(c.n_lost, 24);
	request_reader_count((struct str){ text, sizeof text - 1 }, &c);
	ck_assert_uint_eq(c.n_errors, 3);
	ck_assert_uint_eq(c.n_unseen, 4);
	ck_assert_uint_eq(c.n_broken, 0);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "request trace", SUITE_SECONDS);

	tcase_add_test(t, served_request_is_a_pair);
	tcase_add_test(t, request_is_a_part_of_a_trace);
	tcase_add_test(t, route_is_guessed_from_the_path);
	tcase_add_test(t, ids_are_known_in_later_texts);
	tcase_add_test(t, what_goes_on_ends_with_the_recording);
	tcase_add_test(t, a_range_cuts_what_it_has);
	tcase_add_test(t, call_has_its_request);
	tcase_add_test(t, wait_on_a_socket_has_its_owner);
	tcase_add_test(t, jobs_and_names_are_waits);
	tcase_add_test(t, name_is_of_the_request_whose_connection_needs_it);
	tcase_add_test(t, each_name_is_of_the_connection_that_began_before_it);
	tcase_add_test(t, thread_runs_for_a_request);
	tcase_add_test(t, request_begins_when_its_bytes_arrive);
	tcase_add_test(t, wait_ends_when_its_answer_arrives);
	tcase_add_test(t, connection_had_a_request_long_ago);
	tcase_add_test(t, damage_is_counted);
	tcase_add_test(t, times_do_not_overflow);
	tcase_add_test(t, id_comes_again);
	tcase_add_test(t, reader_goes_on_and_forgets);
	tcase_add_test(t, reader_forgets_what_has_no_end);
	tcase_add_test(t, head_says_what_is_missing);
	tcase_add_loop_test(t, any_text_ends, 0, 200);
}

int main(void)
{
	return suite_run("request_trace", add_tests);
}
