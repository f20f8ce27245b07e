/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The client against an inspector of our own, which answers as told: whole, byte by byte, in
 * fragments with pings between them, with errors, or not at all. */
#include "config.h"

#include "suite.h"

#include "base/alloc.h"
#include "base/base64.h"
#include "base/sha1.h"
#include "record/remote/inspector.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define ANSWER_MS 20000 /* of answers that come */
#define SHORT_MS 50     /* of answers that do not */

/* ---- the inspector ---- */

enum manner {
	WHOLE,
	BYTEWISE,
	FRAGMENTS, /* with a ping in the middle */
	WRONG_KEY,
	NOT_HTTP,
	LONGEST,       /* only the head of a frame: as much as is allowed comes */
	TOO_LONG,      /* a byte more */
	REST_TOO_LONG, /* a byte more, with the frame before */
	CLOSES         /* in the middle of the answer */
};

struct fake {
	int listener, port;
	pthread_t thread;
	enum manner manner;
	const char *answers[4]; /* one for each message that comes; NULL: none any more */
	struct buf received;    /* the messages that came, each with a newline */
	bool has_goodbye;
};

static void send_bytes(int fd, const char *bytes, size_t len, bool is_bytewise)
{
	for (size_t at = 0; at < len; at += is_bytewise ? 1 : len)
		if (send(fd, bytes + at, is_bytewise ? 1 : len, MSG_NOSIGNAL) < 0)
			return;
}

static void send_frame(int fd, int first, const char *text, size_t len, bool is_bytewise)
{
	struct buf out = { 0 };

	buf_addc(&out, (char)first);
	if (len < 126) {
		buf_addc(&out, (char)len);
	} else {
		buf_addc(&out, 126);
		buf_addc(&out, (char)(len >> 8));
		buf_addc(&out, (char)len);
	}
	buf_add(&out, text, len);
	send_bytes(fd, out.data, out.len, is_bytewise);
	buf_done(&out);
}

static void send_answer(const struct fake *f, int fd, const char *text)
{
	size_t len = strlen(text), half = len / 2;

	switch (f->manner) {
	case FRAGMENTS:
		send_frame(fd, 0x01, text, half, false);
		send_frame(fd, 0x89, "are you there", 13, false);
		send_frame(fd, 0x80, text + half, len - half, false);
		break;
	case LONGEST:
		send_bytes(fd, "\x81\x7f\0\0\0\0\x20\0\0\0x", 11, false);
		break;
	case TOO_LONG:
		send_bytes(fd, "\x81\x7f\0\0\0\0\x20\0\0\1x", 11, false);
		break;
	case REST_TOO_LONG:
		send_bytes(fd, "\x01\x01x\x80\x7f\0\0\0\0\x20\0\0\0", 13, false);
		break;
	case CLOSES:
		send_frame(fd, 0x01, text, half, false);
		send_frame(fd, 0x88, "\x03\xe8", 2, false);
		break;
	default:
		send_frame(fd, 0x81, text, len, f->manner == BYTEWISE);
		break;
	}
}

static bool read_exactly(int fd, void *out, size_t len)
{
	for (size_t at = 0; at < len;) {
		ssize_t n = recv(fd, (char *)out + at, len - at, 0);

		if (n <= 0)
			return false;
		at += (size_t)n;
	}
	return true;
}

/* Read a frame of the client, and keep its text. Returns its opcode; -1 at the end. */
static int read_frame(struct fake *f, int fd)
{
	unsigned char head[2], more[8], mask[4];
	size_t len;
	char *text;

	if (!read_exactly(fd, head, 2))
		return -1;
	len = head[1] & 0x7f;
	if (len == 126) {
		read_exactly(fd, more, 2);
		len = (size_t)more[0] << 8 | more[1];
	}
	text = xcalloc(len + 1, 1);
	if (!(head[1] & 0x80) || !read_exactly(fd, mask, 4) || !read_exactly(fd, text, len)) {
		free(text);
		return -1;
	}
	for (size_t i = 0; i < len; i++)
		text[i] = (char)((unsigned char)text[i] ^ mask[i % 4]);
	if ((head[0] & 15) == FRAMES_TEXT)
		buf_addf(&f->received, "%s\n", text);
	else if ((head[0] & 15) == FRAMES_PONG)
		buf_addf(&f->received, "pong %s\n", text);
	f->has_goodbye |= (head[0] & 15) == FRAMES_CLOSE;
	free(text);
	return head[0] & 15;
}

static void shake_hands(struct fake *f, int fd)
{
	static const char guid[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
	char request[2000] = "", *key;
	size_t n = 0;
	struct buf text = { 0 }, answer = { 0 };
	unsigned char hash[SHA1_BYTES];

	while (n < sizeof request - 1 && !strstr(request, "\r\n\r\n") &&
	       recv(fd, request + n, 1, 0) == 1)
		n++;
	key = strstr(request, "Sec-WebSocket-Key: ");
	ck_assert_ptr_nonnull(key);
	ck_assert(!strstr(request, "Origin"));
	buf_add(&text, key + 19, 24);
	buf_adds(&text, f->manner == WRONG_KEY ? "another" : guid);
	sha1(text.data, text.len, hash);
	if (f->manner == NOT_HTTP) {
		buf_adds(&answer, "220 mail.example.org ESMTP\r\n\r\n");
	} else {
		buf_adds(&answer,
			 "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
			 "Connection: Upgrade\r\nSec-WebSocket-Accept:  ");
		base64_add(&answer, hash, sizeof hash);
		buf_adds(&answer, " \r\n\r\n");
	}
	send_bytes(fd, answer.data, answer.len, f->manner == BYTEWISE);
	buf_done(&text);
	buf_done(&answer);
}

static void *serve(void *ctx)
{
	struct fake *f = ctx;
	struct pollfd connects = { f->listener, POLLIN, 0 };
	int fd, n = 0, opcode;

	/* accept() takes a descriptor before it waits: that could be one that a test has closed. */
	poll(&connects, 1, -1);
	fd = accept(f->listener, NULL, NULL);
	shake_hands(f, fd);
	while ((opcode = read_frame(f, fd)) >= 0 && opcode != FRAMES_CLOSE)
		if (opcode == FRAMES_TEXT && n < 4 && f->answers[n])
			send_answer(f, fd, f->answers[n++]);
	close(fd);
	return NULL;
}

/* A descriptor that never says that the user has cancelled. */
static int not_cancelled;

static void fake_start(struct fake *f)
{
	static int ends[2];

	if (!not_cancelled)
		ck_assert_int_eq(pipe(ends), 0);
	not_cancelled = ends[0];
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t len = sizeof address;

	f->listener = socket(AF_INET, SOCK_STREAM, 0);
	ck_assert_int_eq(bind(f->listener, (struct sockaddr *)&address, sizeof address), 0);
	ck_assert_int_eq(listen(f->listener, 1), 0);
	ck_assert_int_eq(getsockname(f->listener, (struct sockaddr *)&address, &len), 0);
	f->port = ntohs(address.sin_port);
	ck_assert_int_eq(pthread_create(&f->thread, NULL, serve, f), 0);
}

static void fake_stop(struct fake *f)
{
	pthread_join(f->thread, NULL);
	close(f->listener);
	buf_done(&f->received);
}

static bool connect_to(const struct fake *f, struct inspector *i, struct error *err)
{
	*i = (struct inspector)INSPECTOR_INIT;
	return websocket_open(&i->socket, "127.0.0.1", f->port, "/a-b", NULL, not_cancelled,
			      connection_deadline(ANSWER_MS), err);
}

/* ---- tests ---- */

static const enum manner manners[] = { WHOLE, BYTEWISE, FRAGMENTS };

/* The error of Node.js 20 has its number last; an event comes before an answer. */
START_TEST(answers_are_found_however_they_come)
{
	struct fake f = { .manner = manners[_i],
			  .answers = {
				  "{\"result\":{\"a\":[1,{\"id\":9}]},\"id\":2}",
				  "{\"error\":{\"code\":-32000,\"message\":\"No \\\"way\\\"\"},"
				  "\"id\":4}" } };
	struct inspector_message answer;
	struct error err = ERROR_INIT;
	struct inspector i;

	fake_start(&f);
	ck_assert_msg(connect_to(&f, &i, &err), "%s", err.text);
	ck_assert_msg(inspector_call(&i, NULL, "Profiler.enable", "{}",
				     connection_deadline(ANSWER_MS), &answer, &err),
		      "%s", err.text);
	ck_assert(str_is(answer.value, "{\"a\":[1,{\"id\":9}]}"));
	ck_assert(!inspector_call(&i, NULL, "Profiler.stop", "{}", connection_deadline(ANSWER_MS),
				  &answer, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "Profiler.stop: No"));
	inspector_close(&i);
	pthread_join(f.thread, NULL);
	ck_assert_ptr_nonnull(strstr(buf_text(&f.received),
				     "{\"id\":2,\"method\":\"Profiler.enable\",\"params\":{}}\n"));
	ck_assert(!strstr(buf_text(&f.received), "pong") == (f.manner != FRAGMENTS));
	if (f.manner == FRAGMENTS)
		ck_assert_ptr_nonnull(strstr(buf_text(&f.received), "pong are you there\n"));
	close(f.listener);
	buf_done(&f.received);
}
END_TEST

/* A worker's answer is a string within a message. */
START_TEST(workers_of_node_are_called_by_messages_in_messages)
{
	struct fake f = {
		.answers = { "{\"method\":\"NodeWorker.receivedMessageFromWorker\",\"params\":{"
			     "\"sessionId\":\"w \\\"1\\\"\",\"message\":"
			     "\"{\\\"id\\\":2,\\\"result\\\":{\\\"x\\\":\\\"\\\\n\\\"}}\"}}" }
	};
	struct inspector_message answer;
	struct error err = ERROR_INIT;
	struct inspector i;
	struct buf text = { 0 };

	fake_start(&f);
	ck_assert(connect_to(&f, &i, &err));
	ck_assert_msg(inspector_call(&i, "w \"1\"", "Profiler.enable", "{}",
				     connection_deadline(ANSWER_MS), &answer, &err),
		      "%s", err.text);
	ck_assert(str_is(answer.session, "w \"1\""));
	ck_assert(inspector_string(answer.value, "x", &text));
	ck_assert_str_eq(buf_text(&text), "\n");
	inspector_close(&i);
	pthread_join(f.thread, NULL);
	ck_assert_str_eq(buf_text(&f.received),
			 "{\"id\":3,\"method\":\"NodeWorker.sendMessageToWorker\",\"params\":{"
			 "\"sessionId\":\"w \\\"1\\\"\",\"message\":\"{\\\"id\\\":2,"
			 "\\\"method\\\":\\\"Profiler.enable\\\",\\\"params\\\":{}}\"}}\n");
	close(f.listener);
	buf_done(&f.received);
	buf_done(&text);
}
END_TEST

/* Parameters of that many bytes. */
static char *long_params(size_t len)
{
	char *text = xmalloc(len + 1);

	memset(text, ' ', len);
	text[0] = '{';
	text[len - 1] = '}';
	text[len] = '\0';
	return text;
}

/* More than Node.js reads at a time would end it. What comes meanwhile is not lost. */
START_TEST(what_is_unread_stays_below_the_limit)
{
	struct fake f = { .answers = { "{\"id\":2,\"result\":{\"n\":1}}",
				       "{\"id\":4,\"result\":{\"n\":2}}" } };
	int64_t deadline = connection_deadline(ANSWER_MS);
	char *params = long_params(INSPECTOR_UNREAD_MAX / 2 + 1);
	struct inspector_message m;
	struct error err = ERROR_INIT;
	struct inspector i;

	fake_start(&f);
	ck_assert(connect_to(&f, &i, &err));
	ck_assert_int_eq(inspector_send(&i, NULL, "A.one", params, deadline, &err), 2);
	ck_assert_uint_eq(i.kept.len, 0);
	ck_assert_int_eq(inspector_send(&i, NULL, "A.two", params, deadline, &err), 4);
	ck_assert_uint_gt(i.kept.len, 0);
	ck_assert_int_eq(inspector_next(&i, deadline, &m, &err), WEBSOCKET_MESSAGE);
	ck_assert_int_eq(m.id, 2);
	ck_assert(str_is(m.value, "{\"n\":1}"));
	ck_assert_int_eq(inspector_next(&i, deadline, &m, &err), WEBSOCKET_MESSAGE);
	ck_assert_int_eq(m.id, 4);
	/* Both are read: there is room for another one, but not for a second. */
	ck_assert_int_eq(inspector_send(&i, NULL, "A.three", params, deadline, &err), 6);
	ck_assert_int_eq(
		inspector_send(&i, NULL, "A.four", params, connection_deadline(SHORT_MS), &err), 0);
	ck_assert_str_eq(err.text, "the process does not read what was sent");
	free(params);
	params = long_params(INSPECTOR_UNREAD_MAX);
	err = (struct error)ERROR_INIT;
	ck_assert_int_eq(inspector_send(&i, NULL, "A.five", params, deadline, &err), 0);
	ck_assert_str_eq(err.text, "a message to the process is too long");
	free(params);
	inspector_close(&i);
	fake_stop(&f);
}
END_TEST

START_TEST(silence_ends_at_the_deadline)
{
	struct fake f = { 0 };
	struct inspector_message answer;
	struct error err = ERROR_INIT;
	struct inspector i;

	fake_start(&f);
	ck_assert(connect_to(&f, &i, &err));
	ck_assert(!inspector_call(&i, NULL, "Profiler.enable", "{}", connection_deadline(SHORT_MS),
				  &answer, &err));
	ck_assert_str_eq(err.text, "Profiler.enable: no answer");
	inspector_close(&i);
	fake_stop(&f);
}
END_TEST

START_TEST(the_user_can_cancel)
{
	struct fake f = { 0 };
	struct inspector_message answer;
	struct error err = ERROR_INIT;
	struct inspector i;
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	fake_start(&f);
	ck_assert(connect_to(&f, &i, &err));
	i.socket.connection.cancel_fd = ends[0];
	ck_assert_int_eq(write(ends[1], "", 1), 1);
	ck_assert(!inspector_call(&i, NULL, "Profiler.enable", "{}", connection_deadline(ANSWER_MS),
				  &answer, &err));
	ck_assert_int_eq(err.kind, ERR_CANCELLED);
	inspector_close(&i);
	fake_stop(&f);
	close(ends[0]);
	close(ends[1]);
}
END_TEST

static const struct {
	enum manner manner;
	const char *answer, *why;
} broken[] = {
	{ CLOSES, "{\"id\":2,\"result\":{}}", "the process closed the connection" },
	{ WHOLE, "[1,2]", "no message" },
	{ WHOLE, "", "no message" },
	{ WHOLE, "{\"id\":2,\"resu", NULL }, /* whatever it is: no crash */
	{ WHOLE, "{\"method\":\"NodeWorker.receivedMessageFromWorker\",\"params\":{}}",
	  "a message of a worker is broken" },
};

START_TEST(broken_answers_are_errors)
{
	struct fake f = { .manner = broken[_i].manner, .answers = { broken[_i].answer } };
	struct inspector_message answer;
	struct error err = ERROR_INIT;
	struct inspector i;

	fake_start(&f);
	ck_assert(connect_to(&f, &i, &err));
	if (broken[_i].why) {
		ck_assert(!inspector_call(&i, NULL, "Profiler.enable", "{}",
					  connection_deadline(ANSWER_MS), &answer, &err));
		ck_assert_ptr_nonnull(strstr(err.text, broken[_i].why));
	} else {
		inspector_call(&i, NULL, "Profiler.enable", "{}", connection_deadline(SHORT_MS),
			       &answer, &err);
	}
	inspector_close(&i);
	fake_stop(&f);
}
END_TEST

/* No byte of the message comes: its length is enough. What is allowed is waited for. */
START_TEST(messages_end_at_the_limit)
{
	static const struct {
		enum manner manner;
		const char *why;
	} cases[] = { { LONGEST, "" },
		      { TOO_LONG, "a message has more than 512 MB" },
		      { REST_TOO_LONG, "a message has more than 512 MB" } };

	for (size_t n = 0; n < ARRAY_LEN(cases); n++) {
		struct fake f = { .manner = cases[n].manner, .answers = { "" } };
		struct inspector_message answer;
		struct error err = ERROR_INIT;
		struct inspector i;
		int ms = *cases[n].why ? ANSWER_MS : SHORT_MS;

		fake_start(&f);
		ck_assert(connect_to(&f, &i, &err));
		ck_assert(!inspector_call(&i, NULL, "Profiler.stop", "{}", connection_deadline(ms),
					  &answer, &err));
		ck_assert_msg(strstr(err.text, cases[n].why), "%zu: %s", n, err.text);
		ck_assert(*cases[n].why || !strstr(err.text, "512 MB"));
		inspector_close(&i);
		fake_stop(&f);
	}
}
END_TEST

/* And nothing more is sent to them. */
START_TEST(other_servers_are_refused)
{
	struct fake wrong = { .manner = WRONG_KEY }, mail = { .manner = NOT_HTTP };
	struct error err = ERROR_INIT;
	struct inspector i;

	fake_start(&wrong);
	ck_assert(!connect_to(&wrong, &i, &err));
	ck_assert_str_eq(err.text, "the answer is not that of an inspector");
	fake_stop(&wrong);
	ck_assert(!wrong.has_goodbye);
	err = (struct error)ERROR_INIT;
	fake_start(&mail);
	ck_assert(!connect_to(&mail, &i, &err));
	ck_assert_str_eq(err.text, "the answer is not HTTP");
	fake_stop(&mail);
	ck_assert(!mail.has_goodbye);
}
END_TEST

START_TEST(numbers_are_read_from_results)
{
	struct fake f = { .answers = {
				  "{\"id\":2,\"result\":{\"result\":{\"type\":\"number\","
				  "\"value\":4711}}}",
				  "{\"id\":4,\"result\":{\"result\":{\"type\":\"undefined\"}}}" } };
	struct error err = ERROR_INIT;
	struct inspector i;
	int64_t value = 0;

	fake_start(&f);
	ck_assert(connect_to(&f, &i, &err));
	ck_assert(evaluate_number(&i, EVALUATE_PID, connection_deadline(ANSWER_MS), &value, &err));
	ck_assert_int_eq(value, 4711);
	ck_assert(!evaluate_number(&i, EVALUATE_PID, connection_deadline(ANSWER_MS), &value, &err));
	inspector_close(&i);
	fake_stop(&f);
}
END_TEST

/* The guard has closed 0 to 2, so its first socket is 0. */
START_TEST(a_connection_may_be_descriptor_0)
{
	struct fake f = { .manner = WHOLE };
	struct error err = ERROR_INIT;
	struct inspector i;
	int saved = dup(0);

	ck_assert_int_ge(saved, 0);
	fake_start(&f);
	close(0);
	ck_assert_msg(connect_to(&f, &i, &err), "%s", err.text);
	ck_assert_int_eq(i.socket.connection.fd, 0);
	inspector_close(&i);
	ck_assert_int_eq(fcntl(0, F_GETFD), -1);
	ck_assert_int_eq(i.socket.connection.fd, -1);
	ck_assert_int_eq(dup2(saved, 0), 0);
	close(saved);
	pthread_join(f.thread, NULL);
	ck_assert(f.has_goodbye);
	close(f.listener);
	buf_done(&f.received);
}
END_TEST

/* What was not opened is left alone, whatever is descriptor 0. */
START_TEST(what_was_not_opened_is_not_closed)
{
	struct inspector i = INSPECTOR_INIT;
	int ends[2], saved = dup(0);

	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(dup2(ends[0], 0), 0);
	inspector_close(&i);
	ck_assert_int_ge(fcntl(0, F_GETFD), 0);
	ck_assert_int_eq(dup2(saved, 0), 0);
	close(saved);
	close(ends[0]);
	close(ends[1]);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_loop_test(tc, answers_are_found_however_they_come, 0, N(manners));
	tcase_add_test(tc, workers_of_node_are_called_by_messages_in_messages);
	tcase_add_test(tc, what_is_unread_stays_below_the_limit);
	tcase_add_test(tc, silence_ends_at_the_deadline);
	tcase_add_test(tc, the_user_can_cancel);
	tcase_add_loop_test(tc, broken_answers_are_errors, 0, N(broken));
	tcase_add_test(tc, messages_end_at_the_limit);
	tcase_add_test(tc, other_servers_are_refused);
	tcase_add_test(tc, numbers_are_read_from_results);
	tcase_add_test(tc, a_connection_may_be_descriptor_0);
	tcase_add_test(tc, what_was_not_opened_is_not_closed);
}

int main(void)
{
	return suite_run("inspector", add_tests);
}
