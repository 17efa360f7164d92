import type { Mutation } from './mutation.ts';

const extractor = 'src/extractor';
const configuration = `${extractor}/configuration/configuration.test.ts`;
const authentication = `${extractor}/authentication/authentication.test.ts`;
const failures = `${extractor}/failures.test.ts`;
const children = `${extractor}/child-runs.test.ts`;
const functions = `${extractor}/functions/functions.test.ts`;

/** The rules of whole runs: configuration, authentication, retries, child jobs, caps. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'functions of all jobs are tried before anything is asked for',
    file: `${extractor}/configuration/parse-iteration.ts`,
    from: 'tryFunctions(parsed, (fields) =>',
    to: 'tryFunctions([], (fields) =>',
    test: { file: configuration, title: 'an unknown function of a later job' },
  },
  {
    rule: 'functions of child jobs are tried, too',
    file: `${extractor}/configuration/parse-iteration.ts`,
    from: 'tryFunctions(children, evaluated);',
    to: 'tryFunctions([], evaluated);',
    test: { file: configuration, title: 'an unknown function of a child' },
  },
  {
    rule: 'a bucket stays in its folder',
    file: `${extractor}/configuration/parse-iteration.ts`,
    from: String.raw`/[/\\\p{Cc}]/u.test(named)`,
    to: String.raw`/[\\\p{Cc}]/u.test(named)`,
    test: { file: configuration, title: 'a bucket outside its folder' },
  },
  {
    rule: 'each request is held to the allowed hosts, not only those of the configuration',
    file: `${extractor}/api-client.ts`,
    from: '      checkAddress(shown.url);\n',
    to: '',
    test: {
      file: configuration,
      title: '1.1: only the hosts of the image are asked, also where an answer leads elsewhere',
    },
  },
  {
    rule: 'an allowed path is whole names of folders',
    file: `${extractor}/configuration/allowed-hosts.ts`,
    from: '`${address.pathname}/`.startsWith(`${host.path}/`)',
    to: 'address.pathname.startsWith(host.path)',
    test: {
      file: configuration,
      title: '1.1: only the hosts of the image are asked, also where an answer leads elsewhere',
    },
  },
  {
    rule: 'the last iteration says whether a table is incremental',
    file: `${extractor}/output-tables.ts`,
    from: 'if (known !== undefined) known.output = output;',
    to: 'if (known !== undefined) continue;',
    test: { file: configuration, title: 'each iteration replaces keys of the config, and all write the same tables' },
  },
  {
    rule: 'messages do not show what identifies the sender',
    file: `${extractor}/api-client.ts`,
    from: 'const text = failureText(shown, answer);',
    to: 'const text = failureText(await made(), answer);',
    test: { file: authentication, title: 'what identifies the sender is not in the message of a failure' },
  },
  {
    rule: 'a login that has expired is made again',
    file: `${extractor}/authentication/login.ts`,
    from: 'expires !== undefined && this.#seconds() > expires',
    to: 'expires !== undefined && this.#seconds() < 0',
    test: { file: authentication, title: 'again when it has expired: ' },
  },
  {
    rule: 'a listed status is tried again also when it is no failure',
    file: `${extractor}/api-client.ts`,
    from: '!isLast && api.retries.statuses.has(answer.status)',
    to: '!isLast && answer.status >= 400 && api.retries.statuses.has(answer.status)',
    test: {
      file: failures,
      title: 'a listed code is tried again also when it is no failure, and is a page after the last try',
    },
  },
  {
    rule: 'a wait never goes beyond the time of the run',
    file: `${extractor}/budget.ts`,
    from: 'left < 0 || waitMs > left',
    to: 'left < 0',
    test: { file: failures, title: 'a wait that the answer asks for beyond the time ends the job without it' },
  },
  {
    rule: 'the rows of a run are bounded',
    file: `${extractor}/budget.ts`,
    from: 'this.#rows > this.#limits.rows',
    to: 'rows > this.#limits.rows',
    test: { file: failures, title: 'rows' },
  },
  {
    rule: 'the next page is asked for before the rows of a page are written',
    file: `${extractor}/job-runs.ts`,
    from: 'if (job.children.length === 0 &&',
    to: 'if (job.children.length < 0 &&',
    test: { file: failures, title: 'is asked for while the rows of the one before are written' },
  },
  {
    rule: 'children of a page come before the next page',
    file: `${extractor}/job-runs.ts`,
    from: 'if (job.children.length === 0 &&',
    to: 'if (job.children.length >= 0 &&',
    test: { file: `${extractor}/child-runs.test.ts`, title: 'each one runs for all items before the next one' },
  },
  {
    rule: 'a page that does not go with those before ends the job before another one is asked for',
    file: `${extractor}/tables/extracted-tables.ts`,
    from: 'this.#observe(type, page);\n    return { write: (pause) => this.#write(type, page, pause) };',
    to: 'return { write: (pause) => (this.#observe(type, page), this.#write(type, page, pause)) };',
    test: { file: failures, title: 'is not asked for behind one that does not go with those before' },
  },
  {
    rule: 'nesting of an answer is bounded',
    file: `${extractor}/requests/decode.ts`,
    from: "if (depth > deepest) throw invalid('Maximum stack depth exceeded');",
    to: '',
    test: { file: failures, title: 'nesting without an end ends the job' },
  },
  {
    rule: 'a child without placeholders does not ask the same for each item',
    file: `${extractor}/job-runs.ts`,
    from: 'hasNone && parent.filled.size === 0',
    to: 'hasNone && parent.filled.size > 0',
    test: {
      file: children,
      title: 'without placeholders run for none, with a warning; with those of a level above they run',
    },
  },
  {
    rule: 'child rows have user data of their own job alone',
    file: `${extractor}/job-runs.ts`,
    from: '{ items: above, filled, userData: {} }',
    to: '{ items: above, filled, userData: this.#options.iteration.userData }',
    test: {
      file: children,
      title:
        '076: an added column with the name of a field gets another, in all later tables, too; user data are those of the child',
    },
  },
  {
    rule: 'placeholders of the levels above are columns, too',
    file: `${extractor}/job-runs.ts`,
    from: 'const filled = new Map(parent.filled);',
    to: 'const filled = new Map<string, FilledPlaceholder>();',
    test: { file: children, title: 'of several levels have the columns of all placeholders above' },
  },
  {
    rule: 'urlencode is for placeholders alone',
    file: `${extractor}/functions/known-functions.ts`,
    from: "name === 'urlencode' && !called.isPlaceholder ? undefined : functions.get(name)",
    to: 'functions.get(name)',
    test: { file: functions, title: 'outside placeholders are refused' },
  },
  {
    rule: 'an abort ends what is written behind the last answer, too',
    file: `${extractor}/output-tables.ts`,
    from: '      signal.throwIfAborted();\n',
    to: '',
    test: { file: failures, title: 'an abort ends what is written behind the last answer, too' },
  },
  {
    rule: 'the runs of a child job for one item are bounded',
    file: `${extractor}/children/placeholders.ts`,
    from: 'runs.length * values.length > mostRuns',
    to: 'values.length > mostRuns',
    test: { file: children, title: 'that would run without an end for one item are refused' },
  },
  {
    rule: 'no value of a configuration or an API makes another header',
    file: `${extractor}/requests/request.ts`,
    from: String.raw`!/^[\t\x20-\x7e\x80-\xff]*$/.test(text)`,
    to: String.raw`!/^[\t\n\r\x20-\x7e\x80-\xff]*$/.test(text)`,
    test: { file: configuration, title: '1.1: a header that cannot be sent is refused, its value not shown' },
  },
];
