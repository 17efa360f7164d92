// Settings checked where they are declared, for whoever overrides them.
local positive(object, name) = object[name] > 0;
local base = {
  assert positive(self, 'size') : 'size must be positive, is %d' % self.size,
  assert std.member(['a', 'b'], self.kind) : 'unknown kind ' + self.kind,
  size: 1,
  kind: 'a',
  area: self.size * self.size,
};
local limited(max) = { assert self.size <= max : '%d is more than %d' % [self.size, max] };
local defaults = { retry: { times: 3, wait: '1s' }, tags: ['t'], note: 'n' };
local given = { retry: { times: 5 }, tags: ['u'], note: null };
{
  one: base { size: 3 },
  two: base { kind: 'b' } + limited(2) { size: 2 },
  // Not used, so not checked.
  three:: base { size: -1 },
  hasThree: std.objectHasAll(self, 'three'),
  merged: std.mergePatch(defaults, given),
  extended: defaults + { retry+: given.retry, tags+: given.tags },
}
