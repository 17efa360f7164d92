import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api } from '../support/api.ts';
import { freePort } from '../support/free-port.ts';
import { EndedEarly, startProcess, type ProductProcess } from '../support/process.ts';
import { crashPoints, type CrashPoint } from './crash-points.ts';
import { seededRandom } from './random.ts';
import { templateColumn } from './made-cell.ts';
import { startSender, type Oracle } from './sender.ts';
import { verifyTables, type Verdict } from './verify.ts';

export interface CrashRunOptions {
  readonly seed: number;
  readonly kills: number;
  readonly connections: number;
  readonly say: (line: string) => void;
}

export interface CrashReport extends Verdict {
  readonly seed: number;
  readonly kills: number;
  /** Kills at named points, among all. */
  readonly byPoint: Readonly<Record<string, number>>;
}

/** The table of one sink has a cell that a template makes of body and headers. */
const computed = { tableId: 'in.c-chaos.second', column: 'made' };
const tables = ['in.c-chaos.first', 'in.c-chaos.second', 'in.c-chaos.third'];
const source = '/v1/branches/default/sources/chaos';
const token = 'chaos-root-token';

/**
 * D2, D3, D4 under SIGKILL: posts numbered events without pause, kills the process again and again, at random moments and at
 * named points, then compares three tables with what was acknowledged. Throws when anything is lost, double or invented.
 */
export async function crashRun({ seed, kills, connections, say }: CrashRunOptions): Promise<CrashReport> {
  const random = seededRandom(seed);
  const folder = await mkdtemp(join(tmpdir(), 'millrace-chaos-'));
  const env = {
    MILLRACE_DATA_DIR: folder,
    MILLRACE_ROOT_TOKEN: token,
    MILLRACE_ADMIN_PORT: String(await freePort()),
    MILLRACE_INGEST_PORT: String(await freePort()),
    MILLRACE_LOG_LEVEL: 'warn',
  };
  let victim = await start(env, undefined);
  /** Starts the process again with a plan to end itself; it may do so before it is ready. */
  const dieAt = async (point: CrashPoint, after: number): Promise<string> => {
    victim.kill('SIGKILL');
    await victim.ended;
    try {
      victim = await start(env, `${point}@${after}`);
    } catch (thrown) {
      if (thrown instanceof EndedEarly && thrown.how === 'SIGKILL') return `${point} while starting`;
      throw thrown;
    }
    return (await dieWithin(victim, 10_000)) ? point : 'random';
  };
  try {
    const sender = startSender({ url: await prepare(new Api(victim.admin, token)), connections });
    const byPoint: Record<string, number> = {};
    for (let kill = 1; kill <= kills; kill += 1) {
      const point = kill % 2 === 0 ? crashPoints[(kill / 2 - 1) % crashPoints.length] : undefined;
      const how = await (point === undefined
        ? dieAtRandom(victim, 50 + random() * 2500)
        : dieAt(point, 1 + Math.floor(random() * 4)));
      byPoint[how] = (byPoint[how] ?? 0) + 1;
      say(`kill ${kill} of ${kills}: ${how}; ${sender.oracle.acknowledged.size} events acknowledged`);
      victim = await start(env, undefined);
    }
    await sender.stop();
    const verdict = await settle(new Api(victim.admin, token), sender.oracle);
    victim.kill('SIGTERM');
    await victim.ended;
    return { ...verdict, seed, kills, byPoint };
  } catch (thrown) {
    throw new Error(
      `seed ${seed}: ${thrown instanceof Error ? thrown.message : String(thrown)}\n${victim.stderr().slice(-4000)}`,
      { cause: thrown },
    );
  } finally {
    victim.kill('SIGKILL');
    await victim.ended;
    await rm(folder, { recursive: true, force: true });
  }
}

function start(env: Readonly<Record<string, string>>, crash: string | undefined): Promise<ProductProcess> {
  return startProcess({
    entry: new URL('./victim.ts', import.meta.url),
    env: crash === undefined ? env : { ...env, CHAOS_CRASH: crash },
  });
}

async function dieAtRandom(victim: ProductProcess, ms: number): Promise<string> {
  if (await dieWithin(victim, ms)) throw new Error(`the process ended by itself:\n${victim.stderr().slice(-4000)}`);
  return 'random';
}

/** Waits; kills when the process has not died by itself by then. True when it had. */
async function dieWithin(victim: ProductProcess, ms: number): Promise<boolean> {
  const timer = Promise.withResolvers<false>();
  const handle = setTimeout(() => timer.resolve(false), ms);
  const died = await Promise.race([victim.ended.then(() => true), timer.promise]);
  clearTimeout(handle);
  victim.kill('SIGKILL');
  await victim.ended;
  return died;
}

/** Makes the source and its sinks; answers the address to post to. */
async function prepare(api: Api): Promise<string> {
  await api.task('POST', '/v1/branches/default/sources', { type: 'http', name: 'Chaos', sourceId: 'chaos' });
  for (const [index, tableId] of tables.entries()) {
    const columns = [
      { type: 'uuid', name: 'id' },
      { type: 'path', name: 'n', path: 'n' },
      { type: 'path', name: 'text', path: 'text', rawString: true },
      { type: 'headers', name: 'headers' },
      ...(tableId === computed.tableId ? [templateColumn(computed.column)] : []),
    ];
    const sinkId = `sink-${index + 1}`;
    await api.task('POST', `${source}/sinks`, {
      name: sinkId,
      sinkId,
      table: { type: 'keboola', tableId, mapping: { columns } },
      type: 'table',
    });
    await api.call('PATCH', `${source}/sinks/${sinkId}/settings`, { settings: fastTriggers(index) });
  }
  const { http } = await api.call<{ http: { url: string } }>('GET', source);
  return http.url;
}

/** Small enough that slices and imports are under way at any moment. */
function fastTriggers(index: number): readonly { readonly key: string; readonly value: string | number }[] {
  return [
    { key: 'storage.level.staging.upload.trigger.interval', value: '1s' },
    { key: 'storage.level.staging.upload.trigger.count', value: 300 * (index + 1) },
    { key: 'storage.level.target.import.trigger.count', value: 800 * (index + 1) },
  ];
}

async function settle(api: Api, oracle: Oracle): Promise<Verdict> {
  for (const index of tables.keys()) await api.task('POST', `${source}/sinks/sink-${index + 1}/flush`);
  return verifyTables({ api, tables, source, oracle, computed });
}
