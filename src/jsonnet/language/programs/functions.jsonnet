// Higher functions: composition, currying, a fixed point, lists as folds.
local compose(f, g) = function(x) f(g(x));
local curry(f) = function(a) function(b) f(a, b);
local twice(f) = compose(f, f);
local fix(f) = local self_ = f(function(x) self_(x)); self_;
local factorial = fix(function(again) function(n) if n <= 1 then 1 else n * again(n - 1));
local list = { empty: function(c, n) n, cons(x, xs):: function(c, n) c(x, xs(c, n)), toArray(xs):: xs(function(a, b) [a] + b, []) };
{
  add: curry(function(a, b) a + b)(2)(3),
  sixteen: twice(twice(function(x) x * 2))(1),
  factorials: [factorial(n) for n in [0, 1, 5, 10]],
  list: list.toArray(list.cons(1, list.cons(2, list.empty))),
  named: (function(first, second=first + '!', third=second + '?') [first, second, third])(second='b', first='a'),
}
