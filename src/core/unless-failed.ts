/** Settles like `work`; rejects with the failure as soon as there is one. */
export function unlessFailed<T>(failing: Promise<Error>, work: Promise<T>): Promise<T> {
  const failed = async (): Promise<never> => {
    throw await failing;
  };
  return Promise.race([failed(), work]);
}
