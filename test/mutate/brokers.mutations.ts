import type { Mutation } from './mutation.ts';

const kafka = 'src/adapters/kafka';
const ingest = 'src/stages/ingest';

/** Appends to Kafka, and what senders are told of them. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'D1: an append is acknowledged by all in-sync replicas',
    file: `${kafka}/produce-request.ts`,
    from: 'const allInSync = -1;',
    to: 'const allInSync = 1;',
    test: { file: `${kafka}/append.test.ts`, title: 'D1: asks for the acknowledgement of all in-sync replicas' },
  },
  {
    rule: 'D2: after an unclear outcome the partition gets another producer id',
    file: `${kafka}/producers.ts`,
    from: 'if (this.#sequences.delete(identifiedKey(at))) this.#producer = undefined;',
    to: 'if (this.#sequences.has(identifiedKey(at))) this.#producer = undefined;',
    test: { file: `${kafka}/append.test.ts`, title: 'D2: after one whose outcome stays unclear the next comes from' },
  },
  {
    rule: 'D2: a batch that was given up is another one for the broker from then on',
    file: `${kafka}/append-queue.ts`,
    from: 'if (lane.expire(now)) this.#carrier.forget(lane.at);',
    to: 'lane.expire(now);',
    test: { file: `${kafka}/append.test.ts`, title: 'D2: after one whose outcome stays unclear the next comes from' },
  },
  {
    rule: 'D2: an encoder of a forgotten producer makes no batch',
    file: `${kafka}/producers.ts`,
    from: 'this.#sequences.get(identifiedKey(at)) === sequence',
    to: 'sequence.written >= 0',
    test: { file: `${kafka}/producers.test.ts`, title: 'D2: what was begun before its producer was forgotten' },
  },
  {
    rule: 'D3: a batch that is sent again is the same to the byte',
    file: `${kafka}/append-lane.ts`,
    from: 'while (this.#batch === undefined && this.#waiting.length > 0) {',
    to: 'if (this.#batch !== undefined) this.#putBack(this.#batch.appends, (this.#batch = undefined) === undefined);\n    while (this.#batch === undefined && this.#waiting.length > 0) {\n      encode([]);',
    test: { file: `${kafka}/append-lane.test.ts`, title: 'and the batch stays the same' },
  },
  {
    rule: 'D1: what is on its way may be stored',
    file: `${kafka}/append-lane.ts`,
    from: 'return isOnItsWay || wasUnclear;',
    to: 'return wasUnclear || (isOnItsWay && wasUnclear);',
    test: { file: `${kafka}/append-lane.test.ts`, title: 'D1: is log.unavailable while it is on its way' },
  },
  {
    rule: 'D1: only what a broker says before it writes is known as not stored',
    file: `${kafka}/append-queue.ts`,
    from: 'if (!isRefusedBeforeAppend(error)) batch.wasUnclear = true;',
    to: '',
    test: { file: `${kafka}/append.test.ts`, title: 'D1: one that is refused in a way that leaders also use' },
  },
  {
    rule: 'D8: a partition that stored nothing within a deadline refuses at once',
    file: `${kafka}/append-lane.ts`,
    from: 'if (expired.some(isStuck) || withdrawn.some(isOver)) this.#refuse(failure);',
    to: 'if (expired.length < 0) this.#refuse(failure);',
    test: { file: `${kafka}/append-lane.test.ts`, title: 'D8: refuses what waits and what comes at once' },
  },
  {
    rule: 'D8: one append is the trial',
    file: `${kafka}/append-lane.ts`,
    from: "return this.#isTrial && !this.hasWork ? 'well' : this.#trouble;",
    to: "return this.#isTrial ? 'well' : this.#trouble;",
    test: { file: `${kafka}/append-lane.test.ts`, title: 'lets one append through when the probe finds it well' },
  },
  {
    rule: 'D8: a partition that was found well and is not used is not troubled for ever',
    file: `${kafka}/append-lane.ts`,
    from: 'now - this.#trialBegan >= untriedTrialMs',
    to: 'now < this.#trialBegan',
    test: { file: `${kafka}/append-lane.test.ts`, title: 'D8: is as good as any other when it was found well' },
  },
  {
    rule: 'D8: a partition whose topic is gone is not looked at for ever',
    file: `${kafka}/append-carrier.ts`,
    from: "thrown.code === 'log.topicNotFound'",
    to: "thrown.code === 'log.closed'",
    test: { file: `${kafka}/append.test.ts`, title: 'D8: says that the topic does not exist once that is so' },
  },
  {
    rule: 'D8: a partition that refuses is told, also while a trial is made',
    file: `${kafka}/append-troubles.ts`,
    from: 'if (trouble !== undefined)',
    to: 'if (trouble !== undefined && this.#told.size > 0)',
    test: { file: `${kafka}/append.test.ts`, title: 'D8: is told once, with the reason, until an append is stored' },
  },
  {
    rule: 'D8: a partition that is well again is told',
    file: `${kafka}/append-troubles.ts`,
    from: 'this.#observer?.mended(at);',
    to: '',
    test: { file: `${kafka}/append.test.ts`, title: 'D8: is told once, with the reason, until an append is stored' },
  },
  {
    rule: 'D8: a partition to which nothing can be sent is told',
    file: `${kafka}/append-lane.ts`,
    from: "else if (withdrawn.length > 0 && this.#trouble === 'none') this.#trouble = 'late';",
    to: '',
    test: { file: `${kafka}/append.test.ts`, title: 'D8: a partition without a leader is told, also by what' },
  },
  {
    rule: 'D1: what may have been stored goes to no other partition',
    file: `${ingest}/placed-appends.ts`,
    from: "error.code === 'log.refused'",
    to: "error.code !== 'log.topicNotFound'",
    test: { file: `${ingest}/append-answers.test.ts`, title: 'what one partition did not take goes to another' },
  },
  {
    rule: 'D8: placement passes over partitions that are late or refuse',
    file: `${ingest}/placement.ts`,
    from: "return this.#log.condition(place) === 'well' ? place : this.#other(turns);",
    to: 'return turns.turn < 0 ? this.#other(turns) : place;',
    test: { file: `${ingest}/placement.test.ts`, title: 'while another is well; the others share it' },
  },
  {
    rule: 'D1: an append that was not answered is not told as not stored',
    file: `${ingest}/problem.ts`,
    from: '      return problems.unclear;',
    to: '      return problems.logRefused;',
    test: { file: `${ingest}/append-answers.test.ts`, title: 'says whether it was stored' },
  },
  {
    rule: 'D8: no request waits for the log without end',
    file: `${ingest}/ingest-service.ts`,
    from: 'for (const exchange of exchanges.open) exchange.expire(now);',
    to: 'for (const exchange of exchanges.open) exchange.expire(Number.NEGATIVE_INFINITY * now);',
    test: {
      file: `${ingest}/append-answers.test.ts`,
      title: 'a log that says nothing is waited for until the deadline',
    },
  },
];
