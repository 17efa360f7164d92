import { createHash } from 'node:crypto';
import { builtin, type Builtin } from './builtin.ts';

/** Hashes of text in UTF-8, in hexadecimal. */
export const hashes: readonly Builtin[] = [
  hash('md5', 'md5'),
  hash('sha1', 'sha1'),
  hash('sha256', 'sha256'),
  hash('sha512', 'sha512'),
  hash('sha3', 'sha3-512'),
];

function hash(name: string, algorithm: string): Builtin {
  return builtin(name, ['s: string'], ([text], evaluation) => {
    // The slowest of them takes as long as several readings.
    evaluation.scan(3 * text.length);
    return createHash(algorithm).update(text, 'utf8').digest('hex');
  });
}
