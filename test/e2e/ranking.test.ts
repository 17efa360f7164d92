import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { Installation, rootToken } from '../support/installation.ts';
import { runMillrace } from '../support/run-millrace.ts';
import { numberColumns } from '../support/shop.ts';

it('a running product says which sinks have most lag and most dead letters, as the command line shows', async () => {
  await using installation = await Installation.start();
  const shop = installation.shop();
  const strict = [...numberColumns, { type: 'path', name: 'm', path: 'm' }];
  await shop.create([
    { sinkId: 'fine', tableId: 'in.c-shop.fine' },
    { sinkId: 'strict', tableId: 'in.c-shop.strict', columns: strict },
    { sinkId: 'stopped', tableId: 'in.c-shop.stopped' },
  ]);
  await shop.api.call('DELETE', '/v2/storage/tables/in.c-shop.stopped?force=true');
  for (let n = 0; n < 3; n += 1) await fetch(await shop.url(), { method: 'POST', body: `{"n":${n}}` });
  const rank = (by: string): ReturnType<typeof runMillrace> =>
    runMillrace(['progress', '--by', by, '--limit', '5'], {
      env: { MILLRACE_URL: installation.process.admin, MILLRACE_TOKEN: rootToken },
    });
  const sinksBy = async (by: string): Promise<readonly string[]> =>
    (await rank(by)).stdout
      .split('\n')
      .slice(1)
      .flatMap((line) => line.split(/ +/)[0] || []);
  await eventually(
    async () => {
      expect(await sinksBy('lagEvents')).toEqual(['shop/stopped']);
      expect(await sinksBy('deadLetters')).toEqual(['shop/strict']);
    },
    { everyMs: 500 },
  );
  expect((await rank('lagEvents')).stdout).toMatch(/shop\/stopped +3 +\d+ +3 /);
  expect(await rank('beauty')).toMatchObject({ code: 2 });
});
