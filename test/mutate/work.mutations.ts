import type { Mutation } from './mutation.ts';

const fullDisk = (title: string) => ({ file: 'test/integration/jobs-full-disk.test.ts', title });
const crash = (title: string) => ({ file: 'src/stages/work/work-crash.test.ts', title });

const still = (title: string) => ({ file: 'src/stages/work/standing-still.test.ts', title });
const lives = (title: string) => ({ file: 'src/stages/work/lives.test.ts', title });

/** Jobs whose process dies, stands still or loses its stores: run by one run at a time, and loaded once or not at all. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'J3: a job that was taken by a write whose answer was lost is not begun again',
    file: 'src/stages/work/job-work.ts',
    from: "        taking = { kind: 'taken', job: before };\n",
    to: '',
    test: crash('goes on where it was when they are back, and is not begun again'),
  },
  {
    rule: 'J3: a job that was ended by a write whose answer was lost counts as ended',
    file: 'src/stages/work/job-work.ts',
    from: 'isChanged = tried !== undefined && jobDocuments.isSame(before, tried);',
    to: 'isChanged = false;',
    test: crash('goes on where it was when they are back, and is not begun again'),
  },
  {
    rule: 'J3: jobs outlive the service that fails because its stores are away',
    file: 'src/stages/work/work-service.ts',
    from: '      await failed;\n',
    to: '      await failed;\n      await running.leave(0, { signal });\n',
    test: crash('and the log of shares with them'),
  },
  {
    rule: 'J3: a run whose job has ended goes on no more',
    file: 'src/stages/work/job-work.ts',
    from: 'if (now === undefined || (now.phase',
    to: 'if (now !== undefined && (now.phase',
    test: crash('asks its API for nothing more once another has ended the job'),
  },
  {
    rule: 'J3: the state of a run that is late does not take the place of a later one',
    file: 'src/stages/work/keep-state.ts',
    from: 'now !== undefined && isRunOf(now.value, run) ?',
    to: 'now !== undefined ?',
    test: crash('does not bring its state back when somebody has changed it since'),
  },
  {
    rule: 'J10: what was made anew under an id gets no state of what it had before',
    file: 'src/stages/work/keep-state.ts',
    from: 'one.rowId === rowId && one.createdAt === created.at',
    to: 'one.rowId === rowId',
    test: { file: 'src/stages/work/work-service.test.ts', title: 'made anew under its id meanwhile' },
  },
  {
    rule: 'J3: a run begins where nobody else has taken the job',
    file: 'src/stages/work/job-work.ts',
    from: '      if (isOthers(before, this.job)) return undefined;\n',
    to: '',
    test: crash('before it took the job takes none that another runs'),
  },
  {
    rule: 'J6: an end that is asked for while the job is taken is seen',
    file: 'src/stages/work/job-work.ts',
    from: '    this.#heed();\n    const hidden',
    to: '    const hidden',
    test: crash('ends soon, and is loaded whole or not at all'),
  },
  {
    rule: 'J6: a job whose end was asked for is terminated, however often its process died',
    file: 'src/stages/work/job-work.ts',
    from: "if (job.isEnding) this.breakOff('killed');",
    to: "if (job.isEnding && kind === 'taken') this.breakOff('killed');",
    test: crash('three times, and whose end was asked for, is terminated'),
  },
  {
    rule: 'J10: what was loaded is a success, whatever the run has heard of it',
    file: 'src/stages/work/job-work.ts',
    from: "if (row.verdict === 'loaded') return",
    to: "if (row.verdict === 'loaded' && job.run.attempt > 1) return",
    test: crash('while its tables are loaded is a success where they were loaded, though nobody heard of it'),
  },
  {
    rule: 'J10: the tables of a job are given up before it ends',
    file: 'src/stages/work/job-work.ts',
    from: 'loads.abandonLoad(jobLoad(job.jobId), waiting)',
    to: 'loads.readLoad(jobLoad(job.jobId), waiting).then((one) => one ?? loads.abandonLoad(jobLoad(job.jobId), waiting))',
    test: crash('ends in an error, and loads nothing'),
  },
  {
    rule: 'J10: the state is kept before the job has ended',
    file: 'src/stages/work/job-work.ts',
    from: 'await this.#patience.for(keep, waiting).catch(',
    to: 'void this.#patience.for(keep, waiting).catch(',
    test: crash('is taken over, and loads its tables once'),
  },
  {
    rule: 'J3: a job stays where it runs, whoever has its share',
    file: 'src/stages/work/work-service.ts',
    from: 'return owner === undefined || this.#others.hasEnded(owner);',
    to: 'return true;',
    test: still('stays there while that process says that it lives'),
  },
  {
    rule: 'J3: a process that stood still asks for nothing of a job that may be lost',
    file: 'src/stages/work/job-work.ts',
    from: '          await this.#requireOurs(job, waiting);\n',
    to: '',
    test: still('asks its API for nothing more'),
  },
  {
    rule: 'J3: a process that lives again has not the jobs for that which it had before',
    file: 'src/stages/work/job-work.ts',
    from: '(life.isCertain && life.era === this.#oursIn)',
    to: 'life.isCertain',
    test: still('asks for nothing either when it has said meanwhile'),
  },
  {
    rule: 'J3: a process that stood still loads nothing of a job that may be lost',
    file: 'src/stages/work/job-work.ts',
    from: '      await this.#requireOurs(job, waiting);\n      return await loading',
    to: '      return await loading',
    test: still('loads nothing'),
  },
  {
    rule: 'J3: in a cluster processes say that they live',
    file: 'src/runtime/composition/open-work.ts',
    from: "hasOthers: spec.platform.kind === 'cluster'",
    to: 'hasOthers: false',
    test: { file: 'test/e2e/moving-jobs.kafka.test.ts', title: 'who comes takes no job that runs' },
  },
  {
    rule: 'J3: who says that it lives has not died',
    file: 'src/stages/work/other-lives.ts',
    from: 'before === undefined || before.revision !== seen',
    to: 'before === undefined',
    test: lives('who goes on saying it lives'),
  },
  {
    rule: 'J3: while the catalog is away nobody dies',
    file: 'src/stages/work/other-lives.ts',
    from: '    if (now - this.#lookedAt > lifeLookMs) this.#signs.clear();\n',
    to: '',
    test: lives('nobody has ended by what was not seen'),
  },
  {
    rule: 'J3: nobody dies by a look of long ago',
    file: 'src/stages/work/other-lives.ts',
    from: 'return isSeen && sign',
    to: 'return sign',
    test: lives('what was seen long ago says nothing'),
  },
  {
    rule: 'J3: a life that was not heard of for some time is not certain',
    file: 'src/stages/work/own-life.ts',
    from: 'clock.monotonic() - this.#saidAt < lifeCertainMs',
    to: 'this.#saidAt >= 0',
    test: lives('a life that was not heard of for some time is certain again'),
  },
  {
    rule: 'D8: signs of lives that ended long ago go',
    file: 'src/stages/work/own-life.ts',
    from: '      if (!this.#isSwept) await this.#sweep({ signal });\n',
    to: '',
    test: lives('who comes removes the signs of those that ended long ago'),
  },
  {
    rule: 'D10: what runs while its service fails is handed over when the process leaves',
    file: 'src/stages/work/running-jobs.ts',
    from: "    for (const { work } of works) work.breakOff('leaving');\n    await all;",
    to: '    await all;',
    test: crash('lets its process leave, and is handed over'),
  },
  {
    rule: 'J13: what a job was refused of the disk is taken by nobody',
    file: 'src/stages/work/job-disk.ts',
    from: '      this.give(bytes);\n      throw',
    to: '      throw',
    test: { file: 'src/stages/work/job-disk.test.ts', title: 'what was refused is taken by nobody' },
  },
  {
    rule: 'J13: a full disk is told in words',
    file: 'src/stages/work/file-spool.ts',
    from: `      } catch (thrown) {
        throw diskFault(thrown);
      }
      this.#written`,
    to: `      } catch (thrown) {
        throw thrown;
      }
      this.#written`,
    test: fullDisk('while pages come ends in words'),
  },
  {
    rule: 'J13: rows that find no room are told in words',
    file: 'src/stages/work/write-csv.ts',
    from: '    throw diskFault(thrown);',
    to: '    throw thrown;',
    test: { file: 'test/e2e/jobs-failing-disk.test.ts', title: 'a write of the rows of its table' },
  },
  {
    rule: 'J13: the operator finds what the system said of the files of a job',
    file: 'src/stages/work/why-ended.ts',
    from: ', cause: thrown.cause };',
    to: ' };',
    test: fullDisk('because the disk was made read-only'),
  },
  {
    rule: 'J13: files that cannot be removed do not hide why a job ended',
    file: 'src/stages/work/job-work.ts',
    from: '.catch((thrown: unknown) => this.#options.observer.filesLeft(job, thrown))',
    to: '',
    test: fullDisk('because the disk was made read-only'),
  },
  {
    rule: 'J13: a load that the tables do not take ends with the time of its run',
    file: 'src/stages/work/job-work.ts',
    from: '{ ...found, log: speaking.log }, { signal: timed.signal }',
    to: '{ ...found, log: speaking.log }, { signal }',
    test: fullDisk('ends in words when the time of its run is over'),
  },
  {
    rule: 'J13: a run whose time is over while it waits for a store says so',
    file: 'src/runtime/system-clock.ts',
    from: '      signal.throwIfAborted();\n',
    to: '',
    test: crash('for longer than a run may take ends in words, and loads nothing'),
  },
  {
    rule: 'J6: who runs a job sees as soon as it is told that the job is to end',
    file: 'src/stages/work/work-service.ts',
    from: 'jobs.listen(() => this.#look())',
    to: 'jobs.listen(wake)',
    test: { file: 'test/e2e/killed-jobs.test.ts', title: 'in the body of a page ends within a second' },
  },
];
