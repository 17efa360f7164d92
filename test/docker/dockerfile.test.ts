import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findChecker } from './checkers.ts';

const folder = fileURLToPath(new URL('../../docker', import.meta.url));
const hadolint = await findChecker('hadolint');

describe('the Dockerfile', () => {
  it.skipIf(hadolint.kind === 'nowhere')('has nothing that hadolint warns of', async () => {
    if (hadolint.kind === 'nowhere') return;
    expect(await hadolint.check(['Dockerfile'], folder)).toEqual({ code: 0, text: '' });
  });
});
