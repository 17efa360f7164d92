import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { metricCatalogue, type MetricDefinition } from '../../src/telemetry/metric-catalogue.ts';
import { eventually } from '../support/eventually.ts';
import { lastingPort } from '../support/free-port.ts';
import { Installation } from '../support/installation.ts';
import { readRunbook, RunbookShell } from '../support/runbook.ts';

const root = new URL('../../', import.meta.url);
const names = readdirSync(new URL('docs/runbooks', root)).map((file) => file.replace(/\.md$/, ''));

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly annotations: Readonly<Record<string, string>> }[];
  }[];
}

const text = readFileSync(new URL('docker/prometheus/millrace.rules.yml', root), 'utf8');
const alerts = (parse(text) as Rules).groups.flatMap(({ rules }) => rules);
const missing = ['bash', 'curl', 'awk'].filter((tool) => spawnSync(tool, ['--version']).error !== undefined);
if (missing.length > 0)
  console.warn(`The commands of the runbooks are not run: ${missing.join(', ')} is not installed.`);

/** They ask the product for something that it can do only when all is well. */
const doing = [
  'catalog-slow',
  'dead-letters',
  'freshness-burns',
  'freshness-burns-fast',
  'process-away',
  'senders-refused',
  'service-fails',
  'sink-lags',
  'template-limit',
  'topic-torn',
];

describe('the runbooks', () => {
  it('are one for each alert, which leads to it', async () => {
    const titles = await Promise.all(names.map(async (name) => (await readRunbook(name)).alert));
    expect(titles.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
    for (const [index, name] of names.entries()) {
      const rule = alerts.find(({ alert }) => alert === titles[index]);
      expect(rule?.annotations['runbook_url']).toBe(`docs/runbooks/${name}.md`);
    }
  });
});

describe.skipIf(missing.length > 0)('the commands of a runbook, where all is well', () => {
  let installation: Installation;
  let shell: RunbookShell;

  beforeAll(async () => {
    installation = await Installation.start();
    const shop = installation.shop();
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-shop.orders' }]);
    await fetch(await shop.url(), { method: 'POST', body: '{"n":1}' });
    await shop.flush('orders');
    await eventually(async () => {
      const page = await (await fetch(`${installation.process.admin}/metrics`)).text();
      if (!page.includes('millrace_sink_witness_difference{')) throw new Error('the sink is not measured yet');
    });
    shell = await RunbookShell.open({ dataDir: installation.folder, admin: installation.process.admin });
  });

  afterAll(async () => {
    await shell[Symbol.asyncDispose]();
    await installation[Symbol.asyncDispose]();
  });

  it.each(names)('%s: names in its sentences only commands that there are', async (name) => {
    const text = readFileSync(new URL(`docs/runbooks/${name}.md`, root), 'utf8');
    for (const [, words = ''] of text.matchAll(/`npx millrace ([a-z][a-z-]*(?: [a-z][a-z-]*)*)[^`\n]*`/g)) {
      const { code, printed } = await shell.run(`npx millrace ${words} --help`);
      expect(code, words).toBe(0);
      // The help of a group of commands is printed for what is none of them.
      expect(printed, words).not.toMatch(/^Usage: .*\[command\]/m);
    }
  });

  it.each(names)('%s: can be typed as they stand, and the last one says that it is over', async (name) => {
    const { look, mend, over } = await readRunbook(name);
    for (const script of [...look, ...mend, over]) {
      const { code, printed } = await shell.run(script.replaceAll('VERSION', '1'));
      expect(code, `${script}\n${printed}`).toBe(0);
    }
  });
});

describe.skipIf(missing.length > 0)('the last command of a runbook, where no process answers', () => {
  let shell: RunbookShell;

  beforeAll(async () => {
    const admin = `http://127.0.0.1:${await lastingPort()}`;
    shell = await RunbookShell.open({ dataDir: '/nowhere', admin, env: { MILLRACE_URL: admin } });
  });

  afterAll(() => shell[Symbol.asyncDispose]());

  it.each(names)('%s: does not say that it is over', async (name) => {
    const { over } = await readRunbook(name);
    const { code, printed } = await shell.run(over);
    expect(code, `${over}\n${printed}`).not.toBe(0);
  });
});

describe.skipIf(missing.length > 0)('the last command of a runbook, where all rings', () => {
  /** A process of which every gauge rings. */
  const page = Object.entries<MetricDefinition>(metricCatalogue)
    .filter(([, { kind }]) => kind === 'gauge')
    .flatMap(([name, { labels }]) => {
      const low = /disk_free|measured_timestamp|work_processes/.test(name);
      const sets = name === 'millrace_open_alarms' ? ['stage.slow', 'retain.clockDoubted', 'log.diskFull'] : ['x'];
      return sets.map((value) => {
        const set = labels.map((label) => `${label}="${value}"`).join(',');
        return `${name}${set === '' ? '' : `{${set}}`} ${low ? 0 : 10_000}\n`;
      });
    })
    .join('');
  const server = createServer((_, response) => response.end(page));
  let shell: RunbookShell;

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const admin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    shell = await RunbookShell.open({ dataDir: '/nowhere', admin });
  });

  afterAll(async () => {
    await shell[Symbol.asyncDispose]();
    server.close();
  });

  it.each(names.filter((name) => !doing.includes(name)))('%s: says that it is not over', async (name) => {
    const { over } = await readRunbook(name);
    const { code, printed } = await shell.run(over.replace('npx millrace health\n', ''));
    expect(code, `${over}\n${printed}`).toBe(1);
  });
});
