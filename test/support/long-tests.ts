/**
 * True where tests take all the time that they need: `npm run test:long`. Elsewhere a test has a short form, or says that it was left out;
 * what it holds is held in the small by tests of its parts.
 */
export const isLong = process.env['MILLRACE_TEST_LONG'] === 'true';

/** For the `skipIf` of a test that only waits, for longer than everybody can. */
export function leftOut(title: string): boolean {
  if (!isLong) console.warn(`skipped, it takes too long for each run: "${title}"; npm run test:long runs it`);
  return !isLong;
}
