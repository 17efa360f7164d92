// Rows turned into columns, and back.
local rows = [
  { city: 'Oslo', month: 'jan', rain: 49 },
  { city: 'Oslo', month: 'feb', rain: 36 },
  { city: 'Rome', month: 'jan', rain: 67 },
];
local distinct(field) = std.set([row[field] for row in rows]);
local find(city, month) =
  local found = [row.rain for row in rows if row.city == city && row.month == month];
  if found == [] then null else found[0];
local table = { [city]: { [month]: find(city, month) for month in distinct('month') } for city in distinct('city') };
{
  table: table,
  transposed: { [month]: { [city]: table[city][month] for city in std.objectFields(table) } for month in distinct('month') },
  sums: std.mapWithKey(function(city, months) std.sum(std.prune(std.objectValues(months))), table),
  rows: [
    { city: city, month: month, rain: table[city][month] }
    for city in std.objectFields(table)
    for month in std.objectFields(table[city])
    if table[city][month] != null
  ],
}
