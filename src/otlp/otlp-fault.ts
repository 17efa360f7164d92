/** Why a body is no request of OTLP: a sentence for its sender. Thrown by the decoders, never further than their callers. */
export class OtlpFault extends Error {
  override readonly name = 'OtlpFault';
}
