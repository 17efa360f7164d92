import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { Agent } from 'undici';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import type { HttpSettings } from '../../ports/http-client.ts';
import {
  keepAliveMs,
  maxConnections,
  maxOrigins,
  usualConnectTimeoutMs,
  type HttpClientOptions,
  type HttpLimits,
} from './config.ts';
import { checkedConnector } from './connect.ts';

/** The connections of one client. HTTP/1.1 alone: its limits are the ones that are held. `input.invalid` for a PEM text that is none. */
export function openConnections(options: HttpClientOptions, limits: HttpLimits): Agent {
  const { allowedHosts, resolve } = options;
  const timeoutMs = options.connectTimeoutMs ?? usualConnectTimeoutMs;
  return new Agent({
    connect: checkedConnector({ allowedHosts, resolve, timeoutMs, tls: secureContext(options) }),
    connections: maxConnections,
    maxOrigins,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    maxHeaderSize: limits.headerBytes,
    allowH2: false,
    // One time for the whole exchange bounds both.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

function secureContext({ authorities, clientCertificate }: HttpSettings): SecureContext {
  return createSecureContext({
    ...(authorities === undefined ? {} : checked('caCertificate', { ca: [...rootCertificates, authorities] })),
    ...(clientCertificate === undefined
      ? {}
      : checked('#clientCertificate', { cert: clientCertificate, key: clientCertificate })),
  });
}

interface PemTexts {
  readonly ca?: string[];
  readonly cert?: string;
  readonly key?: string;
}

function checked(field: string, texts: PemTexts): PemTexts {
  try {
    createSecureContext(texts);
    return texts;
  } catch (thrown) {
    const message = `"api.${field}" cannot be used: ${messageOf(thrown)}; give PEM text${field.startsWith('#') ? ' of the certificate and of its key' : ''}`;
    throw new MillraceError('input.invalid', message);
  }
}
