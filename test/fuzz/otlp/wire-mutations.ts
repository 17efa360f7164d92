import { PbfReader, PbfWriter } from 'pbf';
import type { Dice } from '../random.ts';

/** A field as it stands in a message: `payload` is what follows the tag, the length of bytes among it. */
interface Field {
  readonly number: number;
  readonly type: number;
  /** Without the length where it is bytes. */
  readonly content: Buffer;
}

const bytes = 2;
const lengths = [0, 1, 127, 128, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53] as const;
const tags = [0, 1, 2, 5, 7, 15, 16, 18_999, 19_000, 2 ** 29 - 1] as const;

/** A valid message of protobuf with some of its fields changed, at any depth. */
export function mutateWire(dice: Dice, message: Buffer): Buffer {
  let mutated = message;
  for (let more = dice.number(1, 3); more > 0; more -= 1) mutated = mutateOnce(dice, mutated, 0);
  if (dice.chance(15)) mutated = flip(dice, mutated);
  return dice.chance(5) ? mutated.subarray(0, dice.number(0, mutated.length)) : mutated;
}

/** Some bytes are others. */
export function flip(dice: Dice, message: Buffer): Buffer {
  const flipped = Buffer.from(message);
  for (let more = dice.number(1, 4); more > 0 && flipped.length > 0; more -= 1)
    flipped[dice.number(0, flipped.length - 1)] = dice.number(0, 255);
  return flipped;
}

function mutateOnce(dice: Dice, message: Buffer, depth: number): Buffer {
  const fields = fieldsOf(message);
  if (fields === undefined || fields.length === 0) return flip(dice, message);
  const at = dice.number(0, fields.length - 1);
  const field = fields[at] as Field;
  const isInner = field.type === bytes && depth < 12 && dice.chance(75);
  const instead = isInner
    ? [encoded({ ...field, content: mutateOnce(dice, field.content, depth + 1) })]
    : mutateField(dice, field);
  return Buffer.concat(fields.flatMap((one, index) => (index === at ? instead : [encoded(one)])));
}

function mutateField(dice: Dice, field: Field): readonly Buffer[] {
  const { number, type, content } = field;
  switch (dice.number(0, 11)) {
    case 0:
      return [];
    case 1:
      return repeated(dice, encoded(field));
    case 2:
      return [encoded({ ...field, number: dice.chance(60) ? dice.number(1, 13) : dice.pick(tags) })];
    case 3:
      return [encoded({ ...field, type: dice.number(0, 7) })];
    case 4:
      return [tagOf(number, bytes), varint(dice.pick(lengths)), content];
    case 5:
      return [tagOf(number, bytes), varint(Math.max(0, content.length + dice.number(-3, 3))), content];
    case 6:
      return [tagOf(number, 0), endless(dice)];
    case 7:
      return [encoded({ ...field, content: dice.bytes(dice.number(0, 40)) })];
    case 8:
      return [encoded({ ...field, content: nested(dice, content) })];
    case 9:
      return [encoded(field), tagOf(dice.number(14, 900), dice.number(0, 7)), dice.bytes(dice.number(0, 12))];
    case 10:
      return [encoded({ ...field, content: content.subarray(0, dice.number(0, content.length)) })];
    default:
      return [encoded({ ...field, type: 0, content: type === 0 ? numbers(dice) : content })];
  }
}

/** More of the same: some, seldom as many as fill a megabyte. */
function repeated(dice: Dice, one: Buffer): readonly Buffer[] {
  const most = dice.chance(1) ? Math.min(400_000, Math.floor(1_000_000 / one.length)) : 40;
  return Array.from({ length: dice.number(2, Math.max(2, most)) }, () => one);
}

/** Messages in messages, as lists in lists of attributes are, or one field without end. */
function nested(dice: Dice, content: Buffer): Buffer {
  const [outer, inner] = dice.pick<readonly [number, number]>([
    [5, 1],
    [6, 1],
    [2, 2],
    [1, 1],
  ]);
  // The length of what is around grows with each: far more of them are as many bytes as a text with its square.
  const depth = dice.chance(5) ? dice.number(500, 4000) : dice.number(1, 120);
  const parts: Buffer[] = [content];
  let length = content.length;
  for (let at = 0; at < depth; at += 1) {
    const head = Buffer.concat([tagOf(at % 2 === 0 ? inner : outer, bytes), varint(length)]);
    parts.push(head);
    length += head.length;
  }
  return Buffer.concat(parts.toReversed());
}

function endless(dice: Dice): Buffer {
  return Buffer.concat([Buffer.alloc(dice.number(1, 20), 0xff), Buffer.from([dice.number(0, 127)])]);
}

function numbers(dice: Dice): Buffer {
  return dice.pick([varint(0), varint(2 ** 31), varint(2 ** 53 - 1), Buffer.from('ffffffffffffffffff01', 'hex')]);
}

/** Undefined where it is no message. */
function fieldsOf(message: Buffer): Field[] | undefined {
  const reader = new PbfReader(message);
  const fields: Field[] = [];
  try {
    for (let number = reader.nextField(); number !== 0; number = reader.nextField()) {
      const { type } = reader;
      if (type === bytes) fields.push({ number, type, content: Buffer.from(reader.readBytes()) });
      else {
        const start = reader.pos;
        reader.skip(type);
        fields.push({ number, type, content: message.subarray(start, reader.pos) });
      }
      if (reader.pos > message.length) return undefined;
    }
  } catch {
    return undefined;
  }
  return fields;
}

function encoded({ number, type, content }: Field): Buffer {
  const tag = tagOf(number, type);
  return Buffer.concat(type === bytes ? [tag, varint(content.length), content] : [tag, content]);
}

function tagOf(number: number, type: number): Buffer {
  return varint(number * 8 + type);
}

function varint(value: number): Buffer {
  const writer = new PbfWriter();
  writer.writeVarint(value);
  return Buffer.from(writer.finish());
}
