import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceConfig } from '../config/service.config.ts';
import { answerClientError } from '../problem/client-error.ts';
import { requestId } from './request-context.hook.ts';

type FrameworkErrorHandler = (error: Error, request: FastifyRequest, reply: FastifyReply) => void;

/** Limits against slow and oversized requests; the keep-alive outlasts the idle time of common balancers (60 s). */
export function serverOptions(config: ServiceConfig, onFrameworkError: FrameworkErrorHandler) {
  return {
    logger: false,
    genReqId: requestId,
    requestIdHeader: false,
    trustProxy: config.trustedProxies,
    bodyLimit: config.bodyLimitBytes,
    requestTimeout: 60_000,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 5000, maxHeaderSize: 16_384 },
    routerOptions: { maxParamLength: 256 },
    // During a shutdown, requests that still arrive on open connections are served, then the connection is closed.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: onFrameworkError,
  } as const;
}
