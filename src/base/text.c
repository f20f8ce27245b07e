/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Everything that is shown or written passes through text_next(), so that no function here can emit
 * ill-formed UTF-8. */
#include "config.h"

#include "base/text.h"

#include "base/alloc.h"
#include "base/buf.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ==== near word ====
 *
 * The distance of two words is the number of letters to insert, delete or replace, and of
 * neighbours to swap (Damerau and Levenshtein, with each letter in at most one swap). A candidate
 * is near if that is at most a third of the longer word's letters, or if the word is its beginning.
 * Words of more than NEAR_WORD_MAX bytes are near to none. */

#define NEAR_WORD_MAX 40

static int least(int a, int b)
{
	return a < b ? a : b;
}

static int distance(const char *a, size_t n, const char *b, size_t m)
{
	int d[NEAR_WORD_MAX + 1][NEAR_WORD_MAX + 1];

	for (size_t i = 0; i <= n; i++)
		d[i][0] = (int)i;
	for (size_t j = 0; j <= m; j++)
		d[0][j] = (int)j;
	for (size_t i = 1; i <= n; i++)
		for (size_t j = 1; j <= m; j++) {
			bool is_same = a[i - 1] == b[j - 1];

			d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1,
					d[i - 1][j - 1] + !is_same);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	return d[n][m];
}

void near_word_begin(struct near_word *near, const char *word, size_t len)
{
	*near = (struct near_word){ .word = word, .len = len, .distance = NEAR_WORD_MAX };
}

void near_word_try(struct near_word *near, const char *candidate)
{
	size_t m = strlen(candidate), n = near->len;
	int limit = (int)((m > n ? m : n) / 3), d;

	if (n == 0 || n > NEAR_WORD_MAX || m > NEAR_WORD_MAX)
		return;
	d = distance(near->word, n, candidate, m);
	if (n >= 2 && m > n && memcmp(near->word, candidate, n) == 0) {
		limit = NEAR_WORD_MAX;
		d = 1;
	}
	if (d <= (limit > 0 ? limit : 1) && d < near->distance) {
		near->best = candidate;
		near->distance = d;
	}
}

/* ==== text width ====
 *
 * Cell widths of code points, by Unicode 15: two sorted tables with binary search. One holds the
 * East Asian wide and full-width characters, the other combining marks and other characters without
 * width. wcwidth() is not used: its result depends on the locale, and the output must not. */

struct span32 {
	uint32_t first, last;
};

static const struct span32 wide[] = {
	{ 0x1100, 0x115F },   { 0x231A, 0x231B },   { 0x2329, 0x232A },   { 0x23E9, 0x23EC },
	{ 0x23F0, 0x23F0 },   { 0x23F3, 0x23F3 },   { 0x25FD, 0x25FE },   { 0x2614, 0x2615 },
	{ 0x2648, 0x2653 },   { 0x267F, 0x267F },   { 0x2693, 0x2693 },   { 0x26A1, 0x26A1 },
	{ 0x26AA, 0x26AB },   { 0x26BD, 0x26BE },   { 0x26C4, 0x26C5 },   { 0x26CE, 0x26CE },
	{ 0x26D4, 0x26D4 },   { 0x26EA, 0x26EA },   { 0x26F2, 0x26F3 },   { 0x26F5, 0x26F5 },
	{ 0x26FA, 0x26FA },   { 0x26FD, 0x26FD },   { 0x2705, 0x2705 },   { 0x270A, 0x270B },
	{ 0x2728, 0x2728 },   { 0x274C, 0x274C },   { 0x274E, 0x274E },   { 0x2753, 0x2755 },
	{ 0x2757, 0x2757 },   { 0x2795, 0x2797 },   { 0x27B0, 0x27B0 },   { 0x27BF, 0x27BF },
	{ 0x2B1B, 0x2B1C },   { 0x2B50, 0x2B50 },   { 0x2B55, 0x2B55 },   { 0x2E80, 0x2E99 },
	{ 0x2E9B, 0x2EF3 },   { 0x2F00, 0x2FD5 },   { 0x2FF0, 0x2FFB },   { 0x3000, 0x3029 },
	{ 0x302E, 0x303E },   { 0x3041, 0x3096 },   { 0x309B, 0x30FF },   { 0x3105, 0x312F },
	{ 0x3131, 0x318E },   { 0x3190, 0x31E3 },   { 0x31F0, 0x321E },   { 0x3220, 0xA48C },
	{ 0xA490, 0xA4C6 },   { 0xA960, 0xA97C },   { 0xAC00, 0xD7A3 },   { 0xF900, 0xFA6D },
	{ 0xFA70, 0xFAD9 },   { 0xFE10, 0xFE19 },   { 0xFE30, 0xFE52 },   { 0xFE54, 0xFE66 },
	{ 0xFE68, 0xFE6B },   { 0xFF01, 0xFF60 },   { 0xFFE0, 0xFFE6 },   { 0x16FE0, 0x16FE3 },
	{ 0x16FF0, 0x16FF1 }, { 0x17000, 0x187F7 }, { 0x18800, 0x18CD5 }, { 0x18D00, 0x18D08 },
	{ 0x1AFF0, 0x1AFF3 }, { 0x1AFF5, 0x1AFFB }, { 0x1AFFD, 0x1AFFE }, { 0x1B000, 0x1B122 },
	{ 0x1B150, 0x1B152 }, { 0x1B164, 0x1B167 }, { 0x1B170, 0x1B2FB }, { 0x1F004, 0x1F004 },
	{ 0x1F0CF, 0x1F0CF }, { 0x1F18E, 0x1F18E }, { 0x1F191, 0x1F19A }, { 0x1F200, 0x1F202 },
	{ 0x1F210, 0x1F23B }, { 0x1F240, 0x1F248 }, { 0x1F250, 0x1F251 }, { 0x1F260, 0x1F265 },
	{ 0x1F300, 0x1F320 }, { 0x1F32D, 0x1F335 }, { 0x1F337, 0x1F37C }, { 0x1F37E, 0x1F393 },
	{ 0x1F3A0, 0x1F3CA }, { 0x1F3CF, 0x1F3D3 }, { 0x1F3E0, 0x1F3F0 }, { 0x1F3F4, 0x1F3F4 },
	{ 0x1F3F8, 0x1F43E }, { 0x1F440, 0x1F440 }, { 0x1F442, 0x1F4FC }, { 0x1F4FF, 0x1F53D },
	{ 0x1F54B, 0x1F54E }, { 0x1F550, 0x1F567 }, { 0x1F57A, 0x1F57A }, { 0x1F595, 0x1F596 },
	{ 0x1F5A4, 0x1F5A4 }, { 0x1F5FB, 0x1F64F }, { 0x1F680, 0x1F6C5 }, { 0x1F6CC, 0x1F6CC },
	{ 0x1F6D0, 0x1F6D2 }, { 0x1F6D5, 0x1F6D7 }, { 0x1F6DD, 0x1F6DF }, { 0x1F6EB, 0x1F6EC },
	{ 0x1F6F4, 0x1F6FC }, { 0x1F7E0, 0x1F7EB }, { 0x1F7F0, 0x1F7F0 }, { 0x1F90C, 0x1F93A },
	{ 0x1F93C, 0x1F945 }, { 0x1F947, 0x1F9FF }, { 0x1FA70, 0x1FA74 }, { 0x1FA78, 0x1FA7C },
	{ 0x1FA80, 0x1FA86 }, { 0x1FA90, 0x1FAAC }, { 0x1FAB0, 0x1FABA }, { 0x1FAC0, 0x1FAC5 },
	{ 0x1FAD0, 0x1FAD9 }, { 0x1FAE0, 0x1FAE7 }, { 0x1FAF0, 0x1FAF6 }, { 0x20000, 0x2A6DF },
	{ 0x2A700, 0x2B738 }, { 0x2B740, 0x2B81D }, { 0x2B820, 0x2CEA1 }, { 0x2CEB0, 0x2EBE0 },
	{ 0x2F800, 0x2FA1D }, { 0x30000, 0x3134A },
};

static const struct span32 zero[] = {
	{ 0x300, 0x36F },     { 0x483, 0x489 },     { 0x591, 0x5BD },     { 0x5BF, 0x5BF },
	{ 0x5C1, 0x5C2 },     { 0x5C4, 0x5C5 },     { 0x5C7, 0x5C7 },     { 0x610, 0x61A },
	{ 0x61C, 0x61C },     { 0x64B, 0x65F },     { 0x670, 0x670 },     { 0x6D6, 0x6DC },
	{ 0x6DF, 0x6E4 },     { 0x6E7, 0x6E8 },     { 0x6EA, 0x6ED },     { 0x711, 0x711 },
	{ 0x730, 0x74A },     { 0x7A6, 0x7B0 },     { 0x7EB, 0x7F3 },     { 0x7FD, 0x7FD },
	{ 0x816, 0x819 },     { 0x81B, 0x823 },     { 0x825, 0x827 },     { 0x829, 0x82D },
	{ 0x859, 0x85B },     { 0x898, 0x89F },     { 0x8CA, 0x8E1 },     { 0x8E3, 0x902 },
	{ 0x93A, 0x93A },     { 0x93C, 0x93C },     { 0x941, 0x948 },     { 0x94D, 0x94D },
	{ 0x951, 0x957 },     { 0x962, 0x963 },     { 0x981, 0x981 },     { 0x9BC, 0x9BC },
	{ 0x9C1, 0x9C4 },     { 0x9CD, 0x9CD },     { 0x9E2, 0x9E3 },     { 0x9FE, 0x9FE },
	{ 0xA01, 0xA02 },     { 0xA3C, 0xA3C },     { 0xA41, 0xA42 },     { 0xA47, 0xA48 },
	{ 0xA4B, 0xA4D },     { 0xA51, 0xA51 },     { 0xA70, 0xA71 },     { 0xA75, 0xA75 },
	{ 0xA81, 0xA82 },     { 0xABC, 0xABC },     { 0xAC1, 0xAC5 },     { 0xAC7, 0xAC8 },
	{ 0xACD, 0xACD },     { 0xAE2, 0xAE3 },     { 0xAFA, 0xAFF },     { 0xB01, 0xB01 },
	{ 0xB3C, 0xB3C },     { 0xB3F, 0xB3F },     { 0xB41, 0xB44 },     { 0xB4D, 0xB4D },
	{ 0xB55, 0xB56 },     { 0xB62, 0xB63 },     { 0xB82, 0xB82 },     { 0xBC0, 0xBC0 },
	{ 0xBCD, 0xBCD },     { 0xC00, 0xC00 },     { 0xC04, 0xC04 },     { 0xC3C, 0xC3C },
	{ 0xC3E, 0xC40 },     { 0xC46, 0xC48 },     { 0xC4A, 0xC4D },     { 0xC55, 0xC56 },
	{ 0xC62, 0xC63 },     { 0xC81, 0xC81 },     { 0xCBC, 0xCBC },     { 0xCBF, 0xCBF },
	{ 0xCC6, 0xCC6 },     { 0xCCC, 0xCCD },     { 0xCE2, 0xCE3 },     { 0xD00, 0xD01 },
	{ 0xD3B, 0xD3C },     { 0xD41, 0xD44 },     { 0xD4D, 0xD4D },     { 0xD62, 0xD63 },
	{ 0xD81, 0xD81 },     { 0xDCA, 0xDCA },     { 0xDD2, 0xDD4 },     { 0xDD6, 0xDD6 },
	{ 0xE31, 0xE31 },     { 0xE34, 0xE3A },     { 0xE47, 0xE4E },     { 0xEB1, 0xEB1 },
	{ 0xEB4, 0xEBC },     { 0xEC8, 0xECD },     { 0xF18, 0xF19 },     { 0xF35, 0xF35 },
	{ 0xF37, 0xF37 },     { 0xF39, 0xF39 },     { 0xF71, 0xF7E },     { 0xF80, 0xF84 },
	{ 0xF86, 0xF87 },     { 0xF8D, 0xF97 },     { 0xF99, 0xFBC },     { 0xFC6, 0xFC6 },
	{ 0x102D, 0x1030 },   { 0x1032, 0x1037 },   { 0x1039, 0x103A },   { 0x103D, 0x103E },
	{ 0x1058, 0x1059 },   { 0x105E, 0x1060 },   { 0x1071, 0x1074 },   { 0x1082, 0x1082 },
	{ 0x1085, 0x1086 },   { 0x108D, 0x108D },   { 0x109D, 0x109D },   { 0x1160, 0x11FF },
	{ 0x135D, 0x135F },   { 0x1712, 0x1714 },   { 0x1732, 0x1733 },   { 0x1752, 0x1753 },
	{ 0x1772, 0x1773 },   { 0x17B4, 0x17B5 },   { 0x17B7, 0x17BD },   { 0x17C6, 0x17C6 },
	{ 0x17C9, 0x17D3 },   { 0x17DD, 0x17DD },   { 0x180B, 0x180F },   { 0x1885, 0x1886 },
	{ 0x18A9, 0x18A9 },   { 0x1920, 0x1922 },   { 0x1927, 0x1928 },   { 0x1932, 0x1932 },
	{ 0x1939, 0x193B },   { 0x1A17, 0x1A18 },   { 0x1A1B, 0x1A1B },   { 0x1A56, 0x1A56 },
	{ 0x1A58, 0x1A5E },   { 0x1A60, 0x1A60 },   { 0x1A62, 0x1A62 },   { 0x1A65, 0x1A6C },
	{ 0x1A73, 0x1A7C },   { 0x1A7F, 0x1A7F },   { 0x1AB0, 0x1ACE },   { 0x1B00, 0x1B03 },
	{ 0x1B34, 0x1B34 },   { 0x1B36, 0x1B3A },   { 0x1B3C, 0x1B3C },   { 0x1B42, 0x1B42 },
	{ 0x1B6B, 0x1B73 },   { 0x1B80, 0x1B81 },   { 0x1BA2, 0x1BA5 },   { 0x1BA8, 0x1BA9 },
	{ 0x1BAB, 0x1BAD },   { 0x1BE6, 0x1BE6 },   { 0x1BE8, 0x1BE9 },   { 0x1BED, 0x1BED },
	{ 0x1BEF, 0x1BF1 },   { 0x1C2C, 0x1C33 },   { 0x1C36, 0x1C37 },   { 0x1CD0, 0x1CD2 },
	{ 0x1CD4, 0x1CE0 },   { 0x1CE2, 0x1CE8 },   { 0x1CED, 0x1CED },   { 0x1CF4, 0x1CF4 },
	{ 0x1CF8, 0x1CF9 },   { 0x1DC0, 0x1DFF },   { 0x200B, 0x200F },   { 0x202A, 0x202E },
	{ 0x2060, 0x2064 },   { 0x2066, 0x206F },   { 0x20D0, 0x20F0 },   { 0x2CEF, 0x2CF1 },
	{ 0x2D7F, 0x2D7F },   { 0x2DE0, 0x2DFF },   { 0x302A, 0x302D },   { 0x3099, 0x309A },
	{ 0xA66F, 0xA672 },   { 0xA674, 0xA67D },   { 0xA69E, 0xA69F },   { 0xA6F0, 0xA6F1 },
	{ 0xA802, 0xA802 },   { 0xA806, 0xA806 },   { 0xA80B, 0xA80B },   { 0xA825, 0xA826 },
	{ 0xA82C, 0xA82C },   { 0xA8C4, 0xA8C5 },   { 0xA8E0, 0xA8F1 },   { 0xA8FF, 0xA8FF },
	{ 0xA926, 0xA92D },   { 0xA947, 0xA951 },   { 0xA980, 0xA982 },   { 0xA9B3, 0xA9B3 },
	{ 0xA9B6, 0xA9B9 },   { 0xA9BC, 0xA9BD },   { 0xA9E5, 0xA9E5 },   { 0xAA29, 0xAA2E },
	{ 0xAA31, 0xAA32 },   { 0xAA35, 0xAA36 },   { 0xAA43, 0xAA43 },   { 0xAA4C, 0xAA4C },
	{ 0xAA7C, 0xAA7C },   { 0xAAB0, 0xAAB0 },   { 0xAAB2, 0xAAB4 },   { 0xAAB7, 0xAAB8 },
	{ 0xAABE, 0xAABF },   { 0xAAC1, 0xAAC1 },   { 0xAAEC, 0xAAED },   { 0xAAF6, 0xAAF6 },
	{ 0xABE5, 0xABE5 },   { 0xABE8, 0xABE8 },   { 0xABED, 0xABED },   { 0xD7B0, 0xD7C6 },
	{ 0xD7CB, 0xD7FB },   { 0xFB1E, 0xFB1E },   { 0xFE00, 0xFE0F },   { 0xFE20, 0xFE2F },
	{ 0xFEFF, 0xFEFF },   { 0xFFF9, 0xFFFB },   { 0x101FD, 0x101FD }, { 0x102E0, 0x102E0 },
	{ 0x10376, 0x1037A }, { 0x10A01, 0x10A03 }, { 0x10A05, 0x10A06 }, { 0x10A0C, 0x10A0F },
	{ 0x10A38, 0x10A3A }, { 0x10A3F, 0x10A3F }, { 0x10AE5, 0x10AE6 }, { 0x10D24, 0x10D27 },
	{ 0x10EAB, 0x10EAC }, { 0x10F46, 0x10F50 }, { 0x10F82, 0x10F85 }, { 0x11001, 0x11001 },
	{ 0x11038, 0x11046 }, { 0x11070, 0x11070 }, { 0x11073, 0x11074 }, { 0x1107F, 0x11081 },
	{ 0x110B3, 0x110B6 }, { 0x110B9, 0x110BA }, { 0x110C2, 0x110C2 }, { 0x11100, 0x11102 },
	{ 0x11127, 0x1112B }, { 0x1112D, 0x11134 }, { 0x11173, 0x11173 }, { 0x11180, 0x11181 },
	{ 0x111B6, 0x111BE }, { 0x111C9, 0x111CC }, { 0x111CF, 0x111CF }, { 0x1122F, 0x11231 },
	{ 0x11234, 0x11234 }, { 0x11236, 0x11237 }, { 0x1123E, 0x1123E }, { 0x112DF, 0x112DF },
	{ 0x112E3, 0x112EA }, { 0x11300, 0x11301 }, { 0x1133B, 0x1133C }, { 0x11340, 0x11340 },
	{ 0x11366, 0x1136C }, { 0x11370, 0x11374 }, { 0x11438, 0x1143F }, { 0x11442, 0x11444 },
	{ 0x11446, 0x11446 }, { 0x1145E, 0x1145E }, { 0x114B3, 0x114B8 }, { 0x114BA, 0x114BA },
	{ 0x114BF, 0x114C0 }, { 0x114C2, 0x114C3 }, { 0x115B2, 0x115B5 }, { 0x115BC, 0x115BD },
	{ 0x115BF, 0x115C0 }, { 0x115DC, 0x115DD }, { 0x11633, 0x1163A }, { 0x1163D, 0x1163D },
	{ 0x1163F, 0x11640 }, { 0x116AB, 0x116AB }, { 0x116AD, 0x116AD }, { 0x116B0, 0x116B5 },
	{ 0x116B7, 0x116B7 }, { 0x1171D, 0x1171F }, { 0x11722, 0x11725 }, { 0x11727, 0x1172B },
	{ 0x1182F, 0x11837 }, { 0x11839, 0x1183A }, { 0x1193B, 0x1193C }, { 0x1193E, 0x1193E },
	{ 0x11943, 0x11943 }, { 0x119D4, 0x119D7 }, { 0x119DA, 0x119DB }, { 0x119E0, 0x119E0 },
	{ 0x11A01, 0x11A0A }, { 0x11A33, 0x11A38 }, { 0x11A3B, 0x11A3E }, { 0x11A47, 0x11A47 },
	{ 0x11A51, 0x11A56 }, { 0x11A59, 0x11A5B }, { 0x11A8A, 0x11A96 }, { 0x11A98, 0x11A99 },
	{ 0x11C30, 0x11C36 }, { 0x11C38, 0x11C3D }, { 0x11C3F, 0x11C3F }, { 0x11C92, 0x11CA7 },
	{ 0x11CAA, 0x11CB0 }, { 0x11CB2, 0x11CB3 }, { 0x11CB5, 0x11CB6 }, { 0x11D31, 0x11D36 },
	{ 0x11D3A, 0x11D3A }, { 0x11D3C, 0x11D3D }, { 0x11D3F, 0x11D45 }, { 0x11D47, 0x11D47 },
	{ 0x11D90, 0x11D91 }, { 0x11D95, 0x11D95 }, { 0x11D97, 0x11D97 }, { 0x11EF3, 0x11EF4 },
	{ 0x13430, 0x13438 }, { 0x16AF0, 0x16AF4 }, { 0x16B30, 0x16B36 }, { 0x16F4F, 0x16F4F },
	{ 0x16F8F, 0x16F92 }, { 0x16FE4, 0x16FE4 }, { 0x1BC9D, 0x1BC9E }, { 0x1BCA0, 0x1BCA3 },
	{ 0x1CF00, 0x1CF2D }, { 0x1CF30, 0x1CF46 }, { 0x1D167, 0x1D169 }, { 0x1D173, 0x1D182 },
	{ 0x1D185, 0x1D18B }, { 0x1D1AA, 0x1D1AD }, { 0x1D242, 0x1D244 }, { 0x1DA00, 0x1DA36 },
	{ 0x1DA3B, 0x1DA6C }, { 0x1DA75, 0x1DA75 }, { 0x1DA84, 0x1DA84 }, { 0x1DA9B, 0x1DA9F },
	{ 0x1DAA1, 0x1DAAF }, { 0x1E000, 0x1E006 }, { 0x1E008, 0x1E018 }, { 0x1E01B, 0x1E021 },
	{ 0x1E023, 0x1E024 }, { 0x1E026, 0x1E02A }, { 0x1E130, 0x1E136 }, { 0x1E2AE, 0x1E2AE },
	{ 0x1E2EC, 0x1E2EF }, { 0x1E8D0, 0x1E8D6 }, { 0x1E944, 0x1E94A }, { 0xE0001, 0xE0001 },
	{ 0xE0020, 0xE007F }, { 0xE0100, 0xE01EF },
};

static bool has(const struct span32 *table, size_t n, uint32_t cp)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (cp > table[mid].last)
			lo = mid + 1;
		else if (cp < table[mid].first)
			hi = mid;
		else
			return true;
	}
	return false;
}

int text_width(uint32_t cp)
{
	if (cp < 0x300)
		return 1;
	if (has(zero, ARRAY_LEN(zero), cp))
		return 0;
	return has(wide, ARRAY_LEN(wide), cp) ? 2 : 1;
}

/* ==== text ==== */

uint32_t text_next(const char **p, const char *end)
{
	const unsigned char *s = (const unsigned char *)*p, *e = (const unsigned char *)end;
	uint32_t cp;
	unsigned lo = 0x80, hi = 0xBF;
	int more;

	if (*s < 0x80) {
		*p += 1;
		return *s;
	}
	if (*s >= 0xC2 && *s <= 0xDF) {
		more = 1;
		cp = *s & 0x1Fu;
	} else if (*s >= 0xE0 && *s <= 0xEF) {
		more = 2;
		cp = *s & 0x0Fu;
		if (*s == 0xE0)
			lo = 0xA0;
		else if (*s == 0xED)
			hi = 0x9F;
	} else if (*s >= 0xF0 && *s <= 0xF4) {
		more = 3;
		cp = *s & 0x07u;
		if (*s == 0xF0)
			lo = 0x90;
		else if (*s == 0xF4)
			hi = 0x8F;
	} else {
		*p += 1;
		return TEXT_REPLACEMENT;
	}
	for (s++; more > 0; more--, s++) {
		if (s >= e || *s < lo || *s > hi) {
			*p = (const char *)s;
			return TEXT_REPLACEMENT;
		}
		cp = cp << 6 | (*s & 0x3Fu);
		lo = 0x80;
		hi = 0xBF;
	}
	*p = (const char *)s;
	return cp;
}

bool text_is_control(uint32_t cp)
{
	if (cp < 0x20 || (cp >= 0x7F && cp < 0xA0))
		return true;
	if (cp < 0x2000)
		return cp == 0xAD || cp == 0x61C || cp == 0x180E;
	return (cp >= 0x200B && cp <= 0x200F) || (cp >= 0x2028 && cp <= 0x202E) ||
		(cp >= 0x2060 && cp <= 0x206F) || cp == 0xFEFF || (cp >= 0xFFF0 && cp <= 0xFFFB) ||
		(cp >= 0xE0000 && cp <= 0xE0FFF) || (cp & 0xFFFE) == 0xFFFE;
}

void text_control(uint32_t cp, char out[12])
{
	if (cp < 0x20)
		snprintf(out, 12, "^%c", (int)(cp + 0x40));
	else if (cp == 0x7F)
		snprintf(out, 12, "^?");
	else
		snprintf(out, 12, "<%02X>", (unsigned)cp);
}

void text_visible(struct buf *out, const char *text, size_t len)
{
	const char *p = text, *end = text + len;

	while (p < end) {
		const char *from = p;
		char seen[12];
		uint32_t cp;

		while (p < end && *p >= 0x20 && *p < 0x7F)
			p++;
		buf_add(out, from, (size_t)(p - from));
		if (p == end)
			break;
		cp = text_next(&p, end);
		if (text_is_control(cp)) {
			text_control(cp, seen);
			buf_adds(out, seen);
		} else {
			buf_add_utf8(out, cp);
		}
	}
}

/* Bytes of text that are looked at for each cell. No code point is longer than 4 bytes; the rest is
 * for combining marks, which have no width. */
#define CELL_BYTES 16

/* Bytes at the end of a text in which its last `width` cells are looked for. */
static size_t tail_bytes(int width)
{
	return CELL_BYTES * (size_t)width + 64;
}

static int cells_of(uint32_t cp)
{
	char seen[12];

	if (cp >= ' ' && cp < 0x7F)
		return 1;

	if (!text_is_control(cp))
		return text_width(cp);
	text_control(cp, seen);
	return (int)strlen(seen);
}

/* Number of cells of a text, or `most` or somewhat more if it has more. */
static int count_cells(const char *text, size_t len, int most)
{
	const char *p = text, *end = text + len;
	int cells = 0;

	while (p < end && cells < most)
		cells += cells_of(text_next(&p, end));
	return cells;
}

int text_cells(const char *text, size_t len)
{
	/* A name can have megabytes, and it is measured for each picture. */
	if (len > TEXT_CELLS_MAX * CELL_BYTES)
		return TEXT_CELLS_MAX;
	return count_cells(text, len, TEXT_CELLS_MAX);
}

void text_add_ends(struct buf *out, const char *text, size_t len)
{
	/* tail_start() looks at the bytes of one code point more. */
	const size_t most = tail_bytes(TEXT_CELLS_MAX) + 4;

	if (len <= 2 * most) {
		buf_add(out, text, len);
		return;
	}
	buf_add(out, text, most);
	buf_add(out, text + len - most, most);
}

/* Number of bytes from the start of `text` that fit into `width` cells. */
static size_t head_bytes(const char *text, size_t len, int width, int *used)
{
	const char *p = text, *end = text + len;
	int cells = 0;

	while (p < end && (size_t)(p - text) <= CELL_BYTES * (size_t)width) {
		const char *q = p;
		int w = cells_of(text_next(&q, end));

		if (cells + w > width)
			break;
		cells += w;
		p = q;
	}
	*used = cells;
	return (size_t)(p - text);
}

/* Offset of the last `width` cells of `text`. */
static size_t tail_start(const char *text, size_t len, int width, int *used)
{
	const char *p, *end = text + len, *from = text;
	int cells;

	if (len > tail_bytes(width))
		from = end - tail_bytes(width);
	for (int i = 0; i < 3 && from > text && ((unsigned char)*from & 0xC0) == 0x80; i++)
		from--;
	cells = count_cells(from, (size_t)(end - from), INT_MAX);
	for (p = from; p < end && cells > width;)
		cells -= cells_of(text_next(&p, end));
	/* Do not begin with combining marks: they belong to the character before. */
	while (p > from && p < end) {
		const char *q = p;

		if (cells_of(text_next(&q, end)) != 0)
			break;
		p = q;
	}
	*used = cells;
	return (size_t)(p - text);
}

int text_fit(struct buf *out, const char *text, size_t len, int width)
{
	int head_cells, tail_cells, room;
	size_t head, tail;

	if (width <= 0)
		return 0;
	if (len <= (size_t)width * CELL_BYTES) {
		int cells = text_cells(text, len);

		if (cells <= width) {
			text_visible(out, text, len);
			return cells;
		}
	}
	room = width - 1;
	head = head_bytes(text, len, room - room / 2, &head_cells);
	tail = tail_start(text, len, room / 2, &tail_cells);
	text_visible(out, text, head);
	buf_adds(out, "\342\200\246");
	if (room / 2 > 0)
		text_visible(out, text + tail, len - tail);
	return head_cells + 1 + (room / 2 > 0 ? tail_cells : 0);
}

int text_fit_start(struct buf *out, const char *text, size_t len, int width)
{
	int cells = 0;

	if (width > 0)
		text_visible(out, text, head_bytes(text, len, width, &cells));
	return cells;
}

int text_fit_end(struct buf *out, const char *text, size_t len, int width)
{
	int cells;
	size_t tail;

	if (width <= 0)
		return 0;
	if (len <= (size_t)width * CELL_BYTES && (cells = text_cells(text, len)) <= width) {
		text_visible(out, text, len);
		return cells;
	}
	tail = tail_start(text, len, width - 1, &cells);
	buf_adds(out, "\342\200\246");
	text_visible(out, text + tail, len - tail);
	return cells + 1;
}

void text_json(struct buf *out, const char *text, size_t len)
{
	const char *p = text, *end = text + len;

	for (;;) {
		const char *from = p;
		uint32_t cp;

		while (p < end && *p >= ' ' && *p < 0x7F && *p != '"' && *p != '\\')
			p++;
		buf_add(out, from, (size_t)(p - from));
		if (p == end)
			return;
		cp = text_next(&p, end);
		if (cp == '"' || cp == '\\')
			buf_addc(out, '\\');
		if (cp == '\n')
			buf_adds(out, "\\n");
		else if (cp == '\t')
			buf_adds(out, "\\t");
		else if (text_is_control(cp) && cp >= 0x10000)
			buf_addf(out, "\\u%04x\\u%04x", 0xD800u + ((cp - 0x10000) >> 10),
				 0xDC00u + ((cp - 0x10000) & 0x3FF));
		else if (text_is_control(cp))
			buf_addf(out, "\\u%04x", (unsigned)cp);
		else
			buf_add_utf8(out, cp);
	}
}

bool text_repair(struct buf *out, const char *text, size_t len)
{
	const char *p = text, *end = text + len;

	while (p < end && (unsigned char)*p < 0x80)
		p++;
	while (p < end) {
		const char *q = p;
		uint32_t cp = text_next(&q, end);

		if (text_is_ill_formed(cp, p, q))
			break;
		p = q;
	}
	if (p == end)
		return false;
	for (p = text; p < end;)
		buf_add_utf8(out, text_next(&p, end));
	return true;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

int text_hex_pair(const char *p)
{
	return hex_digit(p[0]) < 0 || hex_digit(p[1]) < 0 ? -1
							  : hex_digit(p[0]) * 16 + hex_digit(p[1]);
}

bool text_is_any(const char *text, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(text, list[i]) == 0)
			return true;
	return false;
}

void text_shell(struct buf *out, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "%+,-./:=@_";

	if (*word && strspn(word, plain) == strlen(word)) {
		buf_adds(out, word);
		return;
	}
	buf_addc(out, '\'');
	for (; *word; word++)
		if (*word == '\'')
			buf_adds(out, "'\\''");
		else
			buf_addc(out, *word);
	buf_addc(out, '\'');
}

/* ---- routes ---- */

static bool is_number(const char *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (p[i] < '0' || p[i] > '9')
			return false;
	return len > 0;
}

/* 16 and more hexadecimal digits, hyphens between them allowed, at least one of them 0 to 9. */
static bool is_id(const char *p, size_t len)
{
	size_t digits = 0, numbers = 0;

	for (size_t i = 0; i < len; i++) {
		bool is_digit = p[i] >= '0' && p[i] <= '9';

		if (!is_digit && !(p[i] >= 'a' && p[i] <= 'f') && !(p[i] >= 'A' && p[i] <= 'F') &&
		    p[i] != '-')
			return false;
		digits += p[i] != '-';
		numbers += is_digit;
	}
	return digits >= 16 && numbers > 0;
}

void text_add_route(struct buf *out, const char *path, size_t len)
{
	const char *end = path + len;

	for (const char *p = path; p < end;) {
		const char *slash = memchr(p + 1, '/', (size_t)(end - p - 1)),
			   *stop = slash ? slash : end;
		bool has_slash = *p == '/';
		size_t n = (size_t)(stop - p) - has_slash;

		if (has_slash)
			buf_addc(out, '/');
		if (is_number(p + has_slash, n) || is_id(p + has_slash, n))
			buf_adds(out, ":n");
		else
			buf_add(out, p + has_slash, n);
		p = stop;
	}
}
