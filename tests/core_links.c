/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Linked with every object below src/term, and without ncurses. That it links is
 * the test. */
int main(void)
{
	return 0;
}
