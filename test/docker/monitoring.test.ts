import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parser } from '@prometheus-io/lezer-promql';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { metricCatalogue, type MetricDefinition } from '../../src/telemetry/metric-catalogue.ts';
import { findChecker } from './checkers.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, 'docker', path), 'utf8');

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

interface Dashboard {
  readonly uid: string;
  readonly tags: readonly string[];
  readonly links: readonly { readonly tags: readonly string[] }[];
  readonly panels: readonly Panel[];
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly type: string; readonly definition?: string }[];
  };
}

const rules = (parse(read('prometheus/millrace.rules.yml')) as Rules).groups.flatMap((group) => group.rules);
const dashboards = globSync('*.json', { cwd: join(root, 'docker/grafana/dashboards') })
  .toSorted()
  .map((file) => ({ file, ...(JSON.parse(read(`grafana/dashboards/${file}`)) as Dashboard) }));
const targets = dashboards.flatMap(({ file, panels }) =>
  panels.flatMap(({ title, targets = [] }) => targets.map((target) => ({ title: `${file}: ${title}`, ...target }))),
);
const variables = dashboards.flatMap(({ file, templating }) =>
  templating.list.map(({ name, ...variable }) => ({ ...variable, name: `${file}: ${name}` })),
);
const scaling = ['map', 'stage'].flatMap((role) =>
  [...read(`kubernetes/${role}.yaml`).matchAll(/^ +query: (.+)$/gm)].map(([, query]) => String(query)),
);

/** What Grafana puts in before Prometheus sees it. */
const filledIn = (query: string): string =>
  query.replaceAll('$__rate_interval', '5m').replaceAll(/\$(?:branch|source|sink)/g, '.*');

const queries: readonly (readonly [place: string, query: string])[] = [
  ...rules.map(({ alert, expr }) => [`alarm ${alert}`, expr] as const),
  ...targets.map(({ title, expr, legendFormat }) => [`panel ${title} ${legendFormat}`, filledIn(expr)] as const),
  ...variables.flatMap(({ name, definition }) => {
    const [, query = ''] = /^label_values\((.*), \w+\)$/.exec(definition ?? '') ?? [];
    return query === '' ? [] : [[`variable ${name}`, filledIn(query)] as const];
  }),
  ...scaling.map((query) => ['scaling', query] as const),
];

/** Every name that a process serves, with its labels: the catalogue's, and what Node tells of the process. */
function served(): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, readonly string[]>([['up', []]]);
  const definitions: Readonly<Record<string, MetricDefinition>> = metricCatalogue;
  for (const [name, { kind, labels }] of Object.entries(definitions)) {
    if (kind !== 'histogram') names.set(name, labels);
    else
      for (const [suffix, own] of [
        ['bucket', ['le']],
        ['sum', []],
        ['count', []],
      ] as const)
        names.set(`${name}_${suffix}`, [...labels, ...own]);
  }
  const register = new Registry();
  collectDefaultMetrics({ register });
  for (const { name } of register.getMetricsAsArray()) names.set(name, []);
  register.clear();
  return names;
}

const names = served();
/** What Prometheus and its configuration here add to each. */
const added = ['job', 'instance', 'role_of_process'];

/** The names of metrics and labels in a query; `fault` where the grammar has none for it. */
function partsOf(query: string): { readonly metrics: string[]; readonly labels: string[]; readonly fault: string } {
  const found = { metrics: [] as string[], labels: [] as string[], fault: '' };
  parser.parse(query).iterate({
    enter: ({ name, type, from, to, node }) => {
      const text = query.slice(from, to);
      if (type.isError) found.fault = `at ${from} of ${query}`;
      else if (name === 'Identifier' && node.parent?.name === 'VectorSelector') found.metrics.push(text);
      else if (name === 'LabelName') found.labels.push(text);
    },
  });
  return found;
}

const promtool = await findChecker('promtool');
const scratch = mkdtempSync(join(tmpdir(), 'millrace-rules-'));
afterAll(() => rmSync(scratch, { recursive: true }));

describe('queries of rules, dashboard and scaling', () => {
  it('are found', () => {
    expect(rules.length).toBeGreaterThan(5);
    expect(targets.length).toBeGreaterThan(25);
    expect(dashboards.map(({ file }) => file)).toEqual([
      'millrace-pipeline.json',
      'millrace-process.json',
      'millrace.json',
    ]);
    for (const { file, templating } of dashboards) {
      const names = templating.list.map(({ name }) => name);
      expect(names, file).toEqual([
        'datasource',
        ...(file === 'millrace-process.json' ? [] : ['branch', 'source', 'sink']),
      ]);
    }
    expect(scaling).toHaveLength(2);
  });

  it.each(queries)('%s: is PromQL, of metrics and labels that are served', (_place, query) => {
    const { metrics, labels, fault } = partsOf(query);
    expect(fault).toBe('');
    expect(metrics.length).toBeGreaterThan(0);
    expect(metrics.filter((metric) => !names.has(metric))).toEqual([]);
    const known = [...added, ...metrics.flatMap((metric) => names.get(metric) ?? [])];
    expect(labels.filter((label) => !known.includes(label))).toEqual([]);
  });

  it.each(targets)('panel $title $legendFormat: names labels that its query leaves', ({ expr, legendFormat }) => {
    const { labels } = partsOf(filledIn(expr));
    const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label);
    expect([...added, ...labels]).toEqual(expect.arrayContaining(shown));
  });

  it('take the greatest of what every process with the role admin measures, so that two of them do not count double', () => {
    const measured = Object.entries<MetricDefinition>(metricCatalogue)
      .filter(([, { kind, labels }]) => kind === 'gauge' && labels.includes('source') && !labels.includes('role'))
      .map(([name]) => name);
    expect(measured).toContain('millrace_staged_rows');
    for (const [place, query] of queries.filter(([name]) => !name.startsWith('variable '))) {
      for (const name of partsOf(query).metrics.filter((metric) => measured.includes(metric)))
        expect(query, place).toMatch(new RegExp(`\\bmax(?: by \\([a-z, ]+\\))? ?\\(${name}\\b`));
    }
    const page = readFileSync(join(root, 'docs/spec/metrics.md'), 'utf8');
    const [, rule = ''] = /MUST measure ([\s\S]*?) of all sources and sinks/.exec(page) ?? [];
    expect([...rule.matchAll(/millrace_\w+/g)].map(([name]) => name).toSorted()).toEqual(measured.toSorted());
  });

  it('show every metric of the product but one sum and one count', () => {
    const shown = new Set(queries.flatMap(([, query]) => partsOf(query).metrics));
    const missing = [...names.keys()].filter((name) => name.startsWith('millrace_') && !shown.has(name));
    expect(missing.filter((name) => !/_seconds_(?:sum|count)$/.test(name))).toEqual([]);
  });

  it('alarm on everything that docs/spec/metrics.md says to alarm on', () => {
    const page = readFileSync(join(root, 'docs/spec/metrics.md'), 'utf8').split('## What to alarm on')[1] ?? '';
    const wanted = [...page.matchAll(/millrace_\w+/g)].map(([name]) => name);
    expect(rules.flatMap(({ expr }) => partsOf(expr).metrics)).toEqual(expect.arrayContaining(wanted));
    expect(wanted.length).toBeGreaterThan(3);
  });
});

describe('the tests of the rules', () => {
  const tests = read('prometheus/millrace.rules.test.yml');

  it.each(rules.map(({ alert }) => alert))('%s is known to be silent when all is well, and to sound', (alert) => {
    expect(tests).toContain(`alertname: ${alert} }`);
    expect(tests).toContain(`alertname="${alert}"`);
  });
});

describe('a dashboard', () => {
  it.each(dashboards)(
    '$file has panels with a description, an id of their own and a place of their own',
    (dashboard) => {
      const panels = dashboard.panels.filter(({ type }) => type !== 'row');
      for (const { title, description } of panels) expect(description, title).toMatch(/\.$/);
      expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
      const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
      );
      expect(new Set(cells).size).toBe(cells.length);
      expect(dashboard.panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
    },
  );

  it('has a uid of its own, and a way to the others', () => {
    expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(dashboards.length);
    for (const { links, tags } of dashboards) expect(links.flatMap((link) => link.tags)).toEqual(tags);
  });

  it('uses no variable that it has not', () => {
    for (const { file, panels, templating } of dashboards) {
      const known = new Set(['__rate_interval', ...templating.list.map(({ name }) => name)]);
      const used = panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => expr.match(/(?<=\$)\w+/g) ?? []));
      expect(
        used.filter((name) => !known.has(name)),
        file,
      ).toEqual([]);
    }
  });

  it('is provisioned from the folder that compose mounts, on the data source of the stack', () => {
    const compose = read('compose.yaml');
    const provider = read('grafana/provisioning/dashboards/millrace.yaml');
    const [, folder = '?'] = /path: (\S+)/.exec(provider) ?? [];
    expect(compose).toContain(`./grafana/dashboards:${folder}:ro`);
    expect(compose).toContain(`HOME_DASHBOARD_PATH: ${folder}/millrace.json`);
    expect(read('grafana/provisioning/datasources/prometheus.yaml')).toContain('url: http://prometheus:9090');
  });
});

describe.skipIf(promtool.kind === 'nowhere')('promtool', () => {
  const check = async (args: readonly string[], cwd = join(root, 'docker/prometheus')): Promise<void> => {
    if (promtool.kind === 'nowhere') return;
    const { code, text } = await promtool.check(args, cwd);
    expect(code, text).toBe(0);
  };

  it('takes the configuration and the rules', async () => {
    await check(['check', 'config', 'prometheus.yml']);
    await check(['check', 'rules', 'millrace.rules.yml']);
  });

  it('finds that each alarm sounds when it must, and not before', async () => {
    await check(['test', 'rules', 'millrace.rules.test.yml']);
  });

  it('takes every query of the dashboard', async () => {
    const recorded = queries.map(([, expr], index) => ({ record: `query_${index}`, expr }));
    writeFileSync(join(scratch, 'queries.yml'), JSON.stringify({ groups: [{ name: 'queries', rules: recorded }] }));
    await check(['check', 'rules', 'queries.yml'], scratch);
  });

  it('takes the configuration for Kubernetes, but for the finding of pods, which Debian leaves out', async () => {
    cpSync(join(root, 'docker/prometheus/millrace.rules.yml'), join(scratch, 'millrace.rules.yml'));
    const config = parse(read('prometheus/kubernetes.yml')) as { scrape_configs: Record<string, unknown>[] };
    const jobs = config.scrape_configs.map(({ kubernetes_sd_configs: _pods, ...job }) => job);
    writeFileSync(join(scratch, 'config.yml'), JSON.stringify({ scrape_configs: jobs }));
    await check(['check', 'config', 'config.yml'], scratch);
  });
});
