import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtEntry } from '../../../test/support/built-entry.ts';
import { runMillrace } from '../../../test/support/run-millrace.ts';

const main = await builtEntry('main');

interface ReadyLine {
  readonly event: string;
  readonly admin: string;
  readonly ingest: string;
  readonly otlpGrpc: string;
  readonly pid: number;
}

let folder: string;
let child: ChildProcess | undefined;
/** Standard error of the product, when it has ended. */
let log: Promise<string>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-start-'));
});

afterEach(async () => {
  child?.kill('SIGKILL');
  child = undefined;
  await rm(folder, { recursive: true });
});

/** Starts the product on free ports in the folder and waits for its ready line. */
async function startProduct(
  env: Readonly<Record<string, string>> = { MILLRACE_OTLP_GRPC_PORT: '0' },
): Promise<{ readonly started: ChildProcess; readonly ready: ReadyLine }> {
  const { PATH = '' } = process.env;
  const started = spawn(process.execPath, [main, 'start', '--admin-port', '0', '--ingest-port', '0'], {
    cwd: folder,
    env: { PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = started;
  log = text(started.stderr);
  const [line] = (await once(createInterface({ input: started.stdout }), 'line')) as [string];
  return { started, ready: JSON.parse(line) as ReadyLine };
}

async function ended(process: ChildProcess): Promise<number | null> {
  if (process.exitCode !== null) return process.exitCode;
  const [code] = (await once(process, 'exit')) as [number | null];
  return code;
}

describe('start', () => {
  it('says when it is ready and where, and the commands find it through the data folder', async () => {
    const { ready } = await startProduct();
    expect(ready).toMatchObject({ event: 'ready', pid: child?.pid });
    expect((await fetch(`${ready.admin}/health/ready`)).status).toBe(200);
    expect((await fetch(`${ready.ingest}/health-check`)).status).toBe(200);
    expect((await stat(join(folder, 'data', 'root-token'))).mode & 0o777).toBe(0o600);
    const list = await runMillrace(['source', 'list', '--json'], { cwd: folder });
    expect(list).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  });

  it('what it writes is for nobody else, and a folder that others may look into is told', async () => {
    await mkdir(join(folder, 'data'), { mode: 0o755 });
    const { started } = await startProduct();
    started.kill('SIGTERM');
    await ended(started);
    const written = await readdir(join(folder, 'data'), { recursive: true });
    expect(written).toEqual(expect.arrayContaining(['log/sources/data.mdb', 'catalog/data.mdb', 'tables.duckdb']));
    for (const path of written)
      expect([path, (await stat(join(folder, 'data', path))).mode & 0o077]).toEqual([path, 0]);
    expect(await log).toContain('others on this machine may look into the data folder');
  });

  it('D10: leaves with 0 after SIGTERM, and takes its run file along', async () => {
    const { started } = await startProduct();
    started.kill('SIGTERM');
    expect(await ended(started)).toBe(0);
    expect(await log).not.toContain('"level":"error"');
    await expect(readFile(join(folder, 'data', 'run.json'))).rejects.toThrow('ENOENT');
    const list = await runMillrace(['source', 'list'], { cwd: folder });
    expect(list.code).toBe(3);
  });

  it('D9: refuses a data folder that another process works on, and says which', async () => {
    const { ready } = await startProduct();
    const second = await runMillrace(['start', '--admin-port', '0', '--ingest-port', '0'], { cwd: folder });
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(String(ready.pid));
    expect(second.stderr).toContain('Stop it, or choose another folder with --data-dir or MILLRACE_DATA_DIR.');
  });

  it('D9: a port that is taken is a clear error', async () => {
    const { ready } = await startProduct();
    const taken = ['--admin-port', new URL(ready.admin).port, '--data-dir', join(folder, 'other')];
    const second = await runMillrace(['start', '--ingest-port', '0', ...taken], { cwd: folder });
    expect(second.code).toBe(2);
    expect(second.stderr).toContain(
      `${new URL(ready.admin).host}: the port is taken by another process; ` +
        'give another one with --admin-port or MILLRACE_ADMIN_PORT, 0 takes a free one.\n',
    );
    // A token that nobody was shown is of no use.
    await expect(stat(join(folder, 'other', 'root-token'))).rejects.toThrow('ENOENT');
  });

  it('D9: starts without OTLP over gRPC where 4317 is taken and nobody asked for it', async () => {
    await using other = createServer();
    other.on('error', () => {
      // It is taken already.
    });
    other.listen(4317, '127.0.0.1');
    await Promise.race([once(other, 'listening'), once(other, 'error')]).catch(() => undefined);
    const { started, ready } = await startProduct({});
    expect(ready.otlpGrpc).toBeUndefined();
    expect((await fetch(`${ready.admin}/health/ready`)).status).toBe(200);
    started.kill('SIGTERM');
    expect(await ended(started)).toBe(0);
    expect(await log).toContain('OTLP over gRPC is not served: 127.0.0.1:4317 cannot be had.');
  });

  it('D9: does not start where a port of OTLP over gRPC was set that is taken', async () => {
    const { ready } = await startProduct();
    const { port } = new URL(ready.otlpGrpc);
    const ports = ['--admin-port', '0', '--ingest-port', '0', '--data-dir', join(folder, 'other')];
    const asked = await runMillrace(['start', ...ports], { cwd: folder, env: { MILLRACE_OTLP_GRPC_PORT: port } });
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain(
      `otlp-grpc cannot listen on 127.0.0.1:${port}: the port is taken by another process; ` +
        'give another one with MILLRACE_OTLP_GRPC_PORT, 0 takes a free one.\n',
    );
  });

  it('a killed process leaves a run file that misleads nobody', async () => {
    const { started } = await startProduct();
    started.kill('SIGKILL');
    await ended(started);
    const list = await runMillrace(['source', 'list'], { cwd: folder });
    expect(list.code).toBe(3);
    expect(list.stderr).toContain('millrace: No answer from http://127.0.0.1:');
  });

  it('D9: roles that are none, and none at all, stop it: an empty variable of a script must not start all roles', async () => {
    for (const role of ['ingst', 'map,stge', '', ',']) {
      const { code, stderr } = await runMillrace(['start', '--role', role], { cwd: folder });
      expect(code).toBe(2);
      const rule = 'must be roles out of ingest, map, stage, import, work, admin, separated by commas';
      expect(stderr).toBe(`millrace: --role "${role}": ${rule}.\n`);
    }
    const alone = await runMillrace(['start', '--role', 'map'], { cwd: folder });
    expect(alone.stderr).toContain('need a topology (--topology, MILLRACE_TOPOLOGY)');
    await expect(stat(join(folder, 'data'))).rejects.toThrow('ENOENT');
  });

  it('D9: one port for two listeners is refused before anything is made, in the words of both options', async () => {
    const topology = join(process.cwd(), 'topologies', 'cluster.yaml');
    const wrong = async (args: readonly string[], env = {}): Promise<readonly unknown[]> => {
      const { code, stderr } = await runMillrace(['start', ...args], { cwd: folder, env });
      return [code, stderr];
    };
    const said = (listener: 'admin' | 'ops'): string =>
      `millrace: --${listener}-port (MILLRACE_${listener.toUpperCase()}_PORT) and --ingest-port (MILLRACE_INGEST_PORT) ` +
      'are both 7999: give each listener a port of its own, 0 takes a free one.\n';
    const [admin, ops] = [
      [2, said('admin')],
      [2, said('ops')],
    ];
    expect(await wrong(['--admin-port', '7999', '--ingest-port', '7999'])).toEqual(admin);
    const variables = { MILLRACE_ADMIN_PORT: '7999', MILLRACE_ADMIN_HOST: '0.0.0.0' };
    expect(await wrong(['--ingest-port', '7999'], variables)).toEqual(admin);
    const roles = ['--topology', topology, '--role', 'ingest,map', '--ops-port', '7999'];
    const secrets = { KAFKA_PASSWORD: 'x', SCHEMA_REGISTRY_PASSWORD: 'x', CATALOG_URL: 'postgres://a@b/c' };
    const servers = { ...secrets, TABLES_URL: 'postgres://a@b/c', MILLRACE_ADMIN_PORT: '1' };
    expect(await wrong([...roles, '--ingest-port', '7999'], servers)).toEqual(ops);
    await expect(stat(join(folder, 'data'))).rejects.toThrow('ENOENT');
  });

  it('D9: a wrong port is said of the option that was typed', async () => {
    for (const option of ['--admin-port', '--ingest-port', '--ops-port']) {
      const { code, stderr } = await runMillrace(['start', option, '99999'], { cwd: folder });
      expect(code).toBe(2);
      expect(stderr).toContain(`'${option} <port>' argument '99999' is invalid. It must be a port from 0 to 65535`);
    }
    await expect(stat(join(folder, 'data'))).rejects.toThrow('ENOENT');
  });

  it('D9: a wrong variable stops it before anything is made', async () => {
    const env = { MILLRACE_INGEST_PORT: 'x' };
    const { code, stderr } = await runMillrace(['start'], { cwd: folder, env });
    expect(code).toBe(2);
    expect(stderr).toContain('- MILLRACE_INGEST_PORT="x": must be a port from 0 to 65535');
    await expect(stat(join(folder, 'data'))).rejects.toThrow('ENOENT');
  });
});
