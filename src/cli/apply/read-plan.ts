import { connect, type CommandContext } from '../command-context.ts';
import { waitFor } from '../wait-for.ts';
import { BranchCalls } from './branch-calls.ts';
import type { FileOptions } from './file-option.ts';
import { makePlan } from './make-plan.ts';
import type { Plan } from './plan.ts';
import { readDeclarations } from './read-declarations.ts';

export interface ReadPlan {
  readonly plan: Plan;
  readonly calls: BranchCalls;
}

/** Finds the process, reads the files and then what is there, and compares them; changes nothing. */
export async function readPlan(context: CommandContext, options: FileOptions): Promise<ReadPlan> {
  const { terminal } = context;
  const calls = new BranchCalls(await connect(context, options), options.branch);
  const declared = await readDeclarations(options.file, terminal);
  const installed = await waitFor(terminal, 'Looking at what is there', calls.installed(declared));
  return { plan: makePlan(declared, installed, options), calls };
}
