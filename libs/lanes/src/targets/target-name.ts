import { createHash } from 'node:crypto';

const MAX_LENGTH = 300;

/** How a target is called where workers share what they know of it: in lower case, as the column compares, and never too long for it. */
export function targetName(target: string): string {
  const name = target.toLowerCase();
  if (name.length <= MAX_LENGTH) return name;
  const digest = createHash('sha256').update(name).digest('hex');
  return `${name.slice(0, MAX_LENGTH - 1 - digest.length)}#${digest}`;
}

/** How a lane is called where pauses are kept. */
export function laneTarget(lane: string): string {
  return targetName(`lane:${lane}`);
}
