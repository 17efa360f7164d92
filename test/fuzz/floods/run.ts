/** Floods the listener of OTLP over gRPC with frames of HTTP/2, in one way after the other, while others send: `npm run floods`. */
import { endsInVerdict } from '../../chaos/verdict.ts';
import { scriptOptions } from '../../support/script-options.ts';
import { floodRun } from './flood-run.ts';

const help = `npm run floods -- [--seconds 30] [--connections 8] [--only TEXT]

Floods the listener of OTLP over gRPC with frames of HTTP/2, in one way after the other, while others send telemetry over every face.
Ends with a verdict.
  --seconds      of each flood
  --connections  at a time
  --only         floods alone whose name has this text`;

const { seconds, connections, only } = scriptOptions(help, {
  seconds: { type: 'string', default: '30' },
  connections: { type: 'string', default: '8' },
  only: { type: 'string', default: '' },
});

const mb = (bytes: number): string => String(Math.round(bytes / 1024 ** 2));

await endsInVerdict(
  `npm run floods -- --seconds ${seconds} --connections ${connections} --only '${only}'`,
  async () => {
    console.log(
      row([
        'flood',
        'connections',
        'frames',
        'MB sent',
        'gRPC: answers',
        'longest ms',
        'HTTP: answers',
        'longest ms',
        'memory in MB',
      ]),
    );
    await floodRun({
      ms: Number(seconds) * 1000,
      connections: Number(connections),
      only,
      onFlood: ({ name, others, memory, ...sent }) => {
        const { gRPC, 'HTTP in protobuf': http } = others;
        const { before, first, second, after } = memory;
        const figures = [
          sent.connections,
          sent.frames,
          mb(sent.bytes),
          gRPC.answers,
          Math.round(gRPC.longestMs),
          http.answers,
          Math.round(http.longestMs),
        ];
        console.log(row([name, ...figures.map(String), [before, first, second, after].map(mb).join(' ')]));
      },
    });
  },
);

function row([name = '', ...figures]: readonly string[]): string {
  return [name.padEnd(34), ...figures.map((figure) => figure.padStart(14))].join('');
}
