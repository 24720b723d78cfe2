// Loaded into each measured server before its own code: tells the process's CPU time when asked, and lets no server
// outlive the harness. JavaScript, because nothing compiles it there.
process.on('message', () => process.send(process.cpuUsage()));
process.on('disconnect', () => process.exit());
process.channel?.unref();
