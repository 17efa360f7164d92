import { frame, noSettings as settings, preface } from '../../support/http2-frames.ts';
import type { Dice } from '../random.ts';

/** What a connection of a stranger may begin with, where HTTP/2 is expected. */
export function makeRawBytes(dice: Dice): Buffer {
  const many = (one: () => Buffer): Buffer => Buffer.concat(Array.from({ length: dice.number(10, 3000) }, one));
  const anyFrame = (): Buffer =>
    frame(dice.number(0, 12), {
      flags: dice.number(0, 255),
      stream: dice.number(0, 9),
      payload: dice.bytes(dice.number(0, 40)),
      ...(dice.chance(20) ? { length: dice.number(0, 0xff_ffff) } : {}),
    });
  const opened = (index: number): Buffer =>
    Buffer.concat([frame(1, { flags: 4, stream: 2 * index + 1, payload: Buffer.from([0x83, 0x86, 0x84]) })]);
  switch (dice.number(0, 9)) {
    case 0:
      return dice.bytes(dice.number(0, 400));
    case 1:
      return Buffer.from('POST /v1/logs HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}');
    case 2:
      return preface.subarray(0, dice.number(0, preface.length));
    case 3:
      return Buffer.concat([preface, settings, dice.bytes(dice.number(1, 300))]);
    case 4:
      return Buffer.concat([preface, settings, ...Array.from({ length: dice.number(1, 30) }, anyFrame)]);
    case 5:
      return Buffer.concat([preface, many(() => settings)]);
    case 6:
      return Buffer.concat([preface, settings, many(() => frame(6, { payload: Buffer.alloc(8) }))]);
    case 7:
      // A header block that does not end (CVE-2024-27316).
      return Buffer.concat([
        preface,
        settings,
        frame(1, { stream: 1, payload: Buffer.from([0x83]) }),
        many(() => frame(9, { stream: 1, payload: Buffer.from('0001610162', 'hex') })),
      ]);
    case 8: {
      // Streams that are reset as soon as they are opened (CVE-2023-44487).
      let index = 0;
      const reset = (): Buffer => frame(3, { stream: 2 * index++ + 1, payload: Buffer.from([0, 0, 0, 8]) });
      return Buffer.concat([preface, settings, many(() => Buffer.concat([opened(index), reset()]))]);
    }
    default:
      return Buffer.concat([
        preface,
        settings,
        frame(8, { payload: Buffer.from('7fffffff', 'hex') }),
        frame(8, { payload: Buffer.from('7fffffff', 'hex') }),
      ]);
  }
}
