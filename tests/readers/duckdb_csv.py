# SPDX-License-Identifier: GPL-2.0-or-later
"""Tables as CSV, read by DuckDB without being told types: rows, names and sums are those of the report."""
import os
import subprocess
import common

try:
    import duckdb
except ImportError:
    common.skip('no Python module duckdb')

NUMBERS = {'BIGINT', 'DOUBLE', 'INTEGER', 'HUGEINT', 'DECIMAL'}


def table(program, path, out, name):
    with open(out, 'wb') as file:
        run = subprocess.run([program, 'report', '--format=csv', f'--table={name}', '--raw-csv', '--top=1000000', path],
                             stdout=file, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    return run.returncode == 0


def test(program, files, folder, tally):
    out, db = os.path.join(folder, 'table.csv'), duckdb.connect()
    for path in files:
        report = common.report_of(program, path)
        if not report or not table(program, path, out, 'functions'):
            continue
        types = {row[0]: row[1] for row in db.execute("DESCRIBE SELECT * FROM read_csv(?)", [out]).fetchall()}
        times = {}
        for name, url, time in db.execute(
                "SELECT name::VARCHAR, nullif(url::VARCHAR, ''), sum(self_us::DOUBLE) FROM read_csv(?) GROUP BY ALL",
                [out]).fetchall():
            if time:
                key = common.plain_name(name), url
                times[key] = times.get(key, 0) + time
        if table(program, path, out, 'stacks'):
            stacks = {}
            for name, url, time in db.execute(
                    "SELECT name::VARCHAR, nullif(url::VARCHAR, ''), sum(value_ns::DOUBLE) / 1000 FROM read_csv(?) "
                    "GROUP BY ALL", [out]).fetchall():
                if time:
                    key = common.plain_name(name), url
                    stacks[key] = stacks.get(key, 0) + time
            tally.add(f'{path} stacks', common.difference(stacks, times, 0.01))
        tally.add(path, None if types['self_us'] in NUMBERS else f'self_us is {types["self_us"]}')
        tally.add(path, common.difference(common.by_function(
            report, lambda row: (common.plain_name(row['name']), row['url']), ('samples', 'slices')), times, 0.01))


common.in_folder(test, common.SOME)
