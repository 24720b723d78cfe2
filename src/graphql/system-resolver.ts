import { Ctx, Field, ObjectType, Query, Resolver } from 'type-graphql';

import type { SystemInfo } from '../system/system-info';
import type { Context } from './context';

@ObjectType({ simpleResolvers: true, description: 'A variable of the environment.' })
class EnvironmentVariable {
  @Field(() => String, { description: 'Name.' })
  var!: string;

  @Field(() => String, { description: 'Value.' })
  value!: string;
}

@ObjectType('SystemInfo', { simpleResolvers: true, description: 'What the server is.' })
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

/** The server about itself. */
@Resolver()
export class SystemResolver {
  @Query(() => SystemInfoType, { description: 'What the server is.' })
  systemInfo(@Ctx() { session }: Context): SystemInfo {
    return session.read.systemInfo;
  }
}
