import { dailyMinutes, maxCalls, maxCallsPerSecond } from './call-limits';
import { KindOf, Property } from './declare';
import { enabledField } from './enabled';
import { choice, integer, list, reference, secretText, text } from './format/format';
import { host } from './format/host';
import { userName } from './format/user-name';
import { Resource } from './kind';

/** A SIP user. */
@KindOf({
  name: 'Agent',
  collection: 'agents',
  prefix: 'ag',
  table: 'agents',
  about: 'A SIP user, such as a person with a phone, who registers in one or more domains.',
  unique: [{ fields: ['username', 'domains'], columns: ['domain_id', 'username'] }],
  indices: { name: ['name'], username: ['username'], caller_number: ['caller_number_id'] },
  inverse: {
    domains: { name: 'agents', about: 'The agents of this domain.' },
    callerNumber: { name: 'agents', about: 'The agents that show this number when they call.' },
  },
  legacyRef: { prefix: 'ag', fields: ['username', 'domains'] },
})
export class Agent extends Resource {
  @Property({ path: 'metadata.name', format: text(100), required: true, about: 'Display name.' })
  name!: string;

  @Property({
    path: 'spec.credentials.username',
    format: userName(),
    required: true,
    about: 'SIP user name: at most 64 bytes, without @, : and ". Unique within each of the domains.',
  })
  username!: string;

  @Property({
    path: 'spec.credentials.secret',
    format: secretText(100),
    required: true,
    secret: true,
    about: 'Password for digest authentication (RFC 3261, 22).',
  })
  secret!: string;

  @Property({
    path: 'spec.domains',
    format: list(host(), { min: 1 }),
    required: true,
    about: 'URIs of the domains that the agent belongs to, in order.',
    refersTo: {
      kind: 'Domain',
      by: 'domainUri',
      link: 'domains',
      linkAbout: 'The domains that the agent belongs to, in order.',
      column: 'domain_id',
      through: { table: 'agent_domains', owner: 'agent_id', repeats: 'username' },
    },
  })
  domains!: readonly string[];

  @Property({
    path: 'spec.privacy',
    format: choice(
      'Privacy',
      "Whether the agent's identity is hidden from the callee (RFC 3323).",
      ['Private', 'None'],
      { anyCase: true },
    ),
    about: "Whether the agent's identity is hidden from the callee.",
  })
  privacy!: string | null;

  @Property({
    path: 'spec.ex_maxContact',
    format: integer(0, 2_147_483_647),
    about: 'Maximum number of registered devices.',
  })
  maxContacts!: number | null;

  @Property({
    path: 'spec.callerNumberRef',
    format: reference(),
    about: 'Reference of the Number that the agent shows when it calls through the gateway of that number.',
    refersTo: {
      kind: 'Number',
      by: 'ref',
      link: 'callerNumber',
      linkAbout: 'The number that the agent shows when it calls through the gateway of that number.',
      column: 'caller_number_id',
    },
  })
  callerNumberRef!: string | null;

  @Property(enabledField('the agent cannot register or be called, and can call only emergency numbers.'))
  enabled!: boolean | null;

  @Property(maxCalls('spec.maxCalls', 'that the agent makes'))
  maxCalls!: number | null;

  @Property(maxCallsPerSecond('spec.maxCallsPerSecond', 'that the agent makes'))
  maxCallsPerSecond!: number | null;

  @Property(dailyMinutes('spec.dailyMinutes', 'that the agent makes'))
  dailyMinutes!: readonly string[] | null;
}
