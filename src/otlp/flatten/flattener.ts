import type { Buffer } from 'node:buffer';
import type { DataPoint, MetricHead, RecordVisitor } from '../decode/record-visitor.ts';
import type { InstrumentationScope, LogRecord, Resource, Span } from '../wire/messages.ts';
import type { Text } from '../wire/wire-text.ts';
import { JsonWriter, tooLarge } from './json-writer.ts';
import { writeLog } from './log-text.ts';
import { metricText, writePoint, type MetricText } from './point-text.ts';
import { resourceText, scopeOf, type ResourceText, type Scope } from './scope.ts';
import { SharedTexts } from './shared-texts.ts';
import { writeSpan } from './span-text.ts';

const noTexts = new SharedTexts();
const noResource = resourceText(noTexts, undefined, '');
const noScope = scopeOf(noTexts, noResource, { scope: undefined, schemaUrl: '' });

/**
 * Makes one JSON text of each record: with its resource and its scope, which stand in the request once. `take` gets its bytes in the
 * order of the request; `undefined` for a record that would have more than `mostBytes`.
 */
export class Flattener implements RecordVisitor {
  readonly #take: (record: Buffer | undefined) => void;
  readonly #out: JsonWriter;
  readonly #texts = new SharedTexts();
  #resource: ResourceText = noResource;
  #scope: Scope = noScope;
  #metric: MetricText | undefined;

  constructor(take: (record: Buffer | undefined) => void, mostBytes = Number.POSITIVE_INFINITY) {
    this.#take = take;
    this.#out = new JsonWriter(mostBytes);
  }

  resource(resource: Resource | undefined, schemaUrl: Text): void {
    this.#resource = resourceText(this.#texts, resource, schemaUrl);
  }

  scope(scope: InstrumentationScope | undefined, schemaUrl: Text): void {
    this.#scope = scopeOf(this.#texts, this.#resource, { scope, schemaUrl });
  }

  log(record: LogRecord): void {
    this.#record(writeLog, record, this.#scope);
  }

  span(span: Span): void {
    this.#record(writeSpan, span, this.#scope);
  }

  metric(metric: MetricHead): void {
    this.#metric = metricText(this.#texts, metric, this.#scope);
  }

  point(data: DataPoint): void {
    if (this.#metric !== undefined) this.#record(writePoint, data, this.#metric);
  }

  #record<Item, Shared>(
    write: (out: JsonWriter, item: Item, shared: Shared) => void,
    item: Item,
    shared: Shared,
  ): void {
    try {
      write(this.#out, item, shared);
    } catch (error) {
      this.#out.discard();
      if (error !== tooLarge) throw error;
      this.#take(undefined);
      return;
    }
    this.#take(this.#out.finish());
  }
}
