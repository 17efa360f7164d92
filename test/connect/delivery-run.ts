import { setTimeout as sleep } from 'node:timers/promises';
import { expectRunning } from '../support/connect.ts';
import { connectorConfiguration } from '../support/connector-configuration.ts';
import { eventually } from '../support/eventually.ts';
import type { Shop, SinkProgressAnswer } from '../support/shop.ts';
import type { ConnectedProduct } from './connected-product.ts';

/** A signal to the product, or a kill of the Connect worker. */
export type Stop = 'SIGTERM' | 'SIGKILL' | 'worker';

export interface DeliveryRun {
  /** A configuration of `connectors/` whose batches are JSON. */
  readonly file: string;
  readonly records: number;
  /** One after another: each time about half of what was appended last is accepted, and more is appended meanwhile. */
  readonly stops: readonly Stop[];
  /** How long what was stopped stays away each time. */
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

/** Where things stood at a stop. */
export interface StopPoint {
  readonly stop: Stop;
  readonly appended: number;
  readonly accepted: number;
}

const sinkId = 'numbers';
const tableId = 'in.c-connect.numbers';
const partitions = 2;
const withinMs = 300_000;

/** Lets Connect deliver a topic to the source while one of both is stopped and started again, and counts what arrives. */
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
  // Else Kafka waits 45 s for a worker that was killed.
  const patience = stops.includes('worker') ? { 'consumer.override.session.timeout.ms': '6000' } : {};
  await connect.start(connector, { ...(await connectorConfiguration(file)), topics: topic, ...patience });
  const stoppedAt: StopPoint[] = [];
  for (const [at, stop] of stops.entries()) {
    const accepted = await whenAccepted(shop, appended - (portions[at]?.length ?? 0) / 2);
    const how = stop === 'worker' ? await connect.kill() : await product.stop(stop);
    stoppedAt.push({ stop, appended, accepted });
    say(`${accepted} of ${appended} accepted; ${stop}${how === undefined ? '' : `: ended with ${how}`}`);
    const portion = portions[at + 1] ?? [];
    await topics.append(topic, portion, partitions);
    appended += portion.length;
    await sleep(awayMs);
    await (stop === 'worker' ? connect.restart() : product.start());
    await eventually(async () => expectRunning(connector, await connect.status(connector)), { withinMs });
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
