import { describe, expect, it } from 'vitest';
import { Api } from '../../support/api.ts';
import { smallApi } from '../../support/small-api.ts';
import type { Told } from './otlp-sender.ts';
import { otlpRequest, telemetrySinks, type TelemetrySink } from './telemetry.ts';
import { recordsOf, requireWhole } from './verify-telemetry.ts';

function sinkOf(sinkId: string): TelemetrySink {
  const found = telemetrySinks.find((sink) => sink.sinkId === sinkId);
  if (found === undefined) throw new Error(`there is no sink ${sinkId}`);
  return found;
}

const both = sinkOf('both');
const logs = sinkOf('logs');

/** All records of these requests. */
function recordsIn(...indices: readonly number[]): readonly number[] {
  return indices.flatMap((index) => otlpRequest(index).numbers);
}

function judge(sink: TelemetrySink, told: readonly Told[], records: readonly number[]): () => void {
  return () => requireWhole(sink, new Set(records), told);
}

type Row = Readonly<Record<'id' | 'body' | 'name', string>>;

async function read(rows: readonly Row[], sink: TelemetrySink = both): Promise<ReadonlySet<number>> {
  const body = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const path = `GET /v2/storage/tables/${sink.tableId}/export?format=ndjson`;
  await using api = await smallApi(() => ({ [path]: { body } }));
  return await recordsOf(new Api(api.url, 'token'), sink, new Map());
}

function logOf(record: number): Row {
  return { id: `id-${record}`, body: String(record), name: '' };
}

describe('the judge of telemetry in the crash tests', () => {
  const told: readonly Told[] = ['acknowledged', 'acknowledged', 'refused', 'unknown', 'unknown'];

  it('finds nothing where acknowledged requests are whole, and unanswered ones whole or not there', () => {
    expect(judge(both, told, recordsIn(0, 1, 4))).not.toThrow();
    expect(judge(logs, told, recordsIn(1, 4))).not.toThrow();
  });

  it('D1: notices a request that is there in part, whatever was answered', () => {
    for (const index of [1, 4]) {
      const torn = recordsIn(0, 1, 4).filter((record) => record !== otlpRequest(index).numbers[0]);
      const [count, size] = [otlpRequest(index).numbers.length - 1, otlpRequest(index).numbers.length];
      expect(judge(both, told, torn)).toThrow(
        `D1, in part: request ${index}, which is ${told[index]}, has ${count} of ${size} records in sink "both"`,
      );
    }
  });

  it('D2: notices an acknowledged request of which nothing is there', () => {
    expect(judge(both, told, recordsIn(0))).toThrow('D2: request 1, which is acknowledged, has 0 of 2');
    // A sink that does not take the signal need not have it.
    expect(judge(logs, told, recordsIn(1))).not.toThrow();
  });

  it('D9: notices a request that was refused and is there', () => {
    expect(judge(both, told, recordsIn(0, 1, 2))).toThrow('D9: request 2, which is refused');
  });

  it('notices a request that was never sent', () => {
    expect(judge(both, told, recordsIn(0, 1, 7))).toThrow('sink "both" has 8 records that were not sent');
  });

  it('reads each record once, and notices one that is there twice', async () => {
    const rows = recordsIn(1, 2).map(logOf);
    expect(await read(rows)).toEqual(new Set(recordsIn(1, 2)));
    await expect(read([...rows, logOf(12)])).rejects.toThrow('D3: record 12 is twice in sink "both"');
  });

  it.each([
    ['with a number that its request does not have', both, logOf(14)],
    ['as a span, which was sent as a log record', both, { ...logOf(12), body: '', name: '12' }],
    ['in the table of another signal', sinkOf('traces'), logOf(12)],
  ] as const)('notices a record %s', async (_, sink, row) => {
    await expect(read([row], sink)).rejects.toThrow('where it must not be');
  });
});
