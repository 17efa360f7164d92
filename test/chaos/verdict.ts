/**
 * Runs it, and says in the last line what came out: `PASSED`, or `FAILED` with the first line of the reason and the command that
 * does the same again. A failure makes the exit code 1.
 */
export async function endsInVerdict(again: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
    console.log('\nPASSED: everything is there, exactly once.');
  } catch (thrown) {
    console.error(thrown);
    const [reason = ''] = (thrown instanceof Error ? thrown.message : String(thrown)).split('\n');
    console.log(`\nFAILED: ${reason}\nTry it again: ${again}`);
    process.exitCode = 1;
  }
}
