import { render, type Rendered, type RenderRequest } from './render.ts';
import { sharedCodeNote, spliceSharedCode, type SharedCode } from './shared-code.ts';
import type { ChosenValues } from './choose-values.ts';

export interface ResolveRequest extends Omit<RenderRequest, 'values'> {
  /** The rows of `shared_code_row_ids`, in their order. */
  readonly sharedCode?: readonly SharedCode[];
  /** What `chooseValues` gave. */
  readonly chosen?: ChosenValues | undefined;
}

export interface Resolved extends Pick<Rendered, 'configuration' | 'variables'> {
  /** For the log of the job, in order. */
  readonly notes: readonly string[];
}

/** What a component gets of its configuration: shared code put in, then placeholders replaced. Throws `VariableError`. */
export function resolve({ configuration, sharedCode = [], chosen, vault }: ResolveRequest): Resolved {
  const spliced = spliceSharedCode(configuration, sharedCode);
  const { replaced, ...rendered } = render({ configuration: spliced, values: chosen?.values, vault });
  return {
    ...rendered,
    notes: [
      ...(sharedCode.length > 0 ? [sharedCodeNote(sharedCode)] : []),
      ...(chosen === undefined ? [] : [chosen.note]),
      ...(replaced.length > 0 ? [`Replaced values for variables: ${replaced.join(', ')}`] : []),
    ],
  };
}
