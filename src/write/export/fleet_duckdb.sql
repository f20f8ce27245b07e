-- load
-- Makes the tables of a fleet: duckdb fleet.db < load.duckdb.sql
-- Paths are as they were given: from the directory in which the tables were written.
CREATE OR REPLACE TABLE profiles AS
SELECT * REPLACE (labels::JSON::MAP(VARCHAR, VARCHAR) AS labels)
FROM read_csv({{dir/profiles}}, auto_detect = false, new_line = '\r\n', header = true, delim = ',', quote = '"', escape = '"',
	allow_quoted_nulls = false, columns = {
	profile_id: 'UBIGINT', path: 'VARCHAR', "time": 'TIMESTAMP', host: 'VARCHAR',
	service: 'VARCHAR', version: 'VARCHAR', labels: 'VARCHAR', format: 'VARCHAR', pid: 'BIGINT', tid: 'BIGINT',
	thread: 'VARCHAR', duration_ns: 'BIGINT', busy_ns: 'BIGINT', idle_ns: 'BIGINT', gc_ns: 'BIGINT',
	program_ns: 'BIGINT', samples: 'UBIGINT', expected: 'UBIGINT', interval_ns: 'BIGINT',
	quality: 'DOUBLE', longest_gap_ns: 'BIGINT' });
CREATE OR REPLACE TABLE functions AS
FROM read_csv({{dir/functions}}, auto_detect = false, new_line = '\r\n', header = true, delim = ',', quote = '"', escape = '"',
	allow_quoted_nulls = false, columns = {
	function_key: 'UBIGINT', name: 'VARCHAR', file: 'VARCHAR', url: 'VARCHAR', line: 'BIGINT',
	"column": 'BIGINT', package: 'VARCHAR', category: 'VARCHAR' });
CREATE OR REPLACE TABLE stacks AS
FROM read_csv({{dir/stacks}}, auto_detect = false, new_line = '\r\n', header = true, delim = ',', quote = '"', escape = '"',
	max_line_size = 16777216, columns = { stack_id: 'UBIGINT', frames: 'UBIGINT[]' });
CREATE OR REPLACE TABLE samples AS
FROM read_csv({{dir/samples}}, auto_detect = false, new_line = '\r\n', header = true, delim = ',', quote = '"', escape = '"',
	columns = { profile_id: 'UBIGINT', stack_id: 'UBIGINT', value_ns: 'BIGINT', samples: 'UBIGINT' });
-- Own time of each function in each recording; idle is none.
CREATE OR REPLACE VIEW selves AS
SELECT profile_id, frames[-1] AS function_key, sum(value_ns)::BIGINT AS self_ns
FROM samples JOIN stacks USING (stack_id)
WHERE frames[-1] NOT IN (SELECT function_key FROM functions WHERE category = 'idle') GROUP BY ALL;
-- Facts of each host. judged: it has enough work, and its samples arrived, so that its shares say
-- something.
CREATE OR REPLACE VIEW hosts AS
WITH sums AS (
	SELECT host, count(*) AS profiles, sum(busy_ns)::DOUBLE AS busy, sum(program_ns)::DOUBLE AS program,
		sum(samples) * sum(busy_ns) / greatest(sum(busy_ns) + sum(idle_ns), 1) AS work,
		if(sum(expected) > 0, sum(samples) / sum(expected), 1) AS arrived,
		1 - least(1, max(longest_gap_ns) / greatest(sum(duration_ns), 1)) AS without_gap
	FROM profiles GROUP BY host),
usual AS (
	SELECT median(busy) AS busy, median(arrived) AS arrived, median(program / busy) AS program
	FROM sums WHERE busy > 0),
seen AS (
	SELECT s.*, least(1, s.arrived / u.arrived) * without_gap AS quality,
		work >= 200 AND s.busy >= 0.1 * u.busy AS has_work,
		s.program / greatest(s.busy, 1) - u.program AS more_program
	FROM sums s CROSS JOIN usual u)
SELECT host, profiles, busy, work, quality,
	has_work AND quality >= 0.5 AND (quality >= 0.9 OR more_program <= 0.2) AS judged
FROM seen;
-- load spans
CREATE OR REPLACE TABLE spans AS
FROM read_csv({{dir/spans}}, auto_detect = false, new_line = '\r\n', header = true, delim = ',', quote = '"', escape = '"',
	columns = { profile_id: 'UBIGINT', function_key: 'UBIGINT', start_ns: 'BIGINT', dur_ns: 'BIGINT' });
-- top
-- Functions by the median of their own shares over hosts
WITH busy AS (
	SELECT host, sum(p.busy_ns) AS ns FROM profiles p JOIN hosts USING (host)
	WHERE judged AND ({{version=}} = '' OR version = {{version=}}) GROUP BY host),
self AS (
	SELECT host, function_key, sum(self_ns) AS ns FROM selves JOIN profiles USING (profile_id)
	WHERE ({{version=}} = '' OR version = {{version=}}) GROUP BY ALL),
shares AS (
	SELECT f.function_key, coalesce(s.ns, 0) / b.ns AS share
	FROM busy b CROSS JOIN (SELECT DISTINCT function_key FROM self) f
	LEFT JOIN self s ON s.host = b.host AND s.function_key = f.function_key)
SELECT name, package, file, line, median(share) AS median, min(share) AS least, max(share) AS most,
	count(*) AS hosts
FROM shares JOIN functions USING (function_key)
GROUP BY function_key, name, package, file, line HAVING median(share) > 0
ORDER BY median DESC, name, function_key LIMIT 20;
-- different
-- Hosts whose share of a function is far from that of the others; score: how many times
-- the usual distance (of the median absolute deviation, and of sampling)
WITH busy AS (
	SELECT host, sum(p.busy_ns) AS ns, any_value(h.work) AS work, any_value(h.quality) AS quality
	FROM profiles p JOIN (FROM hosts WHERE judged) h USING (host)
	WHERE ({{version=}} = '' OR version = {{version=}}) GROUP BY host),
self AS (
	SELECT host, function_key, sum(self_ns) AS ns FROM selves JOIN profiles USING (profile_id)
	WHERE ({{version=}} = '' OR version = {{version=}}) GROUP BY ALL),
large AS (
	SELECT DISTINCT s.function_key FROM self s JOIN busy b ON b.host = s.host
	WHERE s.ns / b.ns >= 0.02),
shares AS (
	SELECT b.host, b.work, b.quality, f.function_key, coalesce(s.ns, 0) / b.ns AS share
	FROM busy b CROSS JOIN large f
	LEFT JOIN self s ON s.host = b.host AND s.function_key = f.function_key),
others AS (
	SELECT a.host, a.function_key, a.share, a.work, a.quality, list(b.share) AS list
	FROM shares a JOIN shares b ON a.function_key = b.function_key AND a.host <> b.host
	GROUP BY ALL),
medians AS (SELECT *, list_median(list) AS median FROM others),
spreads AS (SELECT *, list_median([abs(x - median) FOR x IN list]) AS mad FROM medians),
scores AS (
	SELECT *, quality * abs(share - median) / sqrt(pow(1.4826 * mad, 2)
		+ 3 * greatest(median, 1 / work) * (1 - median) / work) AS score
	FROM spreads)
SELECT host, name, package, file, share, median, mad, score
FROM scores JOIN functions USING (function_key)
WHERE abs(share - median) >= 0.02 AND score >= 5
ORDER BY score DESC, host, name, function_key;
-- changed
-- Functions by the change of the median of their own shares between two versions, over the hosts
-- that have both; alike: how many of these changed in this direction
WITH busy AS (
	SELECT host, sum(p.busy_ns) FILTER (version = {{before}}) AS before,
		sum(p.busy_ns) FILTER (version = {{after}}) AS after
	FROM profiles p GROUP BY host),
self AS (
	SELECT host, function_key, sum(self_ns) FILTER (version = {{before}}) AS before,
		sum(self_ns) FILTER (version = {{after}}) AS after
	FROM selves JOIN profiles USING (profile_id)
	WHERE version IN ({{before}}, {{after}}) GROUP BY ALL),
shares AS (
	SELECT f.function_key, coalesce(s.before, 0) / b.before AS before,
		coalesce(s.after, 0) / b.after AS after
	FROM busy b CROSS JOIN (SELECT DISTINCT function_key FROM self) f
	LEFT JOIN self s ON s.host = b.host AND s.function_key = f.function_key
	WHERE b.before > 0 AND b.after > 0),
sums AS (
	SELECT function_key, median(before) AS before_median, median(after) AS after_median,
		median(after) - median(before) AS change, count(*) AS hosts,
		count(*) FILTER (after > before) AS up, count(*) FILTER (after < before) AS down
	FROM shares GROUP BY function_key)
SELECT name, package, file, before_median AS before, after_median AS after, change,
	if(change > 0, up, down) AS alike, hosts
FROM sums JOIN functions USING (function_key)
WHERE abs(change) >= 0.01
ORDER BY abs(change) DESC, name, function_key;
-- since
-- The share of a function in each hour, day, version or host, or value of a label
WITH chosen AS (
	SELECT profile_id, busy_ns, CASE {{by=hour}}
		WHEN 'hour' THEN strftime("time", '%Y-%m-%d %H:00')
		WHEN 'day' THEN strftime("time", '%Y-%m-%d')
		WHEN 'host' THEN host WHEN 'version' THEN version
		ELSE labels[{{by=hour}}] END AS bin
	FROM profiles
	WHERE ({{host=}} = '' OR host = {{host=}}) AND ({{version=}} = '' OR version = {{version=}})),
busy AS (SELECT bin, sum(busy_ns) AS ns, count(*) AS profiles FROM chosen WHERE bin IS NOT NULL GROUP BY bin)
SELECT b.bin, f.name, f.package, f.file, sum(s.self_ns) / any_value(b.ns) AS share,
	any_value(b.profiles) AS profiles
FROM selves s JOIN chosen c USING (profile_id) JOIN busy b ON b.bin = c.bin
JOIN functions f ON f.function_key = s.function_key
WHERE ({{function=}} = '' OR f.name = {{function=}})
GROUP BY b.bin, s.function_key, f.name, f.package, f.file
HAVING {{function=}} <> '' OR sum(s.self_ns) / any_value(b.ns) >= 0.01
ORDER BY b.bin, share DESC, f.name, s.function_key;
-- stacks
-- Folded stacks in microseconds; duckdb -noheader -list ... | flametty -
WITH sums AS (
	SELECT stack_id, sum(value_ns) AS ns FROM samples JOIN profiles USING (profile_id)
	WHERE ({{host=}} = '' OR host = {{host=}}) AND ({{version=}} = '' OR version = {{version=}})
	GROUP BY stack_id),
parts AS (
	SELECT stack_id, ns, unnest(frames) AS function_key, generate_subscripts(frames, 1) AS place
	FROM sums JOIN stacks USING (stack_id))
SELECT string_agg(replace(name, ';', ':'), ';' ORDER BY place) || ' ' || (any_value(ns) + 500) // 1000 AS folded
FROM parts JOIN functions USING (function_key)
GROUP BY stack_id HAVING any_value(ns) >= 500 ORDER BY any_value(ns) DESC, stack_id;
-- slowest
-- The longest calls of a function, or of all, with their recordings and where they begin there;
-- the tables were written with --min-span
SELECT f.name, f.package, f.file, s.dur_ns, p.host, p.path, s.start_ns
FROM spans s JOIN functions f USING (function_key) JOIN profiles p USING (profile_id)
WHERE f.category <> 'idle' AND ({{function=}} = '' OR f.name = {{function=}})
	AND ({{host=}} = '' OR host = {{host=}}) AND ({{version=}} = '' OR version = {{version=}})
ORDER BY s.dur_ns DESC, p.path, s.start_ns, f.name LIMIT 20;
