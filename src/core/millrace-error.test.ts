import { describe, expect, test } from 'vitest';
import { isCancellation, MillraceError } from './millrace-error.ts';

describe('errors', () => {
  test('an error of the product comes back as it is', () => {
    const error = new MillraceError('log.full', 'full');
    expect(MillraceError.fromUnknown(error)).toBe(error);
  });

  test('anything else becomes one, with its cause', () => {
    const cause = new Error('broken');
    const error = MillraceError.fromUnknown(cause, 'table.unavailable');
    expect(error).toMatchObject({ code: 'table.unavailable', message: 'broken', retryable: true, cause });
    expect(MillraceError.fromUnknown('text')).toMatchObject({
      code: 'internal.bug',
      message: 'text',
      retryable: false,
    });
  });

  test('the rejection of an aborted signal is a cancellation, a failure is none', () => {
    expect(isCancellation(AbortSignal.abort().reason)).toBe(true);
    expect(isCancellation(new MillraceError('log.full', 'full'))).toBe(false);
  });
});
