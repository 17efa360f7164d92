import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { unnamedInSource } from '../../test/support/named-in-source.ts';
import { metricCatalogue, type MetricDefinition } from './metric-catalogue.ts';
import { mergeMetrics, snapshotMetrics } from './metrics-snapshot.ts';
import { createTelemetry } from './create-telemetry.ts';

const definitions: Readonly<Record<string, MetricDefinition>> = metricCatalogue;
const units: Readonly<Record<string, readonly string[]>> = {
  counter: ['_total'],
  histogram: ['_seconds', '_bytes'],
  gauge: [
    '_info',
    '_rows',
    '_events',
    '_seconds',
    '_difference',
    '_alarms',
    '_bytes',
    '_holes',
    '_ratio',
    '_servers',
    '_jobs',
    '_processes',
    '_slices',
    '_failures',
    '_partitions',
    '_replays',
  ],
};

describe('the catalogue of metrics', () => {
  it('lists exactly the names and kinds that a process serves', async () => {
    const telemetry = createTelemetry({ main: true, level: 'silent', role: 'main' });
    const { text } = await mergeMetrics([await snapshotMetrics(telemetry.metrics.registry)]);
    const served = [...text.matchAll(/^# TYPE (millrace_\S+) (\S+)$/gm)].map(([, name, kind]) => `${name} ${kind}`);
    const listed = Object.entries(definitions).map(([name, { kind }]) => `${name} ${kind}`);
    expect(served.toSorted()).toEqual(listed.toSorted());
    expect(text).toContain('process_resident_memory_bytes');
  });

  it('ends every name with what it counts or measures', () => {
    for (const [name, { kind }] of Object.entries(definitions)) {
      expect(
        units[kind]?.some((unit) => name.endsWith(unit)),
        `${name} is a ${kind}`,
      ).toBe(true);
    }
  });

  it('lists nothing that nobody counts or sets', () => {
    expect(unnamedInSource(Object.keys(definitions), ['telemetry/metric-catalogue.ts'])).toEqual([]);
  });

  it('is the list of docs/spec/metrics.md', async () => {
    const page = await readFile(new URL('../../docs/spec/metrics.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `(millrace_\w+)` *\|(.*)\|$/gm)].map(([, name, cells = '']) => [
      name,
      ...cells.split('|').map((cell) => cell.trim()),
    ]);
    const listed = Object.entries(definitions).map(([name, { kind, labels, help }]) => [
      name,
      kind,
      labels.length === 0 ? '–' : labels.map((label) => `\`${label}\``).join(', '),
      help,
    ]);
    expect(rows).toEqual(listed);
  });
});
