// The health check of the image: exits with 0 if the server responds. The image has no curl.
const { HOST = '127.0.0.1', PORT = '4567' } = process.env;
const host = ['0.0.0.0', '::', ''].includes(HOST) ? '127.0.0.1' : HOST;
const authority = host.includes(':') ? `[${host}]` : host;
fetch(`http://${authority}:${PORT || '4567'}/healthz`, { signal: AbortSignal.timeout(2500) }).then(
  ({ ok }) => process.exit(ok ? 0 : 1),
  () => process.exit(1),
);
