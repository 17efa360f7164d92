import type { Family } from '../../route/family.ts';
import { createTokenRoute, deleteTokenRoute, getTokenRoute, refreshTokenRoute } from './change-tokens.ts';
import { listAuditRoute } from './list-audit.ts';
import { listTokensRoute, verifyTokenRoute } from './tokens.ts';

/** Tokens, and the audit trail of what was done with them. */
export const accessFamily: Family = {
  name: 'access',
  routes: [
    verifyTokenRoute,
    listTokensRoute,
    listAuditRoute,
    createTokenRoute,
    getTokenRoute,
    refreshTokenRoute,
    deleteTokenRoute,
  ],
};
