const { basename } = require('node:path');

const SLOWEST = 20;

/** Prints the slowest files of a run of all tests. test/all prints those of its runs together, from their results. */
module.exports = class SlowestReporter {
  constructor(globalConfig) {
    this.isAlone = !globalConfig.json;
  }

  onRunComplete(_contexts, { testResults, startTime }) {
    if (!this.isAlone || testResults.length <= SLOWEST) return;
    const seconds = (milliseconds) => (milliseconds / 1000).toFixed(1).padStart(7);
    const slowest = testResults
      .filter(({ perfStats }) => perfStats.runtime > 0)
      .sort((a, b) => b.perfStats.runtime - a.perfStats.runtime)
      .slice(0, SLOWEST)
      .map(({ testFilePath, perfStats }) => `${seconds(perfStats.runtime)} ${basename(testFilePath)}`);
    process.stderr.write(`\nThe slowest files, in seconds:\n${slowest.join('\n')}\n`);
    process.stderr.write(`${seconds(Date.now() - startTime)} in total\n`);
  }
};
