import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Transform } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { parseJsonText } from '../../core/parse-json-text.ts';
import { invalidJson } from '../../mapping/json-refusal.ts';
import { JsonScanner } from '../../mapping/json-scanner.ts';
import { PathTrie } from '../../mapping/path-trie.ts';
import { ApiError } from '../errors/api-error.ts';
import { formFields, isForm, jsonFields } from './body-fields.ts';
import type { BodyKind } from '../route/route.ts';
import { checkExtent } from './check-extent.ts';
import { utf8 } from './utf8.ts';

/**
 * The largest body that the API reads, before and after decompression: from anybody, and from a known caller, which may
 * be bytes as a sender sends them, JSON, or fields. In a form a character may take three.
 */
const maxBytes = {
  unknown: 64 * 1024,
  bytes: 8 * 1024 * 1024,
  json: 4 * 1024 * 1024,
  fields: 8 * 1024 * 1024,
} as const;

/** Between the steps of reading a larger one, the thread does other things. */
const largeBytes = 64 * 1024;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The body as the route wants it: parsed JSON, bytes, or nothing. A sender that waits for `100 Continue` gets it here. */
export async function readBody(
  { request, response }: Exchange,
  kind: BodyKind,
  caller: 'known' | 'unknown',
): Promise<unknown> {
  if (kind === 'none') return undefined;
  if (kind === 'stream') return caller === 'known' ? streamOf({ request, response }) : undefined;
  const limit = maxBytes[caller === 'known' ? kind : caller];
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  // Bytes are what a sender would send: whether they are decoded is for who reads them.
  const decoder = kind === 'bytes' ? undefined : decoderOf(request.headers['content-encoding']);
  if (request.headers.expect !== undefined) {
    response.removeHeader('Connection');
    response.writeContinue();
  }
  const bytes = await receive(request, { decoder, limit });
  const contentType = request.headers['content-type'];
  switch (kind) {
    case 'bytes':
      return bytes;
    case 'fields':
      return readFields(bytes, contentType);
    case 'json':
      return (await readJson(bytes, contentType)).value;
    default:
      return kind satisfies never;
  }
}

/** The body as it comes, for a handler that keeps to limits of its own, of its time, too. */
function streamOf({ request, response }: Exchange): IncomingMessage {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase();
  if (encoding !== undefined && encoding !== '' && encoding !== 'identity')
    throw new ApiError(
      'unsupportedMediaType',
      '"Content-Encoding" must be absent: the bytes are kept as they are sent',
    );
  // The connection is not used again: its time for one request was set aside.
  response.setHeader('Connection', 'close');
  if (request.headers.expect !== undefined) response.writeContinue();
  return request;
}

/** Of JSON its fields, of a form the same; without a body none. */
async function readFields(bytes: Uint8Array, contentType: string | undefined): Promise<unknown> {
  if (isForm(contentType)) return formFields(bytes);
  if (bytes.length === 0) return {};
  const { value, text } = await readJson(bytes, contentType);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? jsonFields(value, text) : value;
}

function decoderOf(encoding: string | undefined): Transform | undefined {
  switch (encoding?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new ApiError('unsupportedMediaType', '"Content-Encoding" must be gzip, deflate or br, or absent');
  }
}

interface Reception {
  readonly decoder: Transform | undefined;
  readonly limit: number;
}

/** Stops at the first byte too many. */
function receive(request: IncomingMessage, { decoder, limit }: Reception): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const source = decoder === undefined ? request : request.pipe(decoder);
  const chunks: Buffer[] = [];
  let length = 0;
  const take = (chunk: Buffer): void => {
    length += chunk.length;
    if (length > limit) reject(tooLarge(limit));
    else chunks.push(chunk);
  };
  source.on('data', take).once('end', () => resolve(Buffer.concat(chunks)));
  decoder?.once('error', (cause) =>
    reject(new ApiError('decodePayload', 'the body cannot be decompressed', { cause })),
  );
  request.once('close', () => {
    if (!request.complete) reject(new ApiError('clientClosed', 'the request ended before its body was complete'));
  });
  return promise.finally(() => {
    source.off('data', take);
    if (decoder !== undefined) {
      request.unpipe(decoder);
      decoder.destroy();
    }
    // What is left goes nowhere, as long as the time of a request lasts: its sender sees the answer.
    request.resume();
  });
}

function tooLarge(limit: number): ApiError {
  const whose = limit > maxBytes.unknown ? '' : ' for a request without a token that allows it';
  return new ApiError('payloadTooLarge', `request body size is over the maximum of ${limit} bytes${whose}`);
}

async function readJson(
  bytes: Uint8Array,
  contentType: string | undefined,
): Promise<{ readonly value: unknown; readonly text: string }> {
  if (contentType !== undefined && !/^\s*application\/(?:[^;\s]+\+)?json\s*(?:;|$)/i.test(contentType)) {
    const message = `the body must be JSON: "Content-Type" is "${contentType.slice(0, 100)}", expected "application/json"`;
    throw new ApiError('unsupportedMediaType', message);
  }
  if (bytes.length === 0)
    throw new ApiError('missingPayload', 'missing required payload: the body must be a JSON object');
  checkExtent(bytes);
  const text = utf8(bytes);
  const others = bytes.length > largeBytes ? () => setImmediate() : () => undefined;
  await others();
  const value = parse(text, bytes);
  await others();
  return { value, text };
}

function parse(text: string, bytes: Uint8Array): unknown {
  try {
    return parseJsonText(text);
  } catch (thrown) {
    throw new ApiError('decodePayload', faultOf(bytes, thrown), { cause: thrown });
  }
}

/** What is wrong and where; the runtime's parser does not always say the place. */
function faultOf(bytes: Uint8Array, thrown: unknown): string {
  const { fault } = new JsonScanner(new PathTrie()).scan(bytes);
  if (fault !== undefined) return invalidJson(bytes, fault).message;
  return `the body is not valid JSON: ${thrown instanceof Error ? thrown.message : 'it cannot be read'}`;
}
