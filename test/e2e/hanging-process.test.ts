import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProcess, type ProductProcess } from '../support/process.ts';

let folder: string;
let product: ProductProcess;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-hang-'));
  product = await startProcess({
    entry: 'hanging-process',
    env: {
      MILLRACE_DATA_DIR: join(folder, 'data'),
      MILLRACE_ADMIN_PORT: '0',
      MILLRACE_INGEST_PORT: '0',
      MILLRACE_LOG_LEVEL: 'warn',
      HANG_ORDER: join(folder, 'order'),
      HANG_PIPE: join(folder, 'pipe'),
    },
  });
});

afterEach(async () => {
  product.kill('SIGKILL');
  await product.ended;
  await rm(folder, { recursive: true, force: true });
});

describe('the main thread', () => {
  it('L3: that hangs is the end of the process, after a line that says so', async () => {
    product.kill('SIGUSR2');
    expect(await product.ended).toBe('SIGKILL');
    expect(product.stderr()).toMatch(/"code":"thread\.hung".*the main thread gave no sign of life/);
  });

  it('L3: that stands still with the whole process is none of it: it goes on when the process does', async () => {
    product.kill('SIGSTOP');
    // By the clock of everybody else this is twice the bound.
    await sleep(8000);
    product.kill('SIGCONT');
    expect((await fetch(`${product.admin}/health/ready`)).status).toBe(200);
    product.kill('SIGTERM');
    expect(await product.ended).toBe('0');
  });
});

describe('a role thread', () => {
  it('L2: that stands still with the whole process is not given up for it', async () => {
    product.kill('SIGSTOP');
    // By the clock of everybody else this is twice the bound.
    await sleep(10_000);
    product.kill('SIGCONT');
    // Whoever is given up is given up within a second.
    await sleep(2500);
    expect((await fetch(`${product.admin}/health/ready`)).status).toBe(200);
    expect(await (await fetch(`${product.admin}/metrics`)).text()).not.toContain('thread.silent');
    expect(product.stderr()).not.toContain('thread.silent');
  });
});

describe('a role thread that hangs in a driver', () => {
  it('L2: cannot be replaced, so it ends the process with the exit code of what is broken, after a line that says so', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    writeFileSync(join(folder, 'order'), 'map driver');
    expect(await product.ended).toBe('4');
    expect(product.stderr()).toMatch(/"code":"thread\.hung".*cannot be ended/);
  });
});
