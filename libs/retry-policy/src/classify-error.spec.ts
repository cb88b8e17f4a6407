import { describe, expect, it } from '@jest/globals';
import { classify } from './classify.ts';
import type { Fault } from './fault.ts';

type RequestSent = Extract<Fault, { kind: 'error' }>['requestSent'];

const failure = (error: unknown, requestSent: RequestSent = 'unknown') =>
  classify({ kind: 'error', error, requestSent }, new Date(0));
const coded = (code: string, extra: object = {}) =>
  Object.assign(new Error(`it was ${code}`), { code, ...extra });

const UNREACHABLE = [
  ...['ECONNREFUSED', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL'],
  ...['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_PRX_TLS', 'UND_ERR_SOCKS5', 'ERR_TLS_HANDSHAKE_TIMEOUT'],
];
const TLS = [
  ...['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'CERT_REVOKED', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ...['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
  ...['ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'],
  ...['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'],
];
const OWN_MACHINE = ['ENETDOWN', 'EADDRNOTAVAIL', 'EMFILE', 'ENFILE', 'ENOBUFS', 'UND_ERR_CLOSED'];
const ANSWER_LOST = [
  ...[
    'ECONNRESET',
    'ECONNABORTED',
    'EPIPE',
    'ETIMEDOUT',
    'ESOCKETTIMEDOUT',
    'EPROTO',
    'HPE_INVALID_CONSTANT',
  ],
  ...[
    'UND_ERR_HEADERS_TIMEOUT',
    'UND_ERR_BODY_TIMEOUT',
    'UND_ERR_SOCKET',
    'UND_ERR_DESTROYED',
    'UND_ERR_ABORTED',
  ],
  ...['UND_ERR_INFO', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'UND_ERR_RES_EXCEEDED_MAX_SIZE'],
  ...['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'ERR_HTTP2_STREAM_ERROR', 'ERR_STREAM_PREMATURE_CLOSE'],
];

describe('a request that cannot have arrived', () => {
  it.each([...UNREACHABLE, ...TLS])('is plainly retried after %s and the target is to blame', (code) => {
    const reason = `${code}: it was ${code}`;
    expect(failure(coded(code))).toEqual({
      kind: 'failed',
      blame: 'target',
      final: false,
      processed: 'no',
      reason,
    });
  });

  it.each(OWN_MACHINE)('is plainly retried after %s, which accuses nobody for certain', (code) => {
    expect(failure(coded(code))).toMatchObject({ final: false, blame: 'either', processed: 'no' });
  });

  it.each(['ETIMEDOUT', 'ECONNRESET', 'EACCES'])('is told by the connect call that ended in %s', (code) => {
    const error = coded(code, { syscall: 'connect' });
    expect(failure(error)).toMatchObject({ final: false, blame: 'target', processed: 'no' });
  });

  it('is plainly retried after a reset when the caller knows that no byte had left', () => {
    expect(failure(coded('ECONNRESET'), false)).toMatchObject({
      final: false,
      blame: 'either',
      processed: 'no',
    });
  });
});

describe('a request whose answer was lost', () => {
  it.each(ANSWER_LOST)('has an unknown outcome after %s', (code) => {
    const reason = `${code}: it was ${code}`;
    expect(failure(coded(code))).toEqual({ kind: 'unknown', blame: 'either', reason });
    expect(failure(coded(code), true)).toMatchObject({ kind: 'unknown' });
  });

  it('has an unknown outcome after our own deadline or abort, which carry no error code', async () => {
    const signal = AbortSignal.timeout(0);
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve);
    });
    expect(failure(signal.reason)).toMatchObject({
      kind: 'unknown',
      reason: expect.stringMatching(/^TimeoutError: /),
    });
    expect(failure(AbortSignal.abort().reason)).toMatchObject({ kind: 'unknown' });
  });

  it('has an unknown outcome after an answer that is not HTTP, told by name alone', () => {
    const error = Object.assign(new Error('Expected HTTP/'), { name: 'HTTPParserError', code: undefined });
    expect(failure(error)).toMatchObject({ kind: 'unknown', reason: 'HTTPParserError: Expected HTTP/' });
  });

  it('stays unknown when the caller saw bytes leave, whatever the last error says', () => {
    expect(failure(coded('ECONNREFUSED'), true)).toMatchObject({ kind: 'unknown', blame: 'target' });
  });
});

describe('a fault inside other errors', () => {
  it('is found through any number of causes', () => {
    const error = new TypeError('fetch failed', {
      cause: new Error('socket', { cause: coded('UND_ERR_CONNECT_TIMEOUT') }),
    });
    expect(failure(error)).toMatchObject({
      final: false,
      reason: 'UND_ERR_CONNECT_TIMEOUT: it was UND_ERR_CONNECT_TIMEOUT',
    });
  });

  it('is judged by the addresses tried, not by the code the bundle copied from the first', () => {
    const tried = [coded('ETIMEDOUT', { syscall: 'connect' }), coded('ECONNREFUSED', { syscall: 'connect' })];
    const error = Object.assign(new AggregateError(tried), { code: 'ETIMEDOUT' });
    expect(failure(new TypeError('fetch failed', { cause: error }))).toMatchObject({
      final: false,
      blame: 'target',
    });
  });

  it('is unknown as soon as one of several attempts may have arrived', () => {
    const error = new AggregateError([coded('ECONNREFUSED'), coded('ECONNRESET')]);
    expect(failure(error)).toMatchObject({ kind: 'unknown', reason: 'ECONNRESET: it was ECONNRESET' });
  });

  it('does not send the search in circles', () => {
    const error = new Error('outer');
    error.cause = new Error('inner', { cause: error });
    expect(failure(error)).toMatchObject({ final: true });
  });
});

describe('an error that is no network fault', () => {
  it.each([
    [new TypeError('x is not a function'), 'TypeError: x is not a function'],
    [coded('UND_ERR_INVALID_ARG'), 'UND_ERR_INVALID_ARG: it was UND_ERR_INVALID_ARG'],
    [coded('UND_ERR_REQ_CONTENT_LENGTH_MISMATCH'), expect.stringContaining('CONTENT_LENGTH')],
    [coded('ENOENT', { syscall: 'open' }), 'ENOENT: it was ENOENT'],
    [coded('ERR_INVALID_URL'), 'ERR_INVALID_URL: it was ERR_INVALID_URL'],
    ['ECONNRESET', 'thrown: ECONNRESET'],
    [undefined, 'thrown: undefined'],
    [null, 'thrown: null'],
    [{}, 'Error'],
  ])('ends at once with its reason, so that it surfaces: %p', (error, reason) => {
    expect(failure(error, false)).toEqual({
      kind: 'failed',
      blame: 'message',
      final: true,
      processed: 'no',
      reason,
    });
  });

  it('says that the target may have done its part when our code failed after the bytes left', () => {
    expect(failure(new TypeError('cannot read the answer'), true)).toMatchObject({
      final: true,
      processed: 'maybe',
    });
    expect(failure(new TypeError('who knows when'))).toMatchObject({ final: true, processed: 'maybe' });
  });
});
