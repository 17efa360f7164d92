/** What a round of map takes. */
export const mapRound = {
  pollBytes: 2 * 1024 * 1024,
  /**
   * Below this a round has found few events and waits for more. A log may give less of one partition at a time than a round takes, a
   * megabyte on Kafka: that is not few.
   */
  fewBytes: 256 * 1024,
  lingerMs: 20,
} as const;
