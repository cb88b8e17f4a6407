const LOCAL = 'http://local.invalid';

/**
 * Where to go after the login: a path of this site, or home. A browser takes `//host` and `/\host` for another site, and drops
 * tabs and line ends before it looks.
 */
export function returnPath(wanted: string | undefined): string {
  if (wanted === undefined || !/^\/(?![/\\])[\x21-\x7e]*$/.test(wanted) || wanted.includes('\\')) return '/';
  if (!URL.canParse(wanted, LOCAL)) return '/';
  const { origin, pathname, search } = new URL(wanted, LOCAL);
  // `/..//host` becomes `//host` once it is resolved.
  return origin === LOCAL && !pathname.startsWith('//') ? pathname + search : '/';
}
