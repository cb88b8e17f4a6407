import type { Blame } from './outcome.ts';

/** `connecting`: no byte of the request can have been read by the target. `exchanging`: it may have been. */
export interface NetworkFault {
  readonly phase: 'connecting' | 'exchanging';
  readonly blame: Exclude<Blame, 'message'>;
}

const UNREACHABLE: NetworkFault = { phase: 'connecting', blame: 'target' };
/** Our own machine ran out of something or is shutting down: no reason to open the target's breaker at once. */
const NOT_SENT: NetworkFault = { phase: 'connecting', blame: 'either' };
const ANSWER_LOST: NetworkFault = { phase: 'exchanging', blame: 'either' };

const CODES = new Map<string, NetworkFault>([
  ...entries(UNREACHABLE, 'ECONNREFUSED EHOSTUNREACH EHOSTDOWN ENETUNREACH ENONET'),
  ...entries(UNREACHABLE, 'ENOTFOUND ENODATA ENONAME ESERVFAIL EREFUSED ETIMEOUT'),
  ...entries(UNREACHABLE, 'UND_ERR_CONNECT_TIMEOUT UND_ERR_PRX_TLS ERR_TLS_HANDSHAKE_TIMEOUT'),
  ...entries(NOT_SENT, 'ENETDOWN EADDRNOTAVAIL EADDRINUSE EMFILE ENFILE ENOBUFS ENOMEM'),
  ...entries(NOT_SENT, 'UND_ERR_CLOSED UND_ERR_BPL_MISSING_UPSTREAM UND_ERR_MAX_ORIGINS_REACHED'),
  ...entries(
    ANSWER_LOST,
    'ECONNRESET ECONNABORTED EPIPE ETIMEDOUT ESOCKETTIMEDOUT ENOTCONN ESHUTDOWN EPROTO',
  ),
  ...entries(ANSWER_LOST, 'ECANCELED ABORT_ERR ERR_STREAM_PREMATURE_CLOSE ERR_SOCKET_CLOSED'),
  ...entries(
    ANSWER_LOST,
    'UND_ERR UND_ERR_INFO UND_ERR_SOCKET UND_ERR_DESTROYED UND_ERR_ABORT UND_ERR_ABORTED',
  ),
  ...entries(ANSWER_LOST, 'UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT UND_ERR_HEADERS_OVERFLOW'),
  ...entries(ANSWER_LOST, 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH UND_ERR_RES_EXCEEDED_MAX_SIZE'),
]);

/** A certificate is judged before the request is sent, and a bad one is the target's to renew: the message is fine. */
const CERTIFICATE =
  /^(?:CERT_|CRL_|UNABLE_TO_|ERROR_IN_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_|INVALID_(?:CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$|HOSTNAME_MISMATCH$)/;
const HANDSHAKE =
  /^ERR_SSL_(?:WRONG_VERSION_NUMBER|UNSUPPORTED_PROTOCOL|\w*ALERT_(?:HANDSHAKE|PROTOCOL_VERSION|UNKNOWN_CA|ACCESS_DENIED|UNRECOGNIZED_NAME|\w*CERTIFICATE)\w*)$/;

const PATTERNS: readonly (readonly [RegExp, NetworkFault])[] = [
  [/^EAI_/, UNREACHABLE],
  [CERTIFICATE, UNREACHABLE],
  [HANDSHAKE, UNREACHABLE],
  [/^UND_ERR_SOCKS5/, UNREACHABLE],
  [/^(?:HPE|ERR_SSL|ERR_HTTP2)_/, ANSWER_LOST],
];

/** undici's parser errors carry no code, and DOM exceptions a number. */
const NAMES = new Map(entries(ANSWER_LOST, 'AbortError TimeoutError HTTPParserError'));

/** System calls that end before a connection exists, whatever the code: a firewall answers EPERM or EACCES. */
const CONNECTING = /^(?:connect|getaddrinfo|query\w*)$/;

export function networkFaultOf(code: string, name: string, syscall: string): NetworkFault | undefined {
  const known = CODES.get(code) ?? PATTERNS.find(([pattern]) => pattern.test(code))?.[1];
  if (CONNECTING.test(syscall)) return known?.phase === 'connecting' ? known : UNREACHABLE;
  return known ?? NAMES.get(name);
}

function entries(fault: NetworkFault, words: string): [string, NetworkFault][] {
  return words.split(' ').map((word) => [word, fault]);
}
