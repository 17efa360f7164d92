import { setTimeout as sleep } from 'node:timers/promises';
import { expectRunning } from '../support/connect.ts';
import { connectorConfiguration } from '../support/connector-configuration.ts';
import { eventually } from '../support/eventually.ts';
import type { Shop, SinkProgressAnswer } from '../support/shop.ts';
import type { ConnectedProduct } from './connected-product.ts';

export interface DeliveryRun {
  /** A configuration of `connectors/` whose batches are JSON. */
  readonly file: string;
  readonly records: number;
  /** The product is stopped in these ways, one after another, spread over the records. */
  readonly stops: readonly NodeJS.Signals[];
  /** How long it stays away each time. */
  readonly awayMs: number;
  readonly say: (line: string) => void;
}

export interface DeliveryReport {
  readonly records: number;
  readonly rows: number;
  /** Numbers of records that are in no row. */
  readonly missing: readonly number[];
  /** Rows beyond the first of a record. */
  readonly repeats: number;
  /** For each stop, how many events were accepted before it. */
  readonly stoppedAt: readonly number[];
  readonly seconds: number;
  readonly progress: SinkProgressAnswer;
}

const sinkId = 'numbers';
const tableId = 'in.c-connect.numbers';
const partitions = 2;
const withinMs = 300_000;

/** Lets Connect deliver a topic to the source while the product is stopped and started again, and counts what arrives. */
export async function deliveryRun(
  { product, shop, topics, connect }: ConnectedProduct,
  { file, records, stops, awayMs, say }: DeliveryRun,
): Promise<DeliveryReport> {
  const topic = `numbers-${process.pid}-${Date.now()}`;
  const connector = topic;
  await shop.createSink({ sinkId, tableId });
  await topics.create(topic, partitions);
  await topics.append(topic, numbered(records), partitions);
  say(`${records} records are in the topic`);

  const started = performance.now();
  await connect.start(connector, { ...(await connectorConfiguration(file)), topics: topic });
  const stoppedAt: number[] = [];
  for (const [at, signal] of stops.entries()) {
    const target = Math.floor((records * (at + 1)) / (stops.length + 2));
    stoppedAt.push(await whenAccepted(shop, target));
    const how = await product.stop(signal);
    say(`${stoppedAt.at(-1)} accepted; ${signal}: ended with ${how}`);
    await sleep(awayMs);
    await product.start();
    expectRunning(connector, await connect.status(connector));
  }
  await eventually(
    async () => {
      const committed = await topics.committed(`connect-${connector}`, topic);
      if (committed < records) throw new Error(`Connect has committed ${committed} of ${records} records`);
    },
    { withinMs, everyMs: 50 },
  );
  const seconds = (performance.now() - started) / 1000;
  expectRunning(connector, await connect.status(connector));
  await shop.flush(sinkId);
  const rows = await shop.numbersIn(tableId);
  const seen = new Set(rows);
  return {
    records,
    rows: rows.length,
    missing: Array.from({ length: records }, (_, number) => number).filter((number) => !seen.has(number)),
    repeats: rows.length - seen.size,
    stoppedAt,
    seconds,
    progress: await shop.progress(sinkId),
  };
}

function numbered(records: number): readonly string[] {
  const padding = 'x'.repeat(200);
  return Array.from({ length: records }, (_, n) => JSON.stringify({ n, padding }));
}

/** Resolves with the number of accepted events once there are so many. */
async function whenAccepted(shop: Shop, count: number): Promise<number> {
  return eventually(
    async () => {
      const { accepted } = (await shop.progress(sinkId)).totals;
      if (accepted < count) throw new Error(`${accepted} of ${count} events are accepted`);
      return accepted;
    },
    { withinMs, everyMs: 5 },
  );
}
