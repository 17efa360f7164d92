import type { Signal } from '../../core/event.ts';
import { JsonBody, LargeValue, type JsonObject } from '../json/json-body.ts';
import { isObject, MessageReader } from '../json/message-reader.ts';
import { Place } from '../json/place.ts';
import type { Table } from '../json/table.ts';
import {
  exponentialHistogramDataPoint,
  histogramDataPoint,
  histogramHead,
  logRecord,
  metricHead,
  numberDataPoint,
  resourceHead,
  scopeHead,
  span,
  sumHead,
  summaryDataPoint,
} from '../json/tables.ts';
import { OtlpFault } from '../otlp-fault.ts';
import { metricTypes, type Decoding, type MetricType, type RecordVisitor } from './record-visitor.ts';
import { Steps } from './steps.ts';

/** A field by its name in JSON, and in the definitions. */
type Name = readonly [json: string, proto: string];

interface Names {
  readonly resources: Name;
  readonly scopes: Name;
  readonly records: Name;
}

export const requestNames: Readonly<Record<Signal, Names>> = {
  logs: {
    resources: ['resourceLogs', 'resource_logs'],
    scopes: ['scopeLogs', 'scope_logs'],
    records: ['logRecords', 'log_records'],
  },
  metrics: {
    resources: ['resourceMetrics', 'resource_metrics'],
    scopes: ['scopeMetrics', 'scope_metrics'],
    records: ['metrics', 'metrics'],
  },
  traces: {
    resources: ['resourceSpans', 'resource_spans'],
    scopes: ['scopeSpans', 'scope_spans'],
    records: ['spans', 'spans'],
  },
};

const points: Name = ['dataPoints', 'data_points'];
const dataNames = metricTypes.map((type): Name => [
  type === 'exponential_histogram' ? 'exponentialHistogram' : type,
  type,
]);

/** About how many bytes a value of a message has in JSON: steps are as long as those of protobuf. */
const bytesPerValue = 64;

/**
 * Goes through an Export…ServiceRequest in JSON, as OTLP writes it. A large body is parsed in pieces; what a record belongs to
 * is found first, wherever it stands.
 */
export function readJson(body: Uint8Array, signal: Signal, visitor: RecordVisitor): Decoding {
  return new Request(body, signal, visitor).read();
}

class Request {
  readonly #body: JsonBody;
  readonly #signal: Signal;
  readonly #names: Names;
  readonly #visitor: RecordVisitor;
  readonly #place = new Place();
  readonly #messages = new MessageReader(this.#place);
  readonly #steps = new Steps();
  #bytes = 0;

  constructor(body: Uint8Array, signal: Signal, visitor: RecordVisitor) {
    this.#body = new JsonBody(body);
    this.#signal = signal;
    this.#names = requestNames[signal];
    this.#visitor = visitor;
  }

  *read(): Decoding {
    const root = yield* this.#body.root();
    yield;
    const { resources } = this.#names;
    const fields = yield* this.#fields(root, [resources]);
    yield* this.#each(fields, resources, (resource) => this.#resource(resource));
  }

  *#resource(value: unknown): Decoding {
    const { scopes } = this.#names;
    const fields = yield* this.#fields(value, [scopes]);
    const { resource, schema_url: schemaUrl } = this.#read(resourceHead, fields);
    this.#visitor.resource(resource, schemaUrl);
    yield* this.#each(fields, scopes, (scope) => this.#scope(scope));
  }

  *#scope(value: unknown): Decoding {
    const { records } = this.#names;
    const fields = yield* this.#fields(value, [records]);
    const { scope, schema_url: schemaUrl } = this.#read(scopeHead, fields);
    this.#visitor.scope(scope, schemaUrl);
    if (this.#signal === 'metrics') yield* this.#each(fields, records, (metric) => this.#metric(metric));
    else if (this.#signal === 'logs')
      yield* this.#each(fields, records, (log) => this.#visitor.log(this.#read(logRecord, this.#whole(log))));
    else yield* this.#each(fields, records, (one) => this.#visitor.span(this.#read(span, this.#whole(one))));
  }

  *#metric(value: unknown): Decoding {
    const fields = yield* this.#fields(value, dataNames);
    const head = this.#read(metricHead, fields);
    const set = dataNames.filter((name) => this.#pick(fields, name) !== undefined);
    const [data, other] = set;
    if (data === undefined) return;
    if (other !== undefined)
      throw new OtlpFault(`${this.#place.text()}: only one of "${data[0]}" and "${other[0]}" may be set.`);
    this.#place.enter(data[0]);
    yield* this.#data(head, data[1] as MetricType, this.#pick(fields, data));
    this.#place.leave();
  }

  *#data(
    head: Pick<Parameters<RecordVisitor['metric']>[0], 'name' | 'description' | 'unit' | 'metadata'>,
    type: MetricType,
    value: unknown,
  ): Decoding {
    const fields = yield* this.#fields(value, [points]);
    this.#visitor.metric({ ...head, type, ...this.#kindOfData(type, fields) });
    yield* this.#each(fields, points, (point) => this.#point(type, this.#whole(point)));
  }

  #kindOfData(type: MetricType, fields: JsonObject): { temporality: number; isMonotonic: boolean | undefined } {
    if (type === 'gauge' || type === 'summary') return { temporality: 0, isMonotonic: undefined };
    if (type !== 'sum')
      return { temporality: this.#read(histogramHead, fields).aggregation_temporality, isMonotonic: undefined };
    const { aggregation_temporality: temporality, is_monotonic: isMonotonic } = this.#read(sumHead, fields);
    return { temporality, isMonotonic };
  }

  #point(type: MetricType, json: unknown): void {
    switch (type) {
      case 'gauge':
      case 'sum':
        this.#visitor.point({ type, point: this.#read(numberDataPoint, json) });
        break;
      case 'histogram':
        this.#visitor.point({ type, point: this.#read(histogramDataPoint, json) });
        break;
      case 'exponential_histogram':
        this.#visitor.point({ type, point: this.#read(exponentialHistogramDataPoint, json) });
        break;
      case 'summary':
        this.#visitor.point({ type, point: this.#read(summaryDataPoint, json) });
        break;
      default:
        return type satisfies never;
    }
  }

  #read<Message>(table: Table<Message>, json: unknown): Message {
    const message = this.#messages.read(table, json);
    this.#bytes += (1 + this.#messages.values) * bytesPerValue;
    return message;
  }

  #whole(value: unknown): unknown {
    return value instanceof LargeValue ? this.#body.whole(value) : value;
  }

  /** The fields of an object. Of its large ones only those of `kept` may be large; others are parsed, to be valid at least. */
  *#fields(value: unknown, kept: readonly Name[]): Generator<void, JsonObject> {
    if (!(value instanceof LargeValue)) {
      if (!isObject(value)) throw this.#place.fault(value, 'an object');
      return value;
    }
    if (!this.#body.isObject(value)) throw this.#place.fault([], 'an object');
    // Without a prototype "__proto__" is a key as others.
    const fields = Object.create(null) as Record<string, unknown>;
    for (const [key, field] of this.#body.fields(value)) {
      const isKept = kept.some((names) => names.includes(key));
      fields[key] = isKept ? field : this.#whole(field);
      if (this.#steps.isDone(this.#bytes)) yield;
    }
    return fields;
  }

  *#each(fields: JsonObject, name: Name, take: (element: unknown) => Decoding | void): Decoding {
    const list = this.#pick(fields, name);
    if (list === undefined) return;
    this.#place.enter(name[0]);
    let index = 0;
    for (const group of this.#groups(list)) {
      for (const element of group) {
        this.#place.enter(index);
        const rest = take(element);
        if (rest !== undefined) yield* rest;
        this.#place.leave();
        index += 1;
        if (this.#steps.isDone(this.#bytes)) yield;
      }
    }
    this.#place.leave();
  }

  #groups(list: unknown): Iterable<readonly unknown[]> {
    if (list instanceof LargeValue && this.#body.isArray(list)) return this.#body.elements(list);
    if (!Array.isArray(list)) throw this.#place.fault(list instanceof LargeValue ? {} : list, 'an array');
    return [list];
  }

  /** A field by either name; null is none. */
  #pick(fields: JsonObject, [json, proto]: Name): unknown {
    const value = fields[json] ?? undefined;
    const other = json === proto ? undefined : (fields[proto] ?? undefined);
    if (value !== undefined && other !== undefined)
      throw new OtlpFault(`${this.#place.text()}: "${json}" and "${proto}" are the same field.`);
    return value ?? other;
  }
}
