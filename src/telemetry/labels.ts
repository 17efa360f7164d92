import type { SinkKey, SourceKey } from '../core/ids.ts';

/** So many sources, and so many sinks, have series of their own; those of all others are one, `other`. */
const mostNamed = 1000;
const other = 'other';

export interface SourceLabels {
  readonly branch: string;
  readonly source: string;
}

export interface SinkLabels extends SourceLabels {
  readonly sink: string;
}

/**
 * The labels that name sources and sinks. However many an installation has, a page of metrics has an end: the first thousand of each that a
 * thread of the process meets have names, and keep them while it runs. What is counted of the others adds up under `other`.
 */
export class SeriesNames {
  readonly #most: number;
  readonly #sources = new Set<string>();
  readonly #sinks = new Set<string>();

  constructor(most: number = mostNamed) {
    this.#most = most;
  }

  source({ branchId, sourceId }: SourceKey): SourceLabels {
    const labels = { branch: String(branchId), source: sourceId };
    return this.#isNamed(this.#sources, `${branchId}/${sourceId}`) ? labels : { branch: other, source: other };
  }

  sink({ branchId, sourceId, sinkId }: SinkKey): SinkLabels {
    const labels = { branch: String(branchId), source: sourceId, sink: sinkId };
    return this.#isNamed(this.#sinks, `${branchId}/${sourceId}/${sinkId}`)
      ? labels
      : { branch: other, source: other, sink: other };
  }

  #isNamed(named: Set<string>, name: string): boolean {
    if (!named.has(name) && named.size < this.#most) named.add(name);
    return named.has(name);
  }
}

/** Labels that name a source in the metrics of a thread. */
export function sourceLabels({ names }: { readonly names: SeriesNames }, key: SourceKey): SourceLabels {
  return names.source(key);
}

/** Labels that name a sink in the metrics of a thread. */
export function sinkLabels({ names }: { readonly names: SeriesNames }, key: SinkKey): SinkLabels {
  return names.sink(key);
}
