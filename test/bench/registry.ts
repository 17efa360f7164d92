import { acceptBench } from './accept.bench.ts';
import type { Bench } from './bench.ts';
import { catchUpBench } from './catch-up.bench.ts';
import { controlPlaneBench } from './control-plane.bench.ts';
import { extractBench } from './extract.bench.ts';
import { fileImportBench } from './file-import.bench.ts';
import { growthBench } from './growth.bench.ts';
import { idleBench } from './idle.bench.ts';
import { latencyBench } from './latency.bench.ts';
import { mapBench } from './mapping.bench.ts';
import { memoryBench } from './memory.bench.ts';
import { collectorBench } from './otlp-collector.bench.ts';
import { otlpBench } from './otlp.bench.ts';
import { stageBench } from './stage.bench.ts';
import { startBench } from './start.bench.ts';
import { telemetryCostBench } from './telemetry-cost.bench.ts';
import { templatesBench } from './templates.bench.ts';
import { threadsBench } from './threads.bench.ts';
import { toTableBench } from './to-table.bench.ts';

/** All benches by their names, in the order of the page. */
export const benches = {
  accept: acceptBench,
  'to-table': toTableBench,
  memory: memoryBench,
  latency: latencyBench,
  'catch-up': catchUpBench,
  threads: threadsBench,
  stage: stageBench,
  start: startBench,
  'telemetry-cost': telemetryCostBench,
  map: mapBench,
  templates: templatesBench,
  otlp: otlpBench,
  collector: collectorBench,
  extract: extractBench,
  'file-import': fileImportBench,
  growth: growthBench,
  idle: idleBench,
  'control-plane': controlPlaneBench,
} as const satisfies Readonly<Record<string, Bench>>;

export type BenchName = keyof typeof benches;

export function isBenchName(name: string): name is BenchName {
  return Object.hasOwn(benches, name);
}
