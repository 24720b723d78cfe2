// Copies the resources of a running Routr v1 server, including secrets, to files that `sipgraph import` reads:
//
//   ROUTR=http://old-server:4567/api/v1beta1 ROUTR_USER=admin ROUTR_SECRET=... node docs/migrating/fetch.mjs old/

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { ROUTR: url, ROUTR_USER: user, ROUTR_SECRET: secret } = process.env;
const directory = process.argv[2];

function fail(message) {
  console.error(message);
  process.exit(1);
}

if (!url || !user || !secret || !directory) {
  fail('Set ROUTR, ROUTR_USER and ROUTR_SECRET, and name a directory: node docs/migrating/fetch.mjs old/');
}

async function get(path, query = '', headers = {}) {
  const response = await fetch(`${url}/${path}${query}`, { headers }).catch((error) =>
    fail(`GET ${url}/${path}: ${error.cause?.message || error.cause?.code || error.message}`),
  );
  if (!response.ok) fail(`GET ${url}/${path}: ${response.status}`);
  return response;
}

const basic = Buffer.from(`${user}:${secret}`).toString('base64');
const token = await (await get('credentials', '', { authorization: `Basic ${basic}` })).text();

async function refsOf(collection) {
  const refs = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const list = await (await get(collection, `?page=${page}&itemsPerPage=100&token=${token}`)).json();
    refs.push(...list.data.map(({ metadata }) => metadata.ref));
    pages = list.meta?.totalPages ?? 1;
  }
  return refs;
}

mkdirSync(directory, { recursive: true });
for (const collection of ['gateways', 'numbers', 'domains', 'agents', 'peers']) {
  const resources = [];
  for (const ref of await refsOf(collection)) {
    // Routr v1 omits secrets from lists, but not from a single resource.
    const { data, message } = await (await get(`${collection}/${ref}`, `?token=${token}`)).json();
    if (!data) fail(`GET ${url}/${collection}/${ref}: ${message}`);
    resources.push(data);
  }
  writeFileSync(join(directory, `${collection}.json`), `${JSON.stringify(resources, null, 2)}\n`, { mode: 0o600 });
  console.log(`${resources.length} ${collection}`);
}
