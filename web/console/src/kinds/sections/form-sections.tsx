import { Box, Typography } from '@mui/material';
import { useState } from 'react';
import { useFormState, useWatch } from 'react-hook-form';

import type { InputField } from '../../model/fields';
import type { Kind } from '../../model/model';
import { texts } from '../../texts';
import { FormFields } from '../form-fields';
import { type FormSection, SECTIONS, summaryOf } from './sections';

interface Props {
  readonly kind: Kind;
  readonly fields: readonly InputField[];
  readonly isNew: boolean;
}

/** The inputs of a form, in sections that fold if the kind has many. */
export function SectionedFields({ kind, fields, isNew }: Props) {
  const sections = SECTIONS[kind.name];
  if (!sections) return <FormFields fields={fields} isNew={isNew} />;
  const listed = sections.flatMap((section) => section.fields);
  const others = fields.filter(({ name }) => !listed.includes(name));
  return (
    <>
      {sections.map((section) => (
        <Section
          key={section.title}
          {...section}
          inputs={section.fields.flatMap((name) => fields.find((field) => field.name === name) ?? [])}
          isNew={isNew}
        />
      ))}
      <FormFields fields={others} isNew={isNew} />
    </>
  );
}

/** A section that opens by itself if one of its fields is refused. A folded one says what is set in it. */
function Section({
  title,
  isOpen: isOpenFirst,
  inputs,
  isNew,
}: Omit<FormSection, 'fields'> & { readonly inputs: readonly InputField[]; readonly isNew: boolean }) {
  const [isOpen, setOpen] = useState(isOpenFirst);
  const { errors, submitCount } = useFormState();
  const [seen, setSeen] = useState(0);
  const names = inputs.map(({ name }) => name);
  const values: readonly unknown[] = useWatch({ name: names });
  const isRefused = names.some((name) => name in errors);
  // Each refusal opens it once, and it can be folded again.
  if (isRefused && seen !== submitCount) {
    setSeen(submitCount);
    setOpen(true);
  }
  const summary = summaryOf(inputs, values);
  return (
    <Box
      component="details"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget instanceof HTMLDetailsElement && currentTarget.open)}
      sx={{ width: '100%', py: 1, '&:not(:first-of-type)': { borderTop: 1, borderColor: 'divider' } }}
    >
      <Box component="summary" sx={{ cursor: 'pointer', py: 0.5, overflowWrap: 'anywhere' }}>
        <Typography component="h2" variant="subtitle1" sx={{ display: 'inline' }}>
          {title}
        </Typography>
        {!isOpen && (
          <Typography component="span" variant="body2" color="text.secondary" sx={{ ml: 1 }}>
            {summary === '' ? texts.kinds.nothingSet : summary}
          </Typography>
        )}
      </Box>
      <Box sx={{ pt: 1, display: 'flex', flexDirection: 'column', alignItems: 'flex-start' }}>
        <FormFields fields={inputs} isNew={isNew} />
      </Box>
    </Box>
  );
}
