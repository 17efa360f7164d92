import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { httpDefaults } from '../../src/stages/ingest/exchange/http-config.ts';
import { connectorConfiguration, connectorFiles } from '../support/connector-configuration.ts';
import { connectKeys, documentedKeys } from './connector-keys.ts';

const files = await connectorFiles();

it('connectors/: there is one record a request, lines and arrays for each connector, and the README names each file', async () => {
  const makers = ['aiven', 'clescot', 'confluent'];
  const expected = makers.flatMap((maker) => ['array', 'lines', 'single'].map((kind) => `${maker}-${kind}.json`));
  expect(files).toEqual(expected);
  const readme = await readFile(new URL('../../connectors/README.md', import.meta.url), 'utf8');
  expect(files.filter((file) => !readme.includes(`](${file})`))).toEqual([]);
});

describe.each(files)('%s', (file) => {
  it('is what Connect takes as the body of PUT /connectors/NAME/config: an object of texts', async () => {
    const configuration = await connectorConfiguration(file);
    expect(Object.values(configuration).filter((value) => typeof value !== 'string')).toEqual([]);
  });

  it('sets only keys that Connect or the documentation of its connector knows', async () => {
    const configuration = await connectorConfiguration(file);
    const known = documentedKeys[configuration['connector.class'] ?? ''] ?? [];
    const unknown = Object.keys(configuration).filter((key) => !connectKeys.test(key) && !known.includes(key));
    expect(unknown).toEqual([]);
  });

  it('has placeholders for URL and secret, the secret in the Bearer header and never in a URL', async () => {
    const configuration = await connectorConfiguration(file);
    const holding = (text: string): readonly string[] =>
      Object.entries(configuration).flatMap(([key, value]) => (value.includes(text) ? [key] : []));
    expect(holding('${env:ORDERS_URL}')).toHaveLength(1);
    const [header, ...others] = holding('${env:ORDERS_SECRET}');
    expect(others).toEqual([]);
    expect(configuration[header ?? '']).toContain('Bearer ${env:ORDERS_SECRET}');
    expect(header).toMatch(/headers/);
    expect(JSON.stringify(configuration)).not.toMatch(/https?:\/\//);
  });

  it('reads values as raw text, and asks for the split that its batches need', async () => {
    const configuration = await connectorConfiguration(file);
    expect(configuration['value.converter']).toBe('org.apache.kafka.connect.storage.StringConverter');
    const url = Object.values(configuration).find((value) => value.includes('ORDERS_URL')) ?? '';
    const [, kind = ''] = /-(\w+)\.json$/.exec(file) ?? [];
    expect(/\?batch=(\w+)/.exec(url)?.[1]).toBe(kind === 'single' ? undefined : kind);
  });

  it('D2: retries for ever, whatever the answer', async () => {
    const configuration = await connectorConfiguration(file);
    const retries = configuration['max.retries'] ?? configuration['retry.policy.retries'];
    expect(['2147483647', '-1']).toContain(retries);
    const answers = configuration['retry.policy.response.code.regex'] ?? configuration['retry.on.status.codes'];
    expect(['^[^2][0-9][0-9]$', '400-', undefined]).toContain(answers);
    expect(configuration['errors.tolerance']).toBeUndefined();
    expect(['fail', undefined]).toContain(configuration['behavior.on.error']);
  });

  it('D8: keeps a request within the limits of ingest, where its connector can', async () => {
    const configuration = await connectorConfiguration(file);
    const records = configuration['batch.max.size'] ?? configuration['request.grouper.batch.message.limit'] ?? '1';
    expect(Number(records)).toBeLessThanOrEqual(limits.eventsPerRequest);
    const characters = Number(configuration['request.grouper.batch.body.limit'] ?? '0');
    const mostBytesOfOne = 3;
    expect(characters * mostBytesOfOne).toBeLessThanOrEqual(httpDefaults.maxBodyBytes);
  });
});
