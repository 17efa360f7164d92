import type { Mutation } from './mutation.ts';

const pagination = 'src/extractor/pagination';
const offset = `${pagination}/offset.test.ts`;
const stopping = `${pagination}/stopping.test.ts`;

/** The rules of offset pagination and of what ends any pagination. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'offset pagination goes on by the limit, not by what a page held',
    file: `${pagination}/offset.ts`,
    from: 'untilEmpty && isShort ? items.length : this.#limit',
    to: 'items.length',
    test: { file: offset, title: 'goes on by the limit, also behind a page that is longer' },
  },
  {
    rule: 'a server that caps its pages loses nothing of what is behind them',
    file: `${pagination}/offset.ts`,
    from: 'untilEmpty && isShort ? items.length : this.#limit',
    to: 'this.#limit',
    test: { file: offset, title: 'ends nothing with stopWhen "emptyPage", and nothing behind it is passed over' },
  },
  {
    rule: 'an empty page ends offset pagination, whatever its limit is',
    file: `${pagination}/offset.ts`,
    from: 'items.length === 0 || (isShort && !untilEmpty)',
    to: 'isShort && !untilEmpty',
    test: {
      file: offset,
      title: 'a limit of 0 in the job is none; one that is no number asks for 0, and an empty page ends it',
    },
  },
  {
    rule: 'the offset of a job counts with offsetFromJob alone',
    file: `${pagination}/offset.ts`,
    from: 'offsetFromJob ? integerOf(fieldOf(job.params, offsetParam)) : 0',
    to: 'integerOf(fieldOf(job.params, offsetParam))',
    test: {
      file: offset,
      title: '4: a parameter of the job named like that of the offset counts with offsetFromJob alone',
    },
  },
  {
    rule: 'without firstPageParams the first request is left as it is',
    file: `${pagination}/offset.ts`,
    from: 'this.#settings.firstPageParams ? this.#request() : this.#job',
    to: 'this.#request()',
    test: { file: offset, title: 'without firstPageParams leaves the first request as it is' },
  },
  {
    rule: 'a page that is the same as the one before is not kept',
    file: 'src/extractor/pages.ts',
    from: 'if (this.#before !== undefined && isSame(',
    to: 'if (this.#before === null && isSame(',
    test: { file: stopping, title: 'the same answer counts before all of them; another field makes it another' },
  },
  {
    rule: 'the volume that stops a job is more than its limit',
    file: `${pagination}/stopping.ts`,
    from: 'bytes > volume',
    to: 'bytes >= volume',
    test: { file: stopping, title: 'by the bytes of the answers as PHP writes them, when there are more than that' },
  },
  {
    rule: 'limitStop is asked before forceStop',
    file: `${pagination}/stopping.ts`,
    from: "    limitStop(fieldOf(pagination, 'limitStop')),\n    forceStop(fieldOf(pagination, 'forceStop'), monotonic),\n",
    to: "    forceStop(fieldOf(pagination, 'forceStop'), monotonic),\n    limitStop(fieldOf(pagination, 'limitStop')),\n",
    test: { file: stopping, title: 'the first that says stop is told, and no other' },
  },
  {
    rule: 'a retry is never earlier than the answer asks for',
    file: 'src/extractor/requests/retries.ts',
    from: 'asked * (1 + random / 2)',
    to: 'asked * (0.5 + random)',
    test: { file: 'src/extractor/requests/retries.test.ts', title: 'is what the answer asks for: 7' },
  },
  {
    rule: 'of several arrays a child job has a run for each combination',
    file: 'src/extractor/children/placeholders.ts',
    from: 'runs = runs.flatMap((run) => values.map((each) => [...run, { name, path, value: each }]));',
    to: 'runs = runs.map((run, at) => [...run, { name, path, value: values[at] ?? null }]);',
    test: {
      file: 'src/extractor/children/children.test.ts',
      title: 'with arrays are a run for each combination of their elements',
    },
  },
  {
    rule: 'D8: the texts that a response filter makes of one item are bounded',
    file: 'src/extractor/items/response-filter.ts',
    from: '  walk.length += made.length;\n',
    to: '  walk.length = made.length;\n',
    test: {
      file: 'src/extractor/values/php.test.ts',
      title: 'D8: that makes texts within texts without an end ends in words',
    },
  },
];
