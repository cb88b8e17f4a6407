import { copyFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { transform } from '@swc/core';
import { build } from 'esbuild';
import { swcOptions } from './swc-options.js';

/** `node tools/build-service.js <project>` makes dist/<project root>: a folder that runs after `npm ci`. */
const workspaceRoot = join(import.meta.dirname, '..');

function findProjectRoot(name) {
  const root = ['apps', 'tools']
    .map((folder) => `${folder}/${name}`)
    .find((candidate) => existsSync(join(workspaceRoot, candidate, 'src/main.ts')));
  if (!root) throw new Error(`No apps/${name}/src/main.ts and no tools/${name}/src/main.ts`);
  return root;
}

/** Packages whose files are read, not imported: the bundler does not see them. */
const RESOLVED = /createRequire\(import\.meta\.url\)\.resolve\(['"]([^'"]+)['"]\)/g;

/** Workspace code goes into the bundle, npm packages stay outside: Nest and TypeORM load some of theirs by name. */
const workspaceOnly = (projectRoot, resolved) => ({
  name: 'workspace-only',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@malote/') ? undefined : { path, external: true },
    );
    // esbuild alone emits no decorator metadata.
    onLoad({ filter: /\.ts$/ }, async ({ path: filename }) => {
      const { code } = await transform(await readFile(filename, 'utf8'), { ...swcOptions, filename });
      for (const [, path] of code.matchAll(RESOLVED)) resolved.push(packageOf(path));
      return { contents: keepFolder(code, filename, projectRoot), loader: 'js' };
    });
  },
});

/**
 * All code moves into one file at the top of the folder; files found through `import.meta.dirname` must stay found.
 * Packages are found from anywhere; other uses would break without a word, so they break the build.
 */
function keepFolder(code, filename, projectRoot) {
  const uses = code.replaceAll('createRequire(import.meta.url)', '').match(/\bimport\.meta\.\w+/g) ?? [];
  if (uses.length === 0) return code;
  const folder = relative(join(workspaceRoot, projectRoot), dirname(filename));
  if (folder.startsWith('..') || uses.some((use) => use !== 'import.meta.dirname')) {
    throw new Error(`${filename}: ${uses[0]} does not survive bundling`);
  }
  return code.replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${folder}`)})`);
}

async function bundle(projectRoot, outfile, chosen) {
  const resolved = [];
  const { metafile } = await build({
    absWorkingDir: workspaceRoot,
    entryPoints: [`${projectRoot}/src/main.ts`],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    keepNames: true,
    metafile: true,
    logLevel: 'warning',
    tsconfigRaw: {},
    plugins: [workspaceOnly(projectRoot, resolved)],
  });
  const imports = metafile.outputs[outfile].imports.filter(
    ({ path, external }) => external && !isBuiltin(path),
  );
  // What the workspace did not choose itself comes with a package that it did.
  const read = resolved.filter((name) => name in chosen);
  return [...new Set([...imports.map(({ path }) => packageOf(path)), ...read])];
}

function packageOf(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/**
 * What a package loads by name at run time (class-transformer, @fastify/static, mssql …) it declares as a peer
 * dependency; of those, the ones the workspace has chosen are needed too.
 */
function withPeers(names, lock, chosen) {
  const all = new Set(names);
  for (const name of all) {
    if (!(name in chosen)) throw new Error(`${name} is imported but not in the root package.json`);
    const peers = Object.keys(lock.packages[`node_modules/${name}`]?.peerDependencies ?? {});
    for (const peer of peers) if (peer in chosen) all.add(peer);
  }
  return [...all].sort();
}

/** Where Node would find `name` when a package at `from` asks for it. */
function locate(lock, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = folder ? `${folder}/node_modules/${name}` : `node_modules/${name}`;
    if (place in lock.packages) return place;
    if (!folder) return undefined;
  }
}

function needsOf({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }) {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** The part of the root lock these packages reach, each in its place: `npm ci` installs the tree that was tested. */
function pruneLock(lock, names) {
  const reached = new Set(names.map((name) => `node_modules/${name}`));
  for (const place of reached) {
    for (const name of needsOf(lock.packages[place])) {
      const found = locate(lock, place, name);
      if (found) reached.add(found);
    }
  }
  const packages = [...reached].sort().map((place) => {
    const { devOptional, ...entry } = lock.packages[place];
    return [place, devOptional ? { ...entry, optional: true } : entry];
  });
  return Object.fromEntries(packages);
}

/** npm refuses a lock that only an override explains, and there is no need to carry the others. */
function applicableOverrides(overrides, packages) {
  const present = new Set(Object.keys(packages).map((place) => place.split('node_modules/').at(-1)));
  return Object.fromEntries(Object.entries(overrides).filter(([name]) => present.has(name)));
}

const readJson = async (file) => JSON.parse(await readFile(join(workspaceRoot, file), 'utf8'));
const writeJson = (file, value) =>
  writeFile(join(workspaceRoot, file), `${JSON.stringify(value, null, 2)}\n`);

const projectRoot = findProjectRoot(process.argv[2]);
const out = `dist/${projectRoot}`;
await rm(join(workspaceRoot, out), { recursive: true, force: true });
await mkdir(join(workspaceRoot, out), { recursive: true });

const [workspace, project, lock] = await Promise.all([
  readJson('package.json'),
  readJson(`${projectRoot}/package.json`),
  readJson('package-lock.json'),
]);
const imported = await bundle(projectRoot, `${out}/main.js`, workspace.dependencies);
const names = withPeers(imported, lock, workspace.dependencies);
const packages = pruneLock(lock, names);
const manifest = {
  name: project.name,
  version: project.version,
  private: true,
  license: workspace.license,
  type: 'module',
  engines: workspace.engines,
  dependencies: Object.fromEntries(names.map((name) => [name, workspace.dependencies[name]])),
  overrides: applicableOverrides(workspace.overrides, packages),
};
const { private: _, type, overrides, ...described } = manifest;
await writeJson(`${out}/package.json`, manifest);
await writeJson(`${out}/package-lock.json`, {
  name: project.name,
  version: project.version,
  lockfileVersion: lock.lockfileVersion,
  requires: true,
  packages: { '': described, ...packages },
});

const scripts = (await readdir(join(workspaceRoot, projectRoot))).filter((file) => file.endsWith('.sql'));
await Promise.all(
  scripts.map((file) => copyFile(join(workspaceRoot, projectRoot, file), join(workspaceRoot, out, file))),
);
