import type { TestedSink } from '../control/trials/run-test.ts';
import type { PayloadTest, ShownTest } from '../control/trials/trials.ts';
import { prettyJson } from './http/send-reply.ts';
import { testView } from './views/test-view.ts';

/** What a test of a payload is answered with, as it is sent: to write a large one takes as long as to make it. */
export function showTest(tested: readonly TestedSink[], { key }: Pick<PayloadTest, 'key'>): ShownTest {
  const view = testView(tested, key);
  return { status: view.statusCode ?? 200, body: Buffer.from(prettyJson(view)) };
}
