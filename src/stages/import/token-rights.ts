import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { limits } from '../../core/limits.ts';
import { tableName, type TableId } from '../../core/table-id.ts';
import { mayImport, type Token } from '../../core/token.ts';
import type { Replica } from '../replica/replica.ts';
import type { ImportRights } from './import-rights.ts';

const dayMs = 24 * 3_600_000;

/** Asks the tokens of the catalog whether a sink may load into a table. */
export class TokenRights implements ImportRights {
  readonly #tokens: Replica<Token>;

  constructor(tokens: Replica<Token>) {
    this.#tokens = tokens;
  }

  async check(
    { key, incarnation }: SinkProgress,
    tableId: TableId,
    options: { readonly signal: AbortSignal },
  ): Promise<void> {
    await this.#tokens.refresh(0, options);
    const { stage, bucket } = tableName(tableId);
    const name = `${stage}.${bucket}`;
    for (const { value } of this.#tokens.values()) if (mayImport(value, incarnation, name)) return;
    throw new MillraceError(
      'sink.tokenMissing',
      `the token of sink "${key.sourceId}/${key.sinkId}" is gone or may not write bucket "${name}"; disable and enable the sink to make a new one: what fails for ${limits.stagedAgeMs / dayMs} days is given up`,
    );
  }
}
