import { Ctx, Int, Query, Resolver } from 'type-graphql';

import type { SipServerState } from '../../sip/live/sip-server';
import type { Context } from '../context';
import { nullable, objectOf } from '../schema/type-tables';

const EnvironmentVariable = objectOf('EnvironmentVariable', 'An environment variable.', {
  var: [String, 'Name.'],
  value: [String, 'Value.'],
});

const SystemInfoType = objectOf('SystemInfo', 'Information about the server.', {
  version: [String, 'Version of sipgraph.'],
  apiVersion: [String, 'Version of the REST API.'],
  apiPath: [String, 'Prefix of the paths of the REST API.'],
  env: [[EnvironmentVariable], 'The variables among EXTERN_ADDR, LOCALNETS and REGISTRAR_INTF that are set.'],
  homeCountry: [
    nullable(String),
    'The country (ISO 3166-1) where numbers without a country code are from; null if HOME_COUNTRY is not set.',
  ],
});
type SystemInfoType = InstanceType<typeof SystemInfoType>;

const SipServerType = objectOf('SipServer', 'The SIP server that this service manages.', {
  reachable: [Boolean, 'Whether the SIP server currently responds.'],
  version: [nullable(String), 'The version that the SIP server reports; null while it cannot be reached.'],
  uptime: [nullable(Int), 'Uptime in seconds; null while the SIP server cannot be reached.'],
});

/** Queries for information about the server and the SIP server. */
@Resolver()
export class SystemResolver {
  @Query(() => SystemInfoType, { description: 'Information about the server.' })
  systemInfo(@Ctx() { session }: Context): SystemInfoType {
    const { systemInfo, homeCountry = null } = session.shared;
    return { ...systemInfo, homeCountry };
  }

  @Query(() => SipServerType, {
    nullable: true,
    description: 'The SIP server; null if SIP_RPC_URL is not set.',
  })
  async sipServer(@Ctx() { session }: Context): Promise<SipServerState | null> {
    return (await session.shared.sipServer?.state()) ?? null;
  }
}
