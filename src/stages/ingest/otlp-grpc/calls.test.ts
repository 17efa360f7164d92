import { status } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { headerOf, testSecret, until } from '../../../../test/support/ingest-harness.ts';
import { namedRequest } from '../../../../test/support/otlp-messages.ts';
import { otlpSource, startOtlpGrpc, type OtlpGrpcHarness } from '../../../../test/support/otlp-grpc-harness.ts';
import { signals } from '../../../core/event.ts';
import type { BranchId, SourceId } from '../../../core/ids.ts';
import { MillraceError } from '../../../core/millrace-error.ts';

let grpc: OtlpGrpcHarness;

beforeEach(async () => {
  grpc = await startOtlpGrpc();
});

afterEach(async () => {
  await grpc[Symbol.asyncDispose]();
});

const message = namedRequest('logs', ['hello']);
const ok = { code: status.OK, details: '', retryAfter: undefined, response: Buffer.alloc(0) };
const notFound = {
  code: status.NOT_FOUND,
  details: 'No OTLP source has this project ID, source ID and secret.',
  retryAfter: undefined,
  response: undefined,
};

describe('OTLP over gRPC', () => {
  it('D1: every record of each signal is an event, in one append, before the call is answered', async () => {
    for (const signal of signals) expect(await grpc.send(signal, namedRequest(signal, ['a', 'b']))).toEqual(ok);
    const records = grpc.log.records({ topic: 'source.1.shop', partition: 0 });
    expect(records.map((record) => headerOf(record, 'millrace-signal'))).toEqual(signals.flatMap((one) => [one, one]));
    expect(grpc.bodies().map((body) => /"[ab]"/.exec(body)?.[0])).toEqual(signals.flatMap(() => ['"a"', '"b"']));
    expect(grpc.told.map((line) => line.split(' ', 3).join(' '))).toEqual(signals.map(() => 'stored shop 2'));
    await until(() => grpc.acceptor.inFlight.bytes === 0);
  });

  it('takes what the client compresses, and an empty message makes nothing', async () => {
    expect(await grpc.send('logs', message, { compression: 1 })).toEqual(ok);
    expect(await grpc.send('logs', message, { compression: 2 })).toEqual(ok);
    expect(grpc.bodies().map((body) => body.includes('"hello"'))).toEqual([true, true]);
    expect(await grpc.send('logs', Buffer.alloc(0))).toEqual(ok);
    expect(grpc.bodies()).toHaveLength(2);
    await until(() => grpc.acceptor.inFlight.bytes === 0);
  });

  it('A29: is known by its secret with or without the source, and not by another one', async () => {
    for (const source of ['default/shop', '1/shop', undefined])
      expect(await grpc.send('logs', message, { metadata: { 'millrace-source': source } })).toEqual(ok);
    for (const source of ['2/shop', 'default/other'])
      expect(await grpc.send('logs', message, { metadata: { 'millrace-source': source } })).toEqual(notFound);
    for (const text of [`${testSecret}x`, testSecret.slice(1), 'x'])
      expect(await grpc.send('logs', message, { metadata: { authorization: `Bearer ${text}` } })).toEqual(notFound);
    for (const authorization of [undefined, testSecret, 'Basic eDp5'])
      expect(await grpc.send('logs', message, { metadata: { authorization } })).toMatchObject({
        code: status.UNAUTHENTICATED,
        details: expect.stringContaining('must be "Bearer <secret>"') as string,
      });
    expect(await grpc.send('logs', message, { metadata: { 'millrace-source': 'shop' } })).toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: expect.stringContaining('Invalid metadata "millrace-source" value "shop"') as string,
    });
    expect(grpc.bodies()).toHaveLength(3);
    expect(grpc.told.filter((line) => line.includes(testSecret.slice(0, 10)))).toEqual([]);
    await until(() => grpc.acceptor.inFlight.bytes === 0);
  });

  it('A29: a secret that is of several sources sends to all of them, one that is of HTTP or has ended to none', async () => {
    const other = { branchId: 2 as BranchId, sourceId: 'mail' as SourceId };
    grpc.setSources([otlpSource(), otlpSource({ key: other, topic: 'other' })]);
    const alone = { metadata: { 'millrace-source': undefined } };
    expect(await grpc.send('logs', message, alone)).toEqual(ok);
    expect([grpc.bodies(), grpc.bodies('other')].map((bodies) => bodies.length)).toEqual([1, 1]);
    const ended = [{ text: testSecret, validUntil: grpc.clock.now() }];
    grpc.setSources([otlpSource({ type: 'http' }), otlpSource({ secrets: ended })]);
    expect(await grpc.send('logs', message, alone)).toEqual(notFound);
    grpc.setSources([otlpSource({ disabled: true })]);
    expect(await grpc.send('logs', message, alone)).toMatchObject({
      code: status.NOT_FOUND,
      details: 'The source is disabled. Enable it to send events.',
    });
  });

  it('A29, A41: metadata are headers of the event, without the secret, those of our names, and bytes', async () => {
    const metadata = {
      'x-tenant': 'a',
      'x-original': `/otlp/${testSecret}`,
      'x-trace-bin': Buffer.from([1, 2]),
      'millrace-signal': 'traces',
    };
    expect(await grpc.send('logs', message, { metadata })).toEqual(ok);
    const [record] = grpc.log.records({ topic: 'source.1.shop', partition: 0 });
    const header = (name: string): string | undefined => record && headerOf(record, name);
    expect(header('x-tenant')).toBe('a');
    expect(header('host')).toBe(`127.0.0.1:${grpc.port}`);
    expect(header('x-original')).toBe('/otlp/***');
    expect(header('millrace-signal')).toBe('logs');
    for (const name of ['authorization', 'millrace-source', 'x-trace-bin', 'content-type', 'grpc-timeout'])
      expect([name, header(name)]).toEqual([name, undefined]);
    expect(JSON.stringify(record?.headers)).not.toContain(testSecret);
  });

  it('says what is wrong with a message, and that nothing of it is stored', async () => {
    const bad = await grpc.send('logs', Buffer.from([0x0a, 0xff]));
    expect(bad).toMatchObject({ code: status.INVALID_ARGUMENT, retryAfter: undefined });
    expect(bad.details).toContain('The body cannot be decoded as OTLP logs in protobuf.');
    expect(bad.details).toContain('Nothing was stored.');
    expect(grpc.bodies()).toEqual([]);
    expect(grpc.told).toEqual(['refused 3 stream.in.badRequest']);
    await until(() => grpc.acceptor.inFlight.bytes === 0);
  });

  it('a service or method that there is not is UNIMPLEMENTED, profiles among them', async () => {
    const profiles = '/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export';
    for (const path of [profiles, '/opentelemetry.proto.collector.logs.v1.LogsService/Import', '/'])
      expect(await grpc.send('logs', message, { path })).toMatchObject({ code: status.UNIMPLEMENTED });
  });

  it('D1: what the log refuses is told with the time to wait, what it may have stored, too', async () => {
    grpc.log.refuseWith(new MillraceError('log.refused', 'away'));
    expect(await grpc.send('logs', message)).toMatchObject({ code: status.UNAVAILABLE, retryAfter: 1 });
    grpc.log.refuseWith(new MillraceError('log.recordTooLarge', 'large'));
    expect(await grpc.send('logs', message)).toMatchObject({ code: status.RESOURCE_EXHAUSTED, retryAfter: undefined });
    grpc.log.refuseWith(undefined);
    const refusal = { error: 'budgetSpent', message: 'The budget is spent.', retryAfterSeconds: 60 };
    grpc.setSources([otlpSource({ refusal })]);
    expect(await grpc.send('logs', message)).toMatchObject({ code: status.UNAVAILABLE, retryAfter: 60 });
    await until(() => grpc.acceptor.inFlight.bytes === 0);
  });

  it('A4: the sender is the one that a trusted proxy names, and nobody else is believed', async () => {
    const forwarded = { metadata: { 'x-forwarded-for': '10.1.1.1' } };
    await grpc.send('logs', message, forwarded);
    await using behind = await startOtlpGrpc([otlpSource()], { trustedProxies: ['127.0.0.1'] });
    await behind.send('logs', message, forwarded);
    const [one, other] = [grpc, behind].map(({ log }) => log.records({ topic: 'source.1.shop', partition: 0 })[0]);
    expect(one && headerOf(one, 'millrace-remote')).toBe('127.0.0.1');
    expect(other && headerOf(other, 'millrace-remote')).toBe('10.1.1.1');
  });

  it('A31: a source that does not wait for the log is answered at once', async () => {
    grpc.setSources([otlpSource({ syncWait: false })]);
    grpc.log.hold();
    expect(await grpc.send('logs', message)).toEqual(ok);
    expect(grpc.told).toEqual(['accepted shop 1']);
    grpc.log.release();
  });
});
