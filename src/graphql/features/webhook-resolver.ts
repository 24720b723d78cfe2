import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, ID, Info, Int, Mutation, Query, Resolver, Root } from 'type-graphql';

import type { AttemptInterval, Attempts } from '../../webhooks/attempt-counts';
import type { Delivery, Webhook } from '../../webhooks/webhook';
import type { WebhookWithSecret } from '../../webhooks/webhook-service';
import type { Context } from '../context';
import { DryRun } from '../schema/dry-run';
import { loadByKey } from '../schema/loader';
import {
  AttemptIntervalEnum,
  CreateWebhookArgs,
  CreatedWebhookType,
  UpdateWebhookArgs,
  WebhookAttemptsType,
  WebhookDeliveryType,
  WebhookPingType,
  WebhookType,
} from './webhook-types';

const REF = 'Reference of the webhook.';
const DRY_RUN = 'Check everything, change nothing, and return what the webhook would be.';
const ROLE = 'Requires the role ADMIN and a token of a sign-in.';
/** The cost of a ping in objects: it occupies the server for up to ten seconds. */
const PING = 500;

/** Webhooks. */
@Resolver()
export class WebhookResolver {
  @Query(() => [WebhookType], { description: 'All webhooks. Requires the role ADMIN.' })
  webhooks(@Ctx() { session }: Context): Promise<readonly Webhook[]> {
    return session.admin.webhooks.list();
  }

  @Query(() => [WebhookDeliveryType], {
    description: 'The last 100 messages to a webhook, newest first. Requires the role ADMIN.',
  })
  async webhookDeliveries(
    @Arg('ref', () => String, { description: REF }) ref: string,
    @Ctx() { session }: Context,
  ): Promise<readonly WebhookDeliveryType[]> {
    return (await session.admin.webhooks.deliveries(ref)).map(toDeliveryType);
  }

  @Mutation(() => CreatedWebhookType, {
    description: `Creates a webhook for events from now on (https://www.standardwebhooks.com). ${ROLE}`,
  })
  async createWebhook(
    @Args(() => CreateWebhookArgs) { dryRun, ...input }: CreateWebhookArgs,
    @Ctx() { session }: Context,
  ): Promise<WebhookWithSecret> {
    const created = await session.adminWrite.webhooks.create(input, { dryRun });
    if (!dryRun) session.logChange('webhook-created', { target: created.webhook.ref });
    return created;
  }

  @Mutation(() => WebhookType, {
    description: `Changes a webhook. Arguments that are absent change nothing; null clears a setting. Messages that wait are sent to the new URL. ${ROLE}`,
  })
  async updateWebhook(
    @Args(() => UpdateWebhookArgs) { ref, dryRun, ...change }: UpdateWebhookArgs,
    @Ctx() { session }: Context,
  ): Promise<Webhook> {
    const webhook = await session.adminWrite.webhooks.update(ref, change, { dryRun });
    if (!dryRun) session.logChange('webhook-changed', { target: ref });
    return webhook;
  }

  @Mutation(() => CreatedWebhookType, {
    description: `Replaces the secret of a webhook. Until the end of \`overlap\`, messages have two signatures: with the new secret and with the previous one. Until then, another rotation fails, unless its \`overlap\` is 0. ${ROLE}`,
  })
  async rotateWebhookSecret(
    @Arg('ref', () => String, { description: REF }) ref: string,
    @Ctx() { session }: Context,
    @Arg('overlap', () => Int, {
      defaultValue: 86_400,
      description: 'Seconds for which the previous secret stays valid: 0 to 604800, by default 86400.',
    })
    overlap: number,
    @Arg('dryRun', () => Boolean, { defaultValue: false, description: DRY_RUN }) dryRun: boolean,
  ): Promise<WebhookWithSecret> {
    const rotated = await session.adminWrite.webhooks.rotateSecret(ref, overlap, { dryRun });
    if (!dryRun) session.logChange('webhook-secret-changed', { target: ref });
    return rotated;
  }

  @Mutation(() => ID, {
    description: `Deletes a webhook with the messages that are not delivered, and returns its reference. ${ROLE}`,
  })
  async deleteWebhook(
    @Arg('ref', () => String, { description: REF }) ref: string,
    @Arg('dryRun', () => Boolean, { defaultValue: false, description: 'Check everything, and delete nothing.' })
    dryRun: boolean,
    @Ctx() { session }: Context,
  ): Promise<string> {
    await session.adminWrite.webhooks.delete(ref, { dryRun });
    if (!dryRun) session.logChange('webhook-deleted', { target: ref });
    return ref;
  }

  @Mutation(() => WebhookType, {
    description: `Continues a paused webhook with the first message that was not delivered. ${ROLE}`,
  })
  resumeWebhook(
    @Arg('ref', () => String, { description: REF }) ref: string,
    @Ctx() { session }: Context,
    @Arg('skipMissed', () => Boolean, {
      defaultValue: false,
      description:
        'Whether to skip the events that no message was stored for yet. If a gateway, destination or number is in another state than the webhook was told, it is told, as without this.',
    })
    skipMissed: boolean,
    @Arg('dryRun', () => Boolean, { defaultValue: false, description: DRY_RUN }) dryRun: boolean,
  ): Promise<Webhook> {
    return session.adminWrite.webhooks.resume(ref, skipMissed, { dryRun });
  }

  @Mutation(() => WebhookPingType, { description: `Sends a message of the type \`ping\` to a webhook, once. ${ROLE}` })
  async pingWebhook(
    @Arg('ref', () => String, { description: REF }) ref: string,
    @DryRun('Nothing is sent; `outcome` says so.') dryRun: boolean,
    @Ctx() { session }: Context,
  ): Promise<WebhookPingType> {
    const { webhooks } = session.adminWrite;
    if (!dryRun) session.spend(PING);
    const { isDelivered, text, status, roundTrip, body } = await webhooks.ping(ref, { dryRun });
    return { delivered: isDelivered, outcome: text, status, roundTrip, body };
  }

  @Mutation(() => ID, { description: `Sends a message again, with the same id, and returns the id. ${ROLE}` })
  async redeliver(
    @Arg('id', () => ID, { description: 'The id of the delivery.' }) id: string,
    @DryRun() dryRun: boolean,
    @Ctx() { session }: Context,
  ): Promise<string> {
    await session.adminWrite.webhooks.redeliver(id, { dryRun });
    return id;
  }
}

/** What a webhook links to. */
@Resolver(() => WebhookType)
export class WebhookLinks {
  @FieldResolver(() => [WebhookAttemptsType], {
    description:
      'The attempts to deliver messages, oldest first, without pings. Intervals without attempts are missing.',
  })
  async attempts(
    @Root() { rowId }: Webhook,
    @Arg('by', () => AttemptIntervalEnum, { defaultValue: 'HOUR', description: 'The intervals.' }) by: AttemptInterval,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<readonly Attempts[]> {
    const { webhooks } = context.session.admin;
    return (await loadByKey(context, info, rowId, (rowIds) => webhooks.attempts(rowIds, by))) ?? [];
  }
}

function toDeliveryType(delivery: Delivery): WebhookDeliveryType {
  const isWaiting = delivery.deliveredOn === null && delivery.nextOn > 0;
  return { ...delivery, id: delivery.ref, nextAttemptOn: isWaiting ? delivery.nextOn : null };
}
