#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What commands print as JSON is what their schemas say, member by member.

usage: schema.py PROGRAM
1. The schemas use only the words that Validator knows, close all objects, and refer to what there is.
2. All outputs are valid: reports about tests/input, data, tests/fuzz/seeds and hostile inputs with all that
   options add, the commands of tests/golden that print JSON, comparisons, fleets, and lines of watch.
3. Each member of a schema is in some output. So none is invented, or left there when it has gone.
4. Of each output with something new, copies are made that are wrong in one place: with one more member,
   without one that must be there, or with a value of another type. None of them is valid.
Where python3 has the module jsonschema, it says the same of all of them.
The last line is `N passed, N failed`.
"""
import glob
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

import valid

try:
    import jsonschema
except ImportError:
    jsonschema = None

TYPES = {'object': dict, 'array': list, 'string': str, 'boolean': bool, 'null': type(None), 'integer': int,
         'number': (int, float)}
WORDS = {'$schema', '$defs', '$ref', 'title', 'description', 'type', 'enum', 'const', 'properties', 'required',
         'patternProperties', 'additionalProperties', 'items', 'prefixItems', 'minItems', 'maxItems', 'minimum',
         'pattern', 'anyOf', 'oneOf'}
WITH = '--with=tree,bottomup,spans,labels'
PLAIN = [['--max-rows=50', WITH], ['--table=lines', '--fail-if=self(.) > 1ms', '--fail-if=blocked > 0ms']]
TABLES = [['--table=requests'], ['--table=routes'], ['--table=waits'], ['--table=kinds'], ['--callers=.'],
          ['--callees=.'], ['--spans=.'], ['--source=.'], ['--group=package']]
# The members that no output here has, but that the one of another object of the same kind shows: slices of an event
# are seldom heavy, and only self times are tested for room.
UNSEEN = re.compile(r'(report.*|diff.*)\.event|diff\.functions\[\]\.total\.is_room|report\.lanes\[\]\.runs\[\]\.in_script.*')


def is_type(value, name):
    return isinstance(value, TYPES[name]) and (name == 'boolean' or not isinstance(value, bool))


def same(a, b):
    return type(a) is type(b) and a == b


class Validator:
    """A schema with the words of WORDS. seen: the paths of members that valid values have had."""

    def __init__(self, name, schema):
        self.name, self.root, self.seen = name, schema, set()

    def errors(self, value):
        return list(self.of(value, self.root, '', self.seen))

    def follow(self, schema):
        while '$ref' in schema:
            schema = self.root['$defs'][schema['$ref'][len('#/$defs/'):]]
        return schema

    def of(self, value, schema, path, seen):
        schema = self.follow(schema)
        types = schema.get('type', [])
        types = [types] if isinstance(types, str) else types
        if types and not any(is_type(value, name) for name in types):
            yield '%s: %s is no %s' % (path, ascii(value)[:80], ' or '.join(types))
            return
        if 'enum' in schema and not any(same(value, one) for one in schema['enum']):
            yield '%s: %s is none of the words' % (path, ascii(value)[:80])
        if 'const' in schema and not same(value, schema['const']):
            yield '%s: %s is not %s' % (path, ascii(value)[:80], schema['const'])
        if 'minimum' in schema and is_type(value, 'number') and value < schema['minimum']:
            yield '%s: %s is less than %s' % (path, value, schema['minimum'])
        if 'pattern' in schema and isinstance(value, str) and not re.search(schema['pattern'], value):
            yield '%s: %s does not match' % (path, ascii(value)[:80])
        if isinstance(value, list):
            yield from self.of_list(value, schema, path, seen)
        if isinstance(value, dict):
            yield from self.of_object(value, schema, path, seen)
        for word, most in (('anyOf', len(schema.get('anyOf', []))), ('oneOf', 1)):
            fits = []
            for one in schema.get(word, []):
                also = set()
                if not list(self.of(value, one, path, also)):
                    fits.append(also)
            if word in schema and not 0 < len(fits) <= most:
                yield '%s: %d of %s' % (path, len(fits), word)
            for also in fits:
                seen |= also

    def of_list(self, value, schema, path, seen):
        first = schema.get('prefixItems', [])
        if not schema.get('minItems', 0) <= len(value) <= schema.get('maxItems', len(value)):
            yield '%s: %d elements' % (path, len(value))
        for i, item in enumerate(value):
            one = first[i] if i < len(first) else schema.get('items')
            if one is not None:
                yield from self.of(item, one, path + '[]', seen)

    def of_object(self, value, schema, path, seen):
        members, patterns = schema.get('properties', {}), schema.get('patternProperties', {})
        rest = schema.get('additionalProperties', True)
        for name in schema.get('required', []):
            if name not in value:
                yield '%s: no member %s' % (path, name)
        for name, item in value.items():
            found = [members[name]] if name in members else []
            found += [one for pattern, one in patterns.items() if re.search(pattern, name)]
            if not found and rest is False:
                yield '%s: another member, %s' % (path, ascii(name))
            if not found and isinstance(rest, dict):
                found = [rest]
            for one in found:
                seen.add('%s.%s' % (path, re.sub('_us$', '', name) if name not in members else name))
                yield from self.of(item, one, '%s.%s' % (path, name if name in members else re.sub('_us$', '', name)),
                                   seen)

    def required_at(self, place):
        """The members that all objects at the place have, where there is only one kind."""
        schema = self.follow(self.root)
        for key in place:
            schema = schema.get('items', {}) if isinstance(key, int) else schema.get('properties', {}).get(key, {})
            schema = self.follow(schema)
        return set(schema.get('required', []))

    def parts(self, schema=None):
        """All schemas inside."""
        schema = self.root if schema is None else schema
        yield schema
        for word in ('properties', 'patternProperties', '$defs'):
            for one in schema.get(word, {}).values():
                yield from self.parts(one)
        for word in ('anyOf', 'oneOf', 'prefixItems'):
            for one in schema.get(word, []):
                yield from self.parts(one)
        for word in ('items', 'additionalProperties'):
            if isinstance(schema.get(word), dict):
                yield from self.parts(schema[word])

    def members(self, schema=None, path=''):
        """The paths of all members."""
        schema = self.follow(self.root if schema is None else schema)
        names = list(schema.get('properties', {}).items())
        for pattern, one in schema.get('patternProperties', {}).items():
            names += [(name, one) for name in re.sub(r'^\^\(?|\)?\(_us\)\?\$$', '', pattern).split('|')]
        for name, one in names:
            yield '%s.%s' % (path, name)
            yield from self.members(one, '%s.%s' % (path, name))
        for one in schema.get('prefixItems', []) + ([schema['items']] if 'items' in schema else []):
            yield from self.members(one, path + '[]')
        for one in schema.get('anyOf', []):
            if 'required' not in one or 'properties' in one:
                yield from self.members(one, path)


class Test:
    def __init__(self, program):
        self.program, self.passed, self.failed = program, 0, 0
        self.validators = {}

    def check(self, what, holds, seen=''):
        self.passed += bool(holds)
        self.failed += not holds
        if not holds:
            print('FAILED: %s: %s' % (what, str(seen)[:1000]))
        return holds

    def run(self, *arguments):
        done = subprocess.run([self.program, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=300,
                              check=False)
        return done.returncode, done.stdout.decode('utf-8', 'replace'), done.stderr.decode('utf-8', 'replace')

    def load_schemas(self):
        status, names, messages = self.run('schema')
        self.check('flametty schema', status == 0 and names.split() == ['diff', 'fleet', 'report', 'watch'], names + messages)
        for name in names.split():
            v = self.validators[name] = Validator(name, json.loads(self.run('schema', name)[1]))
            v.others = jsonschema and jsonschema.Draft202012Validator(v.root)
            if v.others:
                v.others.check_schema(v.root)
            parts = list(v.parts())
            self.check(name + ': words', set().union(*parts) <= WORDS, set().union(*parts) - WORDS)
            opened = [one for one in parts if 'properties' in one and one.get('additionalProperties') is not False]
            self.check(name + ': objects are closed', not opened, opened)
            names_of = {one['$ref'] for one in parts if '$ref' in one}
            self.check(name + ': $defs', names_of == {'#/$defs/' + one for one in v.root.get('$defs', {})}, names_of)
        for wrong in (['nothing'], ['report', 'diff']):
            status, text, messages = self.run('schema', *wrong)
            self.check('schema %s' % wrong, status == 2 and not text and 'schema' in messages, messages)

    def valid(self, name, what, document):
        v = self.validators[name]
        before = len(v.seen)
        errors = v.errors(document)
        if self.check(what, not errors, '; '.join(errors[:5])) and len(v.seen) > before:
            if v.others:
                self.check(what + ' (jsonschema)', v.others.is_valid(document))
            self.spoil(v, what, document)

    def spoil(self, v, what, document):
        """Copies that are wrong in one place; of each kind of place, one."""
        document, wrong = first_ones(document), 0
        self.check(what + ': its first ones', not list(v.of(document, v.root, '', set())))
        for place in list(places_of(document)):
            for change in spoil_at(v, document, place):
                wrong += 1
                is_valid = next(v.of(document, v.root, '', set()), None) is None
                if is_valid or (v.others and wrong % 10 == 0 and v.others.is_valid(document)):
                    self.check(what + ': spoiled', False, '%s: %s' % (place, change))
        self.check(what + ': spoiled copies', wrong > 0)

    def report(self, arguments, path):
        status, text, messages = self.run('report', '--format=json', *arguments, '--', path)
        what = 'report %s %s' % (' '.join(arguments), ascii(path))
        self.check(what + ': exit status', status in (0, 1) and (text or status == 1), messages)
        if text:
            self.valid('report', what, json.loads(text))

    def check_goldens(self):
        for path in sorted(glob.glob('tests/golden/*/cmd')):
            with open(path, encoding='utf-8') as file:
                lines = file.read().replace('@case@', os.path.dirname(path)).splitlines()
            if len(lines) != 1 or not re.search(r'(-f|--format)[ =]?json', lines[0]):
                continue
            arguments = shlex.split(lines[0])
            name = arguments[0] if arguments[0] in self.validators else 'report'
            text = self.run(*arguments)[1]
            try:
                document = json.loads(text)
            except ValueError:
                continue
            self.valid(name, 'golden %s' % path.split('/')[2], document)

    def check_watch(self):
        lines = []
        for path in glob.glob('tests/input/stalls/*.jsonl'):
            with open(path, encoding='utf-8') as file:
                lines += file.read().splitlines()
        # What the unit test demands of watch_line_json().
        with open('tests/unit/check_watch_line.c', encoding='utf-8') as file:
            source = re.sub(r'"\s*"', '', file.read())
        own = [json.loads('"%s"' % line) for line in re.findall(r'"(\{\\"time(?:[^"\\]|\\.)*)\\n"', source)]
        self.check('lines of watch', len(own) > 5 and len(lines) > 1, (len(own), len(lines)))
        for line in lines + own:
            self.valid('watch', 'line of watch %s' % line[:200], json.loads(line))

    def check_fleets(self, folder):
        sides = ['--label-from={version}-', '--before', 'version=before', '--after', 'version=after',
                 '--fail-if=total(render) > +5pt']
        subprocess.run([sys.executable, '-B', 'tests/fleet/make.py', folder + '/fleet', '--per-hour=1', '--hours=12',
                        '--samples=1000', '--odd', '--since', '--jobs=1'], check=True)
        made = ['--by=hour', '--label-from={version}/{host}/{time}.cpuprofile', folder + '/fleet']
        for arguments in (['tests/input/fleet-grid'], [*sides, 'tests/input/runs'], ['data'], made):
            status, text, messages = self.run('fleet', '--format=json', *arguments)
            if self.check('fleet %s' % arguments, status in (0, 1) and text, messages):
                self.valid('fleet', 'fleet %s' % arguments, json.loads(text))

    def check_diffs(self):
        runs = ['tests/input/runs/%s-%d.cpuprofile' % (side, i) for side in ('before', 'after') for i in (1, 2)]
        slices = ['--slices', 'tests/input/trace-runs.json', 'tests/input/trace-args.json']
        for arguments in (['--match=stack', '--before', *runs[:2], '--after', *runs[2:]], ['--noise', *runs], slices):
            status, text, messages = self.run('diff', '--format=json', *arguments)
            if self.check('diff %s' % arguments, status == 0 and text, messages):
                self.valid('diff', 'diff %s' % arguments, json.loads(text))

    def check_large(self, folder):
        os.mkdir(folder + '/many')
        for i in range(201):
            write('%s/many/CPU.20251121.114550.%d.0.001.cpuprofile' % (folder, i + 100), i, 10)
        write(folder + '/long.cpuprofile', 0, 1500000)
        self.report([], folder + '/many')
        self.report(['--from=1s', '--to=2s', '--max-memory=20M'], folder + '/long.cpuprofile')

    def check_all(self):
        self.load_schemas()
        self.check_watch()
        self.check_diffs()
        with tempfile.TemporaryDirectory() as folder:
            self.check_fleets(folder)
            self.check_large(folder)
        with tempfile.TemporaryDirectory() as folder:
            for path in valid.hostile_inputs(folder):
                for arguments in PLAIN:
                    self.report(arguments, path)
        self.check_goldens()
        paths = sorted(glob.glob('tests/input/*') + glob.glob('tests/fuzz/seeds/*'))
        paths += sorted(path for path in glob.glob('data/*/*') if not re.search(r'/(ci|src|build-tool|systemd)/', path))
        for path in paths:
            for arguments in PLAIN:
                self.report(arguments, path)
        for path in ['tests/input/small.cpuprofile', 'tests/input/trace-initiators.json', 'tests/input/served.json',
                     'tests/input/trace-vitals.json']:
            for arguments in TABLES:
                self.report(arguments, path)
        for name, v in self.validators.items():
            unseen = {name + path for path in v.members() if path not in v.seen and not UNSEEN.fullmatch(name + path)}
            # The allocator of the sanitizers does not tell how much memory is used, so none is too much.
            if 'sanitizers' in os.environ.get('HARDENING', ''):
                unseen.discard('report.lanes[].not_loaded')
            self.check(name + ': members that no output has', not unseen, sorted(unseen))


def write(path, start, n):
    """A recording of n samples."""
    nodes = [{'id': i, 'callFrame': {'functionName': 'f%d' % i, 'scriptId': '0', 'url': '', 'lineNumber': 1,
                                     'columnNumber': 1}} for i in (1, 2, 3)]
    nodes[0]['children'] = [2, 3]
    with open(path, 'w', encoding='utf-8') as file:
        json.dump({'nodes': nodes, 'startTime': start, 'endTime': start + n * 1000,
                   'samples': [2 + i % 2 for i in range(n)], 'timeDeltas': [1000] * n}, file)


def first_ones(value):
    """A copy with the first objects of each list that have the same members; of other elements, the first one."""
    if isinstance(value, dict):
        return {name: first_ones(item) for name, item in value.items()}
    if not isinstance(value, list) or (value and not isinstance(value[0], (dict, list))):
        return value
    firsts = {}
    for item in value:
        firsts.setdefault(' '.join(item) if isinstance(item, dict) else '', item)
    return [first_ones(item) for item in firsts.values()]


def places_of(value, place=()):
    yield place
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places_of(item, place + (key,))


def spoil_at(v, document, place):
    """Make the document wrong at the place, in one way after the other."""
    value, around = document, None
    for key in place:
        value, around = value[key], value
    is_free = 'labels' in place[-2:] and isinstance(value if place[-1] == 'labels' else around, dict)
    if is_free and 'lanes' not in place:
        return  # labels of files may have any names
    if isinstance(value, dict):
        value['invented'] = None
        yield 'one more member'
        del value['invented']
        for name in v.required_at(place) & value.keys():
            kept = value.pop(name)
            yield 'without ' + name
            value[name] = kept
    if place:
        around[place[-1]] = [{}] if isinstance(value, dict) else {'a': []}
        yield 'another type'
        around[place[-1]] = value


def main():
    test = Test(os.path.abspath(sys.argv[1]))
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
    test.check_all()
    print('%d passed, %d failed' % (test.passed, test.failed))
    return test.failed != 0


if __name__ == '__main__':
    sys.exit(main())
