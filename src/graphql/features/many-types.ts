import { ArgsType, Field, Int, ObjectType } from 'type-graphql';

import { fieldChanges, type FieldChange } from '../../history/history-entry';
import type { Kind } from '../../model/kind';
import type { ManyResult } from '../../resources/bulk/many-service';
import type { Sampled } from '../../resources/bulk/sampled';
import { MAX_SELECTED } from '../../resources/bulk/selected';
import { whereOf } from '../schema/where-types';
import { FieldChangeType } from './history-types';

/** The arguments that select the resources of a change of many. */
export interface SelectionArgs {
  readonly refs?: readonly string[] | null;
  readonly where?: Readonly<Record<string, unknown>> | null;
  readonly filter?: string | null;
  readonly expectedCount?: number | null;
  readonly dryRun: boolean;
}

/** Creates the GraphQL type of the arguments that select many resources of a kind. */
export function selectionArgsOf(kind: Kind): new () => object {
  const where = whereOf(kind);

  @ArgsType()
  class Arguments {
    @Field(() => [String], { nullable: true, description: 'Select the resources with these references.' })
    refs?: readonly string[] | null;

    @Field(() => where, {
      nullable: true,
      description: 'Select the resources that meet these conditions; `{}` selects all.',
    })
    where?: object | null;

    @Field(() => String, {
      nullable: true,
      description: 'Select the resources that match this JsonPath predicate, as in lists.',
    })
    filter?: string | null;

    @Field(() => Int, {
      nullable: true,
      description: `The number of resources that must be selected, at most ${String(MAX_SELECTED)}; otherwise the mutation fails with CONFLICT. Required unless \`dryRun\` is true.`,
    })
    expectedCount?: number | null;

    @Field(() => Boolean, { defaultValue: false, description: 'Change nothing, and return what would change.' })
    dryRun!: boolean;
  }
  return Arguments;
}

/** A resource that a change of many changed, in GraphQL. */
@ObjectType('ManySample', { description: 'A resource that was changed or deleted, or would be.' })
export class ManySample {
  constructor(
    readonly kind: string,
    private readonly sampled: Sampled,
  ) {}

  @Field(() => String, { description: 'Reference of the resource.' })
  get ref(): string {
    return this.sampled.ref;
  }

  @Field(() => [FieldChangeType], {
    description:
      'The fields that changed; of a deletion, all fields that had a value. Long texts and lists are cut, and end with …',
  })
  get changes(): readonly FieldChange[] {
    return fieldChanges(this.sampled.details);
  }
}

/** What a change of many changed, in GraphQL. */
@ObjectType('ManyResult', { description: 'What a change of many resources changed, or would change.' })
export class ManyResultType {
  constructor(
    private readonly kind: string,
    private readonly result: ManyResult,
  ) {}

  @Field(() => Int, { description: 'The number of selected resources.' })
  get count(): number {
    return this.result.count;
  }

  @Field(() => Int, {
    description:
      'The number of selected resources that were changed; the others had these values. A dry run counts all if it sets a secret.',
  })
  get changed(): number {
    return this.result.changed;
  }

  @Field(() => [ManySample], { description: 'The first ten resources that were changed, in creation order.' })
  get sample(): readonly ManySample[] {
    return this.result.sample.map((each) => new ManySample(this.kind, each));
  }

  @Field(() => String, {
    nullable: true,
    description: 'The id of the request in the history, for `revertRequest`; null if nothing was changed.',
  })
  get request(): string | null {
    return this.result.requestId ?? null;
  }
}
