/**
 * The long crash test: `npm run chaos -- --kills 2000 --seed 7`. Every so many kills it begins anew on an empty folder, under the next
 * seed; a failing seed can be run again.
 */
import { scriptOptions } from '../support/script-options.ts';
import { endsInVerdict } from './verdict.ts';
import { crashPoints } from './crash-points.ts';
import { crashRun, type CrashReport } from './crash-run.ts';
import { otlpFaces } from './otlp/otlp-sender.ts';

const help = `npm run chaos -- [--kills 60] [--each 200] [--seed N] [--connections 6] [--power]

Kills the product while events flow, jobs run, sinks change and dead letters are replayed, at random moments and at named points, and counts. Ends with a verdict.
  --kills        how often it is killed in all; at least ${crashPoints.length}
  --each         after so many kills the tables are compared, and an empty installation begins
  --seed         of the first installation; those that follow count up
  --connections  of the senders
  --power        with each kill the disk forgets what was not synced`;

const values = scriptOptions(help, {
  kills: { type: 'string', default: '60' },
  /** Kills of one installation. */
  each: { type: 'string', default: '200' },
  seed: { type: 'string' },
  connections: { type: 'string', default: '6' },
  power: { type: 'boolean', default: false },
});

const first = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
const reports: CrashReport[] = [];
const rest = ['--each', values.each, '--connections', values.connections, ...(values.power ? ['--power'] : [])].join(
  ' ',
);
await endsInVerdict(`npm run chaos -- --kills ${values.kills} --seed ${first} ${rest}`, async () => {
  let left = Math.max(Number(values.kills), crashPoints.length);
  for (let under = first; left > 0; under += 1) {
    // What is left over after this one must be enough for a whole one, too.
    const kills = left < Number(values.each) + crashPoints.length ? left : Number(values.each);
    left -= kills;
    console.log(`seed ${under}: ${kills} kills`);
    const say = (line: string): void => console.log(`  ${line}`);
    const options = { seed: under, kills, connections: Number(values.connections), cutsPower: values.power, say };
    reports.push(await crashRun(options));
  }
  tell();
});

function tell(): void {
  const sum = (of: (report: CrashReport) => number): number => reports.reduce((total, one) => total + of(one), 0);
  console.log('\nkills');
  for (const name of [...crashPoints, 'random'] as const)
    console.log(`  ${name.padEnd(14)} ${String(sum(({ byPoint }) => byPoint[name])).padStart(6)}`);
  console.log(
    `\n${sum(({ kills }) => kills)} kills, ${sum(({ changesOfConfiguration }) => changesOfConfiguration)} changes of configuration, ` +
      `${sum(({ acknowledged }) => acknowledged)} events acknowledged: ` +
      `${sum(({ rows }) => rows)} rows, ${sum(({ deadLetters }) => deadLetters)} dead letters, ${sum(({ filtered }) => filtered)} filtered.`,
  );
  console.log(
    `${sum(({ otlp }) => otlp.acknowledged)} requests of OpenTelemetry acknowledged (` +
      otlpFaces.map((face) => `${sum(({ otlp }) => otlp.byFace[face])} over ${face}`).join(', ') +
      `), ${sum(({ otlp }) => otlp.unacknowledgedButStored)} more are stored: ${sum(({ otlp }) => otlp.rows)} rows.`,
  );
  console.log(
    `${sum(({ jobs }) => jobs.jobs)} jobs: ${sum(({ jobs }) => jobs.succeeded)} succeeded, ${sum(({ jobs }) => jobs.takenOver)} of them after their ` +
      `process died, ${sum(({ jobs }) => jobs.givenUp)} given up: ${sum(({ jobs }) => jobs.rows)} rows.`,
  );
  console.log(
    `${sum(({ mended }) => mended.replays)} replays of dead letters: ${sum(({ mended }) => mended.rows)} became rows. ` +
      `The sum of a sink was right at ${sum(({ looks }) => looks)} looks.`,
  );
  const [forgotten, kept] = [sum(({ disk }) => disk.forgotten), sum(({ disk }) => disk.kept)];
  if (values.power) console.log(`The disk forgot ${forgotten} changes, and kept ${kept} that were not synced.`);
}
