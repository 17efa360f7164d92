import { startAdmin, type AdminHarness } from './admin-harness.ts';
import { PlayingWorker } from './playing-worker.ts';
import { storeConfiguration } from './stored-configuration.ts';

/** A job as its view shows it. */
export interface ShownJob {
  readonly id: string;
  readonly status: string;
  readonly phase: string;
  readonly [field: string]: unknown;
}

/** An API with configurations of jobs, and somebody who runs these by hand. */
export interface JobsApi {
  readonly harness: AdminHarness;
  readonly worker: PlayingWorker;
  /** Asks for a job of the configuration `shop`. */
  readonly create: (body?: object) => Promise<ShownJob>;
}

/** With the configurations `shop`, `off`, which is disabled, `gone`, which is deleted, and `v`, which are variables. */
export async function startJobsApi(): Promise<JobsApi> {
  const harness = await startAdmin();
  const { catalog } = harness.dependencies;
  await storeConfiguration(catalog, { configurationId: 'shop' });
  await storeConfiguration(catalog, { configurationId: 'off', isDisabled: true });
  await storeConfiguration(catalog, { configurationId: 'gone', deleted: { at: 'x', by: { type: 'system' } } });
  await storeConfiguration(catalog, { configurationId: 'v', componentId: 'variables' });
  const create = (body: object = {}): Promise<ShownJob> =>
    harness.api.call('POST', '/jobs', { component: 'generic-extractor', config: 'shop', ...body });
  return { harness, worker: new PlayingWorker(harness), create };
}
