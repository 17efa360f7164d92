import { Worker } from 'node:worker_threads';

/** Runs a file in a thread of its own with an order, and resolves with the one message that it posts. Rejects when it ends without. */
export function inThread<Report>(file: URL, order: unknown): Promise<Report> {
  const found = Promise.withResolvers<Report>();
  const worker = new Worker(file, { workerData: order });
  worker.once('message', found.resolve);
  worker.once('error', found.reject);
  worker.once('exit', (code) => found.reject(new Error(`the thread ended with ${code}`)));
  return found.promise;
}
