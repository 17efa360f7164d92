import type { SinkKey, SourceKey } from '../core/ids.ts';

/** So many sources, and so many sinks, have series of their own; those of all others are one, `other`. */
const mostNamed = 1000;
/** What the series of all others is called. */
export const other = 'other';

export interface SourceLabels {
  readonly branch: string;
  readonly source: string;
}

export interface SinkLabels extends SourceLabels {
  readonly sink: string;
}

/** Which sources and sinks there are. */
export interface KnownNames {
  readonly hasSource: (labels: SourceLabels) => boolean;
  readonly hasSink: (labels: SinkLabels) => boolean;
}

/**
 * The labels that name sources and sinks. However many an installation has, a page of metrics has an end: the first thousand of each that a
 * thread of the process meets have names, and keep them as long as they are there. What is counted of the others adds up under `other`.
 */
export class SeriesNames {
  readonly #most: number;
  #isLacking = false;
  readonly #sources = new Map<string, SourceLabels>();
  readonly #sinks = new Map<string, SinkLabels>();

  constructor(most: number = mostNamed) {
    this.#most = most;
  }

  source({ branchId, sourceId }: SourceKey): SourceLabels {
    const labels = { branch: String(branchId), source: sourceId };
    return this.#named(this.#sources, `${branchId}/${sourceId}`, labels) ?? { branch: other, source: other };
  }

  sink({ branchId, sourceId, sinkId }: SinkKey): SinkLabels {
    const labels = { branch: String(branchId), source: sourceId, sink: sinkId };
    return (
      this.#named(this.#sinks, `${branchId}/${sourceId}/${sinkId}`, labels) ?? {
        branch: other,
        source: other,
        sink: other,
      }
    );
  }

  /** True when something was called `other` since the places of those that are gone were given back. */
  get isLacking(): boolean {
    return this.#isLacking;
  }

  /** Gives the places of those that are gone to others; answers their labels. */
  giveBack({ hasSource, hasSink }: KnownNames): readonly SourceLabels[] {
    this.#isLacking = false;
    return [...withdraw(this.#sources, hasSource), ...withdraw(this.#sinks, hasSink)];
  }

  #named<Labels>(named: Map<string, Labels>, name: string, labels: Labels): Labels | undefined {
    const known = named.get(name);
    if (known !== undefined) return known;
    if (named.size >= this.#most) {
      this.#isLacking = true;
      return undefined;
    }
    named.set(name, labels);
    return labels;
  }
}

function withdraw<Labels>(named: Map<string, Labels>, isThere: (labels: Labels) => boolean): readonly Labels[] {
  const gone = [...named].filter(([, labels]) => !isThere(labels));
  for (const [name] of gone) named.delete(name);
  return gone.map(([, labels]) => labels);
}

/** Labels that name a source in the metrics of a thread. */
export function sourceLabels({ names }: { readonly names: SeriesNames }, key: SourceKey): SourceLabels {
  return names.source(key);
}

/** Labels that name a sink in the metrics of a thread. */
export function sinkLabels({ names }: { readonly names: SeriesNames }, key: SinkKey): SinkLabels {
  return names.sink(key);
}
