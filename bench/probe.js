// Preloaded into each measured server. Reports the CPU time or memory of the process on request, and exits with the
// harness. JavaScript, because it is loaded without a compiler.
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc');

process.on('message', (what) => {
  if (what === 'memory') {
    collect();
    process.send(process.memoryUsage());
  } else if (what === 'peak') process.send(process.resourceUsage().maxRSS * 1024);
  else process.send(what === 'resident' ? process.memoryUsage.rss() : process.cpuUsage());
});
process.on('disconnect', () => process.exit());
process.channel?.unref();
