/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes are read one at a time, so that those after the last key of the program stay for the shell.
 * Those of a sequence that has begun wait in `input.bytes` until it is complete, or until no more
 * of it can be expected: then they are the keys that a hand has typed, or are dropped. Nothing here
 * waits. Decoded events wait in `queue`.
 *
 * Sequences are keys of the terminal's description, or else those of ECMA-48 and xterm: cursor keys
 * in either keypad mode, modifiers, mouse reports (SGR, for wide screens), answers; unknown ones
 * are dropped. */
#include "config.h"

#include "term/input.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "term/tty.h"

#include <curses.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <term.h>
#include <wchar.h>

#define QUEUE_SIZE 16
#define BYTES_MAX 96 /* kept of a sequence: longer ones lose their middle */
#define DESCRIBED_MAX 160
#define ASKED_MAX 8
#define DOUBLE_CLICK_MS 400
#define PASTE_NS NS_PER_S /* a paste has ended after this silence, even without the end mark */
#define ESC 27

/* The longest time between the bytes of what a hand may have typed, as Esc and a letter; of other
 * sequences. ESCDELAY is the first one as the user wants it. */
#define ESCAPE_NS (25 * NS_PER_MS)
#define FAR_ESCAPE_NS (100 * NS_PER_MS)
#define REST_NS (2 * NS_PER_S)

/* An answer may come for this long, and for longer from a terminal that has given one or is far. */
#define DUE_NS (3 * NS_PER_S)
#define FAR_DUE_NS (5 * NS_PER_S)

#define CLIPBOARD_ATTRIBUTE 52 /* of the primary device attributes */
#define ANSWER_RGB "1+r524742" /* to requests for RGB and Ms, in hexadecimal */
#define ANSWER_MS_CAPABILITY "1+r4d73"

/* A key that terminfo describes. */
struct described {
	const char *text; /* borrowed from terminfo */
	size_t len;
	key_code key;
};

struct asked {
	enum input_question what;
	int64_t asked_ns;
};

static struct {
	bool is_utf8;
	bool is_remote;
	int64_t escape_ns;
	int rows, cols;
	struct input_event queue[QUEUE_SIZE];
	int queue_first, n_queue;
	unsigned char bytes[BYTES_MAX];
	int n_bytes;
	int64_t byte_ns; /* when the last of them was read */
	struct described described[DESCRIBED_MAX];
	size_t n_described;
	struct asked asked[ASKED_MAX]; /* not answered yet, the oldest first */
	int n_asked;
	bool has_answered;
	bool is_pasting;  /* between the marks of a paste */
	int64_t paste_ns; /* when its last key came */
	struct input_answers answers;
	int press_row, press_col;
	int64_t press_ms;
} input;

/* ==== described keys ==== */

static void describe(const char *name, key_code key)
{
	const char *text = tigetstr(name);

	if (text && text != (const char *)-1 && *text && input.n_described < DESCRIBED_MAX)
		input.described[input.n_described++] = (struct described){ text, strlen(text),
									   key };
}

/* Modifiers as xterm encodes them: 1 + 1 shift + 2 alt + 4 control. */
static key_code modifiers_of(int number)
{
	if (number < 2 || number > 16)
		return 0;
	return ((number - 1) & 1 ? KEYC_SHIFT : 0) | ((number - 1) & 4 ? KEYC_CTRL : 0);
}

/* Of two keys with the same text, the first one counts. */
static void describe_keys(void)
{
	static const struct {
		char name[6];
		key_code key;
	} keys[] = {
		{ "kcuu1", KEYC_UP },
		{ "kcud1", KEYC_DOWN },
		{ "kcub1", KEYC_LEFT },
		{ "kcuf1", KEYC_RIGHT },
		{ "khome", KEYC_HOME },
		{ "kend", KEYC_END },
		{ "kpp", KEYC_PGUP },
		{ "knp", KEYC_PGDN },
		{ "ka1", KEYC_HOME },
		{ "kc1", KEYC_END },
		{ "ka3", KEYC_PGUP },
		{ "kc3", KEYC_PGDN },
		{ "kfnd", KEYC_HOME },
		{ "kslt", KEYC_END },
		{ "kll", KEYC_END },
		{ "kich1", KEYC_INSERT },
		{ "kdch1", KEYC_DELETE },
		{ "kcbt", KEYC_BACKTAB },
		{ "kent", KEYC_ENTER },
		{ "kri", KEYC_SHIFT | KEYC_UP },
		{ "kind", KEYC_SHIFT | KEYC_DOWN },
		{ "kbs", KEYC_BACKSPACE },
	};
	/* With a number, as kLFT5 (C-Left), or without: S-Left. */
	static const struct {
		char name[5];
		key_code key;
	} modified[] = {
		{ "kUP", KEYC_UP },     { "kDN", KEYC_DOWN },  { "kLFT", KEYC_LEFT },
		{ "kRIT", KEYC_RIGHT }, { "kHOM", KEYC_HOME }, { "kEND", KEYC_END },
		{ "kPRV", KEYC_PGUP },  { "kNXT", KEYC_PGDN }, { "kDC", KEYC_DELETE },
		{ "kIC", KEYC_INSERT },
	};
	char name[24];

	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		describe(keys[i].name, keys[i].key);
	for (int i = 1; i <= 24; i++) {
		snprintf(name, sizeof name, "kf%d", i);
		describe(name,
			 i > 12 ? KEYC_SHIFT | (key_code)(KEYC_F1 + i - 13)
				: (key_code)(KEYC_F1 + i - 1));
	}
	for (size_t i = 0; i < ARRAY_LEN(modified); i++) {
		describe(modified[i].name, modified[i].key | KEYC_SHIFT);
		for (int number = 3; number <= 8; number++) {
			snprintf(name, sizeof name, "%.5s%d", modified[i].name, number);
			describe(name, modified[i].key | modifiers_of(number));
		}
	}
}

/* ==== questions ==== */

void input_asked(enum input_question what)
{
	if (input.n_asked == ASKED_MAX)
		memmove(input.asked, input.asked + 1,
			(size_t)--input.n_asked * sizeof *input.asked);
	input.asked[input.n_asked++] = (struct asked){ what, clock_ns() };
}

/* An answer came: those to older questions do not come any more. Returns whether it was expected.
 */
static bool answered(enum input_question what)
{
	int i = 0;

	while (i < input.n_asked && input.asked[i].what != what)
		i++;
	if (i == input.n_asked)
		return false;
	input.n_asked -= i + 1;
	memmove(input.asked, input.asked + i + 1, (size_t)input.n_asked * sizeof *input.asked);
	input.has_answered = true;
	return true;
}

int64_t input_due_ns(void)
{
	int64_t due = input.has_answered || input.is_remote ? FAR_DUE_NS : DUE_NS;

	if (input.n_asked && input.asked[input.n_asked - 1].asked_ns + due <= clock_ns())
		input.n_asked = 0;
	return input.n_asked ? input.asked[input.n_asked - 1].asked_ns + due : 0;
}

/* ==== events ==== */

/* The time to wait after Esc. */
static int64_t escape_ns(void)
{
	const char *wish = getenv("ESCDELAY");
	long ms = wish ? strtol(wish, NULL, 10) : 0;

	if (ms > 0 && ms <= 10000)
		return ms * NS_PER_MS;
	return input.is_remote ? FAR_ESCAPE_NS : ESCAPE_NS;
}

void input_open(bool is_utf8)
{
	memset(&input, 0, sizeof input);
	input.is_utf8 = is_utf8;
	input.is_remote = getenv("SSH_CONNECTION") != NULL;
	input.escape_ns = escape_ns();
	describe_keys();
}

struct input_answers *input_answers(void)
{
	return &input.answers;
}

void input_size(int rows, int cols)
{
	input.rows = rows;
	input.cols = cols;
}

static void push_event(key_code key, struct term_mouse mouse)
{
	if (key == KEYC_NONE || input.n_queue == QUEUE_SIZE)
		return;
	if (input.is_pasting && clock_ns() - input.paste_ns > PASTE_NS)
		input.is_pasting = false;
	input.paste_ns = clock_ns();
	input.queue[(input.queue_first + input.n_queue++) % QUEUE_SIZE] =
		(struct input_event){ key, mouse, input.is_pasting };
}

void input_push(key_code key)
{
	push_event(key, (struct term_mouse){ 0 });
}

static void push_char(wint_t c)
{
	if (c == 0)
		input_push(KEYC_CTRL | ' ');
	else if (c == 8 || c == 127)
		input_push(KEYC_BACKSPACE);
	else if (c == '\t')
		input_push(KEYC_TAB);
	else if (c == '\n' || c == '\r')
		input_push(KEYC_ENTER);
	else if (c == 27)
		input_push(KEYC_ESC);
	else if (c < 27)
		input_push(KEYC_CTRL | (key_code)(c + 'a' - 1));
	else if (c < 32)
		input_push(KEYC_CTRL | (key_code)(c + '@'));
	else if ((c < 0x80 || c >= 0xa0) && (c < 0xd800 || c >= 0xe000) && c < KEYC_SPECIAL)
		input_push((key_code)c);
}

/* A mouse report: the button as xterm encodes it, row and column from 1. */
static void push_mouse(int button, int col, int row, bool is_release)
{
	struct term_mouse mouse = { .row = row - 1,
				    .col = col - 1,
				    .has_shift = button & 4,
				    .has_ctrl = button & 16 };
	int64_t now = clock_ns() / NS_PER_MS;

	if (row < 1 || col < 1 || row > input.rows || col > input.cols)
		return;
	if ((button & 67) == 64 || (button & 67) == 65) {
		mouse.what = button & 1 ? MOUSE_WHEEL_DOWN : MOUSE_WHEEL_UP;
	} else if (button & 64 || ((button & 3) != 0 && !is_release)) {
		return;
	} else if (is_release) {
		mouse.what = MOUSE_RELEASE;
	} else if (button & 32) {
		mouse.what = MOUSE_DRAG;
	} else {
		bool is_second = now - input.press_ms <= DOUBLE_CLICK_MS &&
			row == input.press_row && col == input.press_col;

		mouse.what = is_second ? MOUSE_DOUBLE : MOUSE_CLICK;
		/* A third press is the first of the next double click. */
		input.press_ms = is_second ? now - DOUBLE_CLICK_MS - 1 : now;
		input.press_row = row;
		input.press_col = col;
	}
	push_event(KEYC_MOUSE, mouse);
}

/* The key of a control sequence, by its last byte, and for `~` by its number. */
static key_code sequence_key(char last, int number)
{
	static const char letters[] = "ABCDHFPQRSZM";
	static const key_code of_letter[] = { KEYC_UP,     KEYC_DOWN,   KEYC_RIGHT,   KEYC_LEFT,
					      KEYC_HOME,   KEYC_END,    KEYC_F1,      KEYC_F1 + 1,
					      KEYC_F1 + 2, KEYC_F1 + 3, KEYC_BACKTAB, KEYC_ENTER };
	static const key_code of_number[] = { 0,           KEYC_HOME,   KEYC_INSERT, KEYC_DELETE,
					      KEYC_END,    KEYC_PGUP,   KEYC_PGDN,   KEYC_HOME,
					      KEYC_END,    0,           0,           KEYC_F1,
					      KEYC_F1 + 1, KEYC_F1 + 2, KEYC_F1 + 3, KEYC_F1 + 4,
					      0,           KEYC_F1 + 5, KEYC_F1 + 6, KEYC_F1 + 7,
					      KEYC_F1 + 8, KEYC_F1 + 9, 0,           KEYC_F1 + 10,
					      KEYC_F12 };
	const char *at = strchr(letters, last);

	if (last == '~')
		return number >= 0 && (size_t)number < ARRAY_LEN(of_number) ? of_number[number]
									    : KEYC_NONE;
	return at && last ? of_letter[at - letters] : KEYC_NONE;
}

/* A control sequence: what comes after ESC [ (is_keypad: ESC O), up to its last byte. */
static void control_sequence(const unsigned char *text, int len, bool is_keypad)
{
	int numbers[3] = { -1, -1, -1 }, n = 0, number = 0;
	bool has_52 = false;
	char mark = 0, last = (char)text[len - 1];
	key_code key;

	for (int i = 0; i < len - 1; i++) {
		char c = (char)text[i];

		has_52 = has_52 || (c == ';' && number == CLIPBOARD_ATTRIBUTE);
		number = c >= '0' && c <= '9' ? number % 10000 * 10 + (int)(c - '0') : 0;
		if (c >= '0' && c <= '9' && n < 3)
			numbers[n] = (numbers[n] < 0 ? 0 : numbers[n]) % 10000 * 10 +
				(int)(c - '0');
		else if (c == ';')
			n++;
		else if (c >= '<' && c <= '?')
			mark = c;
	}
	if (last == '~' && (numbers[0] == 200 || numbers[0] == 201)) {
		input.is_pasting = numbers[0] == 200;
		input.paste_ns = clock_ns();
		return;
	}
	/* A cursor position report; F3 with modifiers has 1 as first number. */
	if (last == 'R' && n > 0 && numbers[0] != 1) {
		if (answered(INPUT_PLACE))
			input.answers.col = numbers[1];
		return;
	}
	if (last == 'n' && !mark && !is_keypad) {
		answered(INPUT_STATUS);
		input.answers.n_reports++;
		return;
	}
	if (mark == '<' && (last == 'M' || last == 'm')) {
		push_mouse(numbers[0], numbers[1], numbers[2], last == 'm');
		return;
	}
	if (mark == '?' && last == 'c') {
		answered(INPUT_ATTRIBUTES);
		input.answers.has_clipboard = input.answers.has_clipboard || has_52 ||
			number == CLIPBOARD_ATTRIBUTE;
		input.answers.level = numbers[0] > 0 ? numbers[0] : 0;
	}
	key = mark || (last == 'M' && !is_keypad) ? KEYC_NONE : sequence_key(last, numbers[0]);
	if (key != KEYC_NONE)
		input_push(key | (key == KEYC_BACKTAB ? 0 : modifiers_of(numbers[1])));
}

/* Whether a string answers the request for a capability, of which it has the name or the value. */
static bool is_capability(const char *text, const char *answer)
{
	size_t len = strlen(answer);

	return !strncasecmp(text, answer, len) && (text[len] == '\0' || text[len] == '=');
}

/* A string: `first` is the character after ESC. */
static void take_string(unsigned char first, const unsigned char *from, size_t len)
{
	char text[sizeof input.answers.text];

	len = len < sizeof text ? len : sizeof text - 1;
	memcpy(text, from, len);
	text[len] = '\0';
	if (first == ']')
		memcpy(input.answers.text, text, len + 1);
	else if (first == 'P' && is_capability(text, ANSWER_RGB))
		input.answers.has_direct = true;
	else if (first == 'P' && is_capability(text, ANSWER_MS_CAPABILITY))
		input.answers.has_clipboard = true;
}

/* ==== bytes ====
 *
 * The functions below look at what input.bytes begins with. They return the number of bytes that
 * were used; 0: more are needed. is_all: no more come; then they use at least one. */

/* -1: it is no key of the description. */
static int parse_described(bool is_all)
{
	size_t n = (size_t)input.n_bytes;
	const struct described *found = NULL;

	for (size_t i = 0; i < input.n_described; i++) {
		const struct described *d = &input.described[i];

		if (memcmp(d->text, input.bytes, d->len < n ? d->len : n) != 0)
			continue;
		if (d->len > n && !is_all)
			return 0;
		if (d->len <= n && (!found || d->len > found->len))
			found = d;
	}
	if (!found)
		return -1;
	input_push(found->key);
	return (int)found->len;
}

static int parse_char(bool is_all)
{
	const char *bytes = (const char *)input.bytes, *at = bytes;
	unsigned char first = input.bytes[0];
	int n = !input.is_utf8 || first < 0xc0 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
	wchar_t c = 0;

	for (int i = 1; i < n && i < input.n_bytes; i++)
		if (input.bytes[i] < 0x80 || input.bytes[i] > 0xbf)
			n = i;
	if (input.n_bytes < n && !is_all)
		return 0;
	n = input.n_bytes < n ? input.n_bytes : n;
	if (input.is_utf8)
		push_char(text_next(&at, bytes + n));
	else if (first < 0x80 || mbrtowc(&c, bytes, 1, &(mbstate_t){ 0 }) == 1)
		push_char(first < 0x80 ? first : (wint_t)c);
	return n;
}

/* After ESC [ or ESC O. */
static int parse_control(bool is_all, bool is_keypad)
{
	const unsigned char *b = input.bytes;
	int n = input.n_bytes, at = 2;

	if (n > 2 && !is_keypad && (b[2] == 'M' || b[2] == '[')) {
		/* An old mouse report, or a function key of the console of Linux. */
		if (n < (b[2] == 'M' ? 6 : 4))
			return is_all ? n : 0;
		if (b[2] == 'M')
			push_mouse(b[3] - 32, b[4] - 32, b[5] - 32, ((b[3] - 32) & 67) == 3);
		return b[2] == 'M' ? 6 : 4;
	}
	while (at < n && b[at] >= 0x20 && b[at] < 0x40)
		at++;
	if (at == n)
		return is_all ? n : 0;
	/* What has no last byte is dropped, since something else begins. */
	if (b[at] < 0x20 || b[at] > 0x7e)
		return at;
	control_sequence(b + 2, at - 1, is_keypad);
	return at + 1;
}

/* After ESC and a character that begins a string, which ends with BEL or ESC \. */
static int parse_string(bool is_all)
{
	const unsigned char *b = input.bytes;
	int n = input.n_bytes, at = 2;

	while (at < n && b[at] >= 0x20)
		at++;
	if (at == n || (b[at] == ESC && at + 1 == n))
		return is_all ? n : 0;
	if (b[at] == ESC && b[at + 1] != '\\')
		return at; /* another sequence begins inside of it */
	if (b[at] == ESC || b[at] == 7)
		take_string(b[1], b + 2, (size_t)at - 2);
	return b[at] == ESC ? at + 2 : at + 1;
}

static int parse(bool is_all)
{
	const unsigned char *b = input.bytes;
	int used = parse_described(is_all);

	if (used >= 0)
		return used;
	if (b[0] != ESC)
		return parse_char(is_all);
	if (input.n_bytes == 1 && !is_all)
		return 0;
	if (input.n_bytes > 1 && strchr("[O]P_^X", b[1]) && b[1]) {
		if (input.n_bytes > 2 || !is_all)
			return b[1] == '[' || b[1] == 'O' ? parse_control(is_all, b[1] == 'O')
							  : parse_string(is_all);
	}
	input_push(KEYC_ESC);
	return 1;
}

/* Until when the rest of the sequence that has begun may come. */
static int64_t rest_ns(void)
{
	const unsigned char *b = input.bytes;
	bool is_typed = input.n_bytes == 1 || (input.n_bytes == 2 && b[0] == ESC);
	bool is_answer = b[0] == ESC && (input.n_bytes == 1 || strchr("[]P", b[1]));
	int64_t until = input.byte_ns + (is_typed ? input.escape_ns : REST_NS);
	int64_t due = is_answer ? input_due_ns() : 0;

	return due > until ? due : until;
}

int64_t input_wait_ms(void)
{
	int64_t left = input.n_bytes ? rest_ns() - clock_ns() : 0;

	if (!input.n_bytes)
		return -1;
	return left > 0 ? (left + NS_PER_MS - 1) / NS_PER_MS : 0;
}

/* Add a byte that has come. */
static bool read_byte(void)
{
	unsigned char byte;
	int n = tty_read(&byte);

	if (n < 0)
		input_push(KEYC_HANGUP);
	if (n <= 0)
		return false;
	if (input.n_bytes == BYTES_MAX) {
		unsigned char *middle = input.bytes + BYTES_MAX - 8;

		memmove(middle, middle + 1, 7);
		input.n_bytes--;
	}
	/* CSI in one character. */
	if (byte == 0x9b && input.n_bytes == input.is_utf8 &&
	    (!input.is_utf8 || input.bytes[0] == 0xc2)) {
		input.bytes[0] = ESC;
		input.n_bytes = 1;
		byte = '[';
	}
	input.bytes[input.n_bytes++] = byte;
	input.byte_ns = clock_ns();
	return true;
}

/* Decode one key or answer. False: none is complete. */
static bool decode(void)
{
	int used = input.n_bytes ? parse(false) : 0;

	while (!used) {
		if (read_byte())
			used = parse(false);
		else if (input.n_bytes && rest_ns() <= clock_ns())
			used = parse(true);
		else
			return false;
	}
	input.n_bytes -= used;
	memmove(input.bytes, input.bytes + used, (size_t)input.n_bytes);
	return true;
}

bool input_pending(void)
{
	while (input.n_queue == 0 && decode())
		;
	return input.n_queue > 0;
}

bool input_take(struct input_event *event)
{
	if (!input_pending())
		return false;
	*event = input.queue[input.queue_first];
	input.queue_first = (input.queue_first + 1) % QUEUE_SIZE;
	input.n_queue--;
	return true;
}
