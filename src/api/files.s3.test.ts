import { randomUUID } from 'node:crypto';
import { describe } from 'vitest';
import type { StoresOnTest } from '../../test/contract/admin-on-stores.ts';
import { filesContract } from '../../test/contract/files.contract.ts';
import { importsContract } from '../../test/contract/imports.contract.ts';
import { openS3ForTests, whereIsS3 } from '../../test/support/s3.ts';
import { openS3ObjectStore } from '../adapters/s3/object-store.ts';

const place = await whereIsS3();
if (place.kind === 'nowhere') process.stdout.write(`skipped: ${place.reason}\n`);

async function open(): Promise<StoresOnTest> {
  const stack = new AsyncDisposableStack();
  const s3 = stack.use(await openS3ForTests());
  const objects = stack.use(await openS3ObjectStore({ ...s3.options, keyPrefix: `files/${randomUUID()}` }));
  return { objects, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

describe.skipIf(place.kind === 'nowhere')('on a real server', () => {
  filesContract('in a bucket of S3', open);
  importsContract('from files in a bucket of S3', open);
});
