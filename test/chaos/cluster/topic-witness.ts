import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { kafkaLibraries } from '../../support/kafka-libraries.ts';
import { lightJvm } from '../../support/light-jvm.ts';
import type { Place, Places } from '../oracle.ts';
import { chaosTopic } from '../producer-door.ts';

/** What Kafka's own client sees of the topic of the source, in a process of its own: nothing of the product takes part. */
export interface TopicWitness extends AsyncDisposable {
  /** The stable end of each partition, in order; undefined when brokers do not answer in time. */
  stableEnds(): Promise<readonly number[] | undefined>;
  /** Where each committed event stands. Rejects when one is there twice. */
  read(): Promise<Places>;
}

export interface TopicWitnessOptions {
  readonly brokers: string;
  readonly partitions: number;
  /** Has the number of the event. */
  readonly header: string;
}

export async function startTopicWitness({ brokers, partitions, header }: TopicWitnessOptions): Promise<TopicWitness> {
  const program = new URL('TopicWitness.java', import.meta.url).pathname;
  const machine = ['-Xmx96m', ...lightJvm, '-cp', join(await kafkaLibraries(), '*')];
  const child = spawn('java', [...machine, program, brokers, chaosTopic, String(partitions), header], {
    stdio: 'pipe',
  });
  const ended = once(child, 'exit');
  // Input that it does not read any more: its end tells.
  child.stdin.on('error', () => undefined);
  const errors: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<readonly string[]> => {
    const { done, value } = await lines.next();
    if (done === true) throw new Error(`the witness of the topic ended: ${errors.join('')}`);
    return value === '' ? [] : value.split('\t');
  };
  /** One question at a time. */
  let last: Promise<unknown> = line();
  const ask = (question: string): Promise<readonly string[]> => {
    const answered = last.then(() => {
      child.stdin.write(`${question}\n`);
      return line();
    });
    last = answered;
    return answered;
  };
  await last;
  return {
    stableEnds: async () => {
      const [first, ...rest] = await ask('ends');
      return first === undefined || first === 'failed' ? undefined : [first, ...rest].map(Number);
    },
    read: async () => {
      const records = await ask('read');
      if (records[0] === 'failed') throw new Error(`the topic of the source cannot be read: ${records[1]}`);
      return placesOf(records);
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function placesOf(records: readonly string[]): Places {
  const places = new Map<number, Place>();
  for (const record of records) {
    const [partition, offset, text] = record.split(',');
    const number = Number(text);
    if (places.has(number)) throw new Error(`D3: event ${number} is twice in the topic of its source`);
    places.set(number, { partition: Number(partition), offset: Number(offset) });
  }
  return places;
}
