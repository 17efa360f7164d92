import type { DataPoint, MetricHead, RecordVisitor } from '../decode/record-visitor.ts';
import type { InstrumentationScope, LogRecord, Resource, Span } from '../wire/messages.ts';
import { logText } from './log-text.ts';
import { metricText, pointText, type MetricText } from './point-text.ts';
import { resourceText, scopeOf, type ResourceText, type Scope } from './scope.ts';
import { spanText } from './span-text.ts';

const noResource = resourceText(undefined, '');

/**
 * Makes one JSON text of each record: with its resource and its scope, which stand in the request once. `take` gets it, in the order of
 * the request.
 */
export class Flattener implements RecordVisitor {
  readonly #take: (record: string) => void;
  #resource: ResourceText = noResource;
  #scope: Scope = scopeOf(noResource, undefined, '');
  #metric: MetricText | undefined;

  constructor(take: (record: string) => void) {
    this.#take = take;
  }

  resource(resource: Resource | undefined, schemaUrl: string): void {
    this.#resource = resourceText(resource, schemaUrl);
  }

  scope(scope: InstrumentationScope | undefined, schemaUrl: string): void {
    this.#scope = scopeOf(this.#resource, scope, schemaUrl);
  }

  log(record: LogRecord): void {
    this.#take(logText(record, this.#scope));
  }

  span(span: Span): void {
    this.#take(spanText(span, this.#scope));
  }

  metric(metric: MetricHead): void {
    this.#metric = metricText(metric, this.#scope);
  }

  point(data: DataPoint): void {
    if (this.#metric !== undefined) this.#take(pointText(data, this.#metric));
  }
}
