import type { Metadata } from '@grpc/grpc-js';

/** The value of a metadata that is text; several are joined, as HTTP has it. */
export function textOf(metadata: Metadata, name: string): string | undefined {
  const values = metadata.get(name);
  return values.length === 0 ? undefined : values.join(', ');
}

/**
 * The metadata of a call as the headers of a request over HTTP are had, a flat list. Binary ones, whose names end with `-bin`, are not
 * among them: they are no text.
 */
export function headersOf(metadata: Metadata, host: string): readonly string[] {
  const headers = host === '' ? [] : ['host', host];
  for (const name of Object.keys(metadata.getMap()))
    if (!name.endsWith('-bin')) headers.push(name, textOf(metadata, name) ?? '');
  return headers;
}
