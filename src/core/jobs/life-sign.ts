/**
 * That the life of a process lasts which runs jobs, as it says in the catalog again and again. Document `work-life/<owner>` of the
 * collection `meta`: what counts is that its revision goes on, not what it says.
 */
export interface LifeSign {
  /** The life, never used again: `JobRun.owner`. */
  readonly owner: string;
  /** ISO time, for people and for whoever removes what is old. */
  readonly at: string;
}

/** How often it is said while a job runs. */
export const lifeSaidEveryMs = 2000;
/**
 * Who could not say it for so long may have lost its jobs: it asks for nothing and loads nothing more before it has looked. Shorter than
 * anybody waits who would take them over.
 */
export const lifeCertainMs = 5000;
/** Who counts how long another has said nothing must look this often: longer pauses say nothing of the other. */
export const lifeLookMs = 4000;
/** What was said last before so long is removed. */
export const lifeKeptMs = 3_600_000;
