import Close from '@mui/icons-material/Close';
import { Box, Button, IconButton } from '@mui/material';
import { useState } from 'react';
import { Form } from 'react-admin';

import { valuesFor } from '../graph/spelling';
import { FormFields } from '../kinds/form-fields';
import { type Kind, spokenField } from '../model/model';
import { MenuChoice } from '../parts/choice';
import { texts } from '../texts';
import { setOf, settables } from './settable';

interface Props {
  readonly kind: Kind;
  readonly isBusy: boolean;
  /** Resolves to the errors of fields, if there are any. */
  readonly onPreview: (set: object) => Promise<object | undefined>;
}

/** Chooses fields, and the values that all resources get in them. */
export function SetForm({ kind, isBusy, onPreview }: Props) {
  const all = settables(kind);
  const [paths, setPaths] = useState<readonly string[]>([]);
  const chosen = paths.flatMap((path) => all.find((each) => each.path === path) ?? []);
  return (
    <Form
      sanitizeEmptyValues={false}
      onSubmit={async (values: object) =>
        onPreview(setOf(chosen, await valuesFor(values as Readonly<Record<string, unknown>>)))
      }
    >
      <MenuChoice
        fullWidth
        size="small"
        label={texts.bulk.field}
        helperText={texts.bulk.fieldHint}
        value=""
        onChange={({ target }) => setPaths([...paths, target.value])}
        options={all
          .filter(({ path }) => !paths.includes(path))
          .map(({ path }) => [path, texts.kinds.heading(spokenField(kind, path))] as const)}
      />
      {chosen.map(({ path, group, input }) => (
        <Box key={path} sx={{ display: 'flex', alignItems: 'flex-start' }}>
          {/* As in the form of a new resource, a secret without a value does not stay. */}
          <FormFields fields={[{ ...input, isRequired: false }]} isNew path={group} />
          <IconButton
            aria-label={texts.bulk.keep(texts.kinds.heading(spokenField(kind, path)))}
            onClick={() => setPaths(paths.filter((each) => each !== path))}
          >
            <Close />
          </IconButton>
        </Box>
      ))}
      <Box sx={{ display: 'flex', justifyContent: 'flex-end', mt: 2 }}>
        <Button type="submit" variant="contained" disabled={isBusy || chosen.length === 0}>
          {texts.bulk.preview}
        </Button>
      </Box>
    </Form>
  );
}
