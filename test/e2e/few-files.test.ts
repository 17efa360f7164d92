import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { Installation } from '../support/installation.ts';
import { openFilesCommand } from '../support/process.ts';
import { RawClient } from '../support/raw-client.ts';

const openFiles = 400;

it.runIf(existsSync(openFilesCommand))(
  'D8: connections that send nothing take neither the files of the product nor the admin listener, and go by themselves',
  async () => {
    await using installation = await Installation.start({ openFiles });
    const { process } = installation;
    const { admin, ingest } = process;
    await eventually(() => expect(process.stderr()).toContain('few connections, because few files may be open'));
    const idle: RawClient[] = [];
    for (let opened = 0; opened < 2 * openFiles; opened += 1) {
      idle.push(await RawClient.connect(Number(new URL(ingest).port)));
    }
    expect((await fetch(`${admin}/health/ready`)).status).toBe(200);
    await eventually(async () => expect((await fetch(`${ingest}/health-check`)).status).toBe(200));
    for (const client of idle) await client.closed();
    await eventually(() => expect(process.stderr()).toContain('connections refused'));
  },
);
