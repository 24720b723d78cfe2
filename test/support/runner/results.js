// Reads the results of test runs, NAME.json in a folder; NAME.again.json is a second run of the files that failed in NAME.json.
// `failed FOLDER NAME` prints the test files that failed; `summary FOLDER STATUS` prints what failed and `N passed, N failed`;
// `times FOLDER` prints the slowest files, and what failed in those that ran again.
const { existsSync, readFileSync, readdirSync } = require('node:fs');
const { basename } = require('node:path');
const { stripVTControlCharacters } = require('node:util');

const [command, folder, argument] = process.argv.slice(2);
const SLOWEST = 20;
// Characters of a message that are printed.
const MESSAGE = 400;

const filesOf = (name) => {
  const path = `${folder}/${name}.json`;
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).testResults : [];
};
const failed = (files) => files.filter(({ status }) => status === 'failed');
const count = (files, wanted) =>
  files.flatMap((file) => file.assertionResults).filter(({ status }) => status === wanted).length;
/** The tests of a file that failed, each with the start of its message. */
const failures = ({ assertionResults, message }) => {
  const broken = assertionResults.filter(({ status }) => status === 'failed');
  if (broken.length === 0) return message ? [startOf(message)] : [];
  return broken.map(({ title, failureMessages }) => `${title}: ${startOf(failureMessages.join(' '))}`);
};
const startOf = (message) => stripVTControlCharacters(message).replace(/\s+/g, ' ').trim().slice(0, MESSAGE);
const names = () => readdirSync(folder).flatMap((file) => /^(\w+)\.json$/.exec(file)?.[1] ?? []);

if (command === 'failed') {
  for (const { name } of failed(filesOf(argument))) console.log(name);
} else if (command === 'times') {
  const times = names().flatMap((run) =>
    filesOf(run).map(({ name, startTime, endTime }) => ({ run, name, seconds: (endTime - startTime) / 1000 })),
  );
  console.log('The slowest files, in seconds:');
  for (const { run, name, seconds } of times.sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST))
    console.log(`${seconds.toFixed(1).padStart(7)} ${basename(name)} (${run})`);
  for (const run of names()) {
    const first = new Map(filesOf(run).map((file) => [file.name, file]));
    for (const file of filesOf(`${run}.again`)) {
      const hasPassed = file.status === 'passed';
      console.log(`Ran again, and ${hasPassed ? 'passed' : 'failed again'}: ${basename(file.name)} (${run})`);
      for (const failure of failures(first.get(file.name))) console.log(`  at first: ${failure}`);
      for (const failure of failures(file)) console.log(`  again: ${failure}`);
    }
  }
} else {
  const all = names().flatMap((name) => {
    const again = new Map(filesOf(`${name}.again`).map((file) => [file.name, file]));
    return filesOf(name).map((file) => again.get(file.name) ?? file);
  });
  const broken = failed(all).filter(
    ({ assertionResults }) => !assertionResults.some(({ status }) => status === 'failed'),
  ).length;
  // Last of all, because some viewers of CI show the end of its output alone.
  for (const file of failed(all))
    for (const failure of failures(file)) console.log(`Failed: ${basename(file.name)}: ${failure}`);
  // A step that failed without a failed test (lint, a stale schema, a missing database) counts as one.
  const faults = count(all, 'failed') + broken || (argument === '0' ? 0 : 1);
  console.log(`${count(all, 'passed')} passed, ${faults} failed`);
}
