import { compile } from '../../src/jsonnet/compile.ts';
import type { Native } from '../../src/jsonnet/native.ts';
import type { Evaluation } from '../../src/jsonnet/evaluation.ts';
import type { Value } from '../../src/jsonnet/values/value.ts';

/** Rates are evaluations a second; `ratio` is `rate` as a multiple of `reference`, both measured in turns in this run. */
export interface JsonnetBench {
  readonly name: string;
  readonly rate: number;
  readonly reference: number;
  readonly ratio: number;
  /** The least ratio that is promised. */
  readonly floor: number;
}

interface BenchEvent {
  readonly body: Readonly<Record<string, Value>>;
  readonly headers: Readonly<Record<string, string>>;
}

const body = {
  a: { b: 'evt_01J9ZK3Q8V5W7' },
  f0: 'order.created',
  f1: 1_732_190_400_123,
  f2: true,
  f3: 'cus_9s6XKzkNRiz8i3',
  f4: 129.95,
  f5: 'EUR',
  f6: 'Jane Müller',
  f7: null,
  f8: 'paid',
  f9: ['web', 'returning', 'newsletter'],
  items: Array.from({ length: 20 }, (_, index) => ({ sku: `SKU-${1000 + index}`, qty: index, ok: index % 5 > 0 })),
};

const templates: readonly (readonly [name: string, floor: number, source: string])[] = [
  ['b: two paths in a text', 20, 'Body("a.b") + "-" + Header("x-id", "none")'],
  ['c: ten fields', 2, `{ ${Array.from({ length: 10 }, (_, index) => `f${index}: Body("f${index}")`).join(', ')} }`],
  [
    'd: join of a map over a comprehension',
    1.2,
    'std.join(",", std.map(function(x) x.sku + ":" + x.qty, [i for i in Body("items") if i.ok]))',
  ],
  [
    'e: a choice and a format',
    5,
    'if Body("f4") > 100 then std.format("%s costs %08.2f %-5s|", [Body("f3"), Body("f4"), Body("f5")]) else "cheap"',
  ],
  [
    'f: functions over text',
    2.5,
    `local clean(s) = std.strReplace(std.strReplace(s, ".", "_"), "e", "E");
     local short(s, n) = std.asciiUpper(std.substr(s, 0, n));
     { a: clean(Body("f0")), b: short(Body("f3"), 5), c: std.length(std.split(Body("f0"), ".")) }`,
  ],
];

const textOf = (value: Value | undefined): string => (typeof value === 'string' ? value : '');

const missing = Symbol('missing');

function find(event: BenchEvent, path: readonly string[]): Value | typeof missing {
  let value: Value = event.body;
  for (const name of path) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return missing;
    value = (value as Readonly<Record<string, Value>>)[name] ?? null;
  }
  return value;
}

function found(value: Value | typeof missing, fallback: Value | undefined, evaluation: Evaluation): Value {
  if (value !== missing) return value;
  if (fallback === undefined) throw evaluation.error('not found');
  return fallback;
}

const natives: Readonly<Record<string, Native>> = {
  Body: {
    parameters: ['path?', 'default?'],
    run: ([path, fallback], context, evaluation) =>
      found(find(context as BenchEvent, textOf(path).split('.')), fallback, evaluation),
    specialize: ([path, fallback]) => {
      const steps = textOf(path).split('.');
      return (context, evaluation) => found(find(context as BenchEvent, steps), fallback, evaluation);
    },
  },
  Header: {
    parameters: ['name?', 'default?'],
    run: ([name, fallback], context, evaluation) =>
      found((context as BenchEvent).headers[textOf(name)] ?? missing, fallback, evaluation),
  },
};

/** Evaluates the templates with one event that is parsed already, against `JSON.parse` of the 1 KB text of its body. */
export function benchJsonnet(): readonly JsonnetBench[] {
  const text = JSON.stringify(body);
  const event = { body: JSON.parse(text) as BenchEvent['body'], headers: { 'x-id': '7f3c9a1e5b' } };
  return templates.map(([name, floor, source]) => {
    const template = compile(source, { natives });
    const [rate, reference] = ratesOf(
      () => template.evaluate(event).length,
      () => (JSON.parse(text) as typeof body).items.length,
    );
    return { name, floor, rate, reference, ratio: rate / reference };
  });
}

const rounds = 9;
const callsPerRound = 20_000;

/** The best of several rounds of both, in turns, so that what else the machine does weighs on both alike. */
function ratesOf(first: () => number, second: () => number): readonly [number, number] {
  let best: readonly [number, number] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    best = [Math.max(best[0], rateOf(first)), Math.max(best[1], rateOf(second))];
  }
  return best;
}

function rateOf(call: () => number): number {
  const start = performance.now();
  let sum = 0;
  for (let count = 0; count < callsPerRound; count++) sum += call();
  const seconds = (performance.now() - start) / 1000;
  return sum > 0 ? callsPerRound / seconds : 0;
}
