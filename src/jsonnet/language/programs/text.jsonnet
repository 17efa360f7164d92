// Text built from data.
local rows = [['id', 'name', 'score'], [1, 'Jane Müller', 9.5], [22, 'Bö', 10], [333, '日本', null]];
local cell(value) = if value == null then '-' else std.toString(value);
local width(column) = std.foldl(std.max, [std.length(cell(row[column])) for row in rows], 0);
local widths = [width(column) for column in [0, 1, 2]];
local pad(text, n) = if std.length(text) >= n then text else pad(text + ' ', n) tailstrict;
local line(row) = std.join(' | ', [pad(cell(row[i]), widths[i]) for i in [0, 1, 2]]);
{
  table: |||
    %s
    %s
  ||| % [line(rows[0]), std.join('\n', [line(row) for row in rows[1:]])],
  initials: [row[1][0] + row[1][-1:] for row in rows[1:]],
  quoted: std.toString({ rows: rows[3], nested: { a: [], b: {} } }),
}
