import { once } from 'node:events';
import {
  connect as connectHttp2,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
} from 'node:http2';
import { connect } from 'node:net';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { status, type ClientUnaryCall } from '@grpc/grpc-js';
import { describe, expect, it } from 'vitest';
import { testSecret, testSource, until } from '../../../../test/support/ingest-harness.ts';
import { namedRequest } from '../../../../test/support/otlp-messages.ts';
import { otlpSource, startOtlpGrpc, type OtlpGrpcHarness } from '../../../../test/support/otlp-grpc-harness.ts';
import { httpDefaults } from '../exchange/http-config.ts';
import { createHttpIngest } from '../exchange/http-ingest.ts';
import { createHttpFace } from '../http/face.ts';
import { methods } from './route.ts';

const message = namedRequest('logs', ['hello']);
const mebibyte = 1024 ** 2;

/** A message as it goes over the wire: whether it is compressed, its length, its bytes. */
function framed(bytes: Buffer, isCompressed = false): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = isCompressed ? 1 : 0;
  prefix.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([prefix, bytes]);
}

/** A sender that writes frames as it likes. */
class RawSender implements Disposable {
  readonly session: ClientHttp2Session;

  constructor({ port }: OtlpGrpcHarness, localAddress = '127.0.0.1') {
    this.session = connectHttp2(`http://127.0.0.1:${port}`, {
      createConnection: () => connect({ port, host: '127.0.0.1', localAddress }),
    });
    this.session.on('error', () => undefined);
  }

  begin(headers: Readonly<Record<string, string>> = {}): ClientHttp2Stream {
    const stream = this.session.request({
      ':method': 'POST',
      ':path': methods.logs,
      'content-type': 'application/grpc',
      te: 'trailers',
      authorization: `Bearer ${testSecret}`,
      ...headers,
    });
    stream.on('error', () => undefined);
    return stream;
  }

  /** The code of the status with which the call ends. */
  async code(stream: ClientHttp2Stream): Promise<number> {
    const found = Promise.withResolvers<number>();
    const look = (headers: Readonly<Record<string, unknown>>): void => {
      if (headers['grpc-status'] !== undefined) found.resolve(Number(headers['grpc-status']));
    };
    stream.on('response', look);
    stream.on('trailers', look);
    stream.on('close', () => found.resolve(-1));
    stream.resume();
    return found.promise;
  }

  [Symbol.dispose](): void {
    this.session.destroy();
  }
}

describe('D8: OTLP over gRPC', () => {
  it('refuses what is larger than a message may be, as it comes and as it is decompressed, for good', async () => {
    await using grpc = await startOtlpGrpc([otlpSource()], { maxBodyBytes: mebibyte });
    const large = namedRequest('logs', ['x'.repeat(mebibyte)]);
    for (const compression of [undefined, 1, 2] as const) {
      const told = await grpc.send('logs', large, compression === undefined ? {} : { compression });
      expect(told).toMatchObject({ code: status.RESOURCE_EXHAUSTED, retryAfter: undefined });
      expect(told.details).toContain('over the maximum "1MB"');
    }
    expect(grpc.told).toEqual(Array.from({ length: 3 }, () => 'refused 8 stream.in.bodyTooLarge'));
    await until(() => grpc.acceptor.inFlight.bytes === 0);
    expect([grpc.bodies(), grpc.acceptor.inFlight.bytes]).toEqual([[], 0]);
  });

  it('a bomb takes the memory of its limit at most, in another form of compression, too', async () => {
    await using grpc = await startOtlpGrpc([otlpSource()], { maxBodyBytes: mebibyte });
    using raw = new RawSender(grpc);
    const bomb = Buffer.alloc(64 * mebibyte);
    for (const [encoding, bytes] of [
      ['gzip', gzipSync(bomb)],
      ['zstd', zstdCompressSync(bomb)],
    ] as const) {
      const stream = raw.begin({ 'grpc-encoding': encoding });
      stream.end(framed(bytes, true));
      expect(await raw.code(stream)).toBe(status.RESOURCE_EXHAUSTED);
    }
    await until(() => grpc.acceptor.inFlight.bytes === 0);
  });

  it('says to come again when there is no memory now, and not when there will never be', async () => {
    await using grpc = await startOtlpGrpc([otlpSource()], { maxBufferedBytes: mebibyte });
    const half = namedRequest('logs', ['x'.repeat(300_000)]);
    expect(await grpc.send('logs', namedRequest('logs', ['x'.repeat(900_000)]))).toMatchObject({
      code: status.RESOURCE_EXHAUSTED,
      retryAfter: undefined,
    });
    grpc.log.hold();
    const first = grpc.send('logs', half);
    await until(() => grpc.acceptor.inFlight.bytes > 600_000);
    expect(await grpc.send('logs', half)).toMatchObject({ code: status.RESOURCE_EXHAUSTED, retryAfter: 1 });
    grpc.log.release();
    expect(await first).toMatchObject({ code: status.OK });
    await until(() => grpc.acceptor.inFlight.bytes === 0);
  });

  it('counts what has arrived of a message, piece by piece, and gives it back when its sender leaves', async () => {
    await using grpc = await startOtlpGrpc();
    using raw = new RawSender(grpc);
    const stream = raw.begin();
    stream.write(framed(Buffer.alloc(200_000)).subarray(0, 100_000));
    await until(() => grpc.acceptor.inFlight.bytes > 200_000);
    expect(grpc.service.requests).toBe(1);
    raw.session.destroy();
    await until(() => grpc.acceptor.inFlight.bytes === 0);
    expect([grpc.service.requests, grpc.bodies(), grpc.told]).toEqual([0, [], ['cut clientClosed']]);
  });

  it('gives back what has arrived of a message when its deadline has passed', async () => {
    await using grpc = await startOtlpGrpc();
    using raw = new RawSender(grpc);
    const stream = raw.begin({ 'grpc-timeout': '50m' });
    stream.write(framed(Buffer.alloc(200_000)).subarray(0, 50_000));
    expect(await raw.code(stream)).toBe(status.DEADLINE_EXCEEDED);
    await until(() => grpc.acceptor.inFlight.bytes === 0);
    expect([grpc.service.requests, grpc.told]).toEqual([0, ['cut clientClosed']]);
  });

  it('nothing of a call without a secret is gathered', async () => {
    await using grpc = await startOtlpGrpc();
    using raw = new RawSender(grpc);
    const stream = raw.begin({ authorization: 'Bearer wrong' });
    stream.write(framed(Buffer.alloc(mebibyte)).subarray(0, 100_000));
    expect(await raw.code(stream)).toBe(status.NOT_FOUND);
    // Its sender is told to send no more.
    if (!stream.closed) await once(stream, 'close');
    await until(() => grpc.acceptor.inFlight.bytes === 0);
    expect([grpc.service.requests, grpc.acceptor.inFlight.bytes]).toEqual([0, 0]);
  });

  it('what arrives too slowly is cut, and may be sent again', async () => {
    await using grpc = await startOtlpGrpc();
    using raw = new RawSender(grpc);
    const stream = raw.begin();
    stream.write(framed(message).subarray(0, 7));
    await until(() => grpc.service.requests === 1);
    grpc.clock.time += 31_000;
    grpc.clock.wakeAll();
    expect(await raw.code(stream)).toBe(status.UNAVAILABLE);
    await until(() => grpc.acceptor.inFlight.bytes === 0);
    expect([grpc.told, grpc.acceptor.inFlight.bytes]).toEqual([['refused 14 stream.in.requestTimeout'], 0]);
  });

  it('a call has one message, compressed as its header says, in a form that is known', async () => {
    await using grpc = await startOtlpGrpc();
    using raw = new RawSender(grpc);
    const codeOf = (bytes: Buffer, headers = {}): Promise<number> => {
      const stream = raw.begin(headers);
      const code = raw.code(stream);
      stream.end(bytes);
      return code;
    };
    expect(await codeOf(Buffer.alloc(0))).toBe(status.INVALID_ARGUMENT);
    expect(await codeOf(Buffer.concat([framed(message), framed(message)]))).toBe(status.INVALID_ARGUMENT);
    expect(await codeOf(framed(message, true), { 'grpc-encoding': 'snappy' })).toBe(status.UNIMPLEMENTED);
    expect(await codeOf(framed(message, true))).toBe(status.UNIMPLEMENTED);
    expect(await codeOf(framed(message, true), { 'grpc-encoding': 'gzip' })).toBe(status.INVALID_ARGUMENT);
    expect(grpc.bodies()).toEqual([]);
    expect(await codeOf(framed(message), { 'grpc-encoding': 'gzip' })).toBe(status.OK);
    expect(await codeOf(framed(zstdCompressSync(message), true), { 'grpc-encoding': 'zstd' })).toBe(status.OK);
    expect(grpc.bodies()).toHaveLength(2);
    await until(() => grpc.acceptor.inFlight.bytes === 0);
  });

  it('what is wrong with a compressed message is said of grpc-encoding', async () => {
    await using grpc = await startOtlpGrpc();
    using raw = new RawSender(grpc);
    const detailsOf = async (encoding: string): Promise<string> => {
      const stream = raw.begin({ 'grpc-encoding': encoding });
      const answered = once(stream, 'response') as Promise<[IncomingHttpHeaders]>;
      stream.end(framed(message, true));
      const [headers] = await answered;
      return decodeURIComponent(String(headers['grpc-message']));
    };
    expect(await detailsOf('snappy')).toContain('Invalid header "grpc-encoding" value "snappy": must be "gzip"');
    for (const encoding of ['gzip', 'zstd'])
      expect(await detailsOf(encoding)).toContain(`cannot be decoded as "${encoding}", as its grpc-encoding says: it`);
  });

  it.each([
    { from: 'one address', senders: ['127.0.0.1'], isOtherTaken: true },
    { from: 'many', senders: [1, 3, 4, 5, 6].map((host) => `127.0.0.${host}`), isOtherTaken: false },
  ])('A43: calls that are begun and not ended take no place of JSON: from $from', async ({ senders, isOtherTaken }) => {
    await using grpc = await startOtlpGrpc([otlpSource(), testSource()], { maxBufferedBytes: mebibyte });
    const { acceptor, service, told } = grpc;
    const config = { ...httpDefaults, port: 0 };
    await using http = createHttpIngest({ acceptor, faces: [createHttpFace(acceptor)], config });
    await http.start();
    using raw = new DisposableStack();
    for (const address of senders) {
      const sender = raw.use(new RawSender(grpc, address));
      for (let more = 300; more > 0; more -= 1) sender.begin().resume().write(framed(message).subarray(0, 7));
    }
    await until(() => service.requests + told.length === senders.length * 300);
    expect(new Set(told)).toEqual(new Set(['refused 8 stream.in.tooManyRequests']));
    const url = `http://127.0.0.1:${http.address()?.port}/stream/1/orders/${testSecret}`;
    for (let more = 20; more > 0; more -= 1)
      expect(await fetch(url, { method: 'POST', body: 'x'.repeat(100_000) })).toMatchObject({ status: 200 });
    expect(await grpc.send('logs', message)).toMatchObject({
      code: status.RESOURCE_EXHAUSTED,
      details: expect.stringContaining('Too many calls are under way') as string,
      retryAfter: 1,
    });
    const other = raw.use(new RawSender(grpc, '127.0.0.2'));
    const call = other.begin();
    const code = other.code(call);
    call.end(framed(message));
    expect(await code).toBe(isOtherTaken ? status.OK : status.RESOURCE_EXHAUSTED);
    raw.dispose();
    await until(() => acceptor.inFlight.bytes === 0);
    for (let more = 40; more > 0; more -= 1)
      expect(await grpc.send('logs', message)).toMatchObject({ code: status.OK });
  });

  it('a thousand calls at once are all stored once', async () => {
    await using grpc = await startOtlpGrpc();
    const all = Array.from({ length: 1000 }, (_, at) => grpc.send('logs', namedRequest('logs', [`n${at}`])));
    const codes = new Set((await Promise.all(all)).map(({ code }) => code));
    expect([...codes]).toEqual([status.OK]);
    expect(new Set(grpc.bodies().map((body) => /"n[0-9]+"/.exec(body)?.[0])).size).toBe(1000);
    await until(() => grpc.acceptor.inFlight.bytes === 0);
    expect([grpc.bodies().length, grpc.acceptor.inFlight.bytes]).toEqual([1000, 0]);
  });

  it('a call that is given up while the log works is stored, and waits for nobody', async () => {
    await using grpc = await startOtlpGrpc();
    grpc.log.hold();
    let call: ClientUnaryCall | undefined;
    const told = grpc.send('logs', message, { onCall: (begun) => (call = begun) });
    await until(() => grpc.bodies().length === 1);
    call?.cancel();
    expect(await told).toMatchObject({ code: status.CANCELLED });
    const late = grpc.send('logs', message, { deadline: Date.now() + 2000 });
    await until(() => grpc.bodies().length === 2);
    expect(await late).toMatchObject({ code: status.DEADLINE_EXCEEDED });
    expect(grpc.service.requests).toBeGreaterThan(0);
    grpc.log.release();
    await until(() => grpc.service.requests === 0);
    await until(() => grpc.acceptor.inFlight.bytes === 0);
    expect([grpc.bodies().length, grpc.acceptor.inFlight.bytes]).toEqual([2, 0]);
  });

  it('a log that does not answer is not waited for without end', async () => {
    await using grpc = await startOtlpGrpc();
    grpc.log.hold();
    const told = grpc.send('logs', message);
    await until(() => grpc.bodies().length === 1);
    grpc.clock.time += 11_000;
    grpc.clock.wakeAll();
    expect(await told).toMatchObject({ code: status.UNAVAILABLE, retryAfter: 1 });
    grpc.log.release();
    await until(() => grpc.acceptor.inFlight.bytes === 0);
  });
});

describe('D10: OTLP over gRPC', () => {
  it('finishes what was received while it drains, and takes nothing more', async () => {
    await using grpc = await startOtlpGrpc();
    grpc.log.hold();
    const told = grpc.send('logs', message);
    await until(() => grpc.bodies().length === 1);
    const drained = grpc.service.drain();
    expect(await grpc.send('logs', message, { deadline: Date.now() + 1000 })).toMatchObject({
      code: expect.toSatisfy((code) => code === status.UNAVAILABLE || code === status.DEADLINE_EXCEEDED) as number,
    });
    grpc.log.release();
    expect(await told).toMatchObject({ code: status.OK });
    grpc.clock.wakeAll();
    await drained;
    await grpc.running;
    await until(() => grpc.acceptor.inFlight.bytes === 0);
    expect([grpc.bodies().length, grpc.acceptor.inFlight.bytes]).toEqual([1, 0]);
  });

  it('cuts what still arrives when the time for that is over', async () => {
    await using grpc = await startOtlpGrpc();
    using raw = new RawSender(grpc);
    const stream = raw.begin();
    stream.write(framed(message).subarray(0, 7));
    await until(() => grpc.service.requests === 1);
    const drained = grpc.service.drain();
    const code = raw.code(stream);
    grpc.clock.wakeAll();
    expect(await code).toBe(status.UNAVAILABLE);
    await drained;
    expect(grpc.told).toEqual(['refused 14 stream.in.shutdown']);
  });

  it('leaves at once when it is told to, whatever the log does', async () => {
    const grpc = await startOtlpGrpc();
    grpc.log.hold();
    const told = grpc.send('logs', message);
    await until(() => grpc.bodies().length === 1);
    await grpc[Symbol.asyncDispose]();
    expect((await told).code).not.toBe(status.OK);
  });
});
