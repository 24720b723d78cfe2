import { Field, ObjectType } from 'type-graphql';

import { KindEnum } from './object-types';

/** A resource that something stored refers to, and that no longer exists. */
@ObjectType({
  description: 'A resource that no longer exists. Another one may have its reference since.',
})
export class FormerResource {
  @Field(() => KindEnum, { description: 'The kind.' })
  kind!: string;

  @Field(() => String, { description: 'Its reference. The history tells what became of it.' })
  ref!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'What it was called then: its name, host or telephone number; null if the history that tells is not kept (HISTORY_DAYS).',
  })
  name!: string | null;
}
