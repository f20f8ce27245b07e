#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What flametty fleet prints, of fleets that are made here.

usage: fleet_report.py PROGRAM
Each recording has SAMPLES samples of 1 ms, so that the shares of functions are known. The last line
is `N passed, N failed`.
"""
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import unicodedata

import export_rules
import valid

SAMPLES = 1000
TABLES = 'functions hosts versions bins heaviest different changed since'.split()
TEXT_COLUMNS = valid.TEXT_COLUMNS | {'host', 'version', 'bin', 'since', 'not_judged'}
NUMBERS = re.compile(r'-?[0-9]+(\.[0-9]+)?(e-[0-9]+)?\Z')
RESULTS = []


def write(path, shares, file='/srv/app.js'):
    """A recording with functions by their number of samples; the rest is `rest`. None differs in bytes."""
    write.n += 1
    names = [*shares, 'rest']
    counts = [*shares.values(), SAMPLES - sum(shares.values())]
    nodes = [{'id': 1, 'callFrame': {'functionName': '(root)', 'scriptId': '0', 'url': '', 'lineNumber': -1,
                                     'columnNumber': -1}, 'children': list(range(2, len(names) + 2))}]
    nodes += [{'id': i + 2, 'callFrame': {'functionName': name, 'scriptId': '9', 'url': file, 'lineNumber': i,
                                          'columnNumber': 0}} for i, name in enumerate(names)]
    samples = [i + 2 for i, n in enumerate(counts) for _ in range(n)]
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8', errors='surrogatepass') as out:
        json.dump({'nodes': nodes, 'startTime': write.n, 'endTime': write.n + SAMPLES * 1000,
                   'samples': samples, 'timeDeltas': [1000] * SAMPLES}, out)


write.n = 0


def check(what, holds, seen=''):
    RESULTS.append(bool(holds))
    if not holds:
        print('FAILED: %s: %s' % (what, ascii(seen)[:2000]))


def run(*arguments, status=0):
    done = subprocess.run([sys.argv[1], 'fleet', *arguments], stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=300, check=False)
    messages = done.stderr.decode('utf-8', 'replace')
    check('exit status of %s' % (arguments,), done.returncode == status, (done.returncode, messages))
    check('stderr', 'Sanitizer' not in messages and 'runtime error' not in messages, messages)
    run.messages = messages
    return done.stdout


def cells(line):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in 'WF' else 1 for c in line)


def rules(what, function):
    try:
        result = function()
        check(what, True)
        return result
    except (valid.Broken, ValueError, KeyError, TypeError) as e:
        check(what, False, e)
        return None


def rows_of(table, *arguments):
    """The rows of CSV, after the rules for cells."""
    rows = valid.csv_rows(run('--format=csv', '--table=' + table, *arguments))
    for row in rows[1:]:
        for heading, cell in zip(rows[0], row):
            if heading in TEXT_COLUMNS:
                valid.expect(not re.match('[=+\\-@\t\r]', cell) or valid.PACKAGE.match(cell), 'a formula: %s', ascii(cell))
            else:
                valid.expect(cell in ('', 'true', 'false') or NUMBERS.match(cell), 'no number in %s: %s', heading, ascii(cell))
    return [dict(zip(rows[0], row)) for row in rows[1:]]


def all_forms(what, *arguments):
    """Rules that hold for each fleet; returns the document."""
    lines = rules(what + ' as text', lambda: valid.lines_of(run(*arguments)))
    wide = [line for line in lines or [] if cells(line) > 80]
    check(what + ': 80 columns', not wide, wide)
    # A tilde before a blank is no markup.
    rules(what + ' as md', lambda: export_rules.markdown_check(
        re.sub(r'\| ~ (?=[01]\.[0-9]+ \|)', '| ', valid.text_of(run('--format=md', *arguments)))))
    document = rules(what + ' as json', lambda: valid.json_of(run('--format=json', *arguments)))
    for table in TABLES:
        rows = rules(what + ' as csv ' + table, lambda t=table: rows_of(t, *arguments))
        lists = document and (document['changed']['functions'] if 'changed' in document else []) \
            if table == 'changed' else document and document[table]
        check(what + ': rows of ' + table, rows is not None and len(rows) == len(lists), table)
    return document


def planted(folder):
    """12 hosts: render takes 30 %, and 10 points more on h12; score takes 5 %, and 15 points more from version 2."""
    n_profiles = 4
    for host in range(1, 13):
        for version in ('1', '2'):
            for i in range(n_profiles):
                shares = {'render': 300 + 2 * host + (100 if host == 12 else 0),
                          'score': 50 + host % 5 + (150 if version == '2' else 0)}
                write('%s/%s/h%02d/%d.cpuprofile' % (folder, version, host, i), shares)
    return ['--label-from={version}/{host}/', folder]


def check_planted(folder):
    fleet = planted(folder)
    sides = ['--before', 'version=1', '--after', 'version=2']
    document = all_forms('planted', *sides, *fleet)
    by_host = {(f['host'], f['name']): f for f in document['functions']}
    check('share of a host', abs(by_host['h12', 'render']['self_percent'] - 42.4) < 0.2, by_host['h12', 'render'])
    check('profiles of a host', by_host['h01', 'render']['profiles_with'] == 8, by_host['h01', 'render'])
    top = {f['name']: f for f in document['heaviest']}['render']
    median = statistics.median([30 + 0.2 * h + (10 if h == 12 else 0) for h in range(1, 13)])
    check('median', abs(top['median_percent'] - median) < 0.2, top)
    changed = document['changed']['functions'][0]
    check('changed', changed['name'] == 'score' and changed['differs'] and abs(changed['change_points'] - 15) < 0.1 and
          changed['hosts_same_way'] == changed['hosts_on_both'] == 12 and changed['p_corrected'] < 0.001, changed)
    begin = '\n'.join(run(*sides, *fleet).decode().split('\n')[:10])
    for text in ('96 profiles of 12 hosts, 2 versions (1, 2)', 'heaviest: ', 'render 31 %', 'different: ',
                 'changed: score +15.0 pt', '12 of 12 hosts'):
        check('first ten lines: ' + text, text in begin, begin)
    check('h12 is different', re.search('different: h12: (render 42|rest)', begin), begin)
    run(*sides, "--fail-if=total(score) > +5pt", *fleet, status=1)
    run(*sides, "--fail-if=total(score) > +20pt", *fleet)
    run("--fail-if=total(score) > +5pt", *fleet, status=2)
    run('--before', 'version=0', '--after', 'version=2', *fleet, status=1)
    check('no side', 'no profile with busy time has version=0 (--before)' in run.messages, run.messages)
    run('--table=lanes', *fleet, status=2)
    few = run(*sides, '--where=host=h01', *fleet).decode()
    check('one run on a side', 'one run on a side' in few and 'changed: no function' in few, few)
    limited = rules('--top', lambda: valid.json_of(run('--format=json', '--top=1', *sides, *fleet)))
    check('--top', [len(limited[t]) for t in ('functions', 'hosts', 'heaviest')] == [12, 1, 1] and
          len(limited['changed']['functions']) == 1, limited)
    text = run('--top=2', *fleet).decode()
    check('--top of text', '10 more hosts (--top=N)' in text, text)
    text = run(folder).decode()
    check('no host', '--label-from=' in text and 'different' not in text, text)


def check_hostile(folder):
    names = [n for n in valid.NAMES if n.isprintable() is not None and '/' not in n and '\0' not in n and
             0 < len(n.encode('utf-8', 'surrogatepass')) < 250 and n not in ('.', '..') and
             not re.search('[\ud800-\udfff]', n)]
    names += ['h' * 200, '\u6f22' * 60]
    for i, name in enumerate(names):
        for k in range(2):
            write('%s/%d/%s/%d.cpuprofile' % (folder, k, name, k), {valid.NAMES[i % len(valid.NAMES)]: 400, name: 200},
                  file=name)
    all_forms('hostile', '--label-from={version}/{host}/', '--before', 'version=0', '--after', 'version=1', folder)


def check_many(folder):
    for host in range(2000):
        write('%s/h%04d/a.cpuprofile' % (folder, host), {'render': 300 + host % 50})
    lines = run('--label-from={host}/', folder).decode().split('\n')
    check('2,000 hosts', '2 000 profiles of 2 000 hosts' in lines[1] and len(lines) < 60, lines)
    document = valid.json_of(run('--label-from={host}/', '--format=json', folder))
    check('2,000 hosts as json', len(document['hosts']) == 2000, len(document['hosts']))


def main():
    valid.csv.field_size_limit(1 << 30)
    with tempfile.TemporaryDirectory() as folder:
        check_planted(folder + '/planted')
        check_hostile(folder + '/hostile')
        check_many(folder + '/many')
    print('%d passed, %d failed' % (sum(RESULTS), len(RESULTS) - sum(RESULTS)))
    return not all(RESULTS)


if __name__ == '__main__':
    sys.exit(main())
