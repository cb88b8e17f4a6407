import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export const CHROMIUM_ARGUMENTS = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Tests that need a browser; a machine without one says so and goes on, unless it is the one that must know. */
export function describeInChromium(name: string, suite: (executablePath: string) => void): void {
  const found = PLACES.find((place) => existsSync(place));
  if (found !== undefined) {
    describe(name, () => {
      suite(found);
    });
    return;
  }
  if (process.env.CI === 'true') {
    describe(name, () => {
      it('finds a browser', () => {
        expect(found).toBeDefined();
      });
    });
    return;
  }
  process.stderr.write(`No browser in ${PLACES.join(', ')}: ${name} is not tested\n`);
  describe.skip(name, () => {
    suite('');
  });
}
