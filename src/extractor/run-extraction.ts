import type { RunExtraction } from './extraction.ts';
import { JobRuns } from './job-runs.ts';
import { openRun } from './open-run.ts';
import { OutputTables } from './output-tables.ts';

export const runExtraction: RunExtraction = async (run, waiting) => {
  await using opened = openRun(run, waiting);
  const { configuration, budget, clientOf, stateAfter } = opened;
  const output = new OutputTables(configuration, run.spool, waiting);
  const onProgress = run.onProgress ?? (() => undefined);
  for (const iteration of configuration.iterations) {
    const [client, tables] = [clientOf(iteration), output.of(iteration.output)];
    await new JobRuns({ iteration, client, tables, budget, now: () => run.clock.now(), onProgress }).runAll();
  }
  const tables = await output.whole();
  waiting.signal.throwIfAborted();
  run.log.info('Extractor finished successfully.');
  return { ...budget.used, tables, state: stateAfter };
};
