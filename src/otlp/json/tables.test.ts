import protobuf from 'protobufjs';
import { describe, expect, test } from 'vitest';
import { definitions, requestTypes } from '../../../test/support/otlp-definitions.ts';
import { requestNames } from '../decode/json-request.ts';
import * as tables from './tables.ts';
import { Table } from './table.ts';

/** Ids stand in JSON as hexadecimal; the definitions know them by their names alone. */
function kindOf({ name, type, resolvedType }: protobuf.Field): string {
  if (resolvedType instanceof protobuf.Type) return 'message';
  if (resolvedType instanceof protobuf.Enum) return resolvedType.name;
  if (type !== 'bytes') return type;
  if (name === 'traceId') return 'trace id';
  return /spanid$/i.test(name) ? 'span id' : type;
}

/** The case that a field is of: `optional` makes one of its own. */
function oneofOf({ partOf }: protobuf.Field): string | undefined {
  if (partOf === null || partOf === undefined) return undefined;
  return partOf.name.startsWith('_') ? `has${partOf.name}` : partOf.name;
}

function defined(type: protobuf.Type): readonly string[] {
  return type.fieldsArray
    .map((field) => `${field.name} ${kindOf(field)} ${field.repeated} ${oneofOf(field) ?? ''}`)
    .sort();
}

function ofTable(table: Table<unknown>): readonly string[] {
  return table.columns
    .map(({ jsonName, content, isList, oneof }) => {
      return `${jsonName} ${'message' in content ? 'message' : content.kind} ${isList} ${oneof ?? ''}`;
    })
    .sort();
}

const types: Readonly<Record<string, Table<unknown>>> = {
  AnyValue: tables.anyValue,
  ExponentialHistogramDataPoint: tables.exponentialHistogramDataPoint,
  HistogramDataPoint: tables.histogramDataPoint,
  InstrumentationScope: tables.instrumentationScope,
  KeyValue: tables.keyValue,
  LogRecord: tables.logRecord,
  NumberDataPoint: tables.numberDataPoint,
  Resource: tables.resource,
  Span: tables.span,
  SummaryDataPoint: tables.summaryDataPoint,
};

/** Compares a message and all that stand in it. */
function expectAsDefined(table: Table<unknown>, type: protobuf.Type, seen: Set<Table<unknown>>): void {
  if (seen.has(table)) return;
  seen.add(table);
  expect(ofTable(table), type.fullName).toEqual(defined(type));
  for (const { jsonName, content } of table.columns) {
    const inner = type.fields[jsonName]?.resolvedType;
    if ('message' in content && inner instanceof protobuf.Type) expectAsDefined(content.message(), inner, seen);
  }
}

describe('the tables have every field of the official definitions, and no other', () => {
  test.each(Object.entries(types))('%s and what it holds', (name, table) => {
    expectAsDefined(table, definitions.lookupType(name), new Set());
  });

  test.each([
    ['ResourceLogs', tables.resourceHead, ['scopeLogs']],
    ['ResourceMetrics', tables.resourceHead, ['scopeMetrics']],
    ['ResourceSpans', tables.resourceHead, ['scopeSpans']],
    ['ScopeLogs', tables.scopeHead, ['logRecords']],
    ['ScopeMetrics', tables.scopeHead, ['metrics']],
    ['ScopeSpans', tables.scopeHead, ['spans']],
    ['Metric', tables.metricHead, ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary']],
    ['Sum', tables.sumHead, ['dataPoints']],
    ['Histogram', tables.histogramHead, ['dataPoints']],
    ['ExponentialHistogram', tables.histogramHead, ['dataPoints']],
    ['Gauge', new Table<object>({}), ['dataPoints']],
    ['Summary', new Table<object>({}), ['dataPoints']],
  ] as readonly (readonly [string, Table<unknown>, readonly string[]])[])(
    '%s beside what is cut',
    (name, head, cut) => {
      const keys = head.columns.map(({ jsonName }) => jsonName);
      expect([...keys, ...cut].sort()).toEqual(Object.keys(definitions.lookupType(name).fields).sort());
    },
  );

  test.each(['logs', 'metrics', 'traces'] as const)('a request of %s has one field', (signal) => {
    const [name] = requestNames[signal].resources;
    expect(Object.keys(requestTypes[signal].fields)).toEqual([name]);
  });
});
