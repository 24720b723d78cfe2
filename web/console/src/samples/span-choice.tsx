import { ToggleButton, ToggleButtonGroup } from '@mui/material';

import { texts } from '../texts';
import { type SpanName, SPANS } from './use-samples';

interface Props {
  readonly value: SpanName;
  readonly onChange: (span: SpanName) => void;
}

const NAMES = Object.keys(SPANS) as SpanName[]; // the keys of SPANS

/** Chooses the span of time that is drawn. */
export function SpanChoice({ value, onChange }: Props) {
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      aria-label={texts.samples.span}
      value={value}
      // Null if the chosen one is pressed again.
      onChange={(_event, span: SpanName | null) => span && onChange(span)}
    >
      {NAMES.map((name) => (
        <ToggleButton key={name} value={name} sx={{ color: 'text.primary' }}>
          {texts.samples.spans[name]}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
