import type { Job } from '../../src/core/jobs/job.ts';
import type { SinkProgress } from '../../src/core/progress/sink-progress.ts';
import type { Catalog } from '../../src/ports/catalog.ts';
import { listOf, type EventLog, type NewRecord } from '../../src/ports/event-log.ts';
import type { Decorate } from '../../src/runtime/composition/ports.ts';
import { withMethod } from '../support/with-method.ts';
import { telemetryTopic } from './otlp/telemetry-topic.ts';
import { chaosTopic } from './producer-door.ts';

/** What a product that breaks its promises would do: the crash test must notice each. */
export const defects = ['loss', 'double', 'alteration', 'tearing', 'overreach', 'denial', 'miscount'] as const;
export type Defect = (typeof defects)[number];

/** The defect of this process, from its environment. */
export function plantedDefect(environment: NodeJS.ProcessEnv): Defect | undefined {
  return defects.find((name) => name === environment['CHAOS_DEFECT']);
}

/** The append that goes wrong; those before it show that the test sees nothing where nothing is wrong. */
const wrongAppend = 30;

type DefectOfLog = Exclude<Defect, 'overreach' | 'denial' | 'miscount'>;

/**
 * Ports of which the log of sources does one thing wrong, once in each thread, or the catalog one thing always: a sink that is disabled
 * goes on, each fourth job that has loaded its tables says that it was given up, or dead letters that were replayed still count as dead.
 * Without a defect, the ports as they are.
 */
export function defectivePorts(defect: Defect | undefined): Decorate {
  if (defect === undefined) return (ports) => ports;
  if (defect === 'overreach') return (ports) => ({ ...ports, catalog: overreachingCatalog(ports.catalog) });
  if (defect === 'denial') return (ports) => ({ ...ports, catalog: denyingCatalog(ports.catalog) });
  if (defect === 'miscount') return (ports) => ({ ...ports, catalog: miscountingCatalog(ports.catalog) });
  return (ports) => ({ ...ports, sourceLog: defectiveLog(ports.sourceLog, defect) });
}

function defectiveLog(log: EventLog, defect: DefectOfLog): EventLog {
  let appends = 0;
  const topic = defect === 'tearing' ? telemetryTopic : chaosTopic;
  return withMethod(log, 'append', async (at, records, options) => {
    if (at.topic !== topic) return log.append(at, records, options);
    appends += 1;
    if (appends !== wrongAppend) return log.append(at, records, options);
    if (defect === 'loss') return (await log.ranges(at.topic, options))[at.partition]?.first ?? 0;
    return log.append(at, spoilt(listOf(records), defect), options);
  });
}

function spoilt(records: readonly NewRecord[], defect: Exclude<DefectOfLog, 'loss'>): readonly NewRecord[] {
  const [first, ...rest] = records;
  if (first === undefined) return records;
  if (defect === 'double') return [first, ...records];
  if (defect === 'tearing') return rest.length === 0 ? records : rest;
  return [{ ...first, value: Buffer.from(first.value.toString().replace('with', 'wiht')) }, ...rest];
}

function overreachingCatalog(catalog: Catalog): Catalog {
  return withMethod(catalog, 'compareAndSet', async (write, options) => {
    if (write.collection !== 'progress') return catalog.compareAndSet(write, options);
    const before = await catalog.get('progress', write.id, options);
    const [old, now] = [before?.value as SinkProgress | undefined, write.value as SinkProgress];
    const isDisabling = old?.open === true && !now.open && !now.deleted;
    if (before === undefined || !isDisabling) return catalog.compareAndSet(write, options);
    return { kind: 'written', revision: before.revision };
  });
}

function denyingCatalog(catalog: Catalog): Catalog {
  let ended = 0;
  return withMethod(catalog, 'compareAndSet', (write, options) => {
    const value = write.value as Partial<Extract<Job, { phase: 'ended' }>>;
    if (write.collection !== 'job' || value.phase !== 'ended') return catalog.compareAndSet(write, options);
    ended += 1;
    if (ended % 4 !== 0) return catalog.compareAndSet(write, options);
    const result = { ...value.result, message: 'The job was given up: its process ended 3 times while it ran.' };
    return catalog.compareAndSet({ ...write, value: { ...value, status: 'error', result } }, options);
  });
}

function miscountingCatalog(catalog: Catalog): Catalog {
  return withMethod(catalog, 'compareAndSet', async (write, options) => {
    if (write.collection !== 'progress') return catalog.compareAndSet(write, options);
    const before = (await catalog.get('progress', write.id, options))?.value as SinkProgress | undefined;
    const now = write.value as SinkProgress;
    if (before?.replaying === undefined || now.replaying !== undefined) return catalog.compareAndSet(write, options);
    return catalog.compareAndSet({ ...write, value: { ...now, totals: before.totals } }, options);
  });
}
