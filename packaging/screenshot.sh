#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A picture of the screen of flametty: what the real program draws in a terminal of tmux, as SVG.
#
# usage: packaging/screenshot.sh COLSxROWS PROGRAM ARGUMENT... >picture.svg
# packaging/screen.svg was made in the sources by
#   packaging/screenshot.sh 120x34 ./flametty data/http-server
# Needs tmux and python3. The same program and files give the same bytes.
set -u
[ $# -ge 3 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
for tool in tmux python3; do
	command -v $tool >/dev/null || { echo "screenshot.sh: $tool is missing" >&2; exit 77; }
done
size=$1
shift
work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
in_tmux() { env -u TMUX tmux -u -S "$work/tmux" -f /dev/null "$@"; }
trap 'in_tmux kill-server 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
program=$(command -v "$1") && program=$(realpath "$program") || exit 1
shift

in_tmux new-session -d -x "${size%x*}" -y "${size#*x}" env -i HOME="$work" TERM=tmux-256color LANG=C.UTF-8 \
	"$program" "$@" --no-config --color=256 --theme=dark || exit 1
# The picture is complete when it stays as it is.
same=0 tries=200
while [ $same -lt 5 ]; do
	tries=$((tries - 1))
	[ $tries -gt 0 ] || { echo "screenshot.sh: the screen is not complete after 40 s" >&2; exit 1; }
	sleep 0.2
	in_tmux capture-pane -e -N -p >"$work/now" || exit 1
	grep -q samples "$work/now" && cmp -s "$work/now" "$work/before" && same=$((same + 1)) || same=0
	mv "$work/now" "$work/before"
done
python3 - "$size" "$work/before" <<'END'
import html, re, sys

WIDTH, HEIGHT, BASE = 8, 17, 13  # a cell in pixels, and where its letters stand
PAGE, TEXT = "#121212", "#d0d0d0"
cols, rows = map(int, sys.argv[1].split("x"))
BLOCKS = {chr(0x2581 + i): (0, 7 - i, 8, i + 1) for i in range(8)}  # ▁ to █, in eighths of a cell
BLOCKS.update({chr(0x258f - i): (0, 0, i + 1, 8) for i in range(7)})  # ▏ to ▉


def color(n):
    if n < 16:
        return "#%02x%02x%02x" % tuple((255 if n > 8 else 128) * (n >> i & 1) for i in range(3))
    if n >= 232:
        return "#" + "%02x" % (8 + 10 * (n - 232)) * 3
    n -= 16
    return "#%02x%02x%02x" % tuple(v and 55 + 40 * v for v in (n // 36, n // 6 % 6, n % 6))


def cells(line, style):
    """(character, foreground, background, is bold, is underlined) of each cell; `style` goes on."""
    for codes, char in re.findall("\x1b\\[([0-9;]*)m|(.)", line):
        if char:
            fore, back = style.get("fore", TEXT), style.get("back", PAGE)
            if style.get("turned"):
                fore, back = back, fore
            yield char, fore, back, bool(style.get("bold")), bool(style.get("line"))
            continue
        codes = [int(c or 0) for c in codes.split(";")]
        while codes:
            code = codes.pop(0)
            if code == 0:
                style.clear()
            elif code in (38, 48):
                style["fore" if code == 38 else "back"] = color(codes[1])
                del codes[:2]
            elif code in (39, 49):
                style.pop("fore" if code == 39 else "back", None)
            else:
                style[{1: "bold", 4: "line", 7: "turned"}[code]] = True


def rect(x, y, width, height, fill):
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}"/>'


grounds, blocks, texts, style = [], [], [], {}
for row, line in enumerate(open(sys.argv[2], encoding="utf-8").read().split("\n")[:rows]):
    line = list(cells(line, style))
    at, top = 0, row * HEIGHT
    while at < len(line):
        kind, end = line[at][1:], at
        is_block = line[at][0] in BLOCKS
        while end < len(line) and line[end][1:] == kind and (line[end][0] in BLOCKS) == is_block:
            end += 1
        fore, back, is_bold, is_lined = kind
        text = "".join(c[0] for c in line[at:end])
        if back != PAGE:
            grounds.append(rect(at * WIDTH, top, (end - at) * WIDTH, HEIGHT, back))
        for i, char in enumerate(text if is_block else ""):
            x, y, w, h = BLOCKS[char]
            blocks.append(rect((at + i) * WIDTH + x, top + y * HEIGHT / 8, w, h * HEIGHT / 8, fore))
        # Blanks that follow each other would be drawn as one.
        for word in [] if is_block else re.finditer(r"\S+(?: \S+)*", text):
            texts.append(f'<text x="{(at + word.start()) * WIDTH}" y="{top + BASE}"'
                         f' textLength="{len(word[0]) * WIDTH}" fill="{fore}"' +
                         ' font-weight="bold"' * is_bold + ' text-decoration="underline"' * is_lined +
                         f">{html.escape(word[0], False)}</text>")
        at = end
print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {cols * WIDTH} {rows * HEIGHT}"'
      ' font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="13">')
print(rect(0, 0, cols * WIDTH, rows * HEIGHT, PAGE), *grounds, *blocks, *texts, "</svg>", sep="\n")
END
