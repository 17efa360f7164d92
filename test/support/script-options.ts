import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

type Values<Options extends ParseArgsOptionsConfig> = ReturnType<typeof parseArgs<{ options: Options }>>['values'];

/**
 * The options of a script of `npm run`. `--help` prints its text and ends the process before it has done anything; an option that is not
 * known ends it with 2 and says which there are.
 */
export function scriptOptions<const Options extends ParseArgsOptionsConfig>(
  help: string,
  options: Options,
): Values<Options> {
  try {
    const isAsked = process.argv.slice(2).includes('--help');
    if (!isAsked) return parseArgs({ options }).values;
    console.log(help);
    // oxlint-disable-next-line unicorn/no-process-exit -- nothing of the script may run
    return process.exit(0);
  } catch (thrown) {
    console.error(`${thrown instanceof Error ? thrown.message : String(thrown)}\n\n${help}`);
    // oxlint-disable-next-line unicorn/no-process-exit -- nothing of the script may run
    return process.exit(2);
  }
}
