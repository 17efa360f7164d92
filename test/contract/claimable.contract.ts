import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseInstallationId, type InstallationId } from '../../src/core/installation-id.ts';
import type { Claimable } from '../../src/ports/claimable.ts';

export interface ClaimableFixture extends AsyncDisposable {
  /** The same store each time; each call gives another instance, as another process has one. */
  open(): Promise<AsyncDisposable & { readonly mark: Claimable }>;
}

const waiting = { signal: new AbortController().signal };
const newId = (): InstallationId => parseInstallationId(randomUUID());

/** The rules that every `Claimable` keeps; the factory gives a store that nobody has claimed. */
export function claimableContract(name: string, factory: () => Promise<ClaimableFixture>): void {
  describe(`${name}: Claimable contract`, () => {
    let fixture: ClaimableFixture;
    let stack: AsyncDisposableStack;

    beforeEach(async () => {
      stack = new AsyncDisposableStack();
      fixture = stack.use(await factory());
    });
    afterEach(() => stack.disposeAsync());

    const open = async (): Promise<Claimable> => {
      const { mark } = stack.use(await fixture.open());
      return mark;
    };

    it('D6: has no claimant at first', async () => {
      expect(await (await open()).claimant(waiting)).toBeUndefined();
    });

    it('D3: belongs to the first that claims it, and tells every later one', async () => {
      const [store, other] = [await open(), await open()];
      const [mine, another] = [newId(), newId()];
      expect(await store.claim(mine, waiting)).toBe(mine);
      expect(await store.claim(mine, waiting)).toBe(mine);
      expect(await other.claimant(waiting)).toBe(mine);
      expect(await other.claim(another, waiting)).toBe(mine);
      expect(await store.claimant(waiting)).toBe(mine);
    });

    it('D3: of several that claim it at once all get the same answer', async () => {
      const stores = [await open(), await open(), await open()];
      const ids = stores.map(newId);
      const answers = await Promise.all(stores.map((store, index) => store.claim(ids[index] ?? newId(), waiting)));
      const [first] = answers;
      expect(ids).toContain(first);
      expect(new Set(answers).size).toBe(1);
      expect(await (await open()).claimant(waiting)).toBe(first);
    });

    it('D3: of several that saw that nobody has it, and claim it at once, one does', async () => {
      const stores = await Promise.all(Array.from({ length: 6 }, open));
      for (const store of stores) expect(await store.claimant(waiting)).toBeUndefined();
      const answers = await Promise.all(stores.map((store) => store.claim(newId(), waiting)));
      expect(new Set(answers).size).toBe(1);
      for (const store of stores) expect(await store.claimant(waiting)).toBe(answers[0]);
    });

    it('D2: is at the same location for all who open it, marked or not', async () => {
      const [store, other] = [await open(), await open()];
      const location = await store.location(waiting);
      await store.claim(newId(), waiting);
      expect(await other.location(waiting)).toBe(location);
      expect(location ?? 'bucket "none"').toMatch(/^(Kafka cluster|bucket|database) ".+"/);
    });

    it('rejects with the reason of an aborted signal and claims nothing', async () => {
      const store = await open();
      const signal = AbortSignal.abort(new Error('enough'));
      await expect(store.claim(newId(), { signal })).rejects.toThrow('enough');
      await expect(store.claimant({ signal })).rejects.toThrow('enough');
      expect(await store.claimant(waiting)).toBeUndefined();
    });
  });
}
