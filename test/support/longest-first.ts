import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest, those first that all others can run beside: none of them runs alone at the end. Those that mostly wait
 * stand between those that keep the processors busy.
 */
export const longest = [
  'test/chaos/cluster-crash.kafka.test.ts',
  'test/e2e/migrate.kafka.test.ts',
  'test/e2e/jobs.kafka.test.ts',
  'test/e2e/send-kafka.kafka.test.ts',
  'test/e2e/moving-jobs.kafka.test.ts',
  'test/chaos/crash.test.ts',
  'test/chaos/cluster-jobs.kafka.test.ts',
  'test/docs/pages.test.ts',
  'test/e2e/two-admins.kafka.test.ts',
  'src/core/progress/sink-progress.prop.test.ts',
  'src/control/crash.test.ts',
  'src/adapters/postgres/table-store.postgres.test.ts',
  'test/e2e/servers-away.test.ts',
  'src/adapters/kafka/three-brokers.kafka.test.ts',
  'src/api/imports.postgres.test.ts',
  'test/e2e/losses.test.ts',
  'test/chaos/jobs/schedules-crash.test.ts',
  'test/e2e/hanging-thread.test.ts',
  'test/e2e/trace.test.ts',
  'src/control/zombie.test.ts',
  'test/e2e/rolling-restart.kafka.test.ts',
  'test/e2e/fuzz.test.ts',
  'test/e2e/monitoring.test.ts',
  'test/e2e/backup.test.ts',
  'test/e2e/hanging-process.test.ts',
  'test/e2e/grown-sources.kafka.test.ts',
  'test/e2e/connect.kafka.test.ts',
  'test/e2e/kafka-producers.kafka.test.ts',
];

/** The longest files, then the others that take servers and processes, then the quick ones, by which the end is even. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

function placeOf({ project, moduleId }: TestSpecification): number {
  if (project.name === 'unit') return longest.length + 1;
  const place = longest.indexOf(relative(project.config.root, moduleId));
  return place === -1 ? longest.length : place;
}
