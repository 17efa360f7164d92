import { AssignerProtocol } from 'kafkajs';
import { parseJsonText } from '../../core/parse-json-text.ts';
import { sendRaw, type FullBroker } from './broker.ts';
import { answerGraceMs } from './config.ts';
import { BrokerError } from './error-codes.ts';
import { WireReader, WireWriter } from './wire.ts';

export interface JoinRequest {
  readonly group: string;
  /** Empty at first. */
  readonly memberId: string;
  readonly sessionTimeoutMs: number;
}

/** A place in a generation of the group. */
export type Joined =
  | {
      readonly kind: 'joined';
      readonly generation: number;
      readonly memberId: string;
      /** All members when this one is the leader, who tells the others; undefined when it is not. */
      readonly members: readonly string[] | undefined;
    }
  /** The broker has given an id, with which to ask again. */
  | { readonly kind: 'named'; readonly memberId: string };

const protocolType = 'consumer';
/** What every member of the group must know: the leader hands out the list of members, each works out its share of it. */
const protocolName = 'millrace-shares';
const memberIdRequired = 79;

/** Asks for a place in the next generation (JoinGroup, version 5); waits until all members did. Topics stay unnamed. */
export function joinGroup(broker: FullBroker, { group, memberId, sessionTimeoutMs }: JoinRequest): Promise<Joined> {
  const metadata = AssignerProtocol.MemberMetadata.encode({ version: 0, topics: [], userData: Buffer.alloc(0) });
  const noInstance = undefined;
  const request = new WireWriter().string(group).int32(sessionTimeoutMs).int32(sessionTimeoutMs);
  request.string(memberId).string(noInstance).string(protocolType);
  request.int32(1).string(protocolName).int32(metadata.length).raw(metadata);
  const timeoutMs = sessionTimeoutMs + answerGraceMs;
  const bytes = request.bytes();
  return sendRaw(broker, { apiKey: 11, apiVersion: 5, apiName: 'JoinGroup', bytes, timeoutMs, read: readJoined });
}

function readJoined(bytes: Buffer): Joined {
  const response = new WireReader(bytes);
  response.int32(); // throttle time
  const error = response.int16();
  const generation = response.int32();
  response.string(); // protocol
  const leader = response.string();
  const memberId = response.string();
  if (error === memberIdRequired) return { kind: 'named', memberId };
  if (error !== 0) throw new BrokerError(error);
  const members = response.array((member) => {
    const id = member.string();
    member.string(); // instance
    member.take(Math.max(0, member.int32())); // metadata
    return id;
  });
  return { kind: 'joined', generation, memberId, members: leader === memberId ? members : undefined };
}

/** What the leader gives each member: the list of all. */
export function encodeMembers(members: readonly string[]): Buffer {
  const userData = Buffer.from(JSON.stringify(members));
  return AssignerProtocol.MemberAssignment.encode({ version: 0, assignment: {}, userData });
}

/** And back; empty for what is none. */
export function decodeMembers(bytes: Buffer): readonly string[] {
  const userData = AssignerProtocol.MemberAssignment.decode(bytes)?.userData;
  const members: unknown = userData === undefined || userData.length === 0 ? [] : parseJsonText(userData.toString());
  return Array.isArray(members) ? members.filter((member) => typeof member === 'string') : [];
}
