import { describe, expect, it } from 'vitest';
import { csvLine, manifestOf, outputFileName } from './output-files.ts';

describe('1.10: output tables', () => {
  const output = { apiName: 'nm', incremental: false };

  it.each([
    [{ ...output, outputBucket: 'b', configId: 'main' }, 'b.users', { destination: 'in.c-b.users' }],
    [{ ...output, configId: 'main' }, 'ex-api-nm-main.users', { destination: 'in.c-ex-api-nm-main.users' }],
    [output, 'users', {}],
  ])('1.10: %j', (of, file, manifest) => {
    expect(outputFileName(of, 'users')).toBe(file);
    expect(manifestOf(of, { name: 'users' })).toEqual({ ...manifest, incremental: false });
  });

  it('1.10: the primary key stands in the manifest when there is one', () => {
    expect(manifestOf({ ...output, incremental: true }, { name: 't', primaryKey: ['id'] })).toEqual({
      incremental: true,
      primary_key: ['id'],
    });
  });

  it('1.10: every cell is quoted, quotes are doubled, the line ends in LF', () => {
    expect(csvLine(['a', 'b"c', '', 'x\ny'])).toBe('"a","b""c","","x\ny"\n');
  });
});
