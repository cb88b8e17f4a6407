import { isIP } from 'node:net';
import { splitList } from './convert.ts';

/** Anything else would stop the server with an error that names no variable. */
export function trustProxyProblems(text: string | undefined): string[] {
  if (text === undefined || /^(?:true|false|\d{1,3})$/.test(text)) return [];
  const items = splitList(text);
  if (items.length > 0 && items.every(isAddressOrRange)) return [];
  return ['TRUST_PROXY must be true, false, a number of hops, or a list of addresses and CIDR ranges'];
}

function isAddressOrRange(item: string): boolean {
  const [address = '', prefix, ...rest] = item.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  const bits = Number(prefix);
  return /^\d{1,3}$/.test(prefix) && bits >= 1 && bits <= (version === 4 ? 32 : 128);
}
