import { randomId } from '../graph/request';

/** Returns the Idempotency-Key with which a form sends this data. */
export type KeyOf = (data: object) => string;

/**
 * Creates the keys of a form. The same data has the same key, so saving again after a lost response creates nothing
 * twice. Changed data has a new key, because the server refuses a key that it has received with other data.
 */
export function createKeys(): KeyOf {
  let [sent, key] = ['', ''];
  return (data) => {
    const json = JSON.stringify(data);
    if (json !== sent) [sent, key] = [json, randomId()];
    return key;
  };
}
