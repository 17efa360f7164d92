import type { Mutation } from './mutation.ts';

const sealerTest = 'src/stages/stage/slice-sealer.test.ts';

export const mutations: readonly Mutation[] = [
  {
    rule: 'a seal whose stamp lies below the floor is refused',
    file: 'src/core/progress/seal.ts',
    from: 'if (slice !== undefined && change.stamp < progress.floor) return',
    to: 'if (slice !== undefined && change.stamp < 0) return',
    test: {
      file: 'src/core/progress/seal.test.ts',
      title: 'D2: a slice whose stamp lies below the floor is refused, because its objects may be gone',
    },
  },
  {
    rule: 'a seal that is refused for its stamp is a failure that is told, not a silent new start',
    file: 'src/stages/stage/slice-sealer.ts',
    from: "if (code === undefined) return ({ resolve }) => resolve({ kind: 'superseded' });",
    to: "if (code !== '') return ({ resolve }) => resolve({ kind: 'superseded' });",
    test: {
      file: sealerTest,
      title: 'D2, D6: a slice whose stamp the floor has passed is a failure that is told; the next try has newer names',
    },
  },
  {
    rule: 'a stamp is taken when the upload begins',
    file: 'src/stages/stage/upload-slice.ts',
    from: 'using _turn = ports.turns.takeNow(open.bytes) ?? (await ports.turns.take(open.bytes, options));\n  // The names are made only in its turn: they are as old as the upload, however long the slice has waited.\n  const stagedAt = ports.clock.now();',
    to: 'const stagedAt = ports.clock.now();\n  using _turn = ports.turns.takeNow(open.bytes) ?? (await ports.turns.take(open.bytes, options));',
    test: {
      file: sealerTest,
      title: 'D2: names are stamped when the upload begins, however long the slice has waited for its turn',
    },
  },
  {
    rule: 'a clock that is behind leaves an upload as much time as any other',
    file: 'src/core/progress/seal.ts',
    from: 'return Math.max(now, floor + limits.uploadLeaseMs);',
    to: 'return Math.max(now, floor);',
    test: {
      file: 'src/core/progress/seal.test.ts',
      title: 'D2: an upload has the whole lease to become named, whichever of the two clocks is behind',
    },
  },
  {
    rule: 'uploads of one process are bounded side by side over all partitions',
    file: 'src/stages/stage/upload-turns.ts',
    from: 'new SharedAmount(limits.uploadBytesAtOnce)',
    to: 'new SharedAmount(Number.MAX_SAFE_INTEGER)',
    test: {
      file: 'src/stages/stage/slow-uplink.test.ts',
      title: 'a thousand sinks that catch up over a slow uplink are staged',
    },
  },
  {
    rule: 'the memory for lines of slices is bounded over all partitions',
    file: 'src/stages/stage/line-blocks.ts',
    from: 'if (this.#inUse === this.#most) return undefined;',
    to: 'if (this.#most < 0) return undefined;',
    test: { file: 'src/stages/stage/part-writer.test.ts', title: 'D8: who gets no block has a file' },
  },
  {
    rule: 'a block of lines is used again only when its upload has ended well',
    file: 'src/stages/stage/line-blocks.ts',
    from: 'if (isIdle) this.#free.push(block);',
    to: 'if (isIdle || this.#inUse >= 0) this.#free.push(block);',
    test: {
      file: 'src/stages/stage/part-writer.test.ts',
      title: 'D2: a block whose upload did not end well is written by nobody else',
    },
  },
  {
    rule: 'the floor lies so far back that no upload is outrun',
    file: 'src/core/progress/seal.ts',
    from: 'return now - limits.uploadLeaseMs;',
    to: 'return now - 60_000;',
    test: { file: 'src/core/progress/seal.test.ts', title: 'D2: an upload that begins before the first clean-up' },
  },
  {
    rule: 'a slice that waits long for its upload or its seal says so',
    file: 'src/stages/stage/stage-service.ts',
    from: 'reader.tellLate(now);',
    to: '',
    test: {
      file: 'src/stages/stage/slow-uplink.test.ts',
      title: 'a thousand sinks that catch up over a slow uplink are staged',
    },
  },
  {
    rule: 'each try of a request to the staging store has a limit of its own',
    file: 'src/adapters/s3/limited-tries.ts',
    from: '{ ...options, requestTimeout: limitMs }',
    to: 'options',
    test: {
      file: 'src/adapters/s3/unclear-answers.s3.test.ts',
      title: 'D3: a put whose answer never comes is made again within the call, and recognises its own object',
    },
  },
  {
    rule: 'S3: each try of a call has twice as long as the one before',
    file: 'src/adapters/s3/limited-tries.ts',
    from: 'attempt: attemptOf(request)',
    to: 'attempt: 1',
    test: { file: 'src/adapters/s3/slow-answers.test.ts', title: 'D6: an answer that takes longer than assumed' },
  },
  {
    rule: 'S3: quick answers take nothing from what slow ones need',
    file: 'src/adapters/s3/patience.ts',
    from: '    if (factor <= this.#learnt(now)) return;\n',
    to: '',
    test: { file: 'src/adapters/s3/patience.test.ts', title: 'D6: what a slow answer needed is kept' },
  },
  {
    rule: 'holes ring until somebody acknowledges them',
    file: 'src/core/progress/holes.ts',
    from: 'ringing: Math.max(0, counted - acknowledgedHoles)',
    to: 'ringing: 0',
    test: {
      file: 'src/core/progress/holes.test.ts',
      title: 'D2: holes ring until the statistics are cleared, and later ones ring again',
    },
  },
  {
    rule: 'what a sink needs goes only when its age is proven by the time that the product has run',
    file: 'src/stages/retain/retain.ts',
    from: 'Math.min(youngerThanMaxAge, provenMaxAge)',
    to: 'youngerThanMaxAge',
    test: {
      file: 'src/stages/retain/retention.test.ts',
      title: 'D2: a product that is stopped for weeks removes nothing that a sink needs when it starts',
    },
  },
  {
    rule: 'time in which the process was stopped proves no age',
    file: 'src/core/running-time.ts',
    from: 'if (stepMs <= this.#longestStepMs) this.#ms += stepMs;',
    to: 'this.#ms += stepMs;',
    test: {
      file: 'src/stages/retain/retention.test.ts',
      title: 'D2: time in which the process was stopped proves no age',
    },
  },
  {
    rule: 'samples of a topic prove nothing about another one of its name',
    file: 'src/stages/retain/proven-ages.ts',
    from: 'known?.identity === identity ? [...known.partitions] : []',
    to: 'known !== undefined ? [...known.partitions] : []',
    test: {
      file: 'src/stages/retain/retention.test.ts',
      title: 'D2: samples of a topic that was made anew under its name prove nothing',
    },
  },
  {
    rule: 'nothing goes because of its age while the clock on the wall is in doubt',
    file: 'src/stages/retain/retain.ts',
    from: 'isClockTrusted ? youngerThanInterval : range.first',
    to: 'youngerThanInterval',
    test: {
      file: 'src/stages/retain/retain.test.ts',
      title: 'D2: nothing goes because of its age while the clock is in doubt',
    },
  },
  {
    rule: 'a record below the end of a sample is as old as the time that the product has run since, and no older',
    file: 'src/core/age-samples.ts',
    from: 'return samples.findLast((sample) => ranMs - sample.ranMs >= ageMs)?.end ?? 0;',
    to: 'return samples.findLast((sample) => ranMs - sample.ranMs >= ageMs / 2)?.end ?? 0;',
    test: {
      file: 'src/core/age-samples.prop.test.ts',
      title:
        'D2: no record that is needed may go before the product has run for its maximum age, whatever the clocks do',
    },
  },
];
