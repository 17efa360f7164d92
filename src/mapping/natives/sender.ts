import type { Native } from '../../jsonnet/native.ts';
import { eventOf } from './event-of.ts';

/** `Ip()`: the address of the sender. */
export const ip: Native = {
  parameters: [],
  run: (_args, context) => eventOf(context).remoteAddress,
};
