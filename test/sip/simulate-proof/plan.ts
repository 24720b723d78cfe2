import fc from 'fast-check';

import { aorLinkOf, furtherOf, type Built } from '../call-proof/build';
import { further, NUMBERS, RULES, target, USERS, type FurtherOf, type Place, type World } from '../call-proof/world';

/** A change of `applyChanges`, as GraphQL writes it. */
export type Change = Readonly<Record<string, unknown>>;

/** A step of a plan. Everything refers to others by position, modulo how many there are, as in a World. */
export interface Step {
  /** One of STEPS. */
  readonly name: string;
  /** The position of what it changes. */
  readonly at: number;
  /** The position of what it refers to. */
  readonly other: number;
  /** Which of the possible values it sets. */
  readonly pick: number;
  readonly target: string;
  readonly further: readonly FurtherOf[];
}

/** What a step may be about. */
export interface Scene {
  readonly world: World;
  readonly place: Place;
  readonly refs: Built['refs'];
  /** The numbers before the plan, by ref. */
  readonly telUrls: ReadonlyMap<string, string>;
  /** The position of the step, which no other step has. */
  readonly index: number;
}

type Kind = keyof Built['refs'];
type Values = Readonly<Record<string, unknown>>;
type Make = (step: Step, scene: Scene) => readonly Change[];

const one = <T>(items: readonly T[], at: number): T | undefined => items[at % Math.max(1, items.length)];
const refOf = ({ refs }: Scene, kind: Kind, at: number): string | undefined => one(refs[kind], at);
const fieldOf = (kind: Kind): string => (kind === 'DID' ? 'did' : kind.toLowerCase());

function update(kind: Kind, values: (step: Step, scene: Scene) => Values | undefined): Make {
  return (step, scene) => {
    const ref = refOf(scene, kind, step.at);
    const given = values(step, scene);
    return ref === undefined || !given ? [] : [{ update: { ref, [fieldOf(kind)]: given } }];
  };
}

function create(kind: Kind, values: (step: Step, scene: Scene) => Values | undefined): Make {
  return (step, scene) => {
    const given = values(step, scene);
    return given ? [{ create: { [fieldOf(kind)]: { ref: newRef(scene, kind), ...given } } }] : [];
  };
}

function remove(kind: Kind): Make {
  return (step, scene) => {
    const ref = refOf(scene, kind, step.at);
    return ref === undefined ? [] : [{ delete: { kind, ref } }];
  };
}

/** Given, so that a simulation and the change itself have the same. */
const newRef = ({ place, index }: Scene, kind: string): string =>
  `${kind.toLowerCase()}w${String(place.index)}s${String(index)}`;

const telUrlOf = ({ pick }: Step, { place }: Scene): string => `tel:${place.text(one(NUMBERS, pick) ?? '')}`;
const isOn = ({ pick }: Step): boolean => pick % 2 === 0;
const enabled = (step: Step): Values => ({ enabled: isOn(step) });
const targetsOf = (step: Step, { place, world }: Scene): Values => {
  const aorLink = aorLinkOf(step.target, place, world);
  return { aorLink, furtherTargets: furtherOf(step, aorLink, place, world) };
};
const userOf = ({ pick }: Step, { place }: Scene): string => place.text(one(USERS, pick) ?? '');
const prefixOf = ({ pick }: Step, { place }: Scene): string =>
  place.text(one(['', '+', '+49', '+33', '+$1', '112', '9', '911'], pick) ?? '');
const gatewayRef = ({ other }: Step, scene: Scene): string | undefined => refOf(scene, 'Gateway', other);
const numberRefs = ({ other, pick }: Step, { refs: { Number: numbers } }: Scene): readonly string[] => [
  ...new Set([one(numbers, other) ?? [], one(numbers, other + pick) ?? []].flat()),
];

/** Changes of both kinds of numbers. */
const ofNumbers = (make: (kind: 'DID' | 'Number') => Make): Make => {
  const [did, number] = [make('DID'), make('Number')];
  return (step, scene) => {
    const isDid = scene.refs.Number.length === 0 || (scene.refs.DID.length > 0 && step.at % 2 === 1);
    return (isDid ? did : number)({ ...step, at: Math.floor(step.at / 2) }, scene);
  };
};

const STEPS: Readonly<Record<string, Make>> = {
  'gateway enabled': update('Gateway', enabled),
  'gateway draining': update('Gateway', (step) => ({ draining: isOn(step) })),
  'gateway host': update('Gateway', ({ pick }, { place }) => ({
    host: place.address(11 + (pick % 3)),
    port: pick % 2 === 0 ? null : 5081,
  })),
  'gateway destinations': update('Gateway', ({ pick, other }, { place }) => ({
    outboundProxy: null,
    destinations: [
      { host: place.address(14), transport: 'UDP', priority: 1 + (pick % 3), enabled: pick % 4 > 0 },
      { host: place.address(15), port: 5082, transport: 'UDP', priority: 4, draining: other % 2 === 0 },
    ].slice(pick % 3),
  })),
  'gateway proxy': update('Gateway', ({ pick }, { place }) => ({
    destinations: null,
    outboundProxy: one([null, place.address(14), `${place.address(15)}:5082`], pick),
  })),
  'gateway writing': update('Gateway', ({ pick, other }) => ({
    numberFormat: one([null, 'E164', 'E164_NO_PLUS', 'DE', 'IT'], pick),
    technicalPrefix: one([null, '9*', '#31#'], other),
  })),
  'gateway from': update('Gateway', ({ pick }) => ({ fromDomain: one([null, 'from.test', 'other.test'], pick) })),
  'gateway sources': update('Gateway', (_, { place }) => ({ sources: [place.address(36)] })),
  'gateway limits': update('Gateway', () => ({ maxCalls: 1000, name: 'A gateway with a limit' })),
  'gateway deleted': remove('Gateway'),
  'gateway created': (step, scene) => [
    {
      create: {
        localRef: `g${String(scene.index)}`,
        gateway: {
          ...{ ref: newRef(scene, 'gw'), name: newRef(scene, 'gw'), transport: 'UDP' },
          ...{ host: scene.place.address(13), port: 5082 },
        },
      },
    },
    {
      create: {
        number: {
          ref: newRef(scene, 'nu'),
          gatewayRef: `#g${String(scene.index)}`,
          telUrl: telUrlOf(step, scene),
          ...targetsOf(step, scene),
        },
      },
    },
  ],
  'number enabled': ofNumbers((kind) => update(kind, enabled)),
  'number gateway': ofNumbers((kind) => update(kind, (step, scene) => ({ gatewayRef: gatewayRef(step, scene) }))),
  'number targets': ofNumbers((kind) => update(kind, targetsOf)),
  'number renamed': ofNumbers((kind) =>
    update(kind, (step, scene) => ({ telUrl: telUrlOf(step, scene), lastTelUrl: null })),
  ),
  'number range': ofNumbers((kind) =>
    update(kind, (step, scene) => {
      const telUrl = scene.telUrls.get(refOf(scene, kind, step.at) ?? '');
      return telUrl === undefined
        ? undefined
        : { lastTelUrl: telUrl.replace(/\d$/, one(['3', '5', '9'], step.pick) ?? '') };
    }),
  ),
  'number deleted': ofNumbers(remove),
  'number created': ofNumbers((kind) =>
    create(kind, (step, scene) => ({
      ...{ gatewayRef: gatewayRef(step, scene), telUrl: telUrlOf(step, scene) },
      ...targetsOf(step, scene),
    })),
  ),
  'number replaced': ofNumbers((kind) => (step, scene) => {
    const ref = refOf(scene, kind, step.at);
    const telUrl = scene.telUrls.get(ref ?? '');
    if (ref === undefined || telUrl === undefined) return [];
    const given = { ref: newRef(scene, kind), telUrl, gatewayRef: gatewayRef(step, scene), ...targetsOf(step, scene) };
    return [{ delete: { kind, ref } }, { create: { [isOn(step) ? 'did' : 'number']: given } }];
  }),
  'agent enabled': update('Agent', enabled),
  'agent renamed': update('Agent', (step, scene) => ({ username: userOf(step, scene) })),
  'agent moved': update('Agent', ({ pick }, { place, world: { domains } }) => ({
    domains: [place.host(pick % domains.length, domains.length)],
  })),
  'agent number': update('Agent', ({ other }, scene) => ({ callerNumberRef: refOf(scene, 'Number', other) ?? null })),
  'agent deleted': remove('Agent'),
  'agent created': create('Agent', (step, scene) => ({
    ...{ name: 'New', username: userOf(step, scene), secret: 's' },
    domains: [scene.place.host(step.other % scene.world.domains.length, scene.world.domains.length)],
  })),
  'peer enabled': update('Peer', enabled),
  'peer renamed': update('Peer', (_, scene) => ({ username: newRef(scene, 'peer') })),
  'peer address': update('Peer', ({ pick }, { place }) => ({
    contactAddr: one([null, `${place.address(41)}:5090`, place.address(42), place.address(41)], pick),
  })),
  'peer deleted': remove('Peer'),
  'peer created': create('Peer', ({ pick }, { place, index }) => ({
    ...{ name: 'New', secret: 's', contactAddr: place.address(42) },
    username: pick % 2 === 0 ? `p${String(index)}w${String(place.index)}` : place.text('$3'),
  })),
  'domain enabled': update('Domain', enabled),
  'domain renamed': update('Domain', (_, { place, index }) => ({
    domainUri: `new${String(index)}.w${String(place.index)}.test`,
  })),
  'domain policy': update('Domain', ({ pick, other }, scene) => {
    const numberRef = refOf(scene, 'Number', other);
    if (numberRef === undefined || pick % 4 === 0) return { egressPolicy: null };
    return { egressPolicy: { rule: one(RULES, pick) ?? '', numberRef } };
  }),
  'domain limits': update('Domain', () => ({ maxCalls: 1000, maxCallsPerSecond: 1000 })),
  'route prefix': update('Route', (step, scene) => ({ prefix: prefixOf(step, scene) })),
  'route enabled': update('Route', enabled),
  'route emergency': update('Route', (step) => ({ emergency: isOn(step) })),
  'route numbers': update('Route', (step, scene) => ({ numberRefs: numberRefs(step, scene) })),
  'route deleted': remove('Route'),
  'route created': create('Route', (step, scene) => ({
    ...{ name: 'New', domainRef: refOf(scene, 'Domain', step.at), prefix: prefixOf(step, scene) },
    numberRefs: numberRefs(step, scene),
  })),
};

const step: fc.Arbitrary<Step> = fc.record({
  name: fc.constantFrom(...Object.keys(STEPS)),
  at: fc.nat({ max: 9 }),
  other: fc.nat({ max: 5 }),
  pick: fc.nat({ max: 11 }),
  target,
  further: fc.array(further, { maxLength: 2 }),
});

/** A plan with at most this many steps. */
export function plans(steps: number): fc.Arbitrary<readonly Step[]> {
  return fc.array(step, { minLength: 1, maxLength: steps });
}

/** The changes of a plan. Some may be refused, because they contradict each other or what exists. */
export function changesOf(plan: readonly Step[], scene: Omit<Scene, 'index'>): readonly Change[] {
  return plan.flatMap((each, index) => STEPS[each.name]?.(each, { ...scene, index }) ?? []);
}
