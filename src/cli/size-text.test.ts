import { expect, it } from 'vitest';
import { sizeText } from './size-text.ts';

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KB'],
  [1_048_575, '1.0 MB'],
  [1_258_291, '1.2 MB'],
  [5 * 1024 ** 3, '5.0 GB'],
  [3000 * 1024 ** 4, '3000.0 TB'],
])('%i bytes are %s', (bytes, text) => expect(sizeText(bytes)).toBe(text));
