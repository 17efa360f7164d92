import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('jsonnet-answers.ts', import.meta.url));

/** No template may take nearly as long; the machine may be busy. */
const deadlineMs = 120_000;

/**
 * Evaluates templates in a process of its own with a heap of `heapMb`, one after the other. A template that ends the
 * process or takes too long is told as its outcome, and the next one gets a new process.
 */
export class JsonnetProcess implements Disposable {
  readonly #heapMb: number;
  #child: ChildProcessWithoutNullStreams | undefined;
  #answers: AsyncIterator<string> | undefined;
  #complaint = '';

  constructor(heapMb: number) {
    this.#heapMb = heapMb;
  }

  /** What `jsonnet-answers.ts` says of a template. */
  async outcomeOf(source: string): Promise<string> {
    const { child, answers } = this.#started();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, deadlineMs);
    child.stdin.write(`${JSON.stringify({ source })}\n`);
    const answer = await answers.next();
    clearTimeout(timer);
    if (answer.done !== true) return JSON.parse(answer.value) as string;
    this.#child = undefined;
    return isLate ? 'took too long' : `ended the process: ${/FATAL.*/.exec(this.#complaint)?.[0] ?? this.#complaint}`;
  }

  [Symbol.dispose](): void {
    this.#child?.kill('SIGKILL');
  }

  #started(): { child: ChildProcessWithoutNullStreams; answers: AsyncIterator<string> } {
    if (this.#child !== undefined && this.#answers !== undefined) return { child: this.#child, answers: this.#answers };
    const child = spawn(process.execPath, [`--max-old-space-size=${this.#heapMb}`, program]);
    this.#complaint = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#complaint += text));
    // What is written to a process that has ended is lost; its answer tells so.
    child.stdin.on('error', () => undefined);
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    this.#child = child;
    this.#answers = answers;
    return { child, answers };
  }
}
