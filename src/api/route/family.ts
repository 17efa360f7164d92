import type { Route } from './route.ts';

/** Routes that belong together: one interface of the product. */
export interface Family {
  readonly name: string;
  /** Of two paths that fit a request, the first is taken: fixed steps stand before parameters. */
  readonly routes: readonly Route[];
}
