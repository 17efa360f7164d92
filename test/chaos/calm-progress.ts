import type { Api } from '../support/api.ts';
import type { SinkProgressAnswer } from '../support/shop.ts';
import { sinkPath } from './shop.ts';

/** The progress of a sink. Throws when it has an alarm, says that something fails, or has set slices aside. */
export async function calmProgress(api: Api, sinkId: string, path = sinkPath(sinkId)): Promise<SinkProgressAnswer> {
  const progress = await api.call<SinkProgressAnswer>('GET', `${path}/progress`);
  const { alarm, errors, parked } = progress;
  if (alarm !== undefined) throw new Error(`sink "${sinkId}" has the alarm "${alarm}"`);
  if (errors.length > 0) throw new Error(`sink "${sinkId}" says that it fails: ${JSON.stringify(errors)}`);
  if (parked !== undefined) throw new Error(`sink "${sinkId}" has set slices aside: ${JSON.stringify(parked)}`);
  return progress;
}
