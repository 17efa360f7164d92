import { formatReasons, type BodyFormat } from '../core/event.ts';

/** What says how a body is read; see `FormatSource`. */
interface Reading {
  readonly format: BodyFormat;
  readonly decided: string | undefined;
  /** The reserved header of ingest: why it decided. */
  readonly reason: string | undefined;
  readonly contentType: string | undefined;
}

/** As what a body is read and why, for people: `read as a form, as its Content-Type says`. */
export function howRead({ format, decided, reason, contentType }: Reading): string {
  const by = decided === undefined ? undefined : whyDecided(reason);
  return `${nameOf[format.kind]}, ${by ?? (contentType === undefined ? asOfProducer : 'as its Content-Type says')}`;
}

/** Of the value of a record that a schema made JSON. */
export const readBySchema = 'read as JSON, as a schema decoded it';

const asOfProducer = 'as records of Kafka producers without a Content-Type are';

const nameOf: Readonly<Record<BodyFormat['kind'], string>> = {
  json: 'read as JSON',
  form: 'read as a form',
  multipart: 'read as a form of several parts',
  unsupported: 'not read',
};

function whyDecided(text: string | undefined): string {
  const reason = formatReasons.find((known) => known === text);
  switch (reason) {
    case 'batch':
      return 'as each event of a batch is';
    case 'body':
      return 'as it is one JSON text ("ingest.contentType" is "auto")';
    case 'default':
      return 'as "ingest.defaultContentType" of its source says';
    case 'otlp':
      return 'as each record of OTLP is';
    case undefined:
      return 'as was decided when it arrived';
    default:
      return reason satisfies never;
  }
}
