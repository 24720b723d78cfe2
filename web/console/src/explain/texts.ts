/** The texts of explanations of an earlier time. */
export const words = {
  at: 'At an earlier time',
  hint: 'Why it did not ring then; empty for now',
  rang: 'It rang then',
  rangNot: 'It did not ring then',
  unknown: 'What was then is not known',
  change: 'Show the change in the history',
  moment: {
    title: (at: string) => `What was at ${at}`,
    ask: 'Explain a number as of then',
    explain: 'Explain',
    changes: 'Changes until then',
    history: 'In the history',
    numbers: 'Numbers that use the gateway now, explained as of then',
    more: 'Only the first numbers are listed.',
    none: 'No number uses this gateway now.',
  },
  none: 'This number did not exist then',
  slider: 'Time, up to 7 days ago',
  now: 'Now',
  outcomes: {
    RINGS: 'It rang then',
    LEAVES: 'It left through a gateway',
    REFUSED: 'It was refused',
    UNKNOWN: 'What became of it is not known',
  },
  refused: (status: number, reason: string) => `It was refused: ${String(status)} ${reason}`,
};
