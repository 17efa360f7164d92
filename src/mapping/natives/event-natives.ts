import type { Native } from '../../jsonnet/native.ts';
import { body, bodyStr } from './body.ts';
import { header, headerStr } from './header.ts';
import { now } from './now.ts';
import { ip } from './sender.ts';

/** What a template sees of its event, by name. */
export const eventNatives: Readonly<Record<string, Native>> = {
  Ip: ip,
  Body: body,
  BodyStr: bodyStr,
  Header: header,
  HeaderStr: headerStr,
  Now: now,
};
