// A small machine: state, steps and a loop without stack.
local program = [{ op: 'push', n: 6 }, { op: 'push', n: 7 }, { op: 'mul' }, { op: 'dup' }, { op: 'add' }, { op: 'halt' }];
local ops = {
  push(m, i):: m { stack: [i.n] + m.stack },
  mul(m, i):: m { stack: [m.stack[0] * m.stack[1]] + m.stack[2:] },
  add(m, i):: m { stack: [m.stack[0] + m.stack[1]] + m.stack[2:] },
  dup(m, i):: m { stack: [m.stack[0]] + m.stack },
};
local run(m) =
  local i = program[m.at];
  if i.op == 'halt' then m else run(ops[i.op](m, i) { at: m.at + 1, log+: ['%-4s|%s' % [i.op, std.join(',', std.map(std.toString, m.stack))]] }) tailstrict;
local collatz(n, steps=0) = if n == 1 then steps else collatz(if n % 2 == 0 then n / 2 else 3 * n + 1, steps + 1) tailstrict;
{ machine: run({ at: 0, stack: [], log: [] }), collatz: [collatz(n) for n in [1, 7, 27]] }
