import type { Signal } from '../../core/event.ts';
import {
  readExponentialHistogramDataPoint,
  readHistogramDataPoint,
  readInstrumentationScope,
  readKeyValue,
  readLogRecord,
  readNumberDataPoint,
  readResource,
  readSpan,
  readSummaryDataPoint,
  type InstrumentationScope,
  type KeyValue,
  type Resource,
} from '../wire/messages.ts';
import { WireFields } from '../wire/wire-fields.ts';
import { WireReader } from '../wire/wire-reader.ts';
import type { Text } from '../wire/wire-text.ts';
import type { Decoding, MetricType, RecordVisitor } from './record-visitor.ts';
import { Steps } from './steps.ts';

/** Field numbers, the same for logs, metrics and traces: of a request, of what has a resource, and of what has a scope. */
const inRequest = { resources: 1 } as const;
const inResource = { resource: 1, scopes: 2, schemaUrl: 3 } as const;
const inScope = { scope: 1, records: 2, schemaUrl: 3 } as const;
const inMetric = { name: 1, description: 2, unit: 3, metadata: 12 } as const;
const inData = { points: 1, temporality: 2, isMonotonic: 3 } as const;

/** By the number of the field of `Metric` that has them. */
const dataFields: ReadonlyMap<number, MetricType> = new Map([
  [5, 'gauge'],
  [7, 'sum'],
  [9, 'histogram'],
  [10, 'exponential_histogram'],
  [11, 'summary'],
]);

/** A part of the body. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Goes through an Export…ServiceRequest in protobuf. Records are decoded one at a time: beside the body no more than one of
 * them is in memory. What a record belongs to is found first, wherever it stands.
 */
export function readProtobuf(body: Uint8Array, signal: Signal, visitor: RecordVisitor): Decoding {
  return new Request(body, signal, visitor).read();
}

class Request {
  readonly #reader: WireReader;
  readonly #length: number;
  readonly #signal: Signal;
  readonly #visitor: RecordVisitor;
  readonly #steps = new Steps();

  constructor(body: Uint8Array, signal: Signal, visitor: RecordVisitor) {
    this.#reader = new WireReader(body);
    this.#length = body.length;
    this.#signal = signal;
    this.#visitor = visitor;
  }

  *read(): Decoding {
    const fields = this.#fields({ start: 0, end: this.#length });
    for (let field = fields.next(); field !== 0; field = fields.next()) {
      if (this.#steps.isDone(fields.end)) yield;
      if (field === inRequest.resources) yield* this.#resource(fields.message());
    }
  }

  *#resource(range: Range): Decoding {
    let resource: Resource | undefined;
    let schemaUrl: Text = '';
    const heads = this.#fields(range);
    for (let field = heads.next(); field !== 0; field = heads.next()) {
      if (this.#steps.isDone(heads.end)) yield;
      if (field === inResource.resource) resource = this.#message(heads.message(), readResource);
      else if (field === inResource.schemaUrl) schemaUrl = heads.text('schema_url');
    }
    this.#visitor.resource(resource, schemaUrl);
    const fields = this.#fields(range);
    for (let field = fields.next(); field !== 0; field = fields.next())
      if (field === inResource.scopes) yield* this.#scope(fields.message());
  }

  *#scope(range: Range): Decoding {
    let scope: InstrumentationScope | undefined;
    let schemaUrl: Text = '';
    const heads = this.#fields(range);
    for (let field = heads.next(); field !== 0; field = heads.next()) {
      if (this.#steps.isDone(heads.end)) yield;
      if (field === inScope.scope) scope = this.#message(heads.message(), readInstrumentationScope);
      else if (field === inScope.schemaUrl) schemaUrl = heads.text('schema_url');
    }
    this.#visitor.scope(scope, schemaUrl);
    const fields = this.#fields(range);
    for (let field = fields.next(); field !== 0; field = fields.next()) {
      if (field !== inScope.records) continue;
      if (this.#steps.isDue(fields.end)) yield;
      if (this.#signal === 'metrics') yield* this.#metric(fields.message());
      else this.#record(fields.message());
    }
  }

  #record(range: Range): void {
    if (this.#signal === 'logs') this.#visitor.log(this.#message(range, readLogRecord));
    else this.#visitor.span(this.#message(range, readSpan));
  }

  *#metric(range: Range): Decoding {
    let name: Text = '';
    let description: Text = '';
    let unit: Text = '';
    const metadata: KeyValue[] = [];
    let type: MetricType | undefined;
    let data: Range | undefined;
    const heads = this.#fields(range);
    for (let field = heads.next(); field !== 0; field = heads.next()) {
      if (this.#steps.isDone(heads.end)) yield;
      const typeOfField = dataFields.get(field);
      if (typeOfField !== undefined) {
        type = typeOfField;
        data = heads.message();
      } else if (field === inMetric.name) name = heads.text('Metric.name');
      else if (field === inMetric.description) description = heads.text('Metric.description');
      else if (field === inMetric.unit) unit = heads.text('Metric.unit');
      else if (field === inMetric.metadata) metadata.push(this.#message(heads.message(), readKeyValue));
    }
    if (type !== undefined && data !== undefined)
      yield* this.#points({ name, description, unit, metadata, type }, data);
  }

  *#points(head: Omit<Parameters<RecordVisitor['metric']>[0], 'temporality' | 'isMonotonic'>, range: Range): Decoding {
    const { type } = head;
    let temporality = 0;
    let isMonotonic = false;
    const heads = this.#fields(range);
    for (let field = heads.next(); field !== 0; field = heads.next()) {
      if (this.#steps.isDone(heads.end)) yield;
      if (type === 'gauge' || type === 'summary') continue;
      if (field === inData.temporality) temporality = heads.integer();
      else if (field === inData.isMonotonic && type === 'sum') isMonotonic = heads.integer() !== 0;
    }
    this.#visitor.metric({ ...head, temporality, isMonotonic: type === 'sum' ? isMonotonic : undefined });
    const fields = this.#fields(range);
    for (let field = fields.next(); field !== 0; field = fields.next()) {
      if (field !== inData.points) continue;
      if (this.#steps.isDue(fields.end)) yield;
      this.#point(type, fields.message());
    }
  }

  #point(type: MetricType, range: Range): void {
    switch (type) {
      case 'gauge':
      case 'sum':
        this.#visitor.point({ type, point: this.#message(range, readNumberDataPoint) });
        break;
      case 'histogram':
        this.#visitor.point({ type, point: this.#message(range, readHistogramDataPoint) });
        break;
      case 'exponential_histogram':
        this.#visitor.point({ type, point: this.#message(range, readExponentialHistogramDataPoint) });
        break;
      case 'summary':
        this.#visitor.point({ type, point: this.#message(range, readSummaryDataPoint) });
        break;
      default:
        return type satisfies never;
    }
  }

  #fields(range: Range): WireFields {
    return new WireFields(this.#reader, range);
  }

  #message<Message>({ start, end }: Range, read: (reader: WireReader, end: number) => Message): Message {
    this.#reader.seek(start);
    return read(this.#reader, end);
  }
}
