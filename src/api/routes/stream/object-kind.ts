import type { z } from 'zod';
import type { SinkKey, SourceKey } from '../../../core/ids.ts';
import { sinkKeyOf, sourceKeyOf } from '../../schemas/key-of-path.ts';
import { sinkPath, sourcePath } from '../../schemas/path.ts';

/** What tells a route of sources from the same route of sinks. */
export interface ObjectKind<Path, Key> {
  /** As names of operations end. */
  readonly name: 'Source' | 'Sink';
  /** Of one object. */
  readonly path: string;
  readonly params: z.ZodType<Path>;
  readonly keyOf: (path: Path) => Key;
}

export const sourceKind: ObjectKind<z.output<typeof sourcePath>, SourceKey> = {
  name: 'Source',
  path: '/v1/branches/{branchId}/sources/{sourceId}',
  params: sourcePath,
  keyOf: sourceKeyOf,
};

export const sinkKind: ObjectKind<z.output<typeof sinkPath>, SinkKey> = {
  name: 'Sink',
  path: `${sourceKind.path}/sinks/{sinkId}`,
  params: sinkPath,
  keyOf: sinkKeyOf,
};
