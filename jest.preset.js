import { swcOptions } from './tools/swc-options.js';

/** Native ES modules, transformed by swc; run through `npm test` or `nx test <project>`. */
export default {
  testEnvironment: 'node',
  testMatch: ['**/*.spec.ts', '**/*.int-spec.ts', '**/*.e2e-spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', swcOptions] },
};
