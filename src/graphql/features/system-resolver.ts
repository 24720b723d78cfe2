import { Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';

import type { SipServerState } from '../../sip/live/sip-server';
import type { Context } from '../context';

@ObjectType({ description: 'An environment variable.' })
class EnvironmentVariable {
  @Field(() => String, { description: 'Name.' })
  var!: string;

  @Field(() => String, { description: 'Value.' })
  value!: string;
}

@ObjectType('SystemInfo', { description: 'Information about the server.' })
class SystemInfoType {
  @Field(() => String, { description: 'Version of sipgraph.' })
  version!: string;

  @Field(() => String, { description: 'Version of the REST API.' })
  apiVersion!: string;

  @Field(() => String, { description: 'Prefix of the paths of the REST API.' })
  apiPath!: string;

  @Field(() => [EnvironmentVariable], {
    description: 'The variables among EXTERN_ADDR, LOCALNETS and REGISTRAR_INTF that are set.',
  })
  env!: readonly EnvironmentVariable[];

  @Field(() => String, {
    nullable: true,
    description:
      'The country (ISO 3166-1) where numbers without a country code are from; null if HOME_COUNTRY is not set.',
  })
  homeCountry!: string | null;
}

@ObjectType('SipServer', { description: 'The SIP server that this service manages.' })
class SipServerType {
  @Field(() => Boolean, { description: 'Whether the SIP server currently responds.' })
  reachable!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'The version that the SIP server reports; null while it cannot be reached.',
  })
  version!: string | null;

  @Field(() => Int, { nullable: true, description: 'Uptime in seconds; null while the SIP server cannot be reached.' })
  uptime!: number | null;
}

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
