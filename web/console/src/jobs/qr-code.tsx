import { encode } from 'uqr';

import type { PhoneAccount } from './account';
import { words } from './texts';

/** Modules around a code, without which phones do not find it (ISO/IEC 18004). */
const BORDER = 4;

/** What a phone needs to register, as a QR code: dark on light in both themes, because many readers need it so. */
export function QrCode({ account }: { readonly account: PhoneAccount }) {
  const { size, data } = encode(accountConfigOf(account), { ecc: 'L', border: BORDER });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join('');
  return (
    <svg
      role="img"
      aria-label={words.card.code}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      style={{ width: '18rem', maxWidth: '100%', display: 'block' }}
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={path} />
    </svg>
  );
}

/** The account in the format of GS Wave, which needs no server that it is read from (docs/console.md). */
function accountConfigOf({ server, username, secret, name }: PhoneAccount): string {
  const values = {
    RegisterServer: server,
    OutboundServer: '',
    UserID: username,
    AuthID: username,
    AuthPass: secret,
    AccountName: username,
    DisplayName: name,
  };
  const elements = Object.entries(values).map(([tag, value]) => `<${tag}>${escaped(value)}</${tag}>`);
  return `<?xml version="1.0" encoding="utf-8"?><AccountConfig version="1"><Account>${elements.join('')}</Account></AccountConfig>`;
}

function escaped(text: string): string {
  return text.replace(/[<>&'"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
