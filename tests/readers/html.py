# SPDX-License-Identifier: GPL-2.0-or-later
"""Exports as a page in headless Chromium: its picture (see picture.py), its tables, which are the report's and can be
sorted, and its call tree; a picture and the tables without JavaScript, too."""
import os
import common
import picture
from browser import Browser

TABLE = """(heading => {
  const h = [...document.querySelectorAll('h2')].find(h => h.textContent.startsWith(heading));
  const table = h && h.nextElementSibling.querySelector('table');
  const isWanted = (_, i) => !/^(p[0-9]+|CPU)/.test(table.tHead.rows[0].cells[i].textContent);
  return table && [...table.tBodies[0].rows].map(row => [...row.cells].filter(isWanted).map(
    cell => cell.dataset.v || cell.textContent))
})('Functions by self time')"""
HEAD = """(() => {
  const h = [...document.querySelectorAll('h2')].find(h => h.textContent.startsWith('Functions by self time'));
  const th = [...h.nextElementSibling.querySelectorAll('th')].filter(
    th => !/^(p[0-9]+|CPU)/.test(th.textContent))[COLUMN];
  th.scrollIntoView({block: 'center'});
  const r = th.getBoundingClientRect();
  return {x: r.x + r.width / 2, y: r.y + r.height / 2, sort: th.getAttribute('aria-sort')} })()"""
BRANCH = """(() => {
  const d = document.querySelector('details');
  if (!d) return null;
  d.querySelector('summary').scrollIntoView({block: 'center'});
  const r = d.querySelector('summary').getBoundingClientRect();
  return {x: r.x + 5, y: r.y + r.height / 2, open: d.open} })()"""


def look_at_table(browser, report):
    """The first fault of the table of functions. Columns: self, percent, total, percent, name, location; of slices
    those of lengths are left out."""
    rows = browser.value(TABLE)
    want = {}
    for lane in report['lanes']:
        for row in lane.get('functions', []):
            if row['category'] != 'idle':
                want[row['name']] = want.get(row['name'], 0) + row['self_us']
    got = {}
    for row in rows or []:
        got[row[4]] = got.get(row[4], 0) + int(row[0]) / 1000
    for name, self_us in got.items():
        # Names in the page show control characters in a visible form.
        if name in want and abs(want[name] - self_us) > 0.01 + 0.001 * len(report['lanes']):
            return f'{ascii(name)} has self time {self_us}, in the report {want[name]}'
    if rows and not any(name in want for name in got):
        return 'no name of the table is in the report'
    if sum(want.values()) > 0 and not rows:
        return 'there is no table of functions'
    return None


def look_at_sorting(browser):
    """The first fault of clicks on heads: names go up, times go down."""
    for column, key in ((4, lambda row: row[4]), (2, lambda row: -int(row[2]))):
        head = browser.value(HEAD.replace('COLUMN', str(column)))
        browser.click(head['x'], head['y'])
        rows = browser.value(TABLE)
        keys = [key(row) for row in rows]
        if column == 2 and keys != sorted(keys):
            return 'a click on a head does not sort by time'
        # Scripts compare UTF-16.
        if column == 4 and [key.encode('utf-16-be') for key in keys] != sorted(
                key.encode('utf-16-be') for key in keys):
            return 'a click on a head does not sort by name'
        if browser.value(HEAD.replace('COLUMN', str(column)))['sort'] is None:
            return 'a head does not tell that it is sorted by'
    return None


def look_at_tree(browser):
    """The first fault of a click on the first branch of the call tree."""
    before = browser.value(BRANCH)
    if not before:
        return None
    browser.click(before['x'], before['y'])
    return None if browser.value(BRANCH)['open'] != before['open'] else 'a click does not open or close a branch'


def look(browser, path, report):
    """The first fault, or None; False if there are no boxes."""
    found = picture.look(browser, path)
    if found is not None:
        return found
    browser.open(path, script=False)
    found = look_at_table(browser, report)
    if found:
        return f'without JavaScript: {found}'
    browser.open(path)
    found = look_at_table(browser, report)
    if not found and browser.value(TABLE):
        found = look_at_sorting(browser)
    return found or look_at_tree(browser) or '; '.join(browser.errors)[:300] or None


def test(program, files, folder, tally):
    with Browser() as browser:
        for number, path in enumerate(files):
            out = os.path.join(folder, f'{number}.html')
            report = common.report_of(program, path)
            if report and common.export(program, path, out, 'html'):
                found = look(browser, out, report)
                if found is not False:
                    tally.add(path, found)


common.in_folder(test, common.FEW)
