import { namedVariable } from '../../config/config.ts';
import { connect, type CommandContext } from '../command-context.ts';
import { waitFor } from '../wait-for.ts';
import { BranchCalls } from './branch-calls.ts';
import { planConfigurations } from './configuration-plan.ts';
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
  const { sources, configurations, says } = await readDeclarations(options.file, terminal);
  const look = async (): Promise<Plan> => {
    const parts: Plan[] = [];
    if (says.has('sources')) parts.push(makePlan(sources, await calls.installed(sources), options));
    if (says.has('configurations')) {
      const installed = await calls.configurations.installed(configurations);
      parts.push(planConfigurations(configurations, installed, { ...options, environment: namedVariable }));
    }
    return { objects: parts.flatMap(({ objects }) => objects), steps: parts.flatMap(({ steps }) => steps) };
  };
  return { plan: await waitFor(terminal, 'Looking at what is there', look()), calls };
}
