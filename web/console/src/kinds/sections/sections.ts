import { isUnset } from '../../data/forms';
import type { InputField } from '../../model/fields';
import { texts } from '../../texts';

/** A section of a form. What is seldom set is folded first. */
export interface FormSection {
  readonly title: string;
  readonly isOpen: boolean;
  readonly fields: readonly string[];
}

const titles = texts.kinds.sections;

/** The sections of the forms of kinds that have many fields, by kind. Fields that are in none come last. */
export const SECTIONS: Readonly<Record<string, readonly FormSection[]>> = {
  Gateway: [
    { title: titles.connection, isOpen: true, fields: ['name', 'host', 'port', 'transport', 'enabled', 'draining'] },
    {
      title: titles.registration,
      isOpen: true,
      fields: ['username', 'secret', 'sendRegister', 'authUsername', 'expires', 'registries'],
    },
    { title: titles.places, isOpen: false, fields: ['destinations', 'sources'] },
    {
      title: titles.quirks,
      isOpen: false,
      fields: ['numberFormat', 'technicalPrefix', 'fromDomain', 'outboundProxy'],
    },
    { title: titles.limits, isOpen: false, fields: ['maxCalls', 'maxCallsPerSecond', 'dailyMinutes'] },
    { title: titles.labels, isOpen: false, fields: ['labels', 'note', 'ref'] },
  ],
};

/** What is set in a section, in one line; empty if nothing is. */
export function summaryOf(inputs: readonly InputField[], values: readonly unknown[]): string {
  return inputs
    .flatMap(({ name, sort }, index) => {
      const value = values[index];
      return isUnset(value) ? [] : `${texts.kinds.heading(name)}: ${sort === 'secret' ? '…' : shown(value)}`;
    })
    .join(' · ');
}

function shown(value: unknown): string {
  if (typeof value === 'boolean') return value ? texts.kinds.yes : texts.kinds.no;
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (!Array.isArray(value)) return '…';
  const texted = value.filter((each) => typeof each === 'string');
  return texted.length === value.length && value.length <= 3 ? texted.join(', ') : String(value.length);
}
