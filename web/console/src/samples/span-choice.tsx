import { ToggleButton, ToggleButtonGroup } from '@mui/material';

import { texts } from '../texts';
import type { SpanName } from './use-samples';

interface Props {
  /** The spans that can be chosen; by default, those for which everything is counted. */
  readonly names?: readonly SpanName[];
  readonly value: SpanName;
  readonly onChange: (span: SpanName) => void;
}

const NAMES: readonly SpanName[] = ['day', 'week', 'quarter'];

/** Chooses the span of time that is drawn. */
export function SpanChoice({ value, onChange, names = NAMES }: Props) {
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      aria-label={texts.samples.span}
      value={value}
      // Null if the chosen one is pressed again.
      onChange={(_event, span: SpanName | null) => span && onChange(span)}
    >
      {names.map((name) => (
        <ToggleButton key={name} value={name} sx={{ color: 'text.primary' }}>
          {texts.samples.spans[name]}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
