import { Worker } from 'node:worker_threads';
import type { DecoderOrder, DecoderProgress } from './decoder-attacker.ts';

export interface DecoderReport extends DecoderProgress {
  readonly seconds: number;
  /** At most in the first half, and at most in the second one. */
  readonly memory: { readonly first: number; readonly second: number };
}

/** A decoder that says nothing for so long hangs. Some hundred inputs take far less on a busy machine. */
const silenceMs = 120_000;
/** Of the thread: what one request may hold, and what a decoder makes beside it. */
const heapMb = 256;

/**
 * Gives hostile bodies to the decoders. Throws when one of them throws, makes a record that is no JSON, hangs, needs more memory
 * than there is, or leaves memory behind.
 */
export async function decoderRun(order: DecoderOrder): Promise<DecoderReport> {
  const startedAt = performance.now();
  const memory = { first: 0, second: 0 };
  const worker = new Worker(new URL('decoder-attacker.ts', import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  let last: DecoderProgress | undefined;
  const ended = Promise.withResolvers<void>();
  const hangs = (): void => ended.reject(new Error(`the decoders say nothing after input ${last?.done ?? 0}`));
  let timer = setTimeout(hangs, silenceMs);
  worker.on('message', (progress: DecoderProgress) => {
    clearTimeout(timer);
    timer = setTimeout(hangs, silenceMs);
    last = progress;
    const half = progress.done * 2 <= order.inputs ? 'first' : 'second';
    memory[half] = Math.max(memory[half], progress.memoryBytes);
  });
  worker.once('error', ended.reject);
  worker.once('exit', () => ended.resolve());
  try {
    await ended.promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
  if (last?.done !== order.inputs) throw new Error(`the decoders ended after input ${last?.done ?? 0}`);
  const { defects } = last;
  if (defects.length > 0) throw new Error(`${defects.length} inputs with another end, first:\n${defects[0]}`);
  const grown = memory.second - memory.first;
  if (grown > 32 * 1024 ** 2) throw new Error(`the decoders kept ${grown} bytes more in the second half`);
  return { ...last, memory, seconds: (performance.now() - startedAt) / 1000 };
}
