import { MillraceError } from '../core/millrace-error.ts';
import type { CommandContext } from './command-context.ts';
import { canAsk, confirm } from './confirm.ts';

export interface Proposal {
  /** The person has said yes beforehand. */
  readonly yes: boolean;
  readonly question: string;
  /** What holds when it is not agreed to, such as `Nothing was done`. */
  readonly otherwise: string;
  /** Why nobody may be asked, even on a terminal: standard input has something else. */
  readonly inputIsTaken?: boolean;
}

/** Returns when it is to be done. Without a yes: `input.invalid` where nobody can be asked, else `client.differs`. */
export async function agree(
  { terminal, signal }: Pick<CommandContext, 'terminal' | 'signal'>,
  proposal: Proposal,
): Promise<void> {
  const { yes, question, otherwise, inputIsTaken = false } = proposal;
  if (yes) return;
  if (inputIsTaken || !canAsk(terminal))
    throw new MillraceError('input.invalid', `${otherwise}: nobody can be asked here, so give --yes.`);
  if (!(await confirm(terminal, question, signal)))
    throw new MillraceError('client.differs', `${otherwise}: the answer was not "yes".`);
}
