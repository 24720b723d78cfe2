import type { ForeignSource } from '../../database/foreign/foreign-source';
import { InvalidInputError } from '../../errors';
import { telUrlOf, type Country } from '../../spelling/telephone';
import { mapDsiprouter } from './dsiprouter-source';
import { mapKamailio } from './kamailio-source';
import type { Moved } from './move';
import type { Mapping, MappingOptions, MoveReport } from './moved-record';
import { mapRoutr, routrInTables } from './routr2-source';

/** The systems to move from. */
export const SYSTEMS = ['kamailio', 'dsiprouter', 'routr2'] as const;
export type System = (typeof SYSTEMS)[number];

/** Maps what has been read of another system. Called again if the transaction is repeated. */
export type MapAll = (report: MoveReport, options: MappingOptions) => Promise<Mapping>;

/** Attempts to leave out the records that cannot be imported, because leaving out one may concern others that name it. */
const ATTEMPTS = 5;
/** The shortest number: what has fewer digits is an extension, or the beginning of numbers. */
const SHORTEST = 7;
/** The fewest digits of a whole number with `+`, which is no extension; fewer are the code of a country or of an area. */
const SHORTEST_GLOBAL = 5;

/** Tables of each system: a source without any of them is another one. */
const TABLES: Readonly<Record<System, readonly string[]>> = {
  kamailio: ['domain', 'subscriber', 'dbaliases', 'dr_gateways', 'dispatcher', 'uacreg'],
  dsiprouter: ['dr_gw_lists', 'dr_gateways', 'dr_rules', 'domain', 'subscriber'],
  routr2: ['trunks', 'agents', 'peers', 'domains', 'numbers'],
};

/** How the tables of a system are mapped. Throws InvalidInputError if the source has none of them. */
export function mapperOf(system: System, source: ForeignSource): MapAll {
  if (!TABLES[system].some((table) => source.tables.includes(table)))
    throw InvalidInputError.of('source', `has no table of ${system}, such as ${TABLES[system].join(', ')}`);
  switch (system) {
    case 'kamailio':
      return (report, options) => mapKamailio(source, report, options);
    case 'dsiprouter':
      return (report, options) => mapDsiprouter(source, report, options);
    case 'routr2':
      return async (report, options) => mapRoutr(await routrInTables(source), report, options);
  }
}

/** What `moveValid` returns: also the records that it left out. */
export type MovedValid = Moved & { readonly skipped: Moved['failures']; readonly skippedPlaces: number };

/**
 * Moves, and again without the records that failed, if they may be left out. Those that name another failed record are first
 * tried without it, because they may do without it.
 */
export async function moveValid(
  move: (skip: ReadonlySet<string>) => Promise<Moved>,
  skips: boolean,
): Promise<MovedValid> {
  const skip = new Set<string>();
  const skipped: Moved['failures'][number][] = [];
  for (let attempt = 1; ; attempt++) {
    const moved = await move(skip);
    if (!skips || moved.failed.size === 0 || attempt === ATTEMPTS)
      return { ...moved, skipped, skippedPlaces: skip.size };
    skipped.push(...moved.failures.filter(({ place }) => moved.causes.has(place)));
    for (const place of moved.causes) skip.add(place);
  }
}

export function mappingOptions(
  { gateway, newSecrets = false }: { readonly gateway?: string | undefined; readonly newSecrets?: boolean },
  home: Country | undefined,
  skip: ReadonlySet<string>,
): MappingOptions {
  const telUrl = (text: string, isWhole = false): string | undefined => {
    const uri = telUrlOf(text, home);
    const shortest = isWhole && uri.startsWith('tel:+') ? SHORTEST_GLOBAL : SHORTEST;
    return uri.startsWith('tel:') && uri.replace(/\D/g, '').length >= shortest ? uri : undefined;
  };
  return { gateway, newSecrets, telUrl, skip };
}
