import { describe, expect, it } from 'vitest';
import { resolve } from './resolve.ts';
import { parseSharedCode, spliceSharedCode } from './shared-code.ts';

describe('A54: shared code', () => {
  const first = parseSharedCode('first', { code_content: ['SELECT {{t}}', 2], variables_id: '1' });
  const second = parseSharedCode('second', { code_content: 'one' });

  it('is spliced into arrays of scalars, and nowhere else', () => {
    const configuration = {
      shared_code_row_ids: ['first', 'second'],
      scripts: ['a', '{{second}} of {{ first }}', 1, '{{none}}'],
      text: '{{first}}',
      mixed: ['{{first}}', null],
      deep: [{ code: ['{{first}}', true] }],
    };
    expect(spliceSharedCode(configuration, [first, second])).toEqual({
      ...configuration,
      scripts: ['a', 'SELECT {{t}}', 2, 'one', 1, '{{none}}'],
      deep: [{ code: ['SELECT {{t}}', 2, true] }],
    });
  });

  it('is refused when a row is missing, or has none', () => {
    expect(() => parseSharedCode('10433', undefined)).toThrow(
      'Shared code configuration cannot be read: Row 10433 not found',
    );
    for (const row of [{}, { code_content: [] }, { code_content: [{}] }, 'x'])
      expect(() => parseSharedCode('r', row)).toThrow('Shared code configuration is invalid: ');
  });

  it('D8: a row that is named in many elements makes no more of them than there may be', () => {
    const long = parseSharedCode('long', { code_content: Array.from({ length: 1000 }, (_, at) => at) });
    const scripts = (count: number): unknown => ({ scripts: Array.from({ length: count }, () => '{{long}}') });
    expect(spliceSharedCode(scripts(100), [long])).toMatchObject({ scripts: { length: 100_000 } });
    const message = 'Shared code makes more than 100000 elements in arrays of the configuration.';
    expect(() => spliceSharedCode(scripts(101), [long])).toThrow(message);
    expect(() => spliceSharedCode({ a: scripts(60), b: scripts(60) }, [long])).toThrow(message);
  });

  it('D8: is spliced as deep as a configuration may be', () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    expect(() => spliceSharedCode(deep, [first])).toThrow('Maximum stack depth exceeded');
  });

  it('E16: comes before variables, and the log says what was done in order', () => {
    const chosen = { values: new Map([['t', 'orders']]), note: 'Replacing variables using inline values.' };
    const vault = new Map([['k', '1']]);
    const configuration = { scripts: ['{{first}}'], key: '{{vault.k}}' };
    expect(resolve({ configuration, sharedCode: [first], chosen, vault })).toEqual({
      configuration: { scripts: ['SELECT orders', 2], key: '1' },
      variables: [{ name: 't', value: 'orders' }],
      notes: [
        'Loaded shared code snippets with ids: "first".',
        'Replacing variables using inline values.',
        'Replaced values for variables: vault.k, t',
      ],
    });
    expect(resolve({ configuration: { a: '{{x}}' } }).notes).toEqual([]);
  });
});
