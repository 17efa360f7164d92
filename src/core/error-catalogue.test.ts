import { expect, test } from 'vitest';
import { unnamedInSource } from '../../test/support/named-in-source.ts';
import { expectSpecPage, markdownTable } from '../../test/support/spec-page.ts';
import { errorCatalogue } from './error-catalogue.ts';

test('docs/spec/errors.md is made from the catalogue of errors', async () => {
  const rows = Object.entries(errorCatalogue).map(([code, { retryable, cause, action }]) => [
    `\`${code}\``,
    retryable ? 'yes' : 'no',
    cause,
    action,
  ]);
  await expectSpecPage(
    'errors.md',
    `# Error codes

Every error of the product has one of these codes: in the log, in the status of a sink and in \`details\` of the API. _Again_ says
that the same call may succeed later without anybody changing anything; the product then repeats it by itself.
This page is made from \`src/core/error-catalogue.ts\`; a test holds the two together.

${markdownTable(['code', 'again', 'cause', 'what the operator does'], rows)}
`,
  );
});

test('every code is given by something', () => {
  const catalogues = ['core/error-catalogue.ts', 'core/request-errors.ts', 'core/extraction-errors.ts'];
  expect(unnamedInSource(Object.keys(errorCatalogue), catalogues)).toEqual([]);
});
