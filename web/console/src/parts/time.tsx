import { texts } from '../texts';

interface Props {
  readonly value: string | null;
  /** What is shown for null. */
  readonly none?: string;
  /** Leaves out the date if it is today. */
  readonly isBrief?: boolean;
  /** Shows an earlier day by its name, and the time to the minute, for a narrow column. The pointer shows the rest. */
  readonly isRough?: boolean;
  /** Shows milliseconds. */
  readonly isExact?: boolean;
}

/** A time of the graph in the user's time zone. */
export function Time({ value, none = texts.parts.noValue, isBrief = false, isRough = false, isExact = false }: Props) {
  if (value === null) return none;
  const date = new Date(value);
  const full = isExact ? texts.parts.exactTime(date) : texts.parts.time(date);
  const isToday = isBrief && date.toDateString() === new Date().toDateString();
  const { timeOfDay, exactTimeOfDay, roughTimeOfDay } = texts.parts;
  const shownToday = isExact ? exactTimeOfDay : isRough ? roughTimeOfDay : timeOfDay;
  const shown = isRough ? texts.parts.roughTime(date) : full;
  return (
    <time dateTime={value} title={full}>
      {isToday ? shownToday(date) : shown}
    </time>
  );
}
