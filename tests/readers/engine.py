# SPDX-License-Identifier: GPL-2.0-or-later
"""What a trace of a page says of its pages is what the engine of DevTools' Performance panel finds.

A check is given what the engine found (engine.mjs says what that is), the program, the path of the
trace and its report, and returns what differs, as a text, or None. To compare more, add one to
CHECKS.
"""
import os
import common

TRACES = ['data/trace', 'data/storefront', 'tests/input/trace-vitals.json']
CORPUS = os.path.join(common.TOP, '..', 'shared', 'corpus', 'trace')
NAMES = {'fp': 'fp_us', 'fcp': 'fcp_us', 'lcp': 'lcp_us', 'dcl': 'dcl_us', 'load': 'load_us'}
# Ends of the phases of LCP. The times of its image have a digit of a millisecond in the candidate,
# from which they are taken; the engine takes those of the request.
PHASES = {'ttfb': ('first_byte_us', 1), 'loadDelay': ('lcp_image_start_us', 300),
          'loadDuration': ('lcp_image_end_us', 300)}


def is_far(one, other, far=1):
    return (one is None) != (other is None) or (one is not None and abs(one - other) > far)


def check_vitals(found, report, **_):
    """Milestones and phases of each navigation that the engine has, and no others."""
    pages = {round(page['navigation_us'] + report['start_us']): page
             for page in report.get('vitals', []) if page['navigation_us'] is not None}
    for want in found['vitals']:
        page = pages.pop(want['navigation'], None)
        if not page:
            return f'no navigation at {want["navigation"]}'
        for name, member in NAMES.items():
            if is_far(want.get(name), page[member]):
                return f'{name} {page[member]}, engine {want.get(name)}'
        for name, (member, far) in PHASES.items():
            if want['phases'] and is_far(want['phases'].get(name), page[member], far):
                return f'{member} {page[member]}, engine {want["phases"].get(name)}'
    if any(page[member] is not None for page in pages.values() for member in NAMES.values()):
        return f'navigations that the engine has not: {sorted(pages)}'
    return None


def check_cls(found, report, **_):
    worst = max([page['cls'] or 0 for page in report.get('vitals', [])], default=0)
    return f'CLS {worst}, engine {found["cls"]}' if abs(worst - found['cls']) > 2e-6 else None


def check_interactions(found, program, path, report, **_):
    """All interactions; and the longest, which is INP if no page has fifty."""
    lanes = common.report_of(program, path, '--lane=Interactions', '--with=spans')['lanes'] if found['interactions'] else []
    got = sorted((span[2], span[3], lane['functions'][span[1]]['name'].removesuffix(' (INP)'))
                 for lane in lanes for span in lane.get('spans_list', []) if span[0] == 0)
    want = sorted((one['ts'] - report['start_us'], one['dur'], one['type']) for one in found['interactions'])
    if len(got) != len(want):
        return f'{len(got)} interactions, engine {len(want)}'
    for one, other in zip(got, want):
        if abs(one[0] - other[0]) > 1 or abs(one[1] - other[1]) > 1 or one[2] != other[2]:
            return f'interaction {one}, engine {other}'
    worst = max([page['inp_us'] or 0 for page in report.get('vitals', [])], default=0)
    if len(want) < 50 and worst != (found['inp'] or 0):
        return f'INP {worst}, engine {found["inp"]}'
    return None


def check_worst(found, report, **_):
    """The phases of INP."""
    for page in report.get('vitals', []):
        inp = page.get('inp')
        for one in found['interactions'] if inp else []:
            if round(inp['start_us'] + report['start_us']) == one['ts'] and page['inp_us'] == one['dur']:
                for member, name in (('input_delay_us', 'inputDelay'), ('processing_us', 'processing'),
                                     ('presentation_us', 'presentationDelay')):
                    if is_far(inp[member], one[name], 2):
                        return f'{member} {inp[member]}, engine {one[name]}'
    return None


CHECKS = [check_vitals, check_cls, check_interactions, check_worst]


def test(program, files, folder, tally):
    jobs = {path: 'trace' for path in files}
    for path, found in common.read_by_node('engine.mjs', folder, jobs).items():
        report = common.report_of(program, path)
        if not report or not common.is_trace(report):
            continue
        # The engine refuses many traces without a page.
        if isinstance(found, str):
            if report.get('vitals'):
                tally.add(path, found[:300])
            continue
        for check in CHECKS:
            tally.add(f'{path}: {check.__name__}', check(found=found, program=program, path=path, report=report))


common.need('node')
common.package('@paulirish/trace_engine')
common.in_folder(test, TRACES + ([CORPUS] if os.path.isdir(CORPUS) else []))
