import { it } from 'vitest';
import { whyNoCollector } from '../support/collector.ts';
import { expectRepeatsAndCuts, forwardUnderKills, wantedKills } from '../support/collector-under-kills.ts';
import { Installation } from '../support/installation.ts';
import { makingMs } from '../support/made-once.ts';

const missing = await whyNoCollector();
if (missing !== undefined) console.warn(`skipped, ${missing}`);

it.skipIf(missing !== undefined)(
  'D1, D2, D3: what the OpenTelemetry Collector forwards while the product is killed is there, and again only in whole requests without an answer',
  { timeout: makingMs + 600_000 },
  async () => {
    await using installation = await Installation.start();
    const { env } = installation;
    const report = await forwardUnderKills(
      {
        ingestPort: Number(env['MILLRACE_INGEST_PORT']),
        otlpGrpcPort: Number(env['MILLRACE_OTLP_GRPC_PORT']),
        kill: async () => void (await installation.stop('SIGKILL')),
        start: () => installation.start(),
        shop: (sourceId) => installation.shop(sourceId),
      },
      { kills: wantedKills },
    );
    expectRepeatsAndCuts(report);
  },
);
