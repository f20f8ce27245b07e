# SPDX-License-Identifier: GPL-2.0-or-later
"""The same questions to flametty, DuckDB and ClickHouse's engine (chdb), of one fleet and of one with
hostile names. usage: engines.py FLAMETTY"""
import json
import os
import subprocess
import sys
import tempfile

try:
    import duckdb
except ImportError:
    duckdb = None
try:
    from chdb import session
except ImportError:
    session = None

HERE = os.path.dirname(os.path.abspath(__file__))
LABELS = '--label-from={version}/{host}/{time}.'
flametty = os.path.abspath(sys.argv[1])
n = {'passed': 0, 'failed': 0}


def check(what, is_right, more=''):
    n['passed' if is_right else 'failed'] += 1
    if not is_right:
        print(f'{what}: {more}')


def run(*args, stdin=None):
    done = subprocess.run([flametty, *args], capture_output=True, input=stdin)
    if done.returncode:
        raise SystemExit(f'flametty {args}: {done.stderr.decode()}')
    return done.stdout.decode()


class DuckDB:
    name = 'duckdb'

    def __init__(self, folder):
        self.db = duckdb.connect()
        self.db.execute(open(folder + '/load.duckdb.sql').read())

    def rows(self, sql):
        found = self.db.execute(sql)
        columns = [column[0] for column in found.description]
        return [dict(zip(columns, row)) for row in found.fetchall()]


class ClickHouse:
    name = 'clickhouse'

    def __init__(self, folder):
        self.session = session.Session(folder + '/db')
        self.session.query(open(folder + '/load.clickhouse.sql').read())

    def rows(self, sql):
        raw = 'FORMAT TabSeparatedRaw;'
        text = str(self.session.query(sql.replace(raw, ''), 'JSONEachRow'))
        return [json.loads(line) for line in text.splitlines()]

    def close(self):
        self.session.close()


ENGINES = [engine for engine, module in ((DuckDB, duckdb), (ClickHouse, session)) if module]


def ask(engine, *args):
    return engine.rows(run('fleet', '--sql=' + engine.name, *args))


def same(a, b):
    return abs(a - b) <= 1e-6 * max(1, abs(a), abs(b))


def compare(what, got, want):
    """Dicts of tuples of numbers. got may lack nothing and has nothing more."""
    check(what, want and set(got) == set(want), f'{sorted(set(got) ^ set(want))[:5]} of {len(want)}')
    for key in set(got) & set(want):
        check(f'{what} {key}', all(same(x, y) for x, y in zip(got[key], want[key])), f'{got[key]} not {want[key]}')


def median(values):
    values = sorted(values)
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


def place(row):
    return row['name'], row['file'] or ''


def shares_of(report, key):
    """By host, version or bin: the shares of all functions in percent."""
    shares = {}
    for row in report:
        shares.setdefault(row[key], {})[place(row)] = row['self_percent']
    return shares


def fleet(folder, engines):
    options = [LABELS, '--top=1000', '-f', 'json', '--before', 'version=1.4.0', '--after', 'version=1.4.1', '--by=hour']
    report = json.loads(run('fleet', *options, folder + '/fleet'))
    hosts = shares_of(report['functions'], 'host')
    judged = {row['host'] for row in report['hosts'] if not row['not_judged']}
    check('hosts that are not judged', len(judged) == len(hosts) - 2, judged)
    for engine in engines:
        name = engine.name
        got = {row['host'] for row in engine.rows('SELECT host FROM hosts WHERE judged')}
        check(name + ' judged', got == judged, got)
        compare(name + ' top', {place(r): (100 * r['median'],) for r in ask(engine, 'top')},
                {place(r): (r['median_percent'],) for r in report['heaviest'][:20]})
        # The analysis asks more of a host than the query does.
        want = different(report, hosts, judged)
        compare(name + ' different', {key: numbers for key, numbers in asked_different(engine).items() if key in want}, want)
        compare(name + ' changed', {place(r): (100 * r['before'], 100 * r['after'], 100 * r['change'], r['alike'], r['hosts'])
                                    for r in ask(engine, 'changed', 'before=1.4.0', 'after=1.4.1')},
                {place(r): (r['before_percent'], r['after_percent'], r['change_points'], r['hosts_same_way'], r['hosts_on_both'])
                 for r in report['changed']['functions'] if abs(r['change_points']) >= 1})
        compare(name + ' since', {(r['bin'], *place(r)): (100 * r['share'], r['profiles'])
                                  for r in ask(engine, 'since')},
                {(r['bin'], *place(r)): (r['self_percent'], r['profiles']) for r in report['bins'] if r['self_percent'] >= 1})
        stacks(engine, report)
        slowest(engine, report)


def asked_different(engine):
    return {(r['host'], *place(r)): (100 * r['share'], 100 * r['median'], 100 * r['mad'])
            for r in ask(engine, 'different')}


def different(report, hosts, judged):
    want = {}
    for row in report['different']:
        others = [hosts[host].get(place(row), 0) for host in judged if host != row['host']]
        middle = row['elsewhere_percent']
        want[row['host'], *place(row)] = (row['there_percent'], middle, median([abs(x - middle) for x in others]))
    return want


def stacks(engine, report):
    """What the stacks of a host say when flametty has read them again."""
    lines = [row['folded'] for row in ask(engine, 'stacks', 'host=h2')]
    again = json.loads(run('report', '-f', 'json', '--top=1000', '-', stdin='\n'.join(lines).encode()))
    got, want = {}, {}
    for row in again['lanes'][0]['functions']:
        got[row['name']] = got.get(row['name'], 0) + row['self_us']
    for row in report['functions']:
        if row['host'] == 'h2':
            want[row['name']] = want.get(row['name'], 0) + row['self_us']
    want = {name: us for name, us in want.items() if us >= 1000}
    check(engine.name + ' stacks', lines and all(abs(got.get(name, 0) - us) < len(lines) + 1 for name, us in want.items()),
          [(name, us, got.get(name)) for name, us in want.items() if abs(got.get(name, 0) - us) >= len(lines) + 1][:3])


def slowest(engine, report):
    """The longest calls of a function that does not call itself, which each recording tells of itself."""
    name = report['heaviest'][0]['name']
    rows = ask(engine, 'slowest', 'function=' + name, 'host=h2')
    spans = {(place, span['start_us'], span['duration_us']) for place in {row['path'] for row in rows}
             for span in json.loads(run('report', '-f', 'json', '--spans=^' + name + '$', place))['summary']['spans']}
    got = [(row['path'], int(row['start_ns']) / 1000, int(row['dur_ns']) / 1000) for row in rows]
    lengths = [length for *_, length in got]
    check(engine.name + ' slowest', len(got) == 20 and lengths == sorted(lengths, reverse=True) and lengths[-1] >= 2000, got)
    check(engine.name + ' slowest spans', set(got) <= spans, sorted(set(got) - spans)[:3])
    most = sorted((length for *_, length in spans), reverse=True)[:20]
    check(engine.name + ' slowest of all', lengths[:5] == most[:5], (lengths[:5], most[:5]))
    everything = ask(engine, 'slowest')
    check(engine.name + ' slowest, all', len(everything) == 20 and all(row['name'] != '(idle)' for row in everything), everything)


HOSTILE = ['a"b', "it's", 'x,y', 'line\nfeed', 'return\r\n"', 'nul\0nul', '\\N', '', '\\', "\\' OR 1=1 --", 'tab\t', '\ud800',
           '<\x1b[31m>', '日本', '{{host}}', "'); DROP TABLE profiles; --", 'a;b']


HOSTS = [b"h'1", b'h"2', b'h,3', b'h\n4', b'h\\5', b'h\xff6', b"h';DROP TABLE samples;--"]


def hostile_files(folder):
    for i, host in enumerate(HOSTS):
        path = os.path.join(folder.encode(), b'hostile', host)
        os.makedirs(path)
        nodes = [{'id': 1, 'callFrame': {'functionName': '(root)', 'url': '', 'lineNumber': -1, 'columnNumber': -1},
                  'children': list(range(2, len(HOSTILE) + 2))}]
        nodes += [{'id': k + 2, 'callFrame': {'functionName': name, 'scriptId': '1', 'url': f'file:///{k}/{name}',
                                              'lineNumber': 1, 'columnNumber': 1}} for k, name in enumerate(HOSTILE)]
        samples = [k + 2 for k in range(len(HOSTILE))] * 20
        with open(path + b'/p"\n,\xfe.cpuprofile', 'w') as out:
            json.dump({'nodes': nodes, 'samples': samples, 'timeDeltas': [1000 + i] * len(samples),
                       'startTime': 1, 'endTime': 1 + len(samples) * (1000 + i)}, out)


def hostile(engines):
    found = []
    for engine in engines:
        rows = engine.rows('SELECT host, path FROM profiles ORDER BY host')
        names = engine.rows('SELECT name, file, url FROM functions ORDER BY name, file')
        sums = engine.rows('SELECT count(*) AS n, sum(value_ns) AS ns FROM samples JOIN stacks USING (stack_id)'
                           ' JOIN profiles USING (profile_id)')
        found.append((rows, names, [{key: int(value) for key, value in row.items()} for row in sums]))
        check(engine.name + ' hosts', len({row['host'] for row in rows}) == len(HOSTS), rows)
        check(engine.name + ' names', len(names) >= len(HOSTILE) - 1 and sums[0]['n'], names)
        texts = [text for row in names + rows for text in row.values()]
        check(engine.name + ' controls', not any(c < ' ' for text in texts for c in text), texts)
        for text in ('a"b', "it's", 'x,y', '\\N', "\\' OR 1=1 --", '日本', '{{host}}'):
            check(f'{engine.name} {text}', any(row['name'] == text for row in names), names)
        for host in HOSTS:
            argument = b'host=' + host
            sql = subprocess.run([flametty, 'fleet', '--sql=' + engine.name, 'stacks', argument], capture_output=True).stdout
            got = engine.rows(sql.decode())
            check(f'{engine.name} stacks of {host}', len(got) >= len(HOSTILE) - 2, len(got))
        check(engine.name + ' tables', len(engine.rows('SELECT * FROM samples')) > 0)
    check('both engines', all(one == found[0] for one in found), found)


def questions():
    for args in (['nothing'], ['top', 'host=x'], ['changed', 'before=1'], ['stacks', 'host']):
        done = subprocess.run([flametty, 'fleet', '--sql=duckdb', *args], capture_output=True)
        check(f'--sql {args}', done.returncode == 2 and not done.stdout, done)


def tables(folder, name, export):
    """Write the tables and load them. Returns the engines."""
    os.makedirs(export)
    run('fleet', '--export=' + export, *(['--min-span=2ms'] if name == 'fleet' else []), LABELS if name == 'fleet' else '--label-from={host}/', f'{folder}/{name}')
    again = subprocess.run([flametty, 'fleet', '--export=' + export, f'{folder}/{name}'], capture_output=True)
    check('tables are not replaced', again.returncode == 1 and b'exists already' in again.stderr, again)
    return [engine(export) for engine in ENGINES]


def main():
    if not ENGINES:
        print('no Python modules duckdb, chdb')
        sys.exit(77)
    questions()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, HERE + '/make.py', '--hosts=9', '--hours=4', '--per-hour=1', '--samples=1000',
                        '--bytes=30000', '--regression', '--odd', '--bad', '--idle', folder + '/fleet'],
                       check=True, stdout=subprocess.DEVNULL)
        engines = tables(folder, 'fleet', folder + '/tables')
        fleet(folder, engines)
        for engine in engines:
            if engine.name == 'clickhouse':
                engine.close()
        hostile_files(folder)
        hostile(tables(folder, 'hostile', folder + "/t[1]*'{x}"))
    print(f'{n["passed"]} passed, {n["failed"]} failed')
    sys.exit(n['failed'] > 0)


if __name__ == '__main__':
    main()
