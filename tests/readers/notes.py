# SPDX-License-Identifier: GPL-2.0-or-later
"""Notes in a trace that is written name, for the engine of DevTools' Performance panel, the calls that
they were written to: a slice of a trace that is copied, a call of samples of a profile."""
import os
import subprocess
import common

FILES = ['data/trace', 'data/storefront', 'tests/input/small.cpuprofile', 'tests/input/trace-notes.json']
TASK = '/^RunTask$<Enter>:note of a test<Enter>'


def note(program, path, out):
    """Write a note to the first task, or else to what is selected; its name and place."""
    keys = f'{TASK if "trace" in path else ":note of a test<Enter>"}ol0:export! trace {out}<Enter>'
    subprocess.run([program, '--render=120x40', f'--keys={keys}', path], capture_output=True, timeout=120, check=True)


def check(found, path):
    own = [one for one in found if one['label'] == 'of a test']
    if len(own) != 1:
        return f'{len(own)} notes'
    if own[0]['name'] != ('RunTask' if 'trace' in path else 'ProfileCall'):
        return f'the note is about {own[0]}'
    for one in found:
        if one['back'] != one['key']:
            return f'{one["key"]} is {one["back"]} to the engine'
    return None


def test(program, files, folder, tally):
    outs = {}
    for number, path in enumerate(files):
        out = os.path.join(folder, f'{number}.json')
        note(program, path, out)
        outs[out] = path
    for out, found in common.read_by_node('engine.mjs', folder, {out: 'trace' for out in outs}).items():
        tally.add(outs[out], found[:300] if isinstance(found, str) else check(found['notes'], outs[out]))


common.need('node')
common.package('@paulirish/trace_engine')
common.in_folder(test, FILES)
