import type { Fault } from '../../../events/refusal.ts';

/** The code of what is at fault, as `google.rpc.Code` numbers them. */
export const rpcCodes: Readonly<Record<Fault, number>> = {
  invalid: 3, // INVALID_ARGUMENT
  notFound: 5, // NOT_FOUND
  tooLarge: 8, // RESOURCE_EXHAUSTED
  unsupported: 3, // INVALID_ARGUMENT
  busy: 8, // RESOURCE_EXHAUSTED
  unavailable: 14, // UNAVAILABLE
  internal: 13, // INTERNAL
};
