// Preloaded into an import, which then writes no entries of the journal. JavaScript, because it is loaded without a compiler.
require('../dist/changes/outbox').noteChange = () => undefined;
