import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const report = z.object({
  testResults: z.array(
    z.object({
      status: z.string(),
      assertionResults: z.array(z.object({ status: z.string() })),
    }),
  ),
});

/** Prints `N passed, N failed, N skipped` of a JSON report of vitest; a file that could not even be loaded is one failure. */
async function printTestSummary(file: string): Promise<boolean> {
  const { testResults } = report.parse(JSON.parse(await readFile(file, 'utf8')));
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { status, assertionResults } of testResults) {
    const failedBefore = counts.failed;
    for (const test of assertionResults) {
      if (test.status === 'passed') counts.passed += 1;
      else if (test.status === 'failed') counts.failed += 1;
      else counts.skipped += 1;
    }
    if (status === 'failed' && counts.failed === failedBefore) counts.failed += 1;
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  return counts.failed === 0 && counts.passed > 0;
}

const [file = ''] = process.argv.slice(2);
if (!(await printTestSummary(file))) process.exitCode = 1;
