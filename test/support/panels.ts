import { globSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import { quickened, type Prometheus } from './prometheus.ts';

const root = new URL('../../', import.meta.url);

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
}

/** Every expression of the dashboards, as Grafana asks for it, with windows of a test. */
export const panels = globSync('docker/grafana/dashboards/*.json', { cwd: root }).flatMap((file) =>
  (JSON.parse(readFileSync(new URL(file, root), 'utf8')) as Dashboard).panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ place: `${title}: ${expr}`, query: filledIn(expr) })),
  ),
);

function filledIn(expr: string): string {
  return quickened(expr.replaceAll('$__rate_interval', '10s').replaceAll(/\$(?:branch|source|sink)/g, '.*'));
}

/** Those that have something to show now. */
export async function panelsWithData(
  prometheus: Prometheus,
  among: readonly { readonly place: string; readonly query: string }[] = panels,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { place, query } of among) {
    const samples = await prometheus.query(query);
    if (samples.some(({ value }) => !Number.isNaN(value))) found.push(place);
  }
  return found;
}

/** Resolves when every panel that asks for one of these metrics has data; rejects when none does, or a panel stays empty. */
export async function panelsShow(prometheus: Prometheus, ...metrics: readonly string[]): Promise<void> {
  const asking = panels.filter(({ query }) => metrics.some((name) => query.includes(name)));
  for (const name of metrics)
    expect(
      asking.some(({ query }) => query.includes(name)),
      name,
    ).toBe(true);
  const seen = new Set<string>();
  await eventually(
    async () => {
      for (const place of await panelsWithData(prometheus, asking)) seen.add(place);
      expect(asking.map(({ place }) => place).filter((place) => !seen.has(place))).toEqual([]);
    },
    { everyMs: 250 },
  );
}
