import { texts } from '../texts';

interface Props {
  readonly value: string | null;
  /** What is shown for null. */
  readonly none?: string;
  /** Leaves out the date if it is today. */
  readonly isBrief?: boolean;
}

/** A time of the graph in the user's time zone. */
export function Time({ value, none = texts.parts.noValue, isBrief = false }: Props) {
  if (value === null) return none;
  const date = new Date(value);
  const full = texts.parts.time(date);
  const isToday = isBrief && date.toDateString() === new Date().toDateString();
  return (
    <time dateTime={value} title={full}>
      {isToday ? texts.parts.timeOfDay(date) : full}
    </time>
  );
}
