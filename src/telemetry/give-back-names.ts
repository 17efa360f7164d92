import { other, type KnownNames, type SourceLabels } from './labels.ts';
import type { Metrics } from './metrics.ts';

/**
 * Where sources or sinks have no series of their own because there are too many: takes those away that are there no more, so
 * that others get their places. Nothing is done while there is room: what was counted of one that is gone is seen for longer then.
 */
export async function giveBackNames({ names, registry }: Metrics, known: () => KnownNames): Promise<void> {
  if (!names.isLacking) return;
  const gone = new Set(names.giveBack(known()).map(nameOf));
  if (gone.size === 0) return;
  for (const { name } of registry.getMetricsAsArray()) {
    const metric = registry.getSingleMetric(name);
    const values = (await metric?.get())?.values ?? [];
    for (const { labels } of values) if (isOfSource(labels) && gone.has(nameOf(labels))) metric?.remove(labels);
  }
}

/** Whether a series is that of a source or of a sink that is there, of all others together, or of none. */
export function isThere(labels: Labels, { hasSource, hasSink }: KnownNames): boolean {
  if (!isOfSource(labels) || labels.source === other) return true;
  const { sink } = labels;
  return typeof sink === 'string' ? hasSink({ ...labels, sink }) : hasSource(labels);
}

type Labels = Readonly<Partial<Record<string, string | number>>>;

function isOfSource(labels: Labels): labels is Labels & SourceLabels {
  return labels['branch'] !== undefined && labels['source'] !== undefined;
}

function nameOf(labels: SourceLabels & { readonly sink?: string | number }): string {
  return `${labels.branch}/${labels.source}/${labels.sink ?? ''}`;
}
