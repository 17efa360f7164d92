import { Buffer } from 'node:buffer';

/** A text in a body, valid UTF-8 and not empty. It becomes a string where one is needed, which few are. */
export class WireText {
  readonly body: DataView;
  readonly start: number;
  readonly end: number;
  /** Whether it stands in JSON as it is, between quotes. */
  readonly isPlain: boolean;

  constructor(body: DataView, { start, end, isPlain }: Pick<WireText, 'start' | 'end' | 'isPlain'>) {
    this.body = body;
    this.start = start;
    this.end = end;
    this.isPlain = isPlain;
  }

  toString(): string {
    const { buffer, byteOffset } = this.body;
    return Buffer.from(buffer, byteOffset + this.start, this.end - this.start).toString();
  }
}

/** A text of a message: of protobuf, or of JSON. */
export type Text = string | WireText;

/** Whether two texts of one request are the same. */
export function isSameText(one: Text, other: Text): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  const { body, start, end } = one;
  const shift = other.start - start;
  if (other.end - shift !== end) return false;
  // Keys of a sender begin alike more often than they end alike.
  for (let at = end - 1; at >= start; at -= 1) if (body.getUint8(at) !== body.getUint8(at + shift)) return false;
  return true;
}
