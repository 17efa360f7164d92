import { Buffer } from 'node:buffer';
import { parentPort, workerData } from 'node:worker_threads';
import { readJson } from '../../src/otlp/decode/json-request.ts';
import { readProtobuf } from '../../src/otlp/decode/protobuf-request.ts';
import type { Decoding } from '../../src/otlp/decode/record-visitor.ts';
import { Flattener } from '../../src/otlp/flatten/flattener.ts';
import { readHistogramDataPoint, readLogRecord, readNumberDataPoint, readSpan } from '../../src/otlp/wire/messages.ts';
import { WireFields } from '../../src/otlp/wire/wire-fields.ts';
import { WireReader } from '../../src/otlp/wire/wire-reader.ts';
import type { OtlpSide, OtlpSideInput } from './otlp.bench.ts';

/** Reads texts and bytes into values of their own, in the fastest way that is known for Node, and checks neither. */
class ObjectReader extends WireReader {
  readonly #text: Buffer;

  constructor(body: Uint8Array) {
    super(body);
    this.#text = Buffer.from(body.buffer, body.byteOffset, body.length);
  }

  override readText(): string {
    const end = this.readVarint() + this.pos;
    const start = this.pos;
    this.pos = end;
    return end - start < 12 ? this.#shortText(start, end) : this.#text.toString('utf8', start, end);
  }

  override readContent(): Uint8Array {
    const end = this.readVarint() + this.pos;
    const start = this.pos;
    this.pos = end;
    return this.buf.subarray(start, end);
  }

  #shortText(start: number, end: number): string {
    let text = '';
    for (let at = start; at < end; at += 1) {
      const byte = this.buf[at] ?? 0;
      if (byte >= 0x80) return this.#text.toString('utf8', start, end);
      text += String.fromCharCode(byte);
    }
    return text;
  }
}

type Read = (reader: WireReader, end: number) => object;

/** By the numbers of the fields that lead to records in the requests of this bench. */
const records: Readonly<Record<OtlpSideInput['signal'], readonly (readonly [path: readonly number[], read: Read])[]>> =
  {
    logs: [[[1, 2, 2], readLogRecord]],
    traces: [[[1, 2, 2], readSpan]],
    metrics: [
      [[1, 2, 2, 9, 1], readHistogramDataPoint],
      [[1, 2, 2, 7, 1], readNumberDataPoint],
    ],
  };

interface Walk {
  readonly reader: WireReader;
  readonly path: readonly number[];
  readonly read: Read;
}

function decodeAll({ reader, path, read }: Walk, range: { readonly start: number; readonly end: number }): number {
  const [wanted, ...rest] = path;
  if (wanted === undefined) {
    reader.seek(range.start);
    read(reader, range.end);
    return 1;
  }
  let count = 0;
  const fields = new WireFields(reader, range);
  for (let field = fields.next(); field !== 0; field = fields.next())
    if (field === wanted) count += decodeAll({ reader, path: rest, read }, fields.message());
  return count;
}

function finish(decoding: Decoding): void {
  while (decoding.next().done !== true);
}

function flattened(read: (flattener: Flattener) => Decoding): number {
  let count = 0;
  finish(read(new Flattener(() => (count += 1))));
  return count;
}

/** Each of them goes once through the request, and answers how many records it has. */
const sides: Readonly<Record<OtlpSide, (input: OtlpSideInput) => number>> = {
  protobuf: ({ body, signal }) => flattened((flattener) => readProtobuf(body, signal, flattener)),
  json: ({ body, signal }) => flattened((flattener) => readJson(body, signal, flattener)),
  decodeProtobuf: ({ body, signal, count }) => {
    const reader = new ObjectReader(body);
    for (const [path, read] of records[signal]) decodeAll({ reader, path, read }, { start: 0, end: body.length });
    return count;
  },
  parseJson: ({ body, count }) => {
    JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.length).toString());
    return count;
  },
};

const input = workerData as OtlpSideInput;
parentPort?.on('message', (requests: number) => {
  const start = process.threadCpuUsage();
  let count = 0;
  for (let request = 0; request < requests; request += 1) count += sides[input.side](input);
  const { user, system } = process.threadCpuUsage(start);
  parentPort?.postMessage({ records: count, microseconds: user + system });
});
