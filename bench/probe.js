// Loaded into each measured server before its own code: tells the process's CPU time or memory when asked, and lets no
// server outlive the harness. JavaScript, because nothing compiles it there.
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc');

process.on('message', (what) => {
  if (what === 'memory') {
    collect();
    process.send(process.memoryUsage());
  } else process.send(process.cpuUsage());
});
process.on('disconnect', () => process.exit());
process.channel?.unref();
