/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes of a terminal that come one by one, with a simulated clock: which keys they are, and when.
 */
#include "config.h"

#include "suite.h"

#include "base/buf.h"
#include "term/input.c"

#include <check.h>
#include <locale.h>

static int64_t now_ns = NS_PER_S;
static const char *coming; /* bytes that can be read now, up to `end` */
static const char *end;

/* These replace the clock of base and the terminal, which the linker then leaves out. */
int64_t clock_ns(void)
{
	return now_ns;
}

int64_t clock_used_ns(void)
{
	return now_ns;
}

int tty_read(unsigned char *byte)
{
	if (coming == end)
		return 0;
	*byte = (unsigned char)*coming++;
	return 1;
}

static void take_keys(struct buf *out)
{
	struct input_event event;
	char name[16];

	while (input_take(&event)) {
		key_format(event.key, name);
		buf_addf(out, "%s ", name);
	}
}

/* The keys of a script. "`" is 30 ms without input, `@` 200 ms, `#` 2.5 s, `%` a question for the
 * attributes; all others are bytes, and each comes 1 ms after the one before. */
static const char *keys_of(const char *script)
{
	static struct buf out;

	buf_clear(&out);
	for (; *script; script++) {
		int64_t pause = *script == '`' ? 30
			: *script == '@'       ? 200
			: *script == '#'       ? 2500
					       : 0;

		if (*script == '%')
			input_asked(INPUT_ATTRIBUTES);
		coming = script;
		end = script + (!pause && *script != '%');
		take_keys(&out);
		now_ns += (pause ? pause : 1) * NS_PER_MS;
		take_keys(&out);
	}
	now_ns += 10 * NS_PER_S;
	take_keys(&out);
	ck_assert_int_eq(input_wait_ms(), -1);
	return buf_text(&out);
}

static const struct {
	const char *script, *keys;
	const char *far; /* with SSH_CONNECTION; NULL: the same */
} cases[] = {
	{ "q", "q ", NULL },
	{ "\033[A", "Up ", NULL },
	{ "\033OA", "Up ", NULL },
	{ "\033[1;5D", "C-Left ", NULL },
	{ "\033[15~x", "F5 x ", NULL },
	/* Esc is a key when nothing follows in time. */
	{ "\033`[A", "Esc [ A ", "Up " },
	{ "\033@OA", "Esc O A ", NULL },
	{ "\033`x", "Esc x ", NULL },
	{ "\033\033`", "Esc Esc ", NULL },
	{ "\033\033[A", "Esc Up ", NULL },
	{ "\033x", "Esc x ", NULL },
	{ "\033]@", "Esc ] ", NULL },
	{ "\033[`x", "Esc [ x ", "" },
	/* No hand has typed this: it may take longer. */
	{ "\033[1@;5@D", "C-Left ", NULL },
	{ "\033]11;rgb@:1/2@/3\007x", "x ", NULL },
	{ "\033P1+r52@4742\033@\\x", "x ", NULL },
	{ "\033[1#x", "x ", NULL },
	{ "\033]1#x", "x ", NULL },
	/* An answer is due: it takes as long as it takes, up to some seconds. */
	{ "%\033@@[@@?@62@;1@c\033@x", "Esc x ", NULL },
	{ "%\033#[?62c", "", NULL },
	{ "%\033@]@11;x\033\\\033@P@@0+r\033\\\033[?1cx", "x ", NULL },
	{ "%\033@x", "Esc x ", NULL },
	{ "%\033#[A", "Up ", NULL },
	{ "%\033##[A", "Esc [ A ", NULL },
	{ "%\033@OA", "Up ", NULL },
	{ "%\033O@A", "Esc O A ", NULL },
	{ "%%\033[?1c\033@@\033[?1c\033@x", "Esc Esc x ", NULL },
	{ "%\033[?1c\033[?1c\033@x", "Esc x ", NULL },
	/* Answers for which the program does not wait. */
	{ "\033[?2026;2$yx", "x ", NULL },
	{ "\033[12;40Rx", "x ", NULL },
	{ "\033[?0ux", "x ", NULL },
	{ "\033[1;2R", "S-F3 ", NULL },
	{ "\033[0nx", "x ", NULL },
	/* What is interrupted. */
	{ "\033]11;\033[A", "Up ", NULL },
	{ "\033[1\033[A", "Up ", NULL },
	{ "\033[1\rx", "Enter x ", NULL },
	/* CSI in one character. */
	{ "\302\233A\303\251", "Up \303\251 ", NULL },
	/* Characters in pieces, and bytes that are none. */
	{ "\346@\227\245", "\357\277\275 \357\277\275 \357\277\275 ", NULL },
	{ "\346`\227\245", "\357\277\275 \357\277\275 \357\277\275 ", "\346\227\245 " },
	{ "\346\227x\377y", "\357\277\275 x \357\277\275 y ", NULL },
	{ "\033[200~q\033[201~", "q ", NULL },
	{ "\033[[A\033[M !!x", "Mouse x ", NULL },
};

START_TEST(keys_by_time)
{
	for (int is_far = 0; is_far < 2; is_far++) {
		const char *expected = is_far && cases[_i].far ? cases[_i].far : cases[_i].keys;

		unsetenv("ESCDELAY");
		unsetenv("SSH_CONNECTION");
		if (is_far)
			setenv("SSH_CONNECTION", "10.0.0.1 1 10.0.0.2 22", 1);
		input_open(true);
		input_size(24, 80);
		ck_assert_str_eq(keys_of(cases[_i].script), expected);
	}
}
END_TEST

/* The text that is given as it is: no pauses. */
static const char *keys_of_bytes(const char *bytes)
{
	static struct buf out;

	buf_clear(&out);
	coming = bytes;
	end = bytes + strlen(bytes);
	take_keys(&out);
	return buf_text(&out);
}

START_TEST(long_sequences_are_cut_and_dropped)
{
	char text[1000];

	input_open(true);
	memset(text, '1', sizeof text);
	memcpy(text, "\033]", 2);
	memcpy(text + sizeof text - 4, "\033\\q", 4);
	ck_assert_str_eq(keys_of_bytes(text), "q ");
	memset(text, '1', sizeof text);
	memcpy(text, "\033[", 2);
	memcpy(text + sizeof text - 3, "~q", 3);
	ck_assert_str_eq(keys_of_bytes(text), "q ");
	ck_assert_int_eq(input_wait_ms(), -1);
}
END_TEST

START_TEST(escdelay_is_the_users)
{
	input_open(true);
	setenv("ESCDELAY", "400", 1);
	input_open(true);
	unsetenv("ESCDELAY");
	ck_assert_str_eq(keys_of("\033@["), "Esc [ ");
	setenv("ESCDELAY", "400", 1);
	input_open(true);
	unsetenv("ESCDELAY");
	coming = "\033";
	end = coming + 1;
	ck_assert(!input_pending());
	ck_assert_int_eq(input_wait_ms(), 400);
}
END_TEST

START_TEST(answers_are_told)
{
	input_open(true);
	ck_assert_int_eq(input_due_ns(), 0);
	input_asked(INPUT_ATTRIBUTES);
	input_asked(INPUT_PLACE);
	ck_assert_int_eq(input_due_ns(), now_ns + 3 * NS_PER_S);
	ck_assert_str_eq(keys_of_bytes("\033]11;rgb:1/2/3\007\033[?62;52;4c"), "");
	ck_assert_str_eq(input_answers()->text, "11;rgb:1/2/3");
	ck_assert_int_eq(input_answers()->level, 62);
	ck_assert(input_answers()->has_clipboard);
	ck_assert_int_eq(input_due_ns(), now_ns + 5 * NS_PER_S);
	ck_assert_str_eq(keys_of_bytes("\033[2;3R"), "");
	ck_assert_int_eq(input_answers()->col, 3);
	ck_assert_int_eq(input_due_ns(), 0);
	/* The place only when it was asked for. */
	ck_assert_str_eq(keys_of_bytes("\033[2;9R"), "");
	ck_assert_int_eq(input_answers()->col, 3);
	for (int i = 0; i < 20; i++)
		input_asked(INPUT_STATUS);
	now_ns += 6 * NS_PER_S;
	ck_assert_int_eq(input_due_ns(), 0);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "input", SUITE_SECONDS);

	tcase_add_loop_test(t, keys_by_time, 0, N(cases));
	tcase_add_test(t, long_sequences_are_cut_and_dropped);
	tcase_add_test(t, escdelay_is_the_users);
	tcase_add_test(t, answers_are_told);
}

int main(void)
{
	return suite_run("input", add_tests);
}
