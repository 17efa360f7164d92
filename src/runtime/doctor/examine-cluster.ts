import { tmpdir } from 'node:os';
import { checkSchemaRegistry } from '../../adapters/schema-registry/check-registry.ts';
import type { ClusterTopology } from '../../config/topology/topology.ts';
import { withConnectionAdvice } from '../../core/connection-advice.ts';
import { sentence, type Finding } from '../../core/finding.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Examined } from '../product.ts';
import type { Examination } from '../stores/store-row.ts';
import { storesOf, type DescribedStore } from '../stores/stores.ts';
import { examineJobs } from './examine-jobs.ts';
import { systemClock } from '../system-clock.ts';

/** One server may take so long for all that is looked at. */
const withinMs = 60_000;

/** What `Product.examineCluster` promises. */
export async function examineCluster(topology: ClusterTopology, signal: AbortSignal): Promise<readonly Examined[]> {
  const servers = serversOf(topology).map((server) => examine(server, signal));
  const examined = await Promise.all([...servers, examineJobs(topology, examinationOf(signal))]);
  signal.throwIfAborted();
  return examined.filter((one) => one !== undefined);
}

type Server = Pick<DescribedStore<unknown>, 'name' | 'check'>;

function serversOf({ schemaRegistry, ...topology }: ClusterTopology): readonly Server[] {
  const stores: readonly Server[] = Object.values(storesOf(topology));
  if (schemaRegistry === undefined) return stores;
  return [...stores, { name: 'schema registry', check: (looking) => checkSchemaRegistry(schemaRegistry, looking) }];
}

async function examine({ name, check }: Server, signal: AbortSignal): Promise<Examined> {
  try {
    return { server: name, findings: (await check(examinationOf(signal))).map(advised) };
  } catch (thrown) {
    signal.throwIfAborted();
    return {
      server: name,
      findings: [{ kind: 'bad', about: 'connection', text: withConnectionAdvice(sentence(reasonOf(thrown))) }],
    };
  }
}

function examinationOf(signal: AbortSignal): Examination {
  return {
    clientId: 'millrace-doctor',
    tempDir: tmpdir(),
    now: systemClock.now(),
    signal: AbortSignal.any([signal, AbortSignal.timeout(withinMs)]),
  };
}

function advised(finding: Finding): Finding {
  return finding.kind === 'bad' ? { ...finding, text: withConnectionAdvice(finding.text) } : finding;
}

function reasonOf(thrown: unknown): string {
  if (thrown instanceof Error && thrown.name === 'TimeoutError') return `No answer within ${withinMs / 1000} seconds.`;
  return MillraceError.fromUnknown(thrown).message;
}
