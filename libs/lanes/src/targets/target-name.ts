import { createHash } from 'node:crypto';

const MAX_LENGTH = 300;

/** How a target is called where workers share what they know of it: in lower case, as the column compares, and never too long for it. */
export function targetName(target: string): string {
  return shortName(target.toLowerCase(), MAX_LENGTH);
}

/** How a lane is called where pauses are kept. */
export function laneTarget(lane: string): string {
  return targetName(`lane:${lane}`);
}

/** The name itself where it is short enough; else its beginning, and a digest of all of it. */
export function shortName(name: string, maxLength: number): string {
  if (name.length <= maxLength) return name;
  const digest = createHash('sha256').update(name).digest('hex');
  return `${name.slice(0, maxLength - 1 - digest.length)}#${digest}`;
}
