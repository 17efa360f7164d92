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
  /**
   * The product is stopped in these ways, one after another: each time about half of what was appended last is accepted,
   * and more is appended while it is away.
   */
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
  readonly stoppedAt: readonly StopPoint[];
  readonly seconds: number;
  readonly progress: SinkProgressAnswer;
}

/** Where things stood when the product was stopped. */
export interface StopPoint {
  readonly appended: number;
  readonly accepted: number;
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
  const portions = portionsOf(numbered(records), stops.length + 1);
  await shop.createSink({ sinkId, tableId });
  await topics.create(topic, partitions);
  await topics.append(topic, portions[0] ?? [], partitions);
  let appended = portions[0]?.length ?? 0;

  const started = performance.now();
  await connect.start(connector, { ...(await connectorConfiguration(file)), topics: topic });
  const stoppedAt: StopPoint[] = [];
  for (const [at, signal] of stops.entries()) {
    const accepted = await whenAccepted(shop, appended - (portions[at]?.length ?? 0) / 2);
    const how = await product.stop(signal);
    stoppedAt.push({ appended, accepted });
    say(`${accepted} of ${appended} accepted; ${signal}: ended with ${how}`);
    const portion = portions[at + 1] ?? [];
    await topics.append(topic, portion, partitions);
    appended += portion.length;
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

function portionsOf<Item>(items: readonly Item[], count: number): readonly (readonly Item[])[] {
  const size = Math.ceil(items.length / count);
  return Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size));
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
