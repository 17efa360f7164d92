import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeProduct, type ComposedProduct } from '../support/composed-product.ts';
import { eventually } from '../support/eventually.ts';
import { numberColumns, type Shop } from '../support/shop.ts';

let product: ComposedProduct;

beforeAll(async () => {
  product = await composeProduct();
});

afterAll(async () => {
  await product[Symbol.asyncDispose]();
});

interface ListedToken {
  readonly id: string;
  readonly description: string;
  readonly bucketPermissions: Readonly<Record<string, string>>;
  readonly canReadAllFileUploads: boolean;
}

async function tokensOf(shop: Shop, name: string): Promise<readonly ListedToken[]> {
  const tokens = await shop.api.call<readonly ListedToken[]>('GET', '/v2/storage/tokens');
  return tokens.filter(({ description }) => description === `[_internal] Stream Sink ${name}`);
}

async function onlyTokenOf(shop: Shop, name: string): Promise<ListedToken> {
  const [token, ...others] = await tokensOf(shop, name);
  if (token === undefined || others.length > 0)
    throw new Error(`${name} has ${others.length} tokens too many, or none`);
  return token;
}

async function send(shop: Shop, numbers: readonly number[]): Promise<void> {
  const url = await shop.url();
  for (const n of numbers) {
    const body = JSON.stringify({ n });
    const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    expect(response.status).toBe(200);
  }
}

/** Conditions under which what is staged waits for a flush. */
const patient = { importCount: 10_000_000, importInterval: '24h' } as const;

describe("a sink's token", () => {
  it('is made for the bucket, replaced when the sink is enabled, and gone once a closed sink has delivered', async () => {
    const shop = product.shop('life');
    await shop.create([{ sinkId: 'k', tableId: 'in.c-life.t' }]);
    const first = await onlyTokenOf(shop, 'life/k');
    expect(first).toMatchObject({ bucketPermissions: { 'in.c-life': 'write' }, canReadAllFileUploads: true });
    await send(shop, [1, 2]);
    await shop.api.task('PUT', `${shop.sink('k')}/disable`);
    await eventually(async () => expect(await tokensOf(shop, 'life/k')).toEqual([]));
    expect(await shop.numbersIn('in.c-life.t')).toEqual([1, 2]);
    await shop.api.task('PUT', `${shop.sink('k')}/enable`);
    const second = await onlyTokenOf(shop, 'life/k');
    expect(second.id).not.toBe(first.id);
    await send(shop, [3]);
    await shop.api.task('DELETE', shop.sink('k'));
    await eventually(async () => expect(await tokensOf(shop, 'life/k')).toEqual([]));
    expect(await shop.numbersIn('in.c-life.t')).toEqual([1, 2, 3]);
  });

  it('that is deleted over the API stops the import, which says so until the sink is disabled and enabled', async () => {
    const shop = product.shop('revoked');
    await shop.create([{ sinkId: 'k', tableId: 'in.c-revoked.t' }]);
    const { id } = await onlyTokenOf(shop, 'revoked/k');
    expect((await shop.api.request('DELETE', `/v2/storage/tokens/${id}`)).status).toBe(204);
    await send(shop, [1]);
    const [error] = await eventually(async () => {
      const { errors } = await shop.progress('k');
      expect(errors).toMatchObject([{ role: 'import', code: 'sink.tokenMissing' }]);
      return errors;
    });
    expect(error?.message).toContain('disable and enable the sink');
    await expect(shop.flush('k')).rejects.toThrow('sink.tokenMissing');
    // Nothing but that brings the token back.
    await shop.api.task('PATCH', shop.sink('k'), { description: 'changed' });
    expect(await tokensOf(shop, 'revoked/k')).toEqual([]);
    await shop.api.task('PUT', `${shop.sink('k')}/disable`);
    await shop.api.task('PUT', `${shop.sink('k')}/enable`);
    await eventually(async () => expect((await shop.progress('k')).errors).toEqual([]));
    await shop.flush('k');
    expect(await shop.numbersIn('in.c-revoked.t')).toEqual([1]);
    expect((await onlyTokenOf(shop, 'revoked/k')).id).not.toBe(id);
  });

  it('that is made anew may write every bucket for which rows still wait', async () => {
    const shop = product.shop('carried');
    await shop.create([{ sinkId: 'k', tableId: 'in.c-carried.t' }], patient);
    await send(shop, [1, 2]);
    await eventually(async () => expect((await shop.progress('k')).staged.rows).toBe(2));
    const { id } = await onlyTokenOf(shop, 'carried/k');
    await shop.api.request('DELETE', `/v2/storage/tokens/${id}`);
    const table = { tableId: 'in.c-elsewhere.t', mapping: { columns: numberColumns } };
    await shop.api.task('PATCH', shop.sink('k'), { table });
    await send(shop, [3]);
    await shop.api.task('PUT', `${shop.sink('k')}/disable`);
    await shop.api.task('PUT', `${shop.sink('k')}/enable`);
    expect((await onlyTokenOf(shop, 'carried/k')).bucketPermissions).toEqual({
      'in.c-carried': 'write',
      'in.c-elsewhere': 'write',
    });
    await shop.flush('k');
    expect(await shop.numbersIn('in.c-carried.t')).toEqual([1, 2]);
    expect(await shop.numbersIn('in.c-elsewhere.t')).toEqual([3]);
  });
});
