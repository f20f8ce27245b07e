# SPDX-License-Identifier: GPL-2.0-or-later
"""The picture of an export, an SVG or in a page, in headless Chromium: it has the boxes, with and without JavaScript;
a click shows a box in full width, a search counts matches, Escape goes back."""
import re
from browser import SIZE

BOXES = '''[...document.querySelectorAll('g.b')].map(g => {
  const r = g.querySelector('rect').getBoundingClientRect();
  return {name: g.querySelector('title').textContent.split('\\n')[0], x: r.x, y: r.y, w: r.width, h: r.height,
          shown: g.style.display !== 'none', off: g.classList.contains('off'), mark: g.classList.contains('sel'),
          color: getComputedStyle(g.querySelector('rect')).fill} })'''
INFO = "document.querySelector('#info').textContent"


def visible(boxes):
    return [box for box in boxes if box['shown'] and box['w'] >= 6 and 0 <= box['y'] and box['y'] + 17 < SIZE[1]]


def missing_box(browser, picture, boxes):
    """The name of a box that has the background's colour at its right, where no name stands; None: of none."""
    points = [(box['x'] + box['w'] - 2, box['y'] + 3) for box in boxes]
    for box, color in zip(boxes, browser.colors(picture, points)):
        if color == [255, 255, 255, 255]:
            return box['name']
    return None


def show(browser, path, script):
    """Open a file with its picture at the top of the window."""
    browser.open(path, script=script)
    browser.value("document.querySelector('#flametty').scrollIntoView()")


def look(browser, path):
    """The first fault, or None; False if there are no boxes."""
    show(browser, path, False)
    plain = browser.picture()
    show(browser, path, True)
    boxes = visible(browser.value(BOXES))
    if not boxes:
        return False
    picture = browser.picture()
    for one in (plain, picture):
        missing = missing_box(browser, one, boxes)
        if missing is not None:
            return f'the box of {ascii(missing)} is not in the picture'
    # The narrowest box with room for a click gets the full width.
    box = min(boxes, key=lambda box: box['w'])
    browser.click(box['x'] + box['w'] / 2, box['y'] + box['h'] / 2)
    after = [one for one in browser.value(BOXES) if one['mark']]
    if len(after) != 1 or after[0]['name'] != box['name'] or abs(after[0]['w'] - 1180) > 1:
        return f'a click on {ascii(box["name"])}, {box["w"]} wide, gives {after}'
    if not browser.value(INFO).startswith(box['name']):
        return f'a click tells {ascii(browser.value(INFO))}'
    browser.answer = re.escape(box['name'])
    browser.key('/', '/')
    matching = sum(1 for one in browser.value(BOXES) if not one['off'])
    told = browser.value(INFO)
    if not re.match(rf'{matching} box', told) or matching == 0:
        return f'a search finds {matching} boxes and tells {ascii(told)}'
    browser.key('Escape')
    back = visible(browser.value(BOXES))
    if [(one['name'], round(one['x']), one['off']) for one in back] != [
            (one['name'], round(one['x']), False) for one in boxes]:
        return 'Escape does not show the whole again'
    return '; '.join(browser.errors)[:300] or None
