/* SPDX-License-Identifier: GPL-2.0-or-later */
/* curses decodes most keys. Sequences that it does not know arrive as Esc and single characters,
 * which after_escape() puts together: cursor keys in the other keypad mode, modifiers, mouse
 * reports (SGR, for wide screens), answers; unknown sequences are dropped. Decoded events wait in
 * `queue`. */
#include "config.h"

#include "term/input.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "term/tty.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <wchar.h>

static void after_escape_char(int result, wint_t first);
static void after_escape(void);

/* ==== input char ====
 *
 * Without a locale that has UTF-8, curses gives bytes. */

/* The rest of a character whose first byte is `first`. */
static uint32_t rest_of_char(WINDOW *pad, unsigned char first)
{
	char bytes[4] = { (char)first };
	int n = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
	const char *at = bytes;
	int have = 1;

	wtimeout(pad, INPUT_SEQUENCE_MS);
	while (have < n) {
		int c = wgetch(pad);

		if (c == ERR)
			break;
		if (c < 0x80 || c > 0xbf) {
			ungetch(c);
			break;
		}
		bytes[have++] = (char)c;
	}
	return text_next(&at, bytes + have);
}

/* Read a character or a key, as wget_wch() does, for as long as wait_ms, a time as wtimeout() has
 * it. has_own_utf8: bytes are UTF-8, but the C library cannot decode it; those that are no
 * character give U+FFFD. */
static int input_char(WINDOW *pad, int wait_ms, bool has_own_utf8, wint_t *c)
{
	int key;

	wtimeout(pad, wait_ms);
	if (!has_own_utf8)
		return wget_wch(pad, c);
	key = wgetch(pad);
	if (key == ERR)
		return ERR;
	*c = key >= 0x80 && key <= 0xff ? (wint_t)rest_of_char(pad, (unsigned char)key)
					: (wint_t)key;
	return key > 0xff ? KEY_CODE_YES : OK;
}

/* ==== input ==== */

#define QUEUE_SIZE 16
#define DOUBLE_CLICK_MS 400
#define PASTE_NS NS_PER_S /* a paste has ended after this silence, even without the end mark */
#define ANSWER_MS 250
#define CLIPBOARD_ATTRIBUTE 52 /* of the primary device attributes */
#define ANSWER_RGB "1+r524742" /* to requests for RGB and Ms, in hexadecimal */
#define ANSWER_MS_CAPABILITY "1+r4d73"

static struct {
	WINDOW *pad;
	int rows, cols;
	struct input_event queue[QUEUE_SIZE];
	int queue_first, n_queue;
	bool has_own_utf8;   /* for input_char() */
	bool is_pasting;     /* between the marks of a paste */
	int64_t paste_ns;    /* when its last key came */
	bool may_hold_bytes; /* curses may have read bytes that it has not returned yet */
	struct input_answers answers;
	int press_row, press_col;
	int64_t press_ms;
} input;

void input_open(WINDOW *pad, bool has_own_utf8)
{
	memset(&input, 0, sizeof input);
	input.pad = pad;
	input.has_own_utf8 = has_own_utf8;
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

/* Modifiers as xterm encodes them: 1 + 1 shift + 2 alt + 4 control. */
static key_code modifiers_of(int number)
{
	if (number < 2 || number > 16)
		return 0;
	return ((number - 1) & 1 ? KEYC_SHIFT : 0) | ((number - 1) & 4 ? KEYC_CTRL : 0);
}

/* Keys of extended terminal descriptions have names: kLFT5 is C-Left. */
static void push_extended(int code)
{
	static const struct {
		char name[5];
		key_code key;
	} keys[] = {
		{ "kUP", KEYC_UP },     { "kDN", KEYC_DOWN },  { "kLFT", KEYC_LEFT },
		{ "kRIT", KEYC_RIGHT }, { "kHOM", KEYC_HOME }, { "kEND", KEYC_END },
		{ "kPRV", KEYC_PGUP },  { "kNXT", KEYC_PGDN }, { "kDC", KEYC_DELETE },
		{ "kIC", KEYC_INSERT },
	};
	const char *name = keyname(code);

	for (size_t i = 0; name && i < ARRAY_LEN(keys); i++) {
		size_t len = strlen(keys[i].name);

		if (!strncmp(name, keys[i].name, len) &&
		    (!name[len] || (name[len] >= '2' && name[len] <= '9' && !name[len + 1]))) {
			input_push(keys[i].key | modifiers_of(name[len] ? name[len] - '0' : 2));
			return;
		}
	}
}

static void push_curses_key(int code)
{
	static const struct {
		int code;
		key_code key;
	} keys[] = {
		{ KEY_UP, KEYC_UP },
		{ KEY_DOWN, KEYC_DOWN },
		{ KEY_LEFT, KEYC_LEFT },
		{ KEY_RIGHT, KEYC_RIGHT },
		{ KEY_HOME, KEYC_HOME },
		{ KEY_END, KEYC_END },
		{ KEY_PPAGE, KEYC_PGUP },
		{ KEY_NPAGE, KEYC_PGDN },
		{ KEY_A1, KEYC_HOME },
		{ KEY_C1, KEYC_END },
		{ KEY_A3, KEYC_PGUP },
		{ KEY_C3, KEYC_PGDN },
		{ KEY_FIND, KEYC_HOME },
		{ KEY_SELECT, KEYC_END },
		{ KEY_LL, KEYC_END },
		{ KEY_IC, KEYC_INSERT },
		{ KEY_DC, KEYC_DELETE },
		{ KEY_BACKSPACE, KEYC_BACKSPACE },
		{ KEY_BTAB, KEYC_BACKTAB },
		{ KEY_ENTER, KEYC_ENTER },
		{ KEY_SR, KEYC_SHIFT | KEYC_UP },
		{ KEY_SF, KEYC_SHIFT | KEYC_DOWN },
		{ KEY_SLEFT, KEYC_SHIFT | KEYC_LEFT },
		{ KEY_SRIGHT, KEYC_SHIFT | KEYC_RIGHT },
		{ KEY_SHOME, KEYC_SHIFT | KEYC_HOME },
		{ KEY_SEND, KEYC_SHIFT | KEYC_END },
		{ KEY_SPREVIOUS, KEYC_SHIFT | KEYC_PGUP },
		{ KEY_SNEXT, KEYC_SHIFT | KEYC_PGDN },
		{ KEY_SDC, KEYC_SHIFT | KEYC_DELETE },
		{ KEY_SIC, KEYC_SHIFT | KEYC_INSERT },
	};

	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		if (keys[i].code == code) {
			input_push(keys[i].key);
			return;
		}
	}
	if (code >= KEY_F(1) && code <= KEY_F(12))
		input_push((key_code)(KEYC_F1 + (code - KEY_F(1))));
	else if (code >= KEY_F(13) && code <= KEY_F(24))
		input_push((key_code)(KEYC_SHIFT | (KEYC_F1 + (code - KEY_F(13)))));
	else if (code > KEY_MAX)
		push_extended(code);
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

/* The next character of a sequence. False: the sequence has ended; a key that curses knows is
 * queued. */
static bool next_char(int wait_ms, wint_t *c)
{
	int result;

	*c = 0;
	result = input_char(input.pad, wait_ms, input.has_own_utf8, c);
	if (result == KEY_CODE_YES)
		push_curses_key((int)*c);
	return result == OK;
}

static void old_mouse_report(void)
{
	wint_t c[3];

	if (!next_char(INPUT_SEQUENCE_MS, &c[0]) || !next_char(INPUT_SEQUENCE_MS, &c[1]) ||
	    !next_char(INPUT_SEQUENCE_MS, &c[2]))
		return;
	push_mouse((int)c[0] - 32, (int)c[1] - 32, (int)c[2] - 32, ((c[0] - 32) & 67) == 3);
}

/* The rest of a sequence after ESC [ (or ESC O); `c` is its first character. */
static void control_sequence(wint_t c, bool is_keypad)
{
	int numbers[3] = { -1, -1, -1 }, n = 0, number = 0;
	bool has_52 = false;
	char mark = 0;
	key_code key;

	if (c == 'M' && !is_keypad) {
		old_mouse_report();
		return;
	}
	if (c == '[') { /* function keys of the Linux console */
		next_char(INPUT_SEQUENCE_MS, &c);
		return;
	}
	while (c < 0x40) {
		has_52 = has_52 || (c == ';' && number == CLIPBOARD_ATTRIBUTE);
		number = c >= '0' && c <= '9' ? number % 10000 * 10 + (int)(c - '0') : 0;
		if (c >= '0' && c <= '9' && n < 3)
			numbers[n] = (numbers[n] < 0 ? 0 : numbers[n]) % 10000 * 10 +
				(int)(c - '0');
		else if (c == ';')
			n++;
		else if (c >= '<' && c <= '?')
			mark = (char)c;
		else if (c < 0x20)
			return;
		/* Such a sequence was not typed by hand: allow it more time. */
		if (!next_char(ANSWER_MS, &c))
			return;
	}
	if (c > 0x7e)
		return;
	if (c == '~' && (numbers[0] == 200 || numbers[0] == 201)) {
		input.is_pasting = numbers[0] == 200;
		input.paste_ns = clock_ns();
		return;
	}
	/* A cursor position report; F3 with modifiers has 1 as first number. */
	if (c == 'R' && n > 0 && numbers[0] != 1)
		return;
	if (c == 'n' && !mark && !is_keypad) {
		input.answers.n_reports++;
		return;
	}
	if (mark == '<' && (c == 'M' || c == 'm')) {
		push_mouse(numbers[0], numbers[1], numbers[2], c == 'm');
		return;
	}
	if (mark == '?' && c == 'c') {
		input.answers.has_attributes = true;
		input.answers.has_clipboard = input.answers.has_clipboard || has_52 ||
			number == CLIPBOARD_ATTRIBUTE;
		input.answers.level = numbers[0] > 0 ? numbers[0] : 0;
	}
	key = mark || (c == 'M' && !is_keypad) ? KEYC_NONE : sequence_key((char)c, numbers[0]);
	if (key != KEYC_NONE)
		input_push(key | (key == KEYC_BACKTAB ? 0 : modifiers_of(numbers[1])));
}

/* A string sequence, up to BEL or ESC \; `c` is its first character. As much as fits goes to
 * `text`. False: it was interrupted. */
static bool take_string(wint_t c, char *text, size_t size)
{
	size_t len = 0;

	do {
		if (len + 1 < size)
			text[len++] = (char)c;
		/* A terminal sends it at once, but a slow line may delay a part. */
		if (!next_char(ANSWER_MS, &c))
			return false;
	} while (c >= 0x20);
	text[len] = '\0';
	if (c != 27)
		return c == 7;
	if (!next_char(ANSWER_MS, &c))
		return false;
	if (c == '\\')
		return true;
	/* Another sequence begins inside of it. */
	after_escape_char(OK, c);
	return false;
}

/* Whether a string answers the request for a capability, of which it has the name or the value. */
static bool is_capability(const char *text, const char *answer)
{
	size_t len = strlen(answer);

	return !strncasecmp(text, answer, len) && (text[len] == '\0' || text[len] == '=');
}

/* ESC and `first`, which begin a string, were read. Without more bytes soon they are two keys. */
static void terminal_string(wint_t first)
{
	int n_before = input.n_queue;
	char text[sizeof input.answers.text] = "";
	wint_t c;

	if (!next_char(INPUT_SEQUENCE_MS, &c)) {
		if (input.n_queue == n_before) {
			input_push(KEYC_ESC);
			push_char(first);
		}
		return;
	}
	if (!take_string(c, text, sizeof text))
		return;
	if (first == ']')
		memcpy(input.answers.text, text, strlen(text) + 1);
	else if (first == 'P' && is_capability(text, ANSWER_RGB))
		input.answers.has_direct = true;
	else if (first == 'P' && is_capability(text, ANSWER_MS_CAPABILITY))
		input.answers.has_clipboard = true;
}

/* The rest after an ESC that does not begin a key of curses; `first` was read with `result`. */
static void after_escape_char(int result, wint_t first)
{
	wint_t second;

	if (result == OK && (first == '[' || first == 'O')) {
		int n_before = input.n_queue;

		if (next_char(INPUT_SEQUENCE_MS, &second)) {
			control_sequence(second, first == 'O');
		} else if (input.n_queue == n_before) {
			input_push(KEYC_ESC);
			push_char(first);
		}
		return;
	}
	if (result == OK &&
	    (first == ']' || first == 'P' || first == '_' || first == '^' || first == 'X')) {
		terminal_string(first);
		return;
	}
	input_push(KEYC_ESC);
	if (result == OK && first == 27)
		after_escape();
	else if (result == OK)
		push_char(first);
	else if (result == KEY_CODE_YES)
		push_curses_key((int)first);
}

static void after_escape(void)
{
	wint_t first = 0;
	int result = input_char(input.pad, 0, input.has_own_utf8, &first);

	after_escape_char(result, first);
}

/* Decode one key or answer. False: no input has come, or the terminal is gone. */
static bool decode(void)
{
	bool has_bytes = tty_wait_bytes(0);
	int n_bytes = 0, result;
	wint_t c;

	if (!has_bytes && !input.may_hold_bytes)
		return false;
	if (has_bytes && !input.may_hold_bytes &&
	    (ioctl(tty_in_fd(), FIONREAD, &n_bytes) < 0 || n_bytes == 0)) {
		input_push(KEYC_HANGUP);
		return false;
	}
	result = input_char(input.pad, has_bytes ? INPUT_SEQUENCE_MS : 0, input.has_own_utf8, &c);
	input.may_hold_bytes = result != ERR;
	if (result == KEY_CODE_YES)
		push_curses_key((int)c);
	else if (result == OK && c == 27)
		after_escape();
	else if (result == OK && c == 0x9b && next_char(ANSWER_MS, &c))
		control_sequence(c, false);
	else if (result == OK)
		push_char(c);
	return true;
}

bool input_look(void)
{
	/* The last place is kept for input_push(). */
	while (input.n_queue < QUEUE_SIZE - 1 && decode())
		;
	return input.n_queue == 0 ||
		input.queue[(input.queue_first + input.n_queue - 1) % QUEUE_SIZE].key !=
		KEYC_HANGUP;
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
