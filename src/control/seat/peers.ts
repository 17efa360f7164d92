import type { Waiting } from '../../ports/waiting.ts';

/** How processes of the role reach each other. */
export interface Peers {
  /** Where the others reach this process; asked when it takes the seat. */
  url(): string;
  /** True when the process at this address answers. */
  answers(url: string, options: Waiting): Promise<boolean>;
}
