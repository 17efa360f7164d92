import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { kafkaLibraries } from '../../support/kafka-libraries.ts';
import { lightJvm } from '../../support/light-jvm.ts';
import type { ChaosEvent } from '../event.ts';
import { chaosTopic, producedHeaders } from '../producer-door.ts';
import type { Send, SendAnswer } from '../sender.ts';

/** Transactions by what became of them, and those that stayed open for seconds. */
export type Transactions = Readonly<Record<Outcome | 'heldOpen', number>>;

/** Appends events to the topic of the source in transactions, each event once. */
export interface TransactingProducer extends AsyncDisposable {
  /** 200: committed. 409: the brokers confirmed that it was aborted, and it is in no table. No status: nobody knows. */
  readonly send: Send;
  readonly transactions: Transactions;
}

export interface TransactingProducerOptions {
  readonly brokers: string;
  /** Of the topic. */
  readonly partitions: number;
  readonly random: () => number;
}

const outcomes = ['committed', 'aborted', 'unclear'] as const;
type Outcome = (typeof outcomes)[number];

const statuses: Readonly<Record<Outcome, number | undefined>> = { committed: 200, aborted: 409, unclear: undefined };

/** Transactions under way at a time, and events of each. */
const producers = 4;
const eventsAtMost = 12;

interface Sent {
  readonly event: ChaosEvent;
  readonly answer: (answer: SendAnswer) => void;
}

/**
 * Kafka's own client, in a process of its own: an oracle must not report what is not there. A third of the transactions is aborted, a
 * third stays open for some seconds, so that what is stable lags behind.
 */
export async function startTransactingProducer({
  brokers,
  partitions,
  random,
}: TransactingProducerOptions): Promise<TransactingProducer> {
  const program = new URL('TransactingProducer.java', import.meta.url).pathname;
  const machine = ['-Xmx96m', ...lightJvm, '-cp', join(await kafkaLibraries(), '*')];
  const child = spawn('java', [...machine, program, brokers, chaosTopic, String(producers)], { stdio: 'pipe' });
  const ended = once(child, 'exit');
  // Input that it does not read any more: its end tells.
  child.stdin.on('error', () => undefined);
  const errors: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  const transactions: Record<Outcome | 'heldOpen', number> = { committed: 0, aborted: 0, unclear: 0, heldOpen: 0 };
  const waiting: Sent[] = [];
  const open = new Map<string, readonly Sent[]>();
  let begun = 0;
  const begin = (): void => {
    while (open.size < producers && waiting.length > 0) {
      const sent = waiting.splice(0, eventsAtMost);
      const [number, outcome] = [String(begun), begun % 3 === 0 ? 'abort' : 'commit'];
      const heldMs = Math.floor(begun / 3) % 3 === 0 ? Math.round(1000 + random() * 3000) : 0;
      begun += 1;
      if (heldMs > 0) transactions.heldOpen += 1;
      open.set(number, sent);
      const records = sent.map(({ event }) => recordOf(event, partitions));
      child.stdin.write(`${[number, outcome, heldMs, ...records].join('\t')}\n`);
    }
  };
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [number = '', told, why = ''] = line.split('\t');
    if (number === 'ready') return resolve();
    const outcome = outcomes.find((one) => one === told) ?? 'unclear';
    transactions[outcome] += 1;
    for (const { answer } of open.get(number) ?? []) answer({ status: statuses[outcome], text: `${outcome} ${why}` });
    open.delete(number);
    begin();
  });
  let whyGone: string | undefined;
  child.once('exit', () => {
    whyGone = `the transacting producer ended: ${errors.join('')}`;
    for (const { answer } of [...[...open.values()].flat(), ...waiting]) answer({ status: undefined, text: whyGone });
  });
  await Promise.race([ready, ended]);
  if (whyGone !== undefined) throw new Error(whyGone);
  return {
    transactions,
    send: (event) => {
      if (whyGone !== undefined) return Promise.resolve({ status: undefined, text: whyGone });
      const { promise: answered, resolve: answer } = Promise.withResolvers<SendAnswer>();
      waiting.push({ event, answer });
      begin();
      return answered;
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function recordOf(event: ChaosEvent, partitions: number): string {
  const encoded = [event.body, ...producedHeaders(event)].map((text) => Buffer.from(text).toString('base64'));
  return [event.number % partitions, ...encoded].join(',');
}
