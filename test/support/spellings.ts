/** Numbers as people write them, and the numbers that they mean in a home country; `''` is none. */
export const SPELLINGS: readonly (readonly [written: string, home: '' | 'DE' | 'US', telUrl: string])[] = [
  ['+1 706 604-1500', '', 'tel:+17066041500'],
  ['tel: +1 (706) 604.1500', '', 'tel:+17066041500'],
  ['TEL:+17066041500', '', 'tel:+17066041500'],
  ['0049 30 1234567', '', 'tel:+49301234567'],
  ['0049 30 1234567', 'US', 'tel:+49301234567'],
  ['+49 (0)30 / 1234567', '', 'tel:+49301234567'],
  ['+49\u00A030\u20111234567', '', 'tel:+49301234567'],
  ['\u202A+49 30 1234567\u202C', '', 'tel:+49301234567'],
  ['＋４９ ３０ １２３４５６７', '', 'tel:+49301234567'],
  ['011 44 20 7946 0958', 'US', 'tel:+442079460958'],
  ['(706) 604-1500', 'US', 'tel:+17066041500'],
  ['1.706.604.1500', 'US', 'tel:+17066041500'],
  ['[030] 1234567', 'DE', 'tel:+49301234567'],
  ['030/1234567', 'DE', 'tel:+49301234567'],
  // Without a home country, or in another one, these are the digits that are dialled.
  ['030 1234567', '', 'tel:0301234567'],
  ['030 1234567', 'US', 'tel:0301234567'],
  ['011 44 20 7946 0958', '', 'tel:011442079460958'],
  // Short numbers, and those without an area code, mean no number of the country.
  ['1001', 'DE', 'tel:1001'],
  ['234 567', 'DE', 'tel:234567'],
  ['*21#', 'DE', 'tel:*21#'],
  // Numbers for tests, which no country has.
  ['+999 (99) 1', 'DE', 'tel:+999991'],
  ['0000000000', 'US', 'tel:0000000000'],
  // A tel URI stays as it is.
  ['tel:0301234567', 'DE', 'tel:0301234567'],
  ['tel:+1-706-604-1500;ext=5', 'US', 'tel:+1-706-604-1500;ext=5'],
];

/** Addresses of record as people write them, and as URIs. */
export const ADDRESSES: readonly (readonly [written: string, aorLink: string])[] = [
  ['1001@sip.local', 'sip:1001@sip.local'],
  ['SIP:1001@sip.local', 'sip:1001@sip.local'],
  ['\u00A0sip: 1001@sip.local\u200B', 'sip:1001@sip.local'],
  ['sips:1001@sip.local', 'sips:1001@sip.local'],
];
