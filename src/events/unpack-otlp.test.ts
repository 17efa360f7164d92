import { describe, expect, it, test } from 'vitest';
import { requestBytes, type Plain } from '../../test/support/otlp-messages.ts';
import type { Signal } from '../core/event.ts';
import { limits } from '../core/limits.ts';
import { unpackOtlp } from './unpack-otlp.ts';

const resource = { attributes: [{ key: 'service.name', value: { string_value: 'shop' } }] };
const at = '1700000000123456789';
const requests: Readonly<Record<Signal, Plain>> = {
  logs: {
    resource_logs: [
      { resource, scope_logs: [{ log_records: [1, 2].map((n) => ({ time_unix_nano: at, severity_number: n })) }] },
    ],
  },
  metrics: {
    resource_metrics: [
      {
        resource,
        scope_metrics: [
          {
            metrics: [{ name: 'sold', gauge: { data_points: [1, 2].map((n) => ({ time_unix_nano: at, as_int: n })) } }],
          },
        ],
      },
    ],
  },
  traces: {
    resource_spans: [
      { resource, scope_spans: [{ spans: [1, 2].map((n) => ({ name: `pay ${n}`, start_time_unix_nano: at })) }] },
    ],
  },
};
const inJson: Readonly<Record<Signal, string>> = {
  logs: `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"${at}"},{}]}]}]}`,
  metrics: ` {\n"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"a","gauge":{"dataPoints":[{"asInt":"1"},{"asInt":"2"}]}}]}]}]}`,
  traces: `{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"a"},{"name":"b"}]}]}]}`,
};
const signals = Object.keys(requests) as Signal[];

function bodies(value: Uint8Array, headers: readonly string[] = []): readonly unknown[] {
  const unpacked = unpackOtlp({ value, headers });
  if (unpacked.kind === 'undecodable') throw new Error(unpacked.problem);
  return unpacked.events.map((event) => JSON.parse(event.value.toString()) as unknown);
}

function problem(value: Uint8Array | string, ...headers: readonly string[]): string {
  const unpacked = unpackOtlp({ value: Buffer.from(value), headers });
  return unpacked.kind === 'undecodable' ? unpacked.problem : `${unpacked.events.length} events`;
}

describe('A53: a record that holds a request of OTLP', () => {
  it.each(signals)('in protobuf is events of the signal that its header names: %s', (signal) => {
    const value = requestBytes(signal, requests[signal]);
    const found = bodies(value, ['a', 'b', 'Millrace-Signal', signal]);
    expect(found).toHaveLength(2);
    expect(found[0]).toMatchObject({ resource: { 'service.name': 'shop' } });
  });

  test('may be named by the header that the Collector sets itself', () => {
    expect(bodies(requestBytes('traces', requests.traces), ['otelcol.signal', 'traces'])).toHaveLength(2);
  });

  it.each(signals)('in JSON says itself what it holds: %s', (signal) => {
    expect(bodies(Buffer.from(inJson[signal]))).toHaveLength(2);
  });

  test('gives each event its headers, behind those that say what it is', () => {
    const value = Buffer.from(inJson.logs);
    const unpacked = unpackOtlp({ value, headers: ['tenant', 'a'] });
    const own = ['millrace-signal', 'logs', 'millrace-format', 'json', 'millrace-format-reason', 'otlp', 'tenant', 'a'];
    expect(unpacked).toMatchObject({ events: [{ headers: own }, { headers: own }] });
  });

  test('may be empty', () => {
    expect(problem('', 'millrace-signal', 'logs')).toBe('0 events');
    expect(problem('{"resourceLogs":[]}')).toBe('0 events');
    expect(problem('{}', 'millrace-signal', 'logs')).toBe('0 events');
  });

  test('D9: that nothing says the signal of is told what to do', () => {
    const value = requestBytes('logs', requests.logs);
    expect(problem(value)).toContain('let the producer send the header "millrace-signal"');
    expect(problem(value, 'millrace-signal', 'profiles')).toContain('let the producer send the header');
    expect(problem('{"a":1}')).toContain('does not begin with "resourceLogs"');
    expect(problem('{')).toContain('does not begin with "resourceLogs"');
  });

  test('D9: that is no such request is told why', () => {
    expect(problem(Buffer.of(10, 200, 1), 'millrace-signal', 'logs')).toMatch(/^it is no OTLP logs: /);
    expect(problem('{"resourceLogs":1}')).toMatch(/^it is no OTLP logs: .*resourceLogs/);
    expect(problem('{"resourceLogs":[')).toMatch(/^it is no OTLP logs: /);
    expect(problem(Buffer.alloc(limits.eventBytes + 1))).toContain(`over the limit of ${limits.eventBytes}`);
  });

  test('D8: with more records than a request may have is refused', () => {
    const records = Array.from({ length: limits.otlpRecords + 1 }, () => '{}').join();
    expect(problem(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[${records}]}]}]}`)).toBe(
      `it is no OTLP logs: it holds more than ${limits.otlpRecords} records.`,
    );
  });
});
