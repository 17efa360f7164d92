/** A request that breaks a rule, and what it is told. */
export interface Refusal {
  readonly rule: string;
  /** Method and path, with the query if any. */
  readonly at: string;
  readonly body?: unknown;
  readonly status: number;
  /** Without `stream.api.`. */
  readonly error: string;
  readonly message: string | RegExp;
}

/** The sources of the branch that the requests go to: it has the source "shop" with the sink "orders". */
export const sources = '/v1/branches/default/sources';
export const sinks = `${sources}/shop/sinks`;

/** What the sink "orders" maps to. */
export const table = { tableId: 'in.c-shop.orders', mapping: { columns: [{ type: 'uuid', name: 'id' }] } };

/** The body of another sink that is like "orders" but for this of its table. */
export function withTable(changes: object): object {
  return { name: 'other', table: { ...table, ...changes } };
}
