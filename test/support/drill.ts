import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import type { Prometheus } from './prometheus.ts';
import { readRunbook, type Runbook, type RunbookShell } from './runbook.ts';

/** What a page says in words and somebody does, or the commands that stand below these words. */
export type MendStep =
  | { readonly says: string; readonly done: () => Promise<unknown> | void }
  /** The next commands after these words are typed as they stand, but for what the page leaves to the reader. */
  | { readonly says: string; readonly typed: Readonly<Record<string, string>> | true };

export interface Drill {
  /** Resolves when what is to ring has its cause. */
  readonly fault: () => Promise<unknown> | void;
  /** Resolves when everything was seen that can be seen only while the alert rings, as panels. */
  readonly seen?: () => Promise<unknown>;
  /** What the commands of "Look" print, all together. */
  readonly shows?: RegExp;
  /** What the mending needs: in the order of the page. */
  readonly mend: readonly MendStep[];
  /** The last command does something that works also while the alert rings, or cannot be run then. */
  readonly tellsNothingBefore?: boolean;
  /** It ends by itself, after longer than a test lasts: the tests of the rules see the end. */
  readonly endsLater?: boolean;
}

export interface DrillPlace {
  readonly prometheus: Prometheus;
  readonly shell: RunbookShell;
}

const patient = { withinMs: 150_000, everyMs: 250 };

/**
 * Follows a runbook literally: its alert rings, "Look" shows the cause, the last command says that it is not over, "Mend" is done,
 * the last command says that it is over, and the alert is silent. Which page has which drill is in `drills.ts`.
 */
export async function follow(name: string, { prometheus, shell }: DrillPlace, drill: Drill): Promise<void> {
  const page = await readRunbook(name);
  await drill.fault();
  await eventually(async () => expect(await prometheus.firing()).toContain(page.alert), patient);
  await drill.seen?.();
  // What rings when an event is mapped may be shown when it is imported.
  await eventually(async () => {
    let shown = '';
    for (const script of page.look) shown += await typed(shell, script);
    if (drill.shows !== undefined) expect(shown).toMatch(drill.shows);
  }, patient);
  if (drill.tellsNothingBefore !== true) expect(await shell.run(page.over)).not.toMatchObject({ code: 0 });
  for (const step of drill.mend) await mend(page, shell, step);
  if (drill.endsLater === true) return;
  await eventually(async () => typed(shell, page.over), patient);
  await eventually(async () => expect(await prometheus.firing()).not.toContain(page.alert), patient);
}

async function mend({ alert, mendText }: Runbook, shell: RunbookShell, step: MendStep): Promise<void> {
  const at = mendText.indexOf(step.says);
  if (at < 0) throw new Error(`the page of ${alert} does not say "${step.says}"`);
  if ('done' in step) return void (await step.done());
  const [, script] = /^```sh\n([\s\S]*?)\n```$/m.exec(mendText.slice(at)) ?? [];
  if (script === undefined) throw new Error(`the page of ${alert} has no commands after "${step.says}"`);
  let own = script;
  for (const [text, value] of Object.entries(step.typed === true ? {} : step.typed)) {
    if (!own.includes(text)) throw new Error(`"${text}" is not in the commands after "${step.says}"`);
    own = own.replaceAll(text, value);
  }
  await typed(shell, own);
}

async function typed(shell: RunbookShell, script: string): Promise<string> {
  const { code, printed } = await shell.run(script);
  expect(code, `${script}\n${printed}`).toBe(0);
  return printed;
}
