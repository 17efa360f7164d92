import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { figureOf, type Figure } from './figure.ts';
import { startLoader } from './load/http-load.ts';
import { readProcessorTime, totalOf } from './processor-time.ts';
import { inTurns } from './rounds.ts';
import { batchLoad } from './sides/loads.ts';
import { measureSide } from './sides/loaded-side.ts';
import { copyPackage, type PackageCopy } from './sides/package-copy.ts';
import { startProduct, type ProductOptions } from './sides/product.ts';
import { startAccept } from './sides/source.ts';
import { median, spreadOf } from './statistics.ts';

interface Start {
  /** From the start of the process to its ready line. */
  readonly seconds: number;
  readonly processorSeconds: number;
}

interface Round {
  readonly cold: Start;
  readonly warm: Start;
  readonly filled: Start;
}

/** From the start of the process to its ready line, as somebody has it for the first time, and at each later start. */
export const startBench: Bench = {
  meaning: 'cold start to ready in an empty folder, a warm one, and one with a log of many events (--events)',
  usual: { rounds: 10, events: 1_000_000 },
  run: benchStart,
};

async function benchStart(options: BenchOptions): Promise<BenchResult> {
  const { tell } = options;
  tell('copying the product');
  await using copy = await copyPackage();
  const isForgotten = copy.canForget;
  tell(`a log of ${options.events.toLocaleString('en')} events`);
  await using log = await filledFolder(options);
  await startOnce(copy, join(copy.folder, 'cache'));
  const rounds = await inTurns<Round>(options, {
    cold: async () => {
      await copy.forget();
      await using cache = await temporary();
      return { cold: await startOnce(copy, cache.path) };
    },
    warm: async () => ({ warm: await startOnce(copy, join(copy.folder, 'cache')) }),
    filled: async () => ({ filled: await startOnce(copy, join(copy.folder, 'cache'), log.path) }),
  });
  const processor = (side: keyof Round): string =>
    `${median(rounds.map((round) => round[side].processorSeconds)).toFixed(2)} s of processor time`;
  const figure = (side: keyof Round, texts: Pick<Figure, 'what' | 'floor' | 'goal'>): Figure =>
    figureOf(spreadOf(rounds.map((round) => round[side].seconds)), { ...texts, unit: ' s', sides: processor(side) });
  const files = isForgotten ? 'nothing of its files in memory' : 'its files in memory';
  const million = (options.events / 1e6).toFixed(1);
  return {
    figures: [
      figure('cold', {
        what: `cold start to ready, empty folder, no compile cache, ${files}`,
        floor: '1.5 s',
        goal: '1 s',
      }),
      figure('warm', { what: 'start to ready, empty folder, later starts', floor: '1.5 s', goal: '1 s' }),
      figure('filled', { what: `start to ready, ${million} million events in the log`, floor: '3 s', goal: '1.5 s' }),
    ],
    notes: isForgotten ? [] : ['the page cache could not be emptied: that needs Linux with python3'],
  };
}

async function startOnce(copy: PackageCopy, cache: string, data?: string): Promise<Start> {
  const options: ProductOptions = {
    program: join(copy.folder, 'bin/millrace.cjs'),
    node: copy.node,
    env: { NODE_COMPILE_CACHE: cache },
    ...(data === undefined ? {} : { folder: data }),
  };
  const began = performance.now();
  await using product = await startProduct(options);
  const seconds = (performance.now() - began) / 1000;
  return { seconds, processorSeconds: totalOf((await readProcessorTime(product.pid)).all) / 1e6 };
}

async function filledFolder(options: BenchOptions): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await temporary();
  try {
    await using loader = startLoader();
    await using side = await startAccept({ folder: folder.path });
    for (let events = 0; events < options.events;)
      events += (await measureSide(side, loader, { ...batchLoad(options), seconds: 0.5 })).events;
    return folder;
  } catch (thrown) {
    await folder[Symbol.asyncDispose]();
    throw thrown;
  }
}

async function temporary(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
