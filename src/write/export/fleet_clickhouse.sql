-- load
-- Makes the tables of a fleet: clickhouse-client --multiquery < load.clickhouse.sql
-- Paths are as they were given: from the directory in which the tables were written.
CREATE OR REPLACE TABLE profiles (
	profile_id UInt64, path String, time Nullable(DateTime('UTC')), host LowCardinality(String),
	service LowCardinality(String), version LowCardinality(String), labels String,
	format LowCardinality(String), pid Nullable(Int64), tid Nullable(Int64), thread String, duration_ns Int64, busy_ns Int64, idle_ns Int64,
	gc_ns Int64, program_ns Int64, samples UInt64, expected UInt64, interval_ns Int64,
	quality Float64, longest_gap_ns Int64,
	label Map(String, String) ALIAS CAST(JSONExtractKeysAndValues(labels, 'String'), 'Map(String, String)')
) ENGINE = MergeTree ORDER BY profile_id;
INSERT INTO profiles FROM INFILE {{dir/profiles}} FORMAT CSVWithNames;
CREATE OR REPLACE TABLE functions (
	function_key UInt64, name String, file String, url String, line Nullable(Int64),
	column Nullable(Int64), package String, category LowCardinality(String)
) ENGINE = MergeTree ORDER BY function_key;
INSERT INTO functions FROM INFILE {{dir/functions}} FORMAT CSVWithNames;
CREATE OR REPLACE TABLE stacks (stack_id UInt64, frames Array(UInt64))
ENGINE = MergeTree ORDER BY stack_id;
INSERT INTO stacks FROM INFILE {{dir/stacks}} FORMAT CSVWithNames;
CREATE OR REPLACE TABLE samples (profile_id UInt64, stack_id UInt64, value_ns Int64, samples UInt64)
ENGINE = MergeTree ORDER BY (profile_id, stack_id);
INSERT INTO samples FROM INFILE {{dir/samples}} FORMAT CSVWithNames;
-- Own time of each function in each recording; idle is none.
CREATE OR REPLACE VIEW selves AS
SELECT profile_id, frames[-1] AS function_key, sum(value_ns) AS self_ns
FROM samples JOIN stacks USING (stack_id)
WHERE frames[-1] NOT IN (SELECT function_key FROM functions WHERE category = 'idle')
GROUP BY profile_id, function_key;
-- Facts of each host. judged: it has enough work, and its samples arrived, so that its shares say
-- something.
CREATE OR REPLACE VIEW hosts AS
WITH sums AS (
	SELECT host, count() AS n, toFloat64(sum(busy_ns)) AS busy, toFloat64(sum(program_ns)) AS program,
		sum(p.samples) * busy / greatest(busy + sum(idle_ns), 1) AS work,
		if(sum(expected) > 0, sum(p.samples) / sum(expected), 1) AS arrived,
		1 - least(1, max(longest_gap_ns) / greatest(sum(duration_ns), 1)) AS without_gap
	FROM profiles AS p GROUP BY host),
usual AS (
	SELECT quantileExactInclusive(0.5)(s.busy) AS busy, quantileExactInclusive(0.5)(s.arrived) AS arrived,
		quantileExactInclusive(0.5)(s.program / s.busy) AS program
	FROM sums AS s WHERE s.busy > 0),
seen AS (
	SELECT s.host AS host, s.n AS n, s.busy AS busy, s.work AS work,
		least(1, s.arrived / u.arrived) * s.without_gap AS quality,
		s.work >= 200 AND s.busy >= 0.1 * u.busy AS has_work,
		s.program / greatest(s.busy, 1) - u.program AS more_program
	FROM sums AS s CROSS JOIN usual AS u)
SELECT host, n AS profiles, busy, work, quality,
	has_work AND quality >= 0.5 AND (quality >= 0.9 OR more_program <= 0.2) AS judged
FROM seen;
-- load spans
CREATE OR REPLACE TABLE spans (profile_id UInt64, function_key UInt64, start_ns Int64, dur_ns Int64)
ENGINE = MergeTree ORDER BY (function_key, dur_ns);
INSERT INTO spans FROM INFILE {{dir/spans}} FORMAT CSVWithNames;
-- top
-- Functions by the median of their own shares over hosts
WITH busy AS (
	SELECT host, sum(busy_ns) AS ns FROM profiles
	WHERE host IN (SELECT host FROM hosts WHERE judged)
		AND ({{version=}} = '' OR version = {{version=}}) GROUP BY host),
self AS (
	SELECT p.host AS host, s.function_key AS function_key, sum(s.self_ns) AS ns
	FROM selves AS s JOIN profiles AS p ON p.profile_id = s.profile_id
	WHERE {{version=}} = '' OR p.version = {{version=}} GROUP BY host, function_key),
shares AS (
	SELECT a.function_key AS function_key, coalesce(s.ns, 0) / a.ns AS share
	FROM (SELECT host, ns, function_key FROM busy
		CROSS JOIN (SELECT DISTINCT function_key FROM self) AS f) AS a
	LEFT JOIN self AS s ON s.host = a.host AND s.function_key = a.function_key),
sums AS (
	SELECT function_key, quantileExactInclusive(0.5)(share) AS median, min(share) AS least,
		max(share) AS most, count() AS n
	FROM shares GROUP BY function_key)
SELECT f.name AS name, f.package AS package, f.file AS file, f.line AS line, m.median AS median,
	m.least AS least, m.most AS most, m.n AS hosts
FROM sums AS m JOIN functions AS f ON f.function_key = m.function_key
WHERE m.median > 0
ORDER BY median DESC, name, m.function_key LIMIT 20;
-- different
-- Hosts whose share of a function is far from that of the others; score: how many times
-- the usual distance (of the median absolute deviation, and of sampling)
WITH busy AS (
	SELECT p.host AS host, sum(p.busy_ns) AS ns, any(h.work) AS work, any(h.quality) AS quality
	FROM profiles AS p JOIN hosts AS h ON h.host = p.host
	WHERE h.judged AND ({{version=}} = '' OR p.version = {{version=}}) GROUP BY host),
self AS (
	SELECT p.host AS host, s.function_key AS function_key, sum(s.self_ns) AS ns
	FROM selves AS s JOIN profiles AS p ON p.profile_id = s.profile_id
	WHERE {{version=}} = '' OR p.version = {{version=}} GROUP BY host, function_key),
large AS (
	SELECT DISTINCT s.function_key AS function_key FROM self AS s JOIN busy AS b ON b.host = s.host
	WHERE s.ns / b.ns >= 0.02),
shares AS (
	SELECT a.host AS host, a.work AS work, a.quality AS quality, a.function_key AS function_key,
		coalesce(s.ns, 0) / a.ns AS share
	FROM (SELECT host, ns, work, quality, function_key FROM busy CROSS JOIN large) AS a
	LEFT JOIN self AS s ON s.host = a.host AND s.function_key = a.function_key),
others AS (
	SELECT a.host AS host, a.function_key AS function_key, any(a.share) AS share,
		any(a.work) AS work, any(a.quality) AS quality, groupArray(b.share) AS list
	FROM shares AS a JOIN shares AS b ON a.function_key = b.function_key
	WHERE a.host <> b.host GROUP BY host, function_key),
medians AS (SELECT *, arrayReduce('quantileExactInclusive(0.5)', list) AS median FROM others),
spreads AS (
	SELECT *, arrayReduce('quantileExactInclusive(0.5)', arrayMap(x -> abs(x - median), list)) AS mad
	FROM medians),
scores AS (
	SELECT *, quality * abs(share - median) / sqrt(pow(1.4826 * mad, 2)
		+ 3 * greatest(median, 1 / work) * (1 - median) / work) AS score
	FROM spreads)
SELECT s.host AS host, f.name AS name, f.package AS package, f.file AS file, s.share AS share,
	s.median AS median, s.mad AS mad, s.score AS score
FROM scores AS s JOIN functions AS f ON f.function_key = s.function_key
WHERE abs(s.share - s.median) >= 0.02 AND s.score >= 5
ORDER BY score DESC, host, name, s.function_key;
-- changed
-- Functions by the change of the median of their own shares between two versions, over the hosts
-- that have both; alike: how many of these changed in this direction
WITH busy AS (
	SELECT host, sumIf(busy_ns, version = {{before}}) AS before,
		sumIf(busy_ns, version = {{after}}) AS after
	FROM profiles GROUP BY host HAVING before > 0 AND after > 0),
self AS (
	SELECT p.host AS host, s.function_key AS function_key,
		sumIf(s.self_ns, p.version = {{before}}) AS before,
		sumIf(s.self_ns, p.version = {{after}}) AS after
	FROM selves AS s JOIN profiles AS p ON p.profile_id = s.profile_id
	WHERE p.version IN ({{before}}, {{after}}) GROUP BY host, function_key),
shares AS (
	SELECT a.function_key AS function_key, coalesce(s.before, 0) / a.before AS share_before,
		coalesce(s.after, 0) / a.after AS share_after
	FROM (SELECT host, before, after, function_key FROM busy
		CROSS JOIN (SELECT DISTINCT function_key FROM self) AS f) AS a
	LEFT JOIN self AS s ON s.host = a.host AND s.function_key = a.function_key),
sums AS (
	SELECT function_key, quantileExactInclusive(0.5)(share_before) AS median_before,
		quantileExactInclusive(0.5)(share_after) AS median_after,
		median_after - median_before AS change, count() AS n,
		countIf(share_after > share_before) AS up, countIf(share_after < share_before) AS down
	FROM shares GROUP BY function_key)
SELECT f.name AS name, f.package AS package, f.file AS file, m.median_before AS before,
	m.median_after AS after, m.change AS change, if(m.change > 0, m.up, m.down) AS alike, m.n AS hosts
FROM sums AS m JOIN functions AS f ON f.function_key = m.function_key
WHERE abs(m.change) >= 0.01
ORDER BY abs(change) DESC, name, m.function_key;
-- since
-- The share of a function in each hour, day, version or host, or value of a label
WITH chosen AS (
	SELECT profile_id, busy_ns, multiIf(
		{{by=hour}} = 'hour', formatDateTime(time, '%Y-%m-%d %H:00'),
		{{by=hour}} = 'day', formatDateTime(time, '%Y-%m-%d'),
		{{by=hour}} = 'host', toString(host), {{by=hour}} = 'version', toString(version),
		nullIf(label[{{by=hour}}], '')) AS bin
	FROM profiles
	WHERE ({{host=}} = '' OR host = {{host=}})
		AND ({{version=}} = '' OR version = {{version=}}) AND isNotNull(bin)),
busy AS (SELECT bin, sum(busy_ns) AS ns, count() AS n FROM chosen GROUP BY bin),
self AS (
	SELECT c.bin AS bin, s.function_key AS function_key, sum(s.self_ns) AS ns
	FROM selves AS s JOIN chosen AS c ON c.profile_id = s.profile_id GROUP BY bin, function_key)
SELECT b.bin AS bin, f.name AS name, f.package AS package, f.file AS file, s.ns / b.ns AS share,
	b.n AS profiles
FROM self AS s JOIN busy AS b ON b.bin = s.bin JOIN functions AS f ON f.function_key = s.function_key
WHERE f.name = {{function=}} OR ({{function=}} = '' AND s.ns / b.ns >= 0.01)
ORDER BY bin, share DESC, name, f.function_key;
-- stacks
-- Folded stacks in microseconds; clickhouse-client -q ... | flametty -
WITH sums AS (
	SELECT s.stack_id AS stack_id, sum(s.value_ns) AS ns
	FROM samples AS s JOIN profiles AS p ON p.profile_id = s.profile_id
	WHERE ({{host=}} = '' OR p.host = {{host=}})
		AND ({{version=}} = '' OR p.version = {{version=}})
	GROUP BY stack_id HAVING ns >= 500),
parts AS (
	SELECT k.stack_id AS stack_id, u.ns AS ns, function_key, place
	FROM sums AS u JOIN stacks AS k ON k.stack_id = u.stack_id
	ARRAY JOIN k.frames AS function_key, arrayEnumerate(k.frames) AS place)
SELECT concat(arrayStringConcat(arrayMap(x -> replaceAll(x.2, ';', ':'),
	arraySort(groupArray((p.place, f.name)))), ';'), ' ', toString(intDiv(any(p.ns) + 500, 1000))) AS folded
FROM parts AS p JOIN functions AS f ON f.function_key = p.function_key
GROUP BY p.stack_id ORDER BY any(p.ns) DESC, p.stack_id
FORMAT TabSeparatedRaw;
-- slowest
-- The longest calls of a function, or of all, with their recordings and where they begin there;
-- the tables were written with --min-span
SELECT f.name AS name, f.package AS package, f.file AS file, s.dur_ns AS dur_ns, p.host AS host,
	p.path AS path, s.start_ns AS start_ns
FROM spans AS s JOIN functions AS f ON f.function_key = s.function_key
JOIN profiles AS p ON p.profile_id = s.profile_id
WHERE f.category <> 'idle' AND ({{function=}} = '' OR f.name = {{function=}})
	AND ({{host=}} = '' OR p.host = {{host=}}) AND ({{version=}} = '' OR p.version = {{version=}})
ORDER BY dur_ns DESC, path, start_ns, name LIMIT 20;
