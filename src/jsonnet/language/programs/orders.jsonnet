// Nested data into another shape.
local orders = [
  { id: 1, customer: 'ann', lines: [{ sku: 'a', n: 2, price: 1.5 }, { sku: 'b', n: 1, price: 10 }] },
  { id: 2, customer: 'bob', lines: [] },
  { id: 3, customer: 'ann', lines: [{ sku: 'a', n: 1, price: 1.5 }] },
];
local total(order) = std.foldl(function(sum, line) sum + line.n * line.price, order.lines, 0);
local customers = std.set([order.customer for order in orders]);
{
  byCustomer: {
    [name]: {
      local mine = [order for order in orders if order.customer == name],
      orders: [order.id for order in mine],
      total: std.foldl(function(sum, order) sum + total(order), mine, 0),
      skus: std.set([line.sku for order in mine for line in order.lines]),
    }
    for name in customers
  },
  largest: std.foldl(function(best, order) if total(order) > best.total then { id: order.id, total: total(order) } else best, orders, { id: null, total: -1 }),
  empty: [order.id for order in orders if std.length(order.lines) == 0],
}
