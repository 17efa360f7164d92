import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

type Values<Options extends ParseArgsOptionsConfig> = ReturnType<typeof parseArgs<{ options: Options }>>['values'];

/** Options of a script that has arguments besides, each one of the names. */
export function scriptArguments<const Options extends ParseArgsOptionsConfig, Name extends string>(
  help: string,
  options: Options,
  isName: (text: string) => text is Name,
): { readonly values: Values<Options>; readonly names: readonly Name[] } {
  const parse = (): { readonly values: Values<Options>; readonly names: readonly Name[] } => {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    return {
      values,
      names: positionals.map((text) => {
        if (isName(text)) return text;
        throw new Error(`there is no "${text}"`);
      }),
    };
  };
  return helped(help, parse);
}

/**
 * The options of a script of `npm run`. `--help` prints its text and ends the process before it has done anything; an option that is not
 * known ends it with 2 and says which there are.
 */
export function scriptOptions<const Options extends ParseArgsOptionsConfig>(
  help: string,
  options: Options,
): Values<Options> {
  return helped(help, () => parseArgs({ options }).values);
}

function helped<Parsed>(help: string, parse: () => Parsed): Parsed {
  try {
    const isAsked = process.argv.slice(2).includes('--help');
    if (!isAsked) return parse();
    console.log(help);
    // oxlint-disable-next-line unicorn/no-process-exit -- nothing of the script may run
    return process.exit(0);
  } catch (thrown) {
    console.error(`${thrown instanceof Error ? thrown.message : String(thrown)}\n\n${help}`);
    // oxlint-disable-next-line unicorn/no-process-exit -- nothing of the script may run
    return process.exit(2);
  }
}
