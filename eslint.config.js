import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const frameworks = [
  '@nestjs/*',
  'typeorm',
  'mssql',
  'libsql',
  'fastify',
  '@fastify/*',
  'undici',
  'pino',
  'prom-client',
];

/** Who may import whom. `tools/boundaries` holds a file that breaks each rule and a spec that sees it refused. */
export const moduleBoundaries = {
  allow: [],
  enforceBuildableLibDependency: false,
  depConstraints: [
    { sourceTag: 'type:pure', onlyDependOnLibsWithTags: ['type:pure'], bannedExternalImports: frameworks },
    { sourceTag: 'type:platform', onlyDependOnLibsWithTags: ['type:platform', 'type:pure'] },
    { sourceTag: 'type:domain', onlyDependOnLibsWithTags: ['type:domain', 'type:platform', 'type:pure'] },
    { sourceTag: 'type:app', onlyDependOnLibsWithTags: ['type:domain', 'type:platform', 'type:pure'] },
    { sourceTag: 'type:tool', onlyDependOnLibsWithTags: ['type:domain', 'type:platform', 'type:pure'] },
    // What verifies a webhook brings no server and no database along.
    {
      sourceTag: 'without:server',
      onlyDependOnLibsWithTags: ['type:pure'],
      bannedExternalImports: frameworks.filter((name) => name !== 'undici'),
    },
    { sourceTag: 'scope:shared', onlyDependOnLibsWithTags: ['scope:shared'] },
    { sourceTag: 'scope:numbering', onlyDependOnLibsWithTags: ['scope:numbering', 'scope:shared'] },
    { sourceTag: 'scope:tickets', onlyDependOnLibsWithTags: ['scope:tickets', 'scope:shared'] },
    { sourceTag: 'scope:counterparties', onlyDependOnLibsWithTags: ['scope:counterparties', 'scope:shared'] },
    {
      sourceTag: 'scope:tools',
      onlyDependOnLibsWithTags: ['scope:tickets', 'scope:counterparties', 'scope:numbering', 'scope:shared'],
    },
    {
      sourceTag: 'scope:counterparty-api',
      onlyDependOnLibsWithTags: ['scope:counterparties', 'scope:shared'],
    },
    { sourceTag: 'scope:ticket-api', onlyDependOnLibsWithTags: ['scope:tickets', 'scope:shared'] },
    {
      sourceTag: 'scope:outbox-dispatcher',
      onlyDependOnLibsWithTags: ['scope:tickets', 'scope:counterparties', 'scope:shared'],
    },
    { sourceTag: 'scope:fiscal-emitter', onlyDependOnLibsWithTags: ['scope:numbering', 'scope:shared'] },
    { sourceTag: 'scope:numbering-service', onlyDependOnLibsWithTags: ['scope:numbering', 'scope:shared'] },
    { sourceTag: 'scope:whatsapp-nfse-bot', onlyDependOnLibsWithTags: ['scope:shared'] },
  ],
};

const message =
  'TypeORM sends its parameters as nvarchar of their own length: a plan for each, and conversions instead of seeks. ' +
  'Use tx.query or tx.execute with varchar(), nvarchar() and dialect.jsonRows().';

/** What TypeORM does not declare by its columns. */
const untypedParameters = [
  {
    selector:
      'CallExpression[callee.property.name=/^(update|delete|upsert|save|remove)$/]:matches([callee.object.name="entities"], [callee.object.property.name="entities"])',
    message,
  },
  { selector: 'MemberExpression[property.name="createQueryBuilder"]', message },
];

export default defineConfig(
  { ignores: ['**/dist', '**/node_modules', '**/.nx', '**/*.fixture.ts'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked, prettier],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': ['error', moduleBoundaries],
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      // Nest modules are classes without members; templates print numbers.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  {
    files: ['apps/**/*.ts', 'libs/**/*.ts'],
    ignores: ['**/*.config.ts', '**/*spec.ts', '**/testing/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Read the environment in the *.config.ts class only.',
        },
      ],
    },
  },
  {
    files: ['apps/**/*.ts', 'libs/**/*.ts', 'tools/**/*.ts'],
    ignores: ['**/*spec.ts', '**/testing/**'],
    rules: { 'no-restricted-syntax': ['error', ...untypedParameters] },
  },
  { files: ['tools/**/*.ts'], rules: { 'no-console': 'off' } },
);
