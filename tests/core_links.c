/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Linked with all objects of libcore.a and without ncurses. The test is that this links. */
int main(void)
{
	return 0;
}
