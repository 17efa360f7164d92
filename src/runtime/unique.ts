import { randomUUID } from 'node:crypto';

/** 32 hexadecimal digits that nobody has made before. */
export function unique(): string {
  return randomUUID().replaceAll('-', '');
}
