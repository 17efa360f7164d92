import { PbfWriter } from 'pbf';
import type { Signal } from '../../src/core/event.ts';

function nested(tags: readonly number[], write: (writer: PbfWriter) => void): (writer: PbfWriter) => void {
  return tags.reduceRight<(writer: PbfWriter) => void>(
    (inner, tag) => (writer) => writer.writeMessage(tag, (_none, own) => inner(own), undefined),
    write,
  );
}

const records: Readonly<Record<Signal, (name: string) => (writer: PbfWriter) => void>> = {
  logs: (body) => nested([1, 2, 2, 5], (writer) => writer.writeStringField(1, body)),
  metrics: (name) =>
    nested([1, 2, 2], (writer) => {
      writer.writeStringField(1, name);
      nested([5, 1], (point) => point.writeDoubleField(4, 1.5))(writer);
    }),
  traces: (name) =>
    nested([1, 2, 2], (writer) => {
      writer.writeBytesField(1, new Uint8Array(16).fill(1));
      writer.writeBytesField(2, new Uint8Array(8).fill(2));
      writer.writeStringField(5, name);
    }),
};

/** A request of OTLP in protobuf with a record of each name: the body of a log record, the name of a metric or span. */
export function otlpMessage(signal: Signal, names: readonly string[]): Buffer {
  const writer = new PbfWriter();
  for (const name of names) records[signal](name)(writer);
  return Buffer.from(writer.finish());
}
