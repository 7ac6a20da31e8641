// Prints `N passed, N failed` over the vitest JSON reports in a folder; exits 1 when one failed or there is none.
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

const folder = process.argv[2];
const reports = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
const sum = (figure) => reports.reduce((total, report) => total + figure(report), 0);

// A file that cannot be loaded fails without one failed test in it: it counts as one.
const isBroken = (file) => file.status === 'failed' && file.assertionResults.every(({status}) => status !== 'failed');

const passed = sum((report) => report.numPassedTests);
const failed = sum((report) => report.numFailedTests + report.testResults.filter(isBroken).length);
const skipped = sum((report) => report.numPendingTests + report.numTodoTests);

if (skipped > 0) {
  console.log(`${skipped} skipped`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = reports.length > 0 && reports.every((report) => report.success) ? 0 : 1;
