import { readdirSync, existsSync } from 'node:fs';

const projects = ['apps', 'libs', 'tools']
  .flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`))
  .filter((project) => existsSync(`${project}/jest.config.js`));

export default {
  projects: projects.map((project) => `<rootDir>/${project}`),
  // Jest keeps ES modules of finished files alive; a fresh worker is cheaper than the memory.
  workerIdleMemoryLimit: '768MB',
  testTimeout: 20_000,
};
