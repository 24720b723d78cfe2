import { FieldResolver, Resolver, Root } from 'type-graphql';

import type { PastCall, PastNumber } from '../../../history/past/past-diagnosis';
import { formerAmong } from '../../../history/past/past-links';
import type { RegistrationEvent } from '../../../sip/past/registration-event';
import { HistoryEntryType, toHistoryEntry } from '../history-types';
import { FormerResource } from '../../schema/former-resource';
import { RegistrationEventType } from '../registrations/registration-event-types';

/** An explanation of an earlier time, and who asked for it. */
export interface PastOf<T extends PastNumber | PastCall> {
  readonly explanation: T;
  readonly isForViewer: boolean;
}

/** An explanation of the present, or of an earlier time. */
interface Explained {
  readonly past?: PastOf<PastNumber | PastCall> | undefined;
}

/** The fields that an explanation of an earlier time has. They are null or empty in one of the present. */
export function pastFields(type: new (...args: never[]) => object): new () => object {
  @Resolver(() => type)
  class PastFields {
    @FieldResolver(() => Date, { nullable: true, description: 'The time of which this is explained; null for now.' })
    at(@Root() { past }: Explained): Date | null {
      return past ? new Date(past.explanation.at) : null;
    }

    @FieldResolver(() => HistoryEntryType, {
      nullable: true,
      description:
        'The change that broke the first broken link at that time, which `revert` takes back; of a number that did not exist yet, its later creation; null for now, and if none is known.',
    })
    change(@Root() { past }: Explained): HistoryEntryType | null {
      return past?.explanation.change ? toHistoryEntry(past.explanation.change, past.isForViewer) : null;
    }

    @FieldResolver(() => RegistrationEventType, {
      nullable: true,
      description: 'What happened to the registration of the gateway or the devices by that time, if that is why.',
    })
    event(@Root() { past }: Explained): RegistrationEvent | null {
      const event = past?.explanation.event;
      if (!past || !event) return null;
      // The registrations of gateways are read with addresses, by which their calls are recognized.
      return past.isForViewer ? { ...event, host: null, port: null } : event;
    }

    @FieldResolver(() => [FormerResource], {
      description:
        'Of the resources of that time, to which `steps` and `attempts` lead as they were: those that no longer exist, also if another one has the reference since.',
    })
    former(@Root() { past }: Explained): readonly FormerResource[] {
      return formerAmong(past?.explanation.resources ?? []);
    }

    @FieldResolver(() => [String], {
      description:
        'What is not known of that time, or no longer, with the setting that would have kept it; empty for now.',
    })
    unknown(@Root() { past }: Explained): readonly string[] {
      return past?.explanation.unknown ?? [];
    }
  }
  return PastFields;
}
