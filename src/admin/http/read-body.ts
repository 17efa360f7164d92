import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import { invalidJson } from '../../mapping/json-refusal.ts';
import { JsonScanner } from '../../mapping/json-scanner.ts';
import { PathTrie } from '../../mapping/path-trie.ts';
import { ApiError } from '../errors/api-error.ts';
import type { BodyKind } from '../routes/route.ts';

/** Largest body that the API reads, after decompression: of a caller that it knows, and of anybody else. */
const maxBytes = { known: 8 * 1024 * 1024, unknown: 64 * 1024 } as const;

const readers = {
  known: express.raw({ type: () => true, limit: maxBytes.known }),
  unknown: express.raw({ type: () => true, limit: maxBytes.unknown }),
} as const;

/** The body as the route wants it: parsed JSON, bytes, or nothing. */
export async function readBody(
  { request, response }: { readonly request: IncomingMessage & { body?: unknown }; readonly response: ServerResponse },
  kind: BodyKind,
  caller: keyof typeof maxBytes,
): Promise<unknown> {
  if (kind === 'none') return undefined;
  await new Promise<void>((resolve, reject) => {
    readers[caller](request, response, (thrown?: unknown) =>
      thrown === undefined ? resolve() : reject(bodyError(thrown, maxBytes[caller])),
    );
  });
  const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array();
  return kind === 'bytes' ? bytes : parseJson(bytes, request.headers['content-type']);
}

function parseJson(bytes: Uint8Array, contentType: string | undefined): unknown {
  if (contentType !== undefined && !/^\s*application\/(?:[^;\s]+\+)?json\s*(?:;|$)/i.test(contentType)) {
    const message = `the body must be JSON: "Content-Type" is "${contentType.slice(0, 100)}", expected "application/json"`;
    throw new ApiError('unsupportedMediaType', message);
  }
  if (bytes.length === 0)
    throw new ApiError('missingPayload', 'missing required payload: the body must be a JSON object');
  const text = decode(bytes);
  try {
    return JSON.parse(text) as unknown;
  } catch (thrown) {
    throw new ApiError('decodePayload', faultOf(bytes, thrown), { cause: thrown });
  }
}

/** What is wrong and where; the runtime's parser does not always say the place. */
function faultOf(bytes: Uint8Array, thrown: unknown): string {
  const { fault } = new JsonScanner(new PathTrie()).scan(bytes);
  if (fault !== undefined) return invalidJson('', bytes, fault).message;
  return `the body is not valid JSON: ${thrown instanceof Error ? thrown.message : 'it cannot be read'}`;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (thrown) {
    throw new ApiError('decodePayload', 'the body is not valid UTF-8', { cause: thrown });
  }
}

function tooLarge(limit: number): string {
  const whose = limit === maxBytes.known ? '' : ' for a request without a valid token';
  return `request body size is over the maximum of ${limit} bytes${whose}`;
}

function bodyError(thrown: unknown, limit: number): unknown {
  const type = typeof thrown === 'object' && thrown !== null && 'type' in thrown ? thrown.type : undefined;
  switch (type) {
    case 'entity.too.large':
      return new ApiError('payloadTooLarge', tooLarge(limit), { cause: thrown });
    case 'encoding.unsupported':
      return new ApiError('unsupportedMediaType', '"Content-Encoding" must be gzip, deflate or br, or absent', {
        cause: thrown,
      });
    case 'request.aborted':
    case 'request.size.invalid':
      return new ApiError('clientClosed', 'the request ended before its body was complete', { cause: thrown });
    default:
      return thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('Z_')
        ? new ApiError('decodePayload', 'the body cannot be decompressed', { cause: thrown })
        : thrown;
  }
}
