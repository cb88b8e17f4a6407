import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');

interface Project {
  readonly name: string;
  readonly tags?: readonly string[];
  readonly targets?: Readonly<Record<string, unknown>>;
}

const lintConfig = readFileSync(join(root, 'eslint.config.js'), 'utf8');
const folders = ['apps', 'libs', 'tools'].flatMap((parent) =>
  readdirSync(join(root, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${parent}/${name}`),
);

it('finds the workspace', () => {
  expect(folders).toContain('tools/boundaries');
  expect(folders.filter((folder) => folder.startsWith('apps/'))).toHaveLength(6);
});

describe.each(folders)('%s', (folder) => {
  const file = (name: string) => join(root, folder, name);
  const [parent, name] = folder.split('/');

  it('is a project with the files all projects have', () => {
    const missing = ['project.json', 'package.json', 'tsconfig.json', 'jest.config.js'].filter(
      (needed) => !existsSync(file(needed)),
    );
    expect(missing).toEqual([]);
  });

  it('has one type, one scope, a rule for both, and the targets of its kind', () => {
    const project = JSON.parse(readFileSync(file('project.json'), 'utf8')) as Project;
    const tags = project.tags ?? [];
    const needed = ['lint', 'typecheck', 'test', ...(parent === 'apps' ? ['build'] : [])];

    expect(project.name).toBe(name);
    expect(tags.filter((tag) => tag.startsWith('type:'))).toHaveLength(1);
    expect(tags.filter((tag) => tag.startsWith('scope:'))).toHaveLength(1);
    for (const tag of tags) expect(lintConfig).toContain(`sourceTag: '${tag}'`);
    expect(Object.keys(project.targets ?? {})).toEqual(expect.arrayContaining(needed));
  });
});
