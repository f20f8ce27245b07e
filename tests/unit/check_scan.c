/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scanner: what is passed over, and documents longer than its window, shifted byte by byte so
 * that its edge falls everywhere. */
#include "config.h"

#include "suite.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "scan_doc.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW ((size_t)1 << 20)

/* At each byte, the reading fails; the error is that of the stream, and nothing is taken for the
 * end of the document. */
START_TEST(a_failing_stream_is_its_own_error)
{
	static const char text[] =
		"{\"a\":[true,-12.5,\"b\\\"c\",{\"d\":null}],\"e\":123,\"f\":{},\"g\":true,\"h\":null}";
	size_t len = strlen(text);

	for (size_t fail_at = 0; fail_at <= len; fail_at++)
		for (int way = 0; way < 3; way++) {
			struct error err = ERROR_INIT;
			struct stream *stream = stream_open_memory(text, len, fail_at);
			bool is_first = true, ok, is_text;
			enum number_kind kind;
			int64_t value;
			struct str raw;
			struct scan s;

			scan_init(&s, stream, &err);
			if (way == 0) {
				ok = scan_skip(&s);
			} else {
				ok = scan_open(&s, '{');
				while (ok && scan_key(&s, &is_first, &raw))
					ok = way == 1 ? scan_raw(&s, 1000, &raw)
						      : scan_number(&s, 0, &value, &kind, &is_text);
			}
			if (fail_at < len) {
				ck_assert_int_eq(err.kind, ERR_IO);
				ck_assert(!s.is_cut);
			} else if (err.kind == ERR_NONE) {
				ck_assert(ok);
			}
			scan_done(&s);
			stream_close(stream);
		}
}
END_TEST

static const struct skip_case {
	const char *text;
	bool ok;
	int64_t end;
} skip_cases[] = {
	{ "{}x", true, 2 },
	{ "[]x", true, 2 },
	{ "\"\"x", true, 2 },
	{ "\"a\\\"b\"x", true, 6 },
	{ "\"a\\\\\"x", true, 5 },
	{ "\"]}\"x", true, 4 },
	{ "{\"a\":[1,{\"b\":\"]}\\\"\"}],\"c\":null}x", true, 31 },
	{ "[[[[[[]]]]]]x", true, 12 },
	{ "12]", true, 2 },
	{ "-1.5e3,", true, 6 },
	{ "true}", true, 4 },
	{ "null]", true, 4 },
	{ "null", false, 4 },
	{ "12", false, 2 },
	{ "[}", false, 1 },
	{ "{]", false, 1 },
	{ "[[}]", false, 2 },
	/* long enough for the quick way */
	{ "{\"a\":1,\"b\":]     }, 2, 3, 4, 5, 6, 7, 8", false, 11 },
	{ "{\"a\":1,\"b\":\"]\"  }, 2, 3, 4, 5, 6, 7, 8", true, 17 },
	{ "[", false, 1 },
	{ "{\"a\":", false, 5 },
	{ "\"abc", false, 4 },
	{ "\"abc\\", false, 5 },
	{ "\"abc\\\"", false, 6 },
	{ "", false, 0 },
	{ "  ", false, 2 },
	{ "tru", false, 3 },
	{ "trux,", false, 0 },
	{ "]", false, 0 },
};

START_TEST(skip)
{
	const struct skip_case *c = &skip_cases[_i];
	struct doc d;
	struct str raw;

	doc_open(&d, c->text, strlen(c->text));
	ck_assert_msg(scan_skip(&d.s) == c->ok, "%s", c->text);
	if (c->ok)
		ck_assert_int_eq(scan_offset(&d.s), c->end);
	else
		ck_assert_int_eq(d.err.offset, c->end);
	doc_close(&d);
	/* The first bytes come alone: quick ways are only taken where the rest is there, too. */
	for (size_t ahead = 0; ahead <= 1000; ahead += 1000) {
		doc_open(&d, c->text, strlen(c->text));
		ck_assert(scan_window(&d.s, ahead, &raw));
		ck_assert(scan_raw(&d.s, 1000, &raw) == c->ok);
		if (c->ok) {
			ck_assert_uint_eq(raw.len, (size_t)c->end);
			ck_assert_int_eq(memcmp(raw.p, c->text, raw.len), 0);
		} else {
			ck_assert_int_eq(d.err.offset, c->end);
		}
		doc_close(&d);
	}
}
END_TEST

/* Brackets are matched to a depth; nothing breaks beyond. */
START_TEST(skip_deep)
{
	static const size_t depth[] = { 63, 64, 65, 65535, 65536, 65537, 1000000 };

	for (size_t i = 0; i < ARRAY_LEN(depth); i++) {
		size_t n = depth[i];
		char *text = xmalloc(2 * n + 1);
		struct doc d;

		for (size_t k = 0; k < n; k++) {
			text[k] = k % 3 ? '[' : '{';
			text[2 * n - 1 - k] = k % 3 ? ']' : '}';
		}
		doc_open(&d, text, 2 * n);
		ck_assert(scan_skip(&d.s));
		ck_assert_int_eq(scan_offset(&d.s), (int64_t)(2 * n));
		doc_close(&d);
		text[2 * n - 1] = ']';
		doc_open(&d, text, 2 * n);
		ck_assert(!scan_skip(&d.s));
		ck_assert_int_eq(d.err.kind, ERR_SYNTAX);
		ck_assert_int_eq(d.err.offset, (int64_t)(2 * n - 1));
		doc_close(&d);
		free(text);
	}
}
END_TEST

static const struct key_case {
	const char *text, *key;
	size_t len;
} key_cases[] = {
	{ "{\"nodes\":1}", "nodes", 5 },
	{ "{\"\":1}", "", 0 },
	{ "{ \"a b\" \n:\t1}", "a b", 3 },
	{ "{\"n\\u006fdes\":1}", "nodes", 5 },
	{ "{\"\\u006e\\u006F\\u0064\\u0065\\u0073\":1}", "nodes", 5 },
	{ "{\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\":1}", "a\"\\/\b\f\n\r\t", 9 },
	{ "{\"\\u00e4\":1}", "\303\244", 2 },
	{ "{\"\\ud83d\\ude00\":1}", "\360\237\230\200", 4 },
	{ "{\"a\\u0000b\":1}", "a\0b", 3 },
	{ "{\"\303\244\":1}", "\303\244", 2 },
	{ "{\"a\\x\":1}", NULL, 0 },
	{ "{\"a\\u12\":1}", NULL, 0 },
	{ "{a:1}", NULL, 0 },
	{ "{1:1}", NULL, 0 },
	{ "{\"a\" 1}", NULL, 0 },
	{ "{\"a\"}", NULL, 0 },
	{ "{,}", NULL, 0 },
	{ "{\"a", NULL, 0 },
	{ "{", NULL, 0 },
};

START_TEST(key)
{
	const struct key_case *c = &key_cases[_i];
	struct doc d;
	struct str is;
	bool is_first = true, ok;

	doc_open(&d, c->text, strlen(c->text));
	ck_assert(scan_open(&d.s, '{'));
	ok = scan_key(&d.s, &is_first, &is);
	ck_assert_msg(ok == (c->key != NULL), "%s", c->text);
	ck_assert_int_eq(d.err.kind, ok ? ERR_NONE : ERR_SYNTAX);
	if (ok) {
		ck_assert_uint_eq(is.len, c->len);
		ck_assert_int_eq(memcmp(is.p, c->key, c->len), 0);
		ck_assert_int_eq(scan_peek(&d.s), '1');
		ck_assert(scan_skip(&d.s));
		ck_assert(!scan_key(&d.s, &is_first, &is));
		ck_assert_int_eq(d.err.kind, ERR_NONE);
	}
	doc_close(&d);
}
END_TEST

/* Every count of digits with every byte behind them, where eight bytes are read at once. */
START_TEST(digits_and_what_ends_them)
{
	static const char digits[] = "9081726354";
	int64_t expect = 0;

	for (int len = 1; len <= 10; len++) {
		expect = expect * 10 + (digits[len - 1] - '0');
		for (int c = 0; c < 256; c++) {
			bool is_first = true, ends = c && len <= 9 && strchr(",]} \n\t\r", c);
			char text[64];
			int64_t value[4] = { 0 };
			struct doc d;
			size_t n;

			if (c >= '0' && c <= '9')
				continue;
			snprintf(text, sizeof text, "[7,%.*s%c%40s", len, digits, c ? c : 1, "");
			doc_open(&d, text, strlen(text));
			ck_assert(scan_open(&d.s, '['));
			n = scan_number_list(&d.s, 0, value, 2, &is_first);
			ck_assert_msg(n == (ends ? 2 : 1), "%d digits, byte 0x%02X: %zu numbers",
				      len, (unsigned)c, n);
			ck_assert_int_eq(value[0], 7);
			if (ends)
				ck_assert_int_eq(value[1], expect);
			ck_assert_int_eq(scan_offset(&d.s), ends ? 3 + len : 2);
			doc_close(&d);
		}
	}
}
END_TEST

START_TEST(trailing_commas_are_forgiven_and_counted)
{
	static const char text[] = "{\"a\":[1,2,],\"b\":[ 3 , ] , }";
	struct doc d;
	struct str key_is;
	bool first_key = true;
	int64_t value[8], sum = 0;

	doc_open(&d, text, strlen(text));
	ck_assert(scan_open(&d.s, '{'));
	while (scan_key(&d.s, &first_key, &key_is)) {
		bool is_first = true;
		size_t n;

		ck_assert(scan_open(&d.s, '['));
		while ((n = scan_number_list(&d.s, 0, value, 8, &is_first)) > 0)
			for (size_t i = 0; i < n; i++)
				sum += value[i];
		ck_assert(!scan_element(&d.s, &is_first));
	}
	ck_assert_int_eq(d.err.kind, ERR_NONE);
	ck_assert_int_eq(sum, 6);
	ck_assert_uint_eq(d.s.n_trailing, 3);
	ck_assert_int_eq(d.s.first_trailing, 10);
	ck_assert_int_eq(scan_offset(&d.s), (int64_t)strlen(text));
	doc_close(&d);
}
END_TEST

START_TEST(raw_has_a_limit)
{
	size_t len = 3 * WINDOW;
	char *text = xmalloc(len);
	struct str raw;
	struct doc d;

	memset(text, 'x', len);
	text[0] = text[len - 1] = '"';
	doc_open(&d, text, len);
	ck_assert(scan_raw(&d.s, len, &raw));
	ck_assert_uint_eq(raw.len, len);
	ck_assert_int_eq(memcmp(raw.p, text, len), 0);
	doc_close(&d);
	doc_open(&d, text, len);
	ck_assert(!scan_raw(&d.s, WINDOW, &raw));
	ck_assert_int_eq(d.err.kind, ERR_LIMIT);
	doc_close(&d);
	free(text);
}
END_TEST

/* ---- the edge of the window ---- */

#define PART "{\"k\\u0065y\" : [12345,-678 , 9.25,\"s\\\"\\\\t\",{\"z\":[true ,null]}] }"

static void read_part(struct doc *d, size_t shift)
{
	bool first_key = true, is_first = true, is_text;
	enum number_kind kind;
	struct str is;
	int64_t value[4];

	ck_assert_msg(scan_open(&d->s, '{'), "shift %zu: %s", shift, d->err.text);
	ck_assert_msg(scan_key(&d->s, &first_key, &is), "shift %zu: %s", shift, d->err.text);
	ck_assert_msg(is.len == 3 && memcmp(is.p, "key", 3) == 0, "shift %zu: key %.*s", shift,
		      (int)is.len, is.p);
	ck_assert_msg(scan_open(&d->s, '['), "shift %zu: %s", shift, d->err.text);
	ck_assert_msg(scan_number_list(&d->s, 3, value, 4, &is_first) == 2, "shift %zu", shift);
	ck_assert_int_eq(value[0], 12345000);
	ck_assert_int_eq(value[1], -678000);
	ck_assert_msg(scan_element(&d->s, &is_first), "shift %zu: %s", shift, d->err.text);
	ck_assert_msg(scan_number(&d->s, 2, value, &kind, &is_text), "shift %zu: %s", shift,
		      d->err.text);
	ck_assert_int_eq(value[0], 925);
	ck_assert_msg(scan_element(&d->s, &is_first), "shift %zu: %s", shift, d->err.text);
	ck_assert_msg(scan_raw(&d->s, 100, &is), "shift %zu: %s", shift, d->err.text);
	ck_assert_msg(is.len == 8 && memcmp(is.p, "\"s\\\"\\\\t\"", 8) == 0, "shift %zu: %.*s",
		      shift, (int)is.len, is.p);
	ck_assert_msg(scan_element(&d->s, &is_first), "shift %zu: %s", shift, d->err.text);
	ck_assert_msg(scan_skip(&d->s), "shift %zu: %s", shift, d->err.text);
	ck_assert_msg(!scan_element(&d->s, &is_first), "shift %zu", shift);
	ck_assert_msg(!scan_key(&d->s, &first_key, &is), "shift %zu", shift);
	ck_assert_msg(d->err.kind == ERR_NONE, "shift %zu: %s", shift, d->err.text);
}

START_TEST(window_edge_falls_everywhere)
{
	static const char part[] = PART;
	static const size_t tail_lens[] = { 0, 5, 63, 200, 4096 };
	size_t len = sizeof part - 1;

	for (size_t shift = 0; shift < len + 70; shift++) {
		size_t pad = WINDOW - shift, tail = tail_lens[shift % ARRAY_LEN(tail_lens)];
		char *text = xmalloc(pad + len + tail);
		struct doc d;

		memset(text, ' ', pad + len + tail);
		memcpy(text + pad, part, len);
		doc_open(&d, text, pad + len + tail);
		read_part(&d, shift);
		ck_assert_int_eq(scan_offset(&d.s), (int64_t)(pad + len));
		ck_assert_int_eq(scan_peek(&d.s), 0);
		doc_close(&d);
		free(text);
	}
}
END_TEST

/* The end of the document at the edge of a full window: a look ahead there must
 * not lose the place. */
START_TEST(document_ends_at_window_edge)
{
	static const char part[] = "[1,2,\"a\",3 ,{}, 4]";
	size_t len = sizeof part - 1;

	for (size_t over = 0; over <= 80; over++) {
		size_t size = WINDOW - 40 + over;
		char *text = xmalloc(size);
		bool is_first = true;
		int64_t value[4], sum = 0;
		struct str ahead;
		struct doc d;
		size_t n, others = 0;

		memset(text, ' ', size);
		memcpy(text + size - len, part, len);
		doc_open(&d, text, size);
		/* As the readers do: much of the document is in the window before it begins. */
		ck_assert(scan_window(&d.s, size / 2, &ahead));
		ck_assert(scan_open(&d.s, '['));
		for (;;) {
			while ((n = scan_number_list(&d.s, 0, value, 4, &is_first)) > 0)
				for (size_t i = 0; i < n; i++)
					sum += value[i];
			if (!scan_element(&d.s, &is_first))
				break;
			others++;
			ck_assert_msg(scan_skip(&d.s), "size %zu: %s", size, d.err.text);
		}
		ck_assert_msg(d.err.kind == ERR_NONE, "size %zu: %s", size, d.err.text);
		ck_assert_int_eq(sum, 10);
		ck_assert_uint_eq(others, 2);
		ck_assert_int_eq(scan_offset(&d.s), (int64_t)size);
		doc_close(&d);
		free(text);
	}
}
END_TEST

/* Numbers of one to nine digits over more than two windows. */
START_TEST(long_array_of_integers)
{
	struct buf text = { 0 };
	int64_t out[4096], sum = 0, expect = 0;
	bool is_first = true;
	size_t count = 0, n;
	struct doc d;

	buf_addc(&text, '[');
	for (int i = 0; text.len < 2 * WINDOW + 12345; i++) {
		int64_t v = (int64_t)((uint64_t)i * 2654435761u % 999999999u) >> (i % 29);

		buf_addf(&text, "%s%s%lld", i ? "," : "", i % 5 ? "" : "  ",
			 (long long)(i % 3 ? v : -v));
		expect += i % 3 ? v : -v;
		count++;
	}
	buf_adds(&text, "]");
	doc_open(&d, buf_text(&text), text.len);
	ck_assert(scan_open(&d.s, '['));
	for (;;) {
		while ((n = scan_number_list(&d.s, 0, out, ARRAY_LEN(out), &is_first)) > 0) {
			for (size_t i = 0; i < n; i++)
				sum += out[i];
			count -= n;
		}
		if (!scan_element(&d.s, &is_first))
			break;
		ck_abort_msg("a plain number was left over at %lld", (long long)scan_offset(&d.s));
	}
	ck_assert_int_eq(d.err.kind, ERR_NONE);
	ck_assert_int_eq(sum, expect);
	ck_assert_uint_eq(count, 0);
	doc_close(&d);
	buf_done(&text);
}
END_TEST

START_TEST(failure_to_read_is_not_a_cut)
{
	static const char text[] = "{\"a\":[1,2,3,4],\"b\":\"text\"}";

	for (size_t at = 0; at < sizeof text - 1; at++) {
		struct error err = ERROR_INIT;
		struct stream *stream = stream_open_memory(text, sizeof text - 1, at);
		struct scan s;

		scan_init(&s, stream, &err);
		ck_assert(!scan_skip(&s));
		ck_assert_int_eq(err.kind, ERR_IO);
		ck_assert(!s.is_cut);
		scan_done(&s);
		stream_close(stream);
		err = (struct error)ERROR_INIT;
		stream = stream_open_memory(text, at, SIZE_MAX);
		scan_init(&s, stream, &err);
		ck_assert(!scan_skip(&s));
		ck_assert_int_eq(err.kind, ERR_SYNTAX);
		ck_assert(s.is_cut);
		ck_assert_int_eq(err.offset, (int64_t)at);
		scan_done(&s);
		stream_close(stream);
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "scan", 120);

	tcase_add_test(t, a_failing_stream_is_its_own_error);
	tcase_add_loop_test(t, skip, 0, N(skip_cases));
	tcase_add_test(t, skip_deep);
	tcase_add_loop_test(t, key, 0, N(key_cases));
	tcase_add_test(t, digits_and_what_ends_them);
	tcase_add_test(t, trailing_commas_are_forgiven_and_counted);
	tcase_add_test(t, raw_has_a_limit);
	tcase_add_test(t, window_edge_falls_everywhere);
	tcase_add_test(t, document_ends_at_window_edge);
	tcase_add_test(t, long_array_of_integers);
	tcase_add_test(t, failure_to_read_is_not_a_cut);
}

int main(void)
{
	return suite_run("scan", add_tests);
}
