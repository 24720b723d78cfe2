import { CAST, type Name } from './cast';
import type { Template } from './grammar';
import type { WrittenHeader } from './headers';

/** What the placeholders of a template stand for. */
export interface Meaning {
  /** Who writes, and to whom. */
  readonly by: Name;
  readonly other: Name;
  /** The tag of the other one, without its name. */
  readonly theirTag: string;
  /** The address of somebody, or of `kamailio`, as host:port. */
  readonly placeOf: (name: string) => string;
}

/** Headers, as they are sent. */
export interface Lines {
  readonly lines: readonly string[];
  /** The names of the usual headers that are not sent, in lower case. */
  readonly replaced: ReadonlySet<string>;
}

/** The headers that somebody writes, after the usual ones that they do not replace. */
export function renderHeaders(
  written: readonly WrittenHeader[],
  usual: Readonly<Record<string, string>>,
  meaning: Meaning,
): Lines {
  const replaced = new Set(written.filter(({ isAdded }) => !isAdded).map(({ name }) => name));
  const kept = Object.entries(usual).filter(([name]) => !replaced.has(name.toLowerCase()));
  return {
    lines: [
      ...kept.map(([name, value]) => `${name}: ${value}`),
      ...written.map(({ written: name, value }) => name + render(value, meaning)),
    ],
    replaced,
  };
}

/** Replaces the placeholders of a template (grammar.ts). */
export function render(template: Template, { by, other, theirTag, placeOf }: Meaning, usual = ''): string {
  const texts: Readonly<Record<string, string>> = {
    ...{ usual, me: CAST[by].user, them: CAST[other].user, home: CAST[by].domain, theirtag: theirTag },
    ...{ ME: CAST[by].user.toUpperCase(), THEM: CAST[other].user.toUpperCase() },
  };
  return template.replace(/\{(\w+)(?:\.(\w+))?\}/g, (_, what: string, part?: string) => {
    const name = what === 'own' ? by : what === 'other' ? other : what;
    return texts[what] ?? partOf(placeOf(name), part);
  });
}

/** A part of an address, or another notation of it. */
function partOf(place: string, part: string | undefined): string {
  const [ip = '', port = ''] = place.split(':');
  if (part === undefined) return place;
  if (part === 'port') return port;
  const bytes = ip.split('.').map(Number);
  if (part === 'zeros') return bytes.map((byte) => String(byte).padStart(3, '0')).join('.');
  if (part === 'decimal') return String(bytes.reduce((sum, byte) => sum * 256 + byte, 0));
  return ip;
}
