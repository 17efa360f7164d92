// Recursion over a tree, and a fold that knows nothing of what is folded.
local leaf(value) = { value: value, children: [] };
local node(value, children) = { value: value, children: children };
local tree = node(1, [node(2, [leaf(4), leaf(5)]), leaf(3)]);
local fold(f, tree) = f(tree.value, [fold(f, child) for child in tree.children]);
local paths(tree, path=[]) =
  local here = path + [std.toString(tree.value)];
  [std.join('/', here)] + std.flattenArrays([paths(child, here) for child in tree.children]);
local walk(value) =
  if std.isArray(value) then std.flattenArrays([walk(part) for part in value])
  else if std.isObject(value) then std.flattenArrays([walk(value[name]) for name in std.objectFields(value)])
  else [value];
{
  sum: fold(function(value, parts) value + std.sum(parts), tree),
  depth: fold(function(value, parts) 1 + std.maxArray([0] + parts), tree),
  mirrored: fold(function(value, parts) { [std.toString(value)]: std.reverse(parts) }, tree),
  paths: paths(tree),
  leaves: walk({ b: [1, [2, { c: 3 }]], a: 'x', d: {} }),
}
