/** Code that verifies the signature of a message (docs/webhooks.md). A test runs it with a real message. */
export const VERIFICATION = {
  'Node.js': `const { createHmac, timingSafeEqual } = require('node:crypto');

// Whether sipgraph sent a message: its headers, with names in lower case, and its body, as it was received.
function verify(secret, headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < 300)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update([id, timestamp, ''].join('.')).update(body).digest();
  return String(signatures)
    .split(' ')
    .map((each) => Buffer.from(each.replace(/^v1,/, ''), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}
`,
  Python: `import base64, hashlib, hmac, time


def verify(secret: str, headers, body: bytes) -> bool:
    """Whether sipgraph sent a message: its headers, with names in lower case, and its body, as it was received."""
    message_id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if not timestamp.isascii() or not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    return any(hmac.compare_digest(each.encode(), expected) for each in headers["webhook-signature"].split(" "))
`,
  Shell: `# Whether sipgraph sent a message: its body, as it was received, is in the file $1, and its headers are in WEBHOOK_ID,
# WEBHOOK_TIMESTAMP and WEBHOOK_SIGNATURE.
case "$WEBHOOK_TIMESTAMP" in '' | *[!0-9]* | ???????????*) exit 1 ;; esac
age=$(($(date +%s) - WEBHOOK_TIMESTAMP))
[ "$age" -gt -300 ] && [ "$age" -lt 300 ] || exit 1
key=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
expected=$({ printf '%s.%s.' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP" && cat "$1"; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
case " $WEBHOOK_SIGNATURE " in *" v1,$expected "*) exit 0 ;; esac
exit 1
`,
} as const;
