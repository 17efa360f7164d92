import type { Api } from '../../support/api.ts';
import { calmProgress } from '../calm-progress.ts';
import type { Told } from './otlp-sender.ts';
import {
  otlpRequest,
  requestIndexOf,
  telemetrySinkPath,
  telemetrySinks,
  type OtlpRequest,
  type TelemetrySink,
} from './telemetry.ts';

export interface TelemetryVerdict {
  readonly acknowledged: number;
  /** Requests that were never acknowledged and are in the tables all the same. */
  readonly unacknowledgedButStored: number;
  readonly rows: number;
}

/**
 * Compares all tables of OpenTelemetry with what its senders were told, by the number of each request. Throws when a record
 * is lost, double, invented or where it must not be, when a request is stored in part, and when the numbers of conservation
 * are wrong. Everything must have been delivered.
 */
export async function verifyTelemetry(api: Api, told: readonly Told[]): Promise<TelemetryVerdict> {
  const ids = new Map<number, string>();
  const stored = new Set<number>();
  let rows = 0;
  for (const sink of telemetrySinks) {
    const found = await recordsOf(api, sink, ids);
    rows += found.size;
    requireWhole(sink, found, told);
    if (sink.sinkId === 'both') for (const record of found) stored.add(requestIndexOf(record));
    const lost = [...stored].find((index) => takes(sink, otlpRequest(index)) && !hasAny(found, otlpRequest(index)));
    if (lost !== undefined) throw new Error(`D2: sink "${sink.sinkId}" lacks request ${lost}, which sink "both" has`);
    const accepted = [...stored].reduce((sum, index) => sum + otlpRequest(index).numbers.length, 0);
    await requireTotals(api, sink, { accepted, imported: found.size, filtered: accepted - found.size });
  }
  const acknowledged = told.filter((one) => one === 'acknowledged').length;
  return { acknowledged, unacknowledgedButStored: stored.size - acknowledged, rows };
}

function takes({ takes: signals }: TelemetrySink, { signal }: OtlpRequest): boolean {
  return signals.includes(signal);
}

function hasAny(found: ReadonlySet<number>, { numbers }: OtlpRequest): boolean {
  return numbers.some((number) => found.has(number));
}

/** The numbers of the records in a table, each once, with the id that it has everywhere. Throws at a record that is not so. */
export async function recordsOf(
  api: Api,
  { sinkId, tableId, takes: signals }: TelemetrySink,
  ids: Map<number, string>,
): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  for await (const { id = '', body = '', name = '' } of api.eachRow(tableId)) {
    const number = Number(body === '' ? name : body);
    if (found.has(number)) throw new Error(`D3: record ${number} is twice in sink "${sinkId}"`);
    const { signal, numbers } = otlpRequest(requestIndexOf(number));
    const isRight = numbers.includes(number) && signals.includes(signal) && (signal === 'traces') === (body === '');
    if (!isRight) throw new Error(`record "${body}" "${name}" is in sink "${sinkId}", where it must not be`);
    const known = ids.get(number) ?? id;
    if (known !== id) throw new Error(`record ${number} has id ${id} in sink "${sinkId}", elsewhere ${known}`);
    ids.set(number, id);
    found.add(number);
  }
  return found;
}

/**
 * Throws unless of each request all records or none are there: all of one that was acknowledged, none of one that was refused or never
 * sent.
 */
export function requireWhole(sink: TelemetrySink, found: ReadonlySet<number>, told: readonly Told[]): void {
  let counted = 0;
  for (const [index, what] of told.entries()) {
    const request = otlpRequest(index);
    const there = request.numbers.filter((number) => found.has(number)).length;
    counted += there;
    if (!takes(sink, request)) continue;
    const where = `request ${index}, which is ${what}, has ${there} of ${request.numbers.length} records in sink "${sink.sinkId}"`;
    if (there !== 0 && there !== request.numbers.length) throw new Error(`D1, in part: ${where}`);
    if (what === 'acknowledged' && there === 0) throw new Error(`D2: ${where}`);
    if (what === 'refused' && there > 0) throw new Error(`D9: ${where}`);
  }
  if (counted !== found.size)
    throw new Error(`sink "${sink.sinkId}" has ${found.size - counted} records that were not sent`);
}

async function requireTotals(
  api: Api,
  sink: TelemetrySink,
  counted: { readonly accepted: number; readonly imported: number; readonly filtered: number },
): Promise<void> {
  const { totals } = await calmProgress(api, sink.sinkId, telemetrySinkPath(sink));
  const expected = { ...counted, dead: 0, holes: 0, givenUp: 0, staged: 0, inFlight: 0, none: 0, difference: 0 };
  for (const [key, value] of Object.entries(expected)) {
    const says = totals[key as keyof typeof expected];
    if (says !== value) throw new Error(`D4: sink "${sink.sinkId}" says ${key} ${says}, counted are ${value}`);
  }
}
