import { RetryPacing } from '../core/retry-pacing.ts';

/** When a service that failed is made anew, and what failed alone in a stage is tried again. */
export const serviceRetry = new RetryPacing({ firstMs: 200, capMs: 30_000 }, Math.random);
