import { settables } from '../bulk/settable';
import { lineOf } from '../../../../src/spelling/csv';
import type { InputField } from '../model/fields';
import { type Kind, spokenField } from '../model/model';
import { texts } from '../texts';

/** A field that a column can set. */
export interface ImportField {
  /** Such as `geoInfo.city`, which is also the heading that the server knows. */
  readonly path: string;
  readonly input: InputField;
}

const REF = 'ref';

/** What people call fields, without spaces and signs. The first word that a file has is the best guess. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  ref: ['reference', 'metadataref'],
  name: ['displayname', 'fullname', 'label', 'title', 'description'],
  telUrl: ['phone', 'phonenumber', 'number', 'telephone', 'telephonenumber', 'tel', 'did', 'e164', 'msisdn', 'ddi'],
  lastTelUrl: ['to', 'last', 'lastnumber', 'rangeend', 'end', 'until', 'through'],
  aorLink: [
    ...['addressofrecord', 'aor', 'sipuri', 'sipaddress', 'sip', 'target', 'destination', 'leadsto', 'routeto'],
    ...['user', 'sipuser', 'agent', 'extension'],
  ],
  furtherTargets: ['targets', 'forward', 'forwardto', 'ringgroup'],
  gatewayRef: ['gateway', 'gwref', 'trunk', 'carrier', 'provider'],
  username: ['user', 'login', 'extension', 'ext', 'account', 'sipuser', 'authuser', 'authname', 'userid'],
  secret: ['password', 'pass', 'passwd', 'pwd', 'credentialssecret'],
  domains: ['domain', 'domainuri', 'domainuris', 'realm'],
  domainUri: ['uri', 'domain', 'realm', 'fqdn'],
  host: ['server', 'hostname', 'proxy', 'registrar', 'address', 'ip', 'ipaddress'],
  transport: ['protocol'],
  expires: ['expiry', 'registrationinterval'],
  sendRegister: ['register', 'registers'],
  sources: ['source', 'networks', 'ips'],
  maxContacts: ['devices', 'maxdevices', 'exmaxcontact', 'maxcontact'],
  device: ['product', 'model'],
  contactAddr: ['contact', 'contactaddress'],
  'geoInfo.city': ['town', 'location', 'place'],
  'geoInfo.countryISOCode': ['iso', 'isocode', 'countrycode'],
};

/** The values of the fields in a sample file. */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  name: 'Ada Lovelace',
  username: '1001',
  secret: 'a-long-secret',
  domains: ['sip.example.com'],
  domainUri: 'sip.example.com',
  host: 'sip.provider.example',
  port: 5060,
  expires: 3600,
  telUrl: '+49 30 1234567',
  aorLink: '1001@sip.example.com',
  furtherTargets: ['sip:1002@sip.example.com', 'tel:+49170555 after 20'],
  gatewayRef: 'Name of the gateway',
  maxContacts: 3,
  device: 'Asterisk',
  contactAddr: '192.0.2.10:5060',
  registries: ['sip2.provider.example:5060'],
  sources: ['192.0.2.0/24', '198.51.100.7'],
  'geoInfo.city': 'Berlin',
  'geoInfo.country': 'Germany',
  'geoInfo.countryISOCode': 'DE',
  'accessControlList.allow': ['192.0.2.0/24'],
};

/** The fields that the columns of a file can set: the reference, and those of the forms. */
export function importFields(kind: Kind): readonly ImportField[] {
  const ref = kind.create.filter(({ name }) => name === REF).map((input) => ({ path: REF, input }));
  return [...ref, ...settables(kind)];
}

/** The field that each column probably sets; empty if it is none. No field is guessed twice. */
export function guessFields(kind: Kind, headings: readonly string[]): readonly string[] {
  const fields = importFields(kind);
  const guessed = headings.map(() => '');
  const names: readonly ((path: string) => readonly string[])[] = [
    (path) => [plain(path)],
    (path) => [plain(path.split('.').at(-1) ?? path)],
    (path) => SYNONYMS[path] ?? [],
  ];
  for (const namesOf of names)
    for (const { path } of fields) {
      if (guessed.includes(path)) continue;
      for (const name of namesOf(path)) {
        const at = headings.findIndex((heading, index) => guessed[index] === '' && isNamed(heading, name));
        if (at === -1) continue;
        guessed[at] = path;
        break;
      }
    }
  return guessed;
}

/** The kind whose fields the most columns name; of several, the given one if it is among them. */
export function guessKind(kinds: readonly Kind[], headings: readonly string[], given: Kind): Kind {
  const fit = (kind: Kind): number => guessFields(kind, headings).filter((path) => path !== '').length;
  return kinds.reduce((best, kind) => (fit(kind) > fit(best) ? kind : best), given);
}

/** A file with the columns of a kind and an example, which a spreadsheet opens. */
export function sampleOf(kind: Kind): string {
  const fields = settables(kind);
  const examples = fields.map(({ path, input }) => EXAMPLES[path] ?? exampleOf(input));
  return lineOf(fields.map(({ path }) => path)) + lineOf(examples);
}

/** What a field is called: of a link, whose cells may have names, it is that of the link. */
export function headingOf(kind: Kind, path: string): string {
  return texts.kinds.heading(spokenField(kind, path));
}

function exampleOf({ sort, choices }: InputField): unknown {
  if (sort === 'choice') return choices[0]?.name;
  return sort === 'boolean' ? true : null;
}

/** Whether a heading is a name, also after words such as `spec.location.`. */
function isNamed(heading: string, name: string): boolean {
  return plain(heading) === name || plain(heading.split('.').at(-1) ?? '') === name;
}

function plain(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\d]/gu, '');
}
