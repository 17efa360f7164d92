import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../limits.ts';
import { parseObjectName } from '../object-name.ts';
import { fileObject, parseFileObject } from './file-object.ts';
import { isOver, type StoredFile } from './stored-file.ts';

describe('the name of the object of a file', () => {
  it('is read back, and is no name of a slice', () => {
    const part = fc.record({
      fileId: fc.integer({ min: 1, max: 1e14 }).map(String),
      stamp: fc.integer({ min: 0, max: 1e14 }),
      unique: fc.stringMatching(/^[a-zA-Z0-9]{1,20}$/),
    });
    fc.assert(
      fc.property(part, (name) => {
        expect(parseFileObject(fileObject(name))).toEqual(name);
        expect(parseObjectName(fileObject(name))).toBeUndefined();
      }),
    );
  });

  it.each(['files/1/2-x.csv', 'files/0/2-x', 'files/../2-x', '1/0/2-x.rows.csv', 'files/1/-x'])(
    '%s is none',
    (name) => {
      expect(parseFileObject(name)).toBeUndefined();
    },
  );
});

describe('B5: the time of a file', () => {
  const created = { at: '2026-11-21T18:00:00.000Z', by: { type: 'system' } } as const;
  const at = Date.parse(created.at);
  const waiting: StoredFile = { fileId: '1', name: 'a', tags: [], created, expiresAt: '2026-11-22T18:00:00.000Z' };
  const content = { object: 'files/1/1-a', bytes: 1, checksum: 'crc32:00' as never, at: created.at };

  it('of an upload that never came ends by itself, whether it would be permanent or not', () => {
    const { expiresAt: _, ...permanent } = waiting;
    for (const file of [waiting, permanent]) {
      expect(isOver(file, at + limits.fileUploadMs - 1)).toBe(false);
      expect(isOver(file, at + limits.fileUploadMs)).toBe(true);
    }
  });

  it('of one that was uploaded ends when it says, and never when it is permanent', () => {
    const { expiresAt: _, ...permanent } = { ...waiting, content };
    expect(isOver({ ...waiting, content }, at + 86_400_000 - 1)).toBe(false);
    expect(isOver({ ...waiting, content }, at + 86_400_000)).toBe(true);
    expect(isOver(permanent, at + 1e13)).toBe(false);
  });
});
