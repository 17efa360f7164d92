import { Buffer, isUtf8 } from 'node:buffer';
import { ContentDisposition } from '@remix-run/headers/content-disposition';
import {
  getMultipartBoundary,
  MultipartParseError,
  MultipartParser,
  type MultipartPart,
} from '@remix-run/multipart-parser';
import { limits } from '../core/limits.ts';
import { FormFault } from './form-fault.ts';
import type { FormResult } from './form-body.ts';
import { FormTree, type FormObject, type FormValue } from './form-tree.ts';

/** The longest boundary (RFC 2046, 5.1.1). */
const longestBoundary = 70;
/** Headers of one part. */
const partHeaderBytes = 8 * 1024;

/**
 * Reads a `multipart/form-data` body (RFC 7578): an object of its fields, with names as `FormTree` has them. A field is its
 * text. A file is an object of texts: `filename`, `contentType`, `size`, and what is in it as `content`, or as `base64` where
 * that is no text.
 */
export function parseMultipart(body: Uint8Array, contentType: string): FormResult {
  try {
    return { kind: 'form', root: read(body, boundaryOf(contentType)) };
  } catch (thrown) {
    if (thrown instanceof FormFault || thrown instanceof MultipartParseError) {
      return { kind: 'invalid', message: thrown.message };
    }
    throw thrown;
  }
}

function boundaryOf(contentType: string): string {
  const boundary = getMultipartBoundary(contentType)?.trim() ?? '';
  if (boundary === '') throw new FormFault('its Content-Type names no boundary');
  if (boundary.length > longestBoundary) {
    throw new FormFault(`the boundary in its Content-Type is longer than ${longestBoundary} characters`);
  }
  return boundary;
}

function read(body: Uint8Array, boundary: string): FormObject {
  const bytes = limits.eventBytes;
  const parser = new MultipartParser(boundary, {
    maxHeaderSize: partHeaderBytes,
    maxFileSize: bytes,
    maxParts: limits.formParts,
    maxTotalSize: bytes,
  });
  const tree = new FormTree();
  let count = 0;
  for (const part of parser.write(body)) {
    count += 1;
    put(tree, part, count);
  }
  parser.finish();
  return tree.root;
}

function put(tree: FormTree, part: MultipartPart, count: number): void {
  const headers = headersOf(part, count);
  // A `filename*` must not be there (RFC 7578, 4.2), and is left alone.
  const { name, filename } = ContentDisposition.from(headers['content-disposition'] ?? null);
  if (name === undefined) throw new FormFault(`part ${count} has no name in a Content-Disposition header`);
  const content = Buffer.from(part.bytes.buffer);
  tree.put(name, filename === undefined ? textOf(content) : fileOf(content, filename, headers['content-type']));
}

function headersOf(part: MultipartPart, count: number): MultipartPart['headers'] {
  try {
    return part.headers;
  } catch {
    throw new FormFault(`the headers of part ${count} are not valid UTF-8`);
  }
}

function textOf(content: Buffer): string | Uint8Array {
  return isUtf8(content) ? content.toString() : content;
}

function fileOf(content: Buffer, filename: string, contentType = ''): FormObject {
  const isText = isUtf8(content) && !content.includes(0);
  const held: readonly [string, FormValue] = isText
    ? ['content', content.toString()]
    : ['base64', content.toString('base64')];
  const size = String(content.length);
  return new Map<string, FormValue>([['filename', filename], ['contentType', contentType], ['size', size], held]);
}
