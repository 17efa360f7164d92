import { ignoredPrefix, variables, type Variable } from '../../src/config/env.ts';

const intro = `# Configuration

A process reads these variables of its environment once, at its start. What is set per source or sink is a setting, not
a variable.

1. An empty variable MUST count as absent.
2. All wrong variables MUST be reported at once, each by its name, before anything is opened or listened to.
3. A variable that begins with \`MILLRACE_\` and is not on this page MUST stop the start, with the nearest name as advice;
   names that begin with \`${ignoredPrefix}\` are left to tests.
4. The value of a secret MUST NOT appear in a message, a log line or an answer.
5. \`NODE_ENV\` MUST NOT change anything.

Sizes are bytes, as a number or with a unit of 1024 (\`16KB\`, \`1MB\`); durations have units (\`30s\`, \`1m30s\`). This page is
made from \`src/config/env.ts\` (\`vitest run src/config -u\`).
`;

/** The text of \`docs/spec/configuration.md\`. */
export function referencePage(): string {
  const rows = Object.entries<Variable<unknown>>(variables).map(
    ([name, { primitive, fallback, meaning }]) =>
      `| \`${name}\` | ${fallback === undefined || fallback === '' ? '–' : `\`${fallback}\``} | ${primitive.rule} | ${meaning} |`,
  );
  return [intro, '| variable | default | value | meaning |', '|---|---|---|---|', ...rows, ''].join('\n');
}
