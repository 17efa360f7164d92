import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { valueOf } from '../../../test/support/evaluate-text.ts';

const folder = new URL('programs/', import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith('.jsonnet'));
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

describe('whole programs', () => {
  it.each(names)('%s gives what stands beside it', (name) => {
    expect(valueOf(read(name))).toEqual(JSON.parse(read(name.replace('.jsonnet', '.json'))));
  });

  it('are there', () => {
    expect(names).not.toEqual([]);
  });
});
