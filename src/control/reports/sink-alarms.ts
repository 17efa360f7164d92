import { holesOf } from '../../core/progress/holes.ts';
import { retentionAlarmShare } from '../../core/retention-limits.ts';
import type { SinkReport } from './sink-report.ts';

type AlarmFacts = Pick<SinkReport, 'progress' | 'standstill' | 'retentionUsed'>;

/** What somebody has to look at, in sentences; `difference` is what the witnesses disagree about. */
export function sinkAlarms(
  difference: number,
  { progress, standstill, retentionUsed = 0 }: AlarmFacts,
): readonly string[] {
  const alarms: string[] = [];
  if (difference !== 0) alarms.push('The numbers do not add up: keep the data folder and report it.');
  const { ringing } = holesOf(progress);
  if (ringing > 0)
    alarms.push(
      `${ringing} ${ringing === 1 ? 'event was' : 'events were'} lost before they were delivered (holes): find out why the sink ` +
        'did not take them in time; clearing its statistics acknowledges this.',
    );
  if (retentionUsed >= retentionAlarmShare)
    alarms.push(
      `What the sink still needs has used ${Math.floor(retentionUsed * 100)} % of the retention of its source: when all of it is used, events ` +
        'are lost or the source takes no more. Find out why the sink does not take them, or raise the retention.',
    );
  if (standstill !== undefined) alarms.push(standstill);
  return alarms;
}
