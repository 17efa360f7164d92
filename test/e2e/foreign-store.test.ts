import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { expectExactlyOnce } from '../support/exactly-once.ts';
import { Installation } from '../support/installation.ts';
import { runMillrace, type CommandRun } from '../support/run-millrace.ts';
import { postNumber } from '../support/timed-sender.ts';

const stranger = '11111111-2222-4333-8444-555555555555';

function run(args: readonly string[], { env }: Installation): Promise<CommandRun> {
  return runMillrace(args, { env: { ...env, MILLRACE_LOG_LEVEL: 'silent' } });
}

const folders = [
  ['log of sources', 'log/sources'],
  ['log of sinks', 'log/sinks'],
] as const;

describe('a log of another installation', () => {
  it.each(folders)('D2: a process does not start on the %s of another data folder', async (_, path) => {
    await using installation = await Installation.start();
    await using other = await Installation.start();
    for (const one of [installation, other]) expect(await one.stop('SIGTERM')).toBe('0');
    const own = join(installation.folder, path);
    await rename(own, `${own}-before`);
    await cp(join(other.folder, path), own, { recursive: true });
    for (const args of [['start'], ['claim']]) {
      const { code, stderr } = await run(args, installation);
      expect(code).toBe(1);
      expect(stderr).toMatch(/-log" belongs to the installation [0-9a-f-]{36}, and this catalog to [0-9a-f-]{36}/);
    }
    await rm(own, { recursive: true });
    await rename(`${own}-before`, own);
    const { stdout } = await run(['claim'], installation);
    expect(stdout).toBe('Of this installation: staging, source-log, sink-log, tables\n');
  });
});

describe('a staging store of another installation', () => {
  it('D2: a process does not start on it, and goes on where it was once the store is claimed for it', async () => {
    await using installation = await Installation.start();
    const mark = join(installation.folder, 'staging', 'millrace-installation.json');
    const shop = installation.shop();
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-shop.orders' }]);
    const event = await postNumber({ url: await shop.url(), number: 1 });
    const [own = 'none'] = /[0-9a-f-]{36}/.exec(await readFile(mark, 'utf8')) ?? [];
    expect(await installation.stop('SIGTERM')).toBe('0');

    await writeFile(mark, JSON.stringify({ installation: stranger }));
    for (const args of [['start'], ['claim']]) {
      const { code, stderr } = await run(args, installation);
      expect(code).toBe(1);
      expect(stderr).toContain(own);
      expect(stderr).toContain(stranger);
    }
    await rm(mark);
    const unmarked = await run(['start'], installation);
    expect(unmarked.code).toBe(1);
    expect(unmarked.stderr).toContain('millrace claim');
    expect(await run(['claim'], installation)).toMatchObject({ code: 0 });
    expect(await readFile(mark, 'utf8')).toContain(own);

    await installation.start();
    await shop.flush('orders');
    expectExactlyOnce(await shop.numbersIn('in.c-shop.orders'), [event]);
  });

  it('D2, D6: a running process that comes to see another mark is not ready, names both, and goes on to deliver', async () => {
    await using installation = await Installation.start();
    const mark = join(installation.folder, 'staging', 'millrace-installation.json');
    const shop = installation.shop();
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-shop.orders' }]);
    await writeFile(mark, JSON.stringify({ installation: stranger }));
    await eventually(async () => {
      const answer = await fetch(`${installation.process.admin}/health/ready`);
      expect(answer.status).toBe(503);
      expect(await answer.text()).toContain(stranger);
    });
    const event = await postNumber({ url: await shop.url(), number: 1 });
    await shop.flush('orders');
    expectExactlyOnce(await shop.numbersIn('in.c-shop.orders'), [event]);
  });
});
