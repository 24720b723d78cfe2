import { Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';

import type { SipServerState } from '../../live/sip-server';
import type { SystemInfo } from '../../system/system-info';
import type { Context } from '../context';

@ObjectType({ simpleResolvers: true, description: 'A variable of the environment.' })
class EnvironmentVariable {
  @Field(() => String, { description: 'Name.' })
  var!: string;

  @Field(() => String, { description: 'Value.' })
  value!: string;
}

@ObjectType('SystemInfo', { simpleResolvers: true, description: 'Information about the server.' })
class SystemInfoType {
  @Field(() => String, { description: 'Version of sipgraph.' })
  version!: string;

  @Field(() => String, { description: 'Version of the REST API.' })
  apiVersion!: string;

  @Field(() => String, { description: "Prefix of the REST API's paths." })
  apiPath!: string;

  @Field(() => [EnvironmentVariable], {
    description: 'Those of EXTERN_ADDR, LOCALNETS and REGISTRAR_INTF that are set.',
  })
  env!: readonly EnvironmentVariable[];
}

@ObjectType('SipServer', { simpleResolvers: true, description: 'The SIP server beside this service.' })
class SipServerType {
  @Field(() => Boolean, { description: 'Whether it answers now.' })
  reachable!: boolean;

  @Field(() => String, { nullable: true, description: 'The version that it reports; null while it cannot be reached.' })
  version!: string | null;

  @Field(() => Int, { nullable: true, description: 'Uptime in seconds; null while it cannot be reached.' })
  uptime!: number | null;
}

/** The server about itself. */
@Resolver()
export class SystemResolver {
  @Query(() => SystemInfoType, { description: 'Information about the server.' })
  systemInfo(@Ctx() { session }: Context): SystemInfo {
    return session.read.systemInfo;
  }

  @Query(() => SipServerType, {
    nullable: true,
    description: 'The SIP server; null where SIP_RPC_URL does not say how to ask it.',
  })
  async sipServer(@Ctx() { session }: Context): Promise<SipServerState | null> {
    return (await session.read.sipServer?.state()) ?? null;
  }
}
