import { Buffer } from 'node:buffer';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { eventOfRecord } from '../../src/mapping/event-of-record.ts';
import { createTemplates } from '../../src/mapping/jsonnet-templates.ts';
import type { MappedEvent } from '../../src/mapping/mapped-event.ts';
import type { CompiledTemplate } from '../../src/mapping/template.ts';
import type { Bench } from './bench.ts';
import type { Figure } from './figure.ts';
import { rate } from './rate.ts';

/** One template; rates are evaluations a second, `reference` is `JSON.parse` of the event's body, in turns with it. */
export interface TemplateBench {
  readonly name: string;
  /** The least multiple of the reference that is promised. */
  readonly floor: number;
  readonly rate: number;
  readonly reference: number;
  /** By how much the heap has grown over the evaluations, bytes. */
  readonly heapGrowth: number;
}

export interface TemplatesBench {
  readonly templates: readonly TemplateBench[];
  /** The heap is measured over so many evaluations of each. */
  readonly evaluations: number;
  /** Of two paths in a text, the body parsed for each event; microseconds. */
  readonly latencyUs: { readonly p50: number; readonly p99: number };
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
const twoPaths = 'Body("a.b") + "-" + Header("x-id", "none")';

/** Cases with their floors. */
const cases: readonly (readonly [name: string, floor: number, source: string])[] = [
  ['two paths in a text', 20, twoPaths],
  ['an object of ten fields', 2, `{ ${Array.from({ length: 10 }, (_, n) => `f${n}: Body("f${n}")`).join(', ')} }`],
  [
    'join of a map over a comprehension, 16 of 20 objects',
    1.2,
    'std.join(",", std.map(function(x) x.sku + ":" + x.qty, [i for i in Body("items") if i.ok]))',
  ],
  [
    'if, and a format with width and precision',
    5,
    'if Body("f4") > 100 then std.format("%s costs %08.2f %-5s|", [Body("f3"), Body("f4"), Body("f5")]) else "cheap"',
  ],
  [
    'two local functions over text',
    2.5,
    `local clean(s) = std.strReplace(std.strReplace(s, ".", "_"), "e", "E");
     local short(s, n) = std.asciiUpper(std.substr(s, 0, n));
     { a: clean(Body("f0")), b: short(Body("f3"), 5), c: std.length(std.split(Body("f0"), ".")) }`,
  ],
];

/** Template columns as a mapping evaluates them, each compiled once, one thread; the body of the event is shared. */
export function benchTemplates({ evaluations }: { readonly evaluations: number }): TemplatesBench {
  const text = JSON.stringify(body);
  const value = Buffer.from(text);
  const event = eventOf(value);
  const templates = cases.map(([name, floor, source]) => {
    const template = compiled(source);
    const evaluate = (): number => lengthOf(template, event);
    const [rate, reference] = ratesOf(evaluate, () => (JSON.parse(text) as typeof body).items.length);
    return { name, floor, rate, reference, heapGrowth: heapGrowth(evaluate, evaluations) };
  });
  return { templates, evaluations, latencyUs: latency(compiled(twoPaths), value) };
}

function eventOf(value: Buffer): MappedEvent {
  const headers = ['content-type', 'application/json', 'x-id', '7f3c9a1e5b'];
  return eventOfRecord({ value, headers, timestamp: body.f1 }, { topic: 'source.1.shop', partition: 0, offset: 1 });
}

function compiled(content: string): CompiledTemplate {
  const template = { language: 'jsonnet', content } as const;
  return createTemplates().compile({ type: 'template', name: 'cell', rawString: false, template });
}

function lengthOf(template: CompiledTemplate, event: MappedEvent): number {
  const made = template.evaluate(event);
  if (made.kind === 'failed') throw new Error(made.message);
  return made.text.length;
}

const rounds = 9;
const callsPerRound = 20_000;

/** The best of several rounds of both, in turns, so that what else the machine does weighs on both alike. */
function ratesOf(first: () => number, second: () => number): readonly [number, number] {
  let best: readonly [number, number] = [0, 0];
  for (let round = 0; round < rounds; round++)
    best = [Math.max(best[0], rateOf(first)), Math.max(best[1], rateOf(second))];
  return best;
}

function rateOf(call: () => number): number {
  const start = performance.now();
  let sum = 0;
  for (let count = 0; count < callsPerRound; count++) sum += call();
  const seconds = (performance.now() - start) / 1000;
  return sum > 0 ? callsPerRound / seconds : 0;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapGrowth(evaluate: () => number, evaluations: number): number {
  const used = (): number => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  for (let count = 0; count < evaluations; count++) evaluate();
  return used() - before;
}

const latencyEvents = 100_000;

function latency(template: CompiledTemplate, value: Buffer): TemplatesBench['latencyUs'] {
  const times = new Float64Array(latencyEvents);
  for (let at = 0; at < latencyEvents; at++) {
    const event = eventOf(value);
    const start = performance.now();
    lengthOf(template, event);
    times[at] = (performance.now() - start) * 1000;
  }
  times.sort();
  const quantile = (share: number): number => times[Math.floor(latencyEvents * share)] ?? 0;
  return { p50: quantile(0.5), p99: quantile(0.99) };
}

export const templatesBench: Bench = {
  meaning: 'template columns on one thread (--events evaluations of each), beside JSON.parse',
  usual: { events: 1_000_000 },
  run: async ({ events }) => ({ figures: figuresOfTemplates(benchTemplates({ evaluations: events })) }),
};

function figuresOfTemplates({ templates, evaluations, latencyUs: { p50, p99 } }: TemplatesBench): readonly Figure[] {
  const growth = Math.max(...templates.map(({ heapGrowth }) => heapGrowth));
  return [
    ...templates.map(({ name, floor, rate: own, reference }) => ({
      what: `template: ${name}, times JSON.parse of the body`,
      measured: (own / reference).toFixed(1),
      floor: String(floor),
      goal: '–',
      sides: `${rate(own, 'cells')} of ${rate(reference, 'bodies')}`,
    })),
    {
      what: `template: heap after ${evaluations.toLocaleString('en')} evaluations of each`,
      measured: `${(growth / 1024).toFixed(0)} KB more`,
      floor: 'no growth',
      goal: '–',
      sides: '',
    },
    {
      what: 'template: two paths in a text, with parsing the body, p99',
      measured: `${p99.toFixed(0)} µs`,
      floor: '50 µs',
      goal: '–',
      sides: `p50 ${p50.toFixed(0)} µs`,
    },
  ];
}
