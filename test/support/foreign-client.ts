import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { kafkaLibraries } from './kafka-libraries.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('kafka-client/ForeignClient.java', import.meta.url));

async function java(words: readonly string[]): Promise<string> {
  const classPath = join(await kafkaLibraries(), '*');
  const { stdout } = await run('java', ['-XX:TieredStopAtLevel=1', '-cp', classPath, program, ...words]);
  return stdout;
}

/** Appends `CODEC VALUE` of all values with each codec, by the client that Kafka brings. */
export async function produceByJava(
  { brokers, topic }: { readonly brokers: string; readonly topic: string },
  codecs: readonly string[],
  values: readonly string[],
): Promise<void> {
  await java(['produce', brokers, topic, ...codecs, '--', ...values]);
}

/** The first values of a topic, as the client that Kafka brings reads them. */
export async function consumeByJava(
  { brokers, topic }: { readonly brokers: string; readonly topic: string },
  count: number,
): Promise<readonly string[]> {
  return (await java(['consume', brokers, topic, String(count)])).split('\n').slice(0, -1);
}
