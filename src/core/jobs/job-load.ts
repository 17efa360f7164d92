/** The load of tables that is a job's own: whichever attempt comes to its end, the tables are loaded under this id once. */
export function jobLoad(jobId: string): string {
  return `job/${jobId}`;
}
