# SPDX-License-Identifier: GPL-2.0-or-later
"""Exports as SVG in headless Chromium: see picture.py."""
import os
import common
import picture
from browser import Browser


def test(program, files, folder, tally):
    with Browser() as browser:
        for number, path in enumerate(files):
            out = os.path.join(folder, f'{number}.svg')
            for options in ((), ('--merged',)):
                if common.export(program, path, out, 'svg', *options):
                    found = picture.look(browser, out)
                    if found is not False:
                        tally.add(f'{path} {" ".join(options)}', found)


common.in_folder(test, common.FEW)
