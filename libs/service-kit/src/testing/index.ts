export { emptySchemas } from './empty-schemas.ts';
export { badTokens, type BadToken } from './jwt-matrix.ts';
export { LogLines } from './log-lines.ts';
export { startTestService, type TestService, type TestServiceOptions } from './start-test-service.ts';
export { startServiceProcess, type ServiceProcess } from './service-process.ts';
