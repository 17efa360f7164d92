import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { lastingPort } from './free-port.ts';
import { prometheusPackage } from './prometheus-package.ts';
import { startServerProcess } from './server-process.ts';

/** One value of the answer to a query. */
export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface PrometheusOptions {
  /** `host:port` of each process that it scrapes, every second. */
  readonly targets: readonly string[];
  /** Text of a file of rules. */
  readonly rules?: string;
}

/** A real Prometheus that scrapes the product. */
export interface Prometheus extends AsyncDisposable {
  /** The answer to an instant query; rejects with the reason when it is none. */
  query(expr: string): Promise<readonly Sample[]>;
  /** Names of the alerts that it has rules for. */
  rules(): Promise<readonly string[]>;
  /** Alerts that fire now, by name. */
  firing(): Promise<readonly string[]>;
}

/** Why there can be none here; undefined when there can. It is required in CI. */
export async function whyNoPrometheus(): Promise<string | undefined> {
  try {
    await prometheusPackage();
    return undefined;
  } catch (thrown) {
    if (process.env['CI'] !== undefined) throw thrown;
    return `no Prometheus: ${thrown instanceof Error ? thrown.message.split('\n')[0] : String(thrown)}`;
  }
}

/** Rules as they ship, with a `for` of seconds and windows so short that a test sees the end of an alert, too. */
export async function quickRules(): Promise<string> {
  const rules = await readFile(new URL('../../docker/prometheus/millrace.rules.yml', import.meta.url), 'utf8');
  return quickened(rules).replaceAll(/\bfor: \w+/g, 'for: 1s');
}

/** A query whose windows are seconds. */
export function quickened(query: string): string {
  return query
    .replaceAll(/\[\d+[mhd]\]/g, '[10s]')
    .replaceAll(/\[\d+[mhd]:\d+[sm]\]/g, '[10s:1s]')
    .replaceAll(/\boffset \d+[mhd]\b/g, 'offset 10s');
}

/** On a free port; it ends with this process. */
export async function startPrometheus({ targets, rules }: PrometheusOptions): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-prometheus-'));
  const port = await lastingPort();
  await mkdir(join(folder, 'data'));
  if (rules !== undefined) await writeFile(join(folder, 'rules.yml'), rules);
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    ...(rules === undefined ? {} : { rule_files: ['rules.yml'] }),
    scrape_configs: [{ job_name: 'millrace', static_configs: [{ targets }] }],
  };
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const server = await startServerProcess({
    name: 'Prometheus',
    command: [
      join(await prometheusPackage(), 'prometheus'),
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    isReady: (line) => line.includes('Server is ready to receive web requests'),
  });
  const ask = async <Data>(path: string): Promise<Data> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`);
    const { status, error, data } = (await answer.json()) as { status: string; error?: string; data: Data };
    if (status !== 'success') throw new Error(`Prometheus, ${path}: ${error}`);
    return data;
  };
  const prometheus: Prometheus = {
    query: async (expr) => {
      type Result = readonly { readonly metric: Sample['metric']; readonly value: readonly [number, string] }[];
      const { result } = await ask<{ result: Result }>(`query?query=${encodeURIComponent(expr)}`);
      return result.map(({ metric, value: [, value] }) => ({ metric, value: Number(value) }));
    },
    rules: async () => {
      type Group = { readonly rules: readonly { readonly name: string }[] };
      const { groups } = await ask<{ groups: readonly Group[] }>('rules');
      return groups.flatMap(({ rules: all }) => all.map(({ name }) => name));
    },
    firing: async () => {
      type Alert = { readonly labels: { readonly alertname: string }; readonly state: string };
      const { alerts } = await ask<{ alerts: readonly Alert[] }>('alerts');
      return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
    },
    [Symbol.asyncDispose]: async () => {
      await server.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
  try {
    await eventually(async () => {
      const up = await prometheus.query('up');
      if (up.length < targets.length) throw new Error('Prometheus has not scraped yet');
    });
  } catch (thrown) {
    await prometheus[Symbol.asyncDispose]();
    throw thrown;
  }
  return prometheus;
}
