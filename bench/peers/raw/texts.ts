import type { Row } from '../database';
import { cursorOf } from '../documents';
import { quoted, quotedOrNull, timestamp } from './json';

/** A DID with its gateway. `at` is the first of its columns. */
export function didText(row: Row, at: number): string {
  return `{"ref":${quoted(row[at])},"telUrl":${quoted(row[at + 1])},"aorLink":${quoted(row[at + 2])},"gateway":{"ref":${quoted(
    row[at + 3],
  )},"name":${quoted(row[at + 4])},"host":${quoted(row[at + 5])}}}`;
}

/** At most `size` DIDs with their gateways. The first column of the rows is the id. */
export function didTexts(rows: readonly Row[], size: number): string {
  let text = '';
  for (let index = 0; index < rows.length && index < size; index++) {
    if (index > 0) text += ',';
    text += didText(rows[index] as Row, 1);
  }
  return text;
}

/** The `pageInfo` of a page of `size` resources. One more row shows that another page follows. */
export function pageInfoText(rows: readonly Row[], size: number): string {
  const last = rows[Math.min(rows.length, size) - 1];
  const endCursor = last ? `"${cursorOf(last[0] as number)}"` : 'null';
  return `{"hasNextPage":${rows.length > size},"endCursor":${endCursor}}`;
}

/** Gateways with their DIDs. Each row has a gateway, and a DID unless it has none. */
export function gatewayTexts(rows: readonly Row[]): string {
  let text = '';
  let gateway: unknown;
  for (const row of rows) {
    if (row[0] !== gateway) {
      if (text !== '') text += ']}},';
      gateway = row[0];
      text += `{"ref":${quoted(row[1])},"name":${quoted(row[2])},"host":${quoted(row[3])},"dids":{"nodes":[`;
    } else text += ',';
    if (row[4] !== null) text += `{"ref":${quoted(row[4])},"telUrl":${quoted(row[5])}}`;
  }
  return text === '' ? '' : `${text}]}}`;
}

/** Agents with their domains. Each row has an agent, and a domain unless it has none. */
export function agentTexts(rows: readonly Row[]): string {
  let text = '';
  let agent: unknown;
  for (const row of rows) {
    if (row[0] !== agent) {
      if (text !== '') text += ']},';
      agent = row[0];
      text += `{"ref":${quoted(row[1])},"name":${quoted(row[2])},"username":${quoted(row[3])},"domains":[`;
    } else text += ',';
    if (row[4] !== null) text += `{"ref":${quoted(row[4])},"name":${quoted(row[5])},"domainUri":${quoted(row[6])}}`;
  }
  return text === '' ? '' : `${text}]}`;
}

/** Gateways without their DIDs. */
export function gatewayOnlyTexts(rows: readonly Row[]): string {
  let text = '';
  for (const row of rows) {
    if (text !== '') text += ',';
    text += `{"ref":${quoted(row[0])},"name":${quoted(row[1])},"host":${quoted(row[2])},"port":${String(row[3])}}`;
  }
  return text;
}

/** The documents of gateways (docs/rest-contract.md, section 2.4). */
export function gatewayDocuments(rows: readonly Row[]): string {
  let text = '';
  for (const row of rows) {
    if (text !== '') text += ',';
    text += `{"apiVersion":"v1beta1","kind":"Gateway","metadata":{"name":${quoted(row[1])},"ref":${quoted(row[0])},"createdOn":${timestamp(
      row[2],
    )},"modifiedOn":${timestamp(row[3])}},"spec":{"host":${quoted(row[4])}`;
    if (row[5] !== null) text += `,"credentials":{"username":${quoted(row[5])},"secret":${quotedOrNull(row[6])}}`;
    text += `,"transport":${quoted(row[7])}`;
    if (row[8] !== null) text += `,"port":${String(row[8])}`;
    if (row[9] !== null) text += `,"expires":${String(row[9])}`;
    if (row[10] !== null) text += `,"sendRegister":${row[10] === 1}`;
    // Stored as JSON.
    if (row[11] !== null) text += `,"registries":${String(row[11])}`;
    text += '}}';
  }
  return text;
}

/** The documents of agents (docs/rest-contract.md, section 2.5), and their number. Each row has a domain, if any. */
export function agentDocuments(rows: readonly Row[]): { readonly text: string; readonly count: number } {
  let text = '';
  let count = 0;
  let agent: unknown;
  let end = '';
  for (const row of rows) {
    if (row[0] !== agent) {
      if (count > 0) text += end;
      count++;
      agent = row[0];
      text += `{"apiVersion":"v1beta1","kind":"Agent","metadata":{"name":${quoted(row[1])},"ref":${quoted(row[0])},"createdOn":${timestamp(
        row[2],
      )},"modifiedOn":${timestamp(row[3])}},"spec":{"credentials":{"username":${quoted(row[4])},"secret":${quoted(row[5])}},"domains":[`;
      end = agentEnd(row);
    } else text += ',';
    if (row[8] !== null) text += quoted(row[8]);
  }
  return { text: count > 0 ? text + end.slice(0, -1) : text, count };
}

function agentEnd(row: Row): string {
  if (row[6] === null && row[7] === null) return ']}},';
  const privacy = row[6] === null ? '' : `,"privacy":${quoted(row[6])}`;
  const contacts = row[7] === null ? '' : `,"ex_maxContact":${String(row[7])}`;
  return `]${privacy}${contacts}}},`;
}

/** The document of a DID (docs/rest-contract.md, section 2.8). */
export function didDocument(row: Row): string {
  return `{"apiVersion":"v1beta1","kind":"DID","metadata":{"ref":${quoted(row[0])},"gwRef":${quoted(
    row[3],
  )},"geoInfo":{"city":${quoted(row[4] ?? '')},"country":${quoted(row[5] ?? '')},"countryISOCode":${quoted(
    row[6] ?? '',
  )}},"createdOn":${timestamp(row[1])},"modifiedOn":${timestamp(row[2])}},"spec":{"location":{"telUrl":${quoted(
    row[7],
  )},"aorLink":${quoted(row[8])}}}}`;
}
