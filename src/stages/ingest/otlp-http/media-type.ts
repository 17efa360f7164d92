import type { OtlpEncoding } from '../../../events/read-otlp.ts';
import { refusal, type Refusal } from '../../../events/refusal.ts';

const encodings: ReadonlyMap<string, OtlpEncoding> = new Map([
  ['application/x-protobuf', 'protobuf'],
  ['application/protobuf', 'protobuf'],
  ['application/json', 'json'],
]);

/** The content type of an answer is that of its request. */
export const mediaTypes: Readonly<Record<OtlpEncoding, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
};

/** How a body is written, by its Content-Type without parameters, in any case. */
export function encodingOf(contentType: string | undefined): OtlpEncoding | Refusal {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return encodings.get(type) ?? unsupported(contentType);
}

function unsupported(contentType: string | undefined): Refusal {
  const given = contentType === undefined ? 'is missing' : `value "${contentType.slice(0, 80)}"`;
  const message = `Invalid header "Content-Type" ${given}: must be "application/x-protobuf" or "application/json".`;
  return refusal('unsupported', 'unsupportedMediaType', message);
}
