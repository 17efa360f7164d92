/** A thread with a small heap that gives hostile bodies to the decoders of OTLP, and counts what came of them. */
import { randomFillSync } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { createEventIds } from '../../../src/events/event-id.ts';
import type { ExchangeMemory } from '../../../src/events/memory.ts';
import { readOtlp } from '../../../src/events/read-otlp.ts';
import { listOf } from '../../../src/ports/event-log.ts';
import { refusals } from '../../../src/events/refusal.ts';
import { Dice } from '../random.ts';
import { OtlpBodies, type HostileOtlp } from './otlp-bodies.ts';

export interface DecoderOrder {
  readonly seed: number;
  readonly first: number;
  readonly inputs: number;
}

/** Told every so many inputs, and at the end. */
export interface DecoderProgress {
  readonly done: number;
  /** Inputs by what came of them: `records`, or the fault of the refusal. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly records: number;
  readonly bytes: number;
  /** Used by the heap and outside of it, after a collection. */
  readonly memoryBytes: number;
  /** Milliseconds of the input that took longest. */
  readonly longestMs: number;
  /** What may not be, with the number of its input. */
  readonly defects: readonly string[];
}

const order = workerData as DecoderOrder;
const tellEach = 2000;
const mostBytes = 64 * 1024 ** 2;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const bodies = new OtlpBodies(order.seed);
const ids = createEventIds((words) => void randomFillSync(words));
const outcomes: Record<string, number> = {};
const defects: string[] = [];
let [records, bytes, longestMs] = [0, 0, 0];

/** As that of a request: what is held has an end. */
function someMemory(): ExchangeMemory {
  let held = 0;
  const hold = (more: number): boolean => {
    if (held + more > mostBytes) return false;
    held += more;
    return true;
  };
  const release = (less: number): void => void (held -= less);
  return { hold, release, whyNot: () => refusals.tooManyRequests, holdAnswer: hold };
}

/** Runs the decoder to its end. Throws for a record that is none, and whatever the decoder throws. */
function outcomeOf({ body, signal, encoding }: HostileOtlp): string {
  const request = { body, signal, encoding, secrets: [], rawHeaders: [], remoteAddress: '::1', arrivedAt: 0 };
  const reading = readOtlp({ ...request, memory: someMemory() }, ['source'], ids);
  for (;;) {
    const step = reading.next();
    if (step.done !== true) continue;
    const found = step.value;
    if (found.kind === 'refusal') {
      if (!/^(invalid|tooLarge|busy)$/.test(found.fault))
        throw new Error(`refused as ${found.fault}: ${found.message}`);
      if (found.message.length > 5000) throw new Error(`a message of ${found.message.length} characters`);
      return found.fault;
    }
    for (const { value } of listOf(found.writes[0]?.records ?? [])) {
      JSON.parse(Buffer.from(value).toString());
      records += 1;
    }
    return 'records';
  }
}

for (let index = 0; index < order.inputs; index += 1) {
  const number = order.first + index;
  const input = bodies.make(new Dice(order.seed * 1_000_003 + number));
  bytes += input.body.length;
  const startedAt = performance.now();
  try {
    const outcome = outcomeOf(input);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const start = input.body.subarray(0, 300);
    defects.push(`input ${number}, ${input.signal} in ${input.encoding}: ${text}\n${start.toString('latin1')}`);
  }
  longestMs = Math.max(longestMs, performance.now() - startedAt);
  if ((index + 1) % tellEach === 0 || index + 1 === order.inputs) tell(index + 1);
}

function tell(done: number): void {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  const progress = { done, outcomes, records, bytes, memoryBytes: heapUsed + external, longestMs, defects };
  parentPort?.postMessage(progress satisfies DecoderProgress);
}
