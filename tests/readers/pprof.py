# SPDX-License-Identifier: GPL-2.0-or-later
"""Exports as pprof: `go tool pprof -raw` and `-top` have the self times of the report, and `protoc
--decode` knows each field and has the same sums."""
import gzip
import os
import re
import subprocess
import common

IDLE = {'(idle)', '(root)'}


def go_text(*arguments):
    return subprocess.run(['go', 'tool', 'pprof', *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, check=True).stdout.decode('utf-8', 'replace')


def key(row):
    """What names a function in the text of -raw, as far as it can be told apart there."""
    return common.plain_name(re.sub(r'^\(anonymous.*', '(anonymous)', row['name'], flags=re.DOTALL))


def raw_times(text):
    """Self times by function, from `-raw`: samples with the ids of locations, then locations."""
    names, times, total = {}, {}, 0
    samples, _, rest = text.partition('\nLocations\n')
    # A name may have more lines.
    for line in re.split(r'\n(?= *\d+: 0x)', rest.partition('\nMappings')[0]):
        match = re.match(r' *(\d+): 0x\w+ (?:M=\d+ )?(.*) \S*:-?\d+:-?\d+ s=-?\d+(?:\(\))?$', line, re.DOTALL)
        if match:
            names[match[1]] = key({'name': match[2]})
    for line in samples.split('\n'):
        match = re.match(r' +(\d+) +(\d+): (\d+)', line)
        if match:
            total += int(match[2])
            times[match[3]] = times.get(match[3], 0) + int(match[2])
    by_name = {}
    for location, time in times.items():
        name = names.get(location, '')
        by_name[name] = by_name.get(name, 0) + time / 1000
    return by_name, total


def top_total(text):
    return sum(int(match[1]) for match in re.finditer(r'^ *(\d+)(?:ns)? +\S+% +\S+% ', text, re.MULTILINE))


def decoded(path):
    """Sums and counts from the text of `protoc --decode`; None: a field without a name."""
    with gzip.open(path) as file:
        text = subprocess.run(['protoc', '-I', common.HERE, '--decode=Profile', 'profile.proto'], input=file.read(),
                              stdout=subprocess.PIPE, check=True).stdout.decode('utf-8', 'replace')
    if re.search(r'^ *\d+[:{ ]', text, re.MULTILINE):
        return None
    # Each sample: its number, then its time.
    values = [[int(value) for value in re.findall(r'^  value: (-?\d+)$', block, re.MULTILINE)]
              for block in re.findall(r'^sample \{$(.*?)^\}$', text, re.MULTILINE | re.DOTALL)]
    return [sum(one[i] for one in values) for i in (0, 1)]


def test(program, files, folder, tally):
    has_protoc = common.shutil.which('protoc')
    out = os.path.join(folder, 'profile.pb.gz')
    for path in files:
        report = common.report_of(program, path)
        if not report or not common.export(program, path, out, 'pprof'):
            continue
        times = common.by_function(report, key, ('samples', 'slices'), IDLE)
        got, total = raw_times(go_text('-raw', out))
        # Self time that is divided by ticks is rounded for each line.
        tally.add(f'{path} -raw', common.difference(times, got, 1))
        top = top_total(go_text('-top', '-unit=ns', '-nodefraction=0', '-nodecount=1000000', '-sample_index=cpu', out))
        tally.add(f'{path} -top', top != total and f'{top} ns in -top, {total} ns in -raw')
        if has_protoc:
            sums = decoded(out)
            tally.add(f'{path} protoc', 'a field without a name' if sums is None else
                      sums[1] != total and f'{sums[1]} ns, {total} ns in -raw')


common.need('go')
common.in_folder(test, common.FEW + [common.SERVER])
