import type { Family } from '../../route/family.ts';
import { documentationRoutes } from './documentation.ts';
import { healthCheckRoute, indexRoute, rootRoute } from './service-pages.ts';

/** Names the API, describes it, and says that it is there. */
export const serviceFamily: Family = {
  name: 'service',
  routes: [rootRoute, indexRoute, healthCheckRoute, ...documentationRoutes],
};
