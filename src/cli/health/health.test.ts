import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startProcess } from '../../../test/support/process.ts';
import { runMillrace } from '../../../test/support/run-millrace.ts';
import { smallApi, type Answers, type SmallApi } from '../../../test/support/small-api.ts';
import { writeRunFile } from '../run-file.ts';

const ready = { 'GET /health/ready': { body: { status: 'ready' } } };
const starting = { status: 503, body: { status: 'not ready', waiting: ['the process starts or drains'] } };

let folder: string;
let apis: SmallApi[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-health-'));
  apis = [];
});

afterEach(async () => {
  await Promise.all(apis.map((api) => api[Symbol.asyncDispose]()));
  await rm(folder, { recursive: true });
});

async function serve(answers: Answers): Promise<{ readonly api: SmallApi; readonly port: string }> {
  const api = await smallApi(() => answers);
  apis.push(api);
  return { api, port: new URL(api.url).port };
}

async function note(admin: string): Promise<void> {
  await mkdir(join(folder, 'data'));
  await writeRunFile(join(folder, 'data'), { pid: process.pid, admin, startedAt: '2026-01-02T03:04:05.678Z' });
}

describe('health', () => {
  it('asks a real process, found by its data folder, without a token', async () => {
    const env = {
      MILLRACE_DATA_DIR: join(folder, 'data'),
      MILLRACE_ADMIN_PORT: '0',
      MILLRACE_INGEST_PORT: '0',
      MILLRACE_OTLP_GRPC_PORT: '0',
    };
    const product = await startProcess({ env });
    try {
      const found = await runMillrace(['health'], { cwd: folder });
      expect(found).toEqual({ code: 0, stdout: `${product.admin} is ready\n`, stderr: '' });
      const live = await runMillrace(['health', '--live', '--json'], { cwd: folder, env });
      expect(JSON.parse(live.stdout)).toEqual({ url: product.admin, status: 'live', waiting: [] });
    } finally {
      product.kill('SIGKILL');
      await product.ended;
    }
    const gone = await runMillrace(['health', '--live'], { cwd: folder, env: { ...env, MILLRACE_OPS_PORT: '0' } });
    expect(gone.code).toBe(3);
    expect(gone.stderr).toContain(`millrace: No process of this machine shows its health (${product.admin}: `);
    expect(gone.stderr).toMatch(
      /\n[^\n]* start", or name the port of its health: --admin-port or MILLRACE_ADMIN_PORT, /,
    );
    expect(gone.stderr).not.toMatch(/MILLRACE_URL|DATA_DIR|data-dir/);
  });

  it('fails with 1 for a process that is not ready, and says what it waits for; it lives all the same', async () => {
    const { api, port } = await serve({
      'GET /health/ready': starting,
      'GET /health/live': { body: { status: 'live' } },
    });
    const waiting = await runMillrace(['health', '--admin-port', port], { cwd: folder });
    expect(waiting).toEqual({
      code: 1,
      stdout: '',
      stderr: `millrace: ${api.url} is not ready: the process starts or drains.\n`,
    });
    const shown = await runMillrace(['health', '--json', '--admin-port', port], { cwd: folder });
    expect(JSON.parse(shown.stdout)).toMatchObject({ status: 'not ready', waiting: ['the process starts or drains'] });
    expect((await runMillrace(['health', '--live', '--admin-port', port], { cwd: folder })).code).toBe(0);
  });

  it('asks the ports of the environment: without the role admin the one of operators, on any interface', async () => {
    const [admin, ops] = [await serve(ready), await serve(ready)];
    const env = { MILLRACE_ADMIN_PORT: admin.port, MILLRACE_OPS_PORT: ops.port };
    const all = await runMillrace(['health'], { cwd: folder, env: { ...env, MILLRACE_ADMIN_HOST: '0.0.0.0' } });
    expect(all.stdout).toBe(`${admin.api.url} is ready\n`);
    const roles = { MILLRACE_ROLES: 'map,stage', MILLRACE_OPS_HOST: '0.0.0.0' };
    const some = await runMillrace(['health'], { cwd: folder, env: { ...env, ...roles } });
    expect(some.stdout).toBe(`${ops.api.url} is ready\n`);
    expect((await runMillrace(['health', '--ops-port', ops.port], { cwd: folder })).stdout).toBe(some.stdout);
    expect([admin.api.seen.length, ops.api.seen.length]).toEqual([1, 2]);
  });

  it('prefers the port to an address that only others see, and goes on where nobody answers', async () => {
    const [local, published, ops] = [await serve(ready), await serve(ready), await serve(ready)];
    await note(published.api.url);
    const env = { MILLRACE_PUBLIC_ADMIN_URL: published.api.url, MILLRACE_ADMIN_PORT: local.port };
    expect((await runMillrace(['health'], { cwd: folder, env })).stdout).toBe(`${local.api.url} is ready\n`);
    const foreign = await serve({ 'GET /health/ready': { body: '<html>' } });
    await rm(join(folder, 'data'), { recursive: true });
    const next = { MILLRACE_ADMIN_PORT: foreign.port, MILLRACE_OPS_PORT: ops.port };
    expect((await runMillrace(['health'], { cwd: folder, env: next })).stdout).toBe(`${ops.api.url} is ready\n`);
    const only = await runMillrace(['health', '--admin-port', foreign.port], { cwd: folder });
    expect(only.code).toBe(3);
    expect(only.stderr).toContain('what answers is not Millrace');
  });

  it('of a folder that is named asks no process of another one', async () => {
    const { api, port } = await serve(ready);
    const env = { MILLRACE_ADMIN_PORT: port, MILLRACE_OPS_PORT: '0' };
    const named = await runMillrace(['health', '--data-dir', join(folder, 'none')], { cwd: folder, env });
    expect([named.code, named.stdout, api.seen]).toEqual([3, '', []]);
    expect(named.stderr).toContain('millrace: No process of this machine shows its health');
    expect((await runMillrace(['health'], { cwd: folder, env })).stdout).toBe(`${api.url} is ready\n`);
  });

  it('gives up on a process that hangs', async () => {
    const { port } = await serve({});
    const product = await startProcess({
      env: {
        MILLRACE_DATA_DIR: join(folder, 'data'),
        MILLRACE_ADMIN_PORT: '0',
        MILLRACE_INGEST_PORT: '0',
        MILLRACE_OTLP_GRPC_PORT: '0',
      },
    });
    try {
      product.kill('SIGSTOP');
      const env = { MILLRACE_ADMIN_PORT: port, MILLRACE_OPS_PORT: '0' };
      const { code, stderr } = await runMillrace(['health', '--live'], { cwd: folder, env });
      expect(code).toBe(3);
      expect(stderr).toContain(`${product.admin}: no answer within 3 seconds`);
    } finally {
      product.kill('SIGKILL');
      await product.ended;
    }
  });

  it('D9: a port that is none is wrong usage', async () => {
    const { code, stderr } = await runMillrace(['health', '--ops-port', 'x'], { cwd: folder });
    expect(code).toBe(2);
    expect(stderr).toContain("'--ops-port <port>' argument 'x' is invalid. It must be a port from 0 to 65535");
  });
});
