import type { AdminDependencies } from './dependencies.ts';
import type { AuditTrail } from './audit/audit-trail.ts';
import type { Addresses } from './http/addresses.ts';
import type { ApiDescription } from './openapi/api-description.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Seat } from './seat/seat.ts';
import type { Definitions } from './store/definitions.ts';
import type { TokenStore } from './store/tokens.ts';
import type { Chores } from './tasks/chores.ts';
import type { TrustedProxies } from '../core/sender-address.ts';
import type { TaskRunner } from './tasks/task-runner.ts';

/** What handlers and operations work with. `catalog` refuses writes of a process that has lost the seat. */
export interface AdminContext extends AdminDependencies {
  /** The catalog without that guard: to take back what nobody but this process knows of. */
  readonly ownCatalog: Catalog;
  readonly seat: Pick<Seat, 'assertHeld'>;
  readonly addresses: Addresses;
  readonly description: ApiDescription;
  readonly definitions: Definitions;
  readonly tokens: TokenStore;
  readonly tasks: TaskRunner;
  readonly chores: Chores;
  readonly audit: AuditTrail;
  readonly proxies: TrustedProxies;
}
