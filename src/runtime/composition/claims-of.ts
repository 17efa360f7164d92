import { randomUUID } from 'node:crypto';
import { parseInstallationId } from '../../core/installation-id.ts';
import type { TableStore } from '../../ports/table-store.ts';
import { markedLog, markedStaging, markedTables } from '../../stages/claims/marked-store.ts';
import { StoreClaims, type ClaimsOptions } from '../../stages/claims/store-claims.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { observeClaims } from '../../telemetry/observe-claims.ts';
import type { Ports } from './ports.ts';

export interface ClaimablePorts extends Pick<Ports, 'catalog' | 'objects' | 'sourceLog' | 'sinkLog'> {
  /** Undefined in a process that has not opened them. */
  readonly tables: TableStore | undefined;
}

export interface ClaimingOptions extends Pick<ClaimsOptions, 'unconditionally' | 'onAstray'> {
  readonly telemetry: Telemetry;
}

/** Whose the stores of a process are, as far as it has opened them. */
export function claimsOf(
  { catalog, objects, sourceLog, sinkLog, tables }: ClaimablePorts,
  { telemetry, ...options }: ClaimingOptions,
): StoreClaims {
  return new StoreClaims({
    catalog,
    stores: [
      markedStaging(objects),
      markedLog('source-log', sourceLog),
      markedLog('sink-log', sinkLog),
      ...(tables === undefined ? [] : [markedTables(tables)]),
    ],
    makeId: () => parseInstallationId(randomUUID()),
    observer: observeClaims(telemetry),
    ...options,
  });
}
