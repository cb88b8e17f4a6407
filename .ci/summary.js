import { readFileSync } from 'node:fs';

/** `summary.js <jest results> [broken step …]` prints the verdict as the last line and exits accordingly. */
const [resultsFile, ...broken] = process.argv.slice(2);
const testStep = 'npm test';

function readResults() {
  try {
    return JSON.parse(readFileSync(resultsFile, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 0 };
  }
}

const { numPassedTests: passed, numFailedTests, numRuntimeErrorTestSuites } = readResults();
const otherSteps = broken.filter((step) => step !== testStep);
for (const step of otherSteps) console.log(`Failed: ${step}`);

// Jest can fail without a failing test (a crash, a leak, nothing to run); that is a failure too.
const testFailures = numFailedTests + numRuntimeErrorTestSuites;
const unexplained = testFailures === 0 && (broken.includes(testStep) || passed === 0) ? 1 : 0;
const failed = testFailures + unexplained + otherSteps.length;

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
