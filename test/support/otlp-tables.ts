import { expect } from 'vitest';
import { signals, type Signal } from '../../src/core/event.ts';
import { Installation, rootToken } from './installation.ts';
import type { SdkTarget } from './otlp-sdk.ts';
import { runMillrace } from './run-millrace.ts';
import { Shop } from './shop.ts';

export type Row = Readonly<Record<string, string>>;

/** A source of `--preset otlp` and its tables. */
export interface OtlpTables {
  readonly otlp: { readonly url: string; readonly secret: string };
  /** What is in the table of a signal, of the records whose attribute `run` is this. */
  rows(signal: Signal, run: string): Promise<readonly Row[]>;
  /** D4: these are all rows, each of one accepted record, which the sinks of the other signals filtered. */
  expectEachOnce(rows: Readonly<Record<Signal, number>>): Promise<void>;
}

/** Makes the source; its id is in lower case. */
export async function createOtlpTables(admin: string, sourceId: string): Promise<OtlpTables> {
  const shop = new Shop({ url: admin, token: rootToken }, sourceId);
  const env = { MILLRACE_URL: admin, MILLRACE_TOKEN: rootToken };
  const made = await runMillrace(['source', 'create', sourceId, '--preset', 'otlp', '--json'], { env });
  const { otlp } = JSON.parse(made.stdout) as Pick<OtlpTables, 'otlp'>;
  return {
    otlp,
    rows: async (signal, run) => {
      await shop.flush(signal);
      const all = (await shop.api.rows(`in.c-${sourceId}.${signal}`)) as readonly Row[];
      return all.filter(({ attributes = '' }) => attributes.includes(`"run":${JSON.stringify(run)}`));
    },
    expectEachOnce: async (rows) => {
      const accepted = rows.logs + rows.metrics + rows.traces;
      for (const signal of signals) {
        await shop.flush(signal);
        const { totals } = await shop.progress(signal);
        const imported = rows[signal];
        const filtered = accepted - imported;
        expect({ signal, ...totals }).toMatchObject({ signal, accepted, imported, filtered, dead: 0, difference: 0 });
      }
    },
  };
}

/** The tables of a product that was started for them, and its address for senders. */
export interface StartedOtlpTables extends OtlpTables, AsyncDisposable {
  readonly target: SdkTarget;
}

export async function startOtlpTables(): Promise<StartedOtlpTables> {
  const installation = await Installation.start();
  const { admin, otlpGrpc } = installation.process;
  const tables = await createOtlpTables(admin, 'tel');
  return {
    ...tables,
    target: { ...tables.otlp, grpc: otlpGrpc },
    [Symbol.asyncDispose]: () => installation[Symbol.asyncDispose](),
  };
}
