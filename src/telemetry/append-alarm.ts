import type { Telemetry } from './telemetry.ts';

const conditions = ['late', 'refusing'] as const;

interface LogPartition {
  readonly topic: string;
  readonly partition: number;
}

export interface AppendAlarm {
  readonly at: LogPartition;
  readonly condition: (typeof conditions)[number];
  readonly reason: string;
}

/** Appends to a partition fail, since just now, or in another way than before. */
export function appendAlarmOpened(telemetry: Telemetry, { at, condition, reason }: AppendAlarm): void {
  forget(telemetry, at);
  const labels = { topic: at.topic, partition: String(at.partition), condition };
  telemetry.metrics.gauge('millrace_log_append_alarms').set(labels, 1);
  telemetry.log.error({ ...at, condition, reason }, 'partition takes no appends');
}

/** It takes them again, or nobody has any for it. */
export function appendAlarmClosed(telemetry: Telemetry, at: LogPartition): void {
  forget(telemetry, at);
  telemetry.log.info({ ...at }, 'partition takes appends again');
}

function forget({ metrics }: Telemetry, { topic, partition }: LogPartition): void {
  for (const condition of conditions)
    metrics.gauge('millrace_log_append_alarms').remove({ topic, partition: String(partition), condition });
}
