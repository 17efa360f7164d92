import type { Signal } from '../../core/event.ts';
import { JsonBody, LargeValue, type JsonObject } from '../json/json-body.ts';
import { isObject, MessageReader } from '../json/message-reader.ts';
import { Place } from '../json/place.ts';
import { Table } from '../json/table.ts';
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

const nothing = new Table<object>({});

/** What stands in the data of a metric beside its points. */
function tableOfData(type: MetricType): Table<{ aggregation_temporality?: number; is_monotonic?: boolean }> {
  if (type === 'sum') return sumHead;
  return type === 'gauge' || type === 'summary' ? nothing : histogramHead;
}

/** To make a value of a message takes about as long as to parse so many bytes. */
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
  readonly #messages: MessageReader;
  readonly #steps = new Steps();
  #values = 0;

  constructor(body: Uint8Array, signal: Signal, visitor: RecordVisitor) {
    this.#body = new JsonBody(body);
    this.#messages = new MessageReader(this.#body, this.#place);
    this.#signal = signal;
    this.#names = requestNames[signal];
    this.#visitor = visitor;
  }

  *read(): Decoding {
    const root = yield* this.#body.root();
    yield;
    const { resources } = this.#names;
    const fields = yield* this.#fields(root, nothing, [resources]);
    yield* this.#each(fields, resources, (resource) => this.#resource(resource));
  }

  *#resource(value: unknown): Decoding {
    const { scopes } = this.#names;
    const fields = yield* this.#fields(value, resourceHead, [scopes]);
    const { resource, schema_url: schemaUrl } = yield* this.#head(resourceHead, fields);
    this.#visitor.resource(resource, schemaUrl);
    yield* this.#each(fields, scopes, (scope) => this.#scope(scope));
  }

  *#scope(value: unknown): Decoding {
    const { records } = this.#names;
    const fields = yield* this.#fields(value, scopeHead, [records]);
    const { scope, schema_url: schemaUrl } = yield* this.#head(scopeHead, fields);
    this.#visitor.scope(scope, schemaUrl);
    if (this.#signal === 'metrics') yield* this.#each(fields, records, (metric) => this.#metric(metric));
    else if (this.#signal === 'logs')
      yield* this.#each(fields, records, (log) => this.#record(logRecord, log, (read) => this.#visitor.log(read)));
    else yield* this.#each(fields, records, (one) => this.#record(span, one, (read) => this.#visitor.span(read)));
  }

  *#metric(value: unknown): Decoding {
    const fields = yield* this.#fields(value, metricHead, dataNames);
    const head = yield* this.#head(metricHead, fields);
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
    const table = tableOfData(type);
    const fields = yield* this.#fields(value, table, [points]);
    const { aggregation_temporality: temporality = 0, is_monotonic: isMonotonic } = yield* this.#head(table, fields);
    this.#visitor.metric({ ...head, type, temporality, isMonotonic });
    yield* this.#each(fields, points, (point) => this.#point(type, point));
  }

  #point(type: MetricType, json: unknown): Decoding | void {
    switch (type) {
      case 'gauge':
      case 'sum':
        return this.#record(numberDataPoint, json, (point) => this.#visitor.point({ type, point }));
      case 'histogram':
        return this.#record(histogramDataPoint, json, (point) => this.#visitor.point({ type, point }));
      case 'exponential_histogram':
        return this.#record(exponentialHistogramDataPoint, json, (point) => this.#visitor.point({ type, point }));
      case 'summary':
        return this.#record(summaryDataPoint, json, (point) => this.#visitor.point({ type, point }));
      default:
        return type satisfies never;
    }
  }

  #record<Message>(table: Table<Message>, json: unknown, take: (record: Message) => void): Decoding | void {
    if (json instanceof LargeValue) return this.#largeRecord(table, json, take);
    const record = this.#messages.read(table, json);
    this.#values += 1 + this.#messages.values;
    take(record);
  }

  *#largeRecord<Message>(table: Table<Message>, json: LargeValue, take: (record: Message) => void): Decoding {
    const record = yield* this.#messages.readLarge(table, json);
    yield;
    take(record);
    yield;
  }

  /** What stands in an object beside what is read one by one. */
  *#head<Message>(table: Table<Message>, fields: JsonObject): Generator<void, Message> {
    const head = yield* this.#messages.readLarge(table, fields);
    this.#values += 1 + this.#messages.values;
    return head;
  }

  /** The fields of an object that `table` and `lists` name; large ones are not parsed yet. */
  *#fields(value: unknown, table: Table<unknown>, lists: readonly Name[]): Generator<void, JsonObject> {
    if (value instanceof LargeValue && this.#body.isObject(value)) {
      const isWanted = (key: string): boolean =>
        table.column(key) !== undefined || lists.some((names) => names.includes(key));
      return yield* this.#body.object(value, isWanted);
    }
    if (value instanceof LargeValue) throw this.#place.fault(this.#body.sample(value), 'an object');
    if (!isObject(value)) throw this.#place.fault(value, 'an object');
    return value;
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
        if (this.#steps.isDone(this.#body.work + this.#values * bytesPerValue)) yield;
      }
    }
    this.#place.leave();
  }

  #groups(list: unknown): Iterable<readonly unknown[]> {
    if (list instanceof LargeValue && this.#body.isArray(list)) return this.#body.elements(list);
    if (!Array.isArray(list))
      throw this.#place.fault(list instanceof LargeValue ? this.#body.sample(list) : list, 'an array');
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
