import type { AdminDependencies } from './dependencies.ts';
import type { Addresses } from './http/addresses.ts';
import type { Definitions } from './store/definitions.ts';
import type { TokenStore } from './store/tokens.ts';
import type { Chores } from './tasks/chores.ts';
import type { TrustedProxies } from '../core/sender-address.ts';
import type { TaskRunner } from './tasks/task-runner.ts';

/** What handlers and operations work with. */
export interface AdminContext extends AdminDependencies {
  readonly addresses: Addresses;
  readonly definitions: Definitions;
  readonly tokens: TokenStore;
  readonly tasks: TaskRunner;
  readonly chores: Chores;
  readonly proxies: TrustedProxies;
}
