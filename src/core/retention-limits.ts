/** When records of a partition go, whoever still needs them; without either of them none does. */
export interface RetentionLimits {
  /** Those that are older. */
  readonly maxAgeMs?: number;
  /** The oldest ones beyond these. Where the product retains, the source takes no more instead of losing what a sink needs. */
  readonly maxBytes?: number;
}

/** A sink whose oldest needed record has used so much of its limits is an alarm: as much time, or room, is left to act. */
export const retentionAlarmShare = 0.5;
