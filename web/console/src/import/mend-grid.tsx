import { Button, InputBase, TableCell, TableRow, Typography } from '@mui/material';
import { useRef, type SubmitEvent } from 'react';

import { type Kind, spokenField } from '../model/model';
import { ScrollingTable } from '../parts/scrolling-table';
import { texts } from '../texts';
import { headingOf, importFields } from './columns';
import type { Row } from './run-import';
import { cellAt, type Edits, type Sheet } from './sheet';
import { importTexts } from './texts';

/** Rows that are shown at once. */
const SHOWN = 50;

interface Props {
  readonly kind: Kind;
  readonly sheet: Sheet;
  /** The rows that failed. */
  readonly failed: readonly Row[];
  readonly isBusy: boolean;
  readonly onMend: (edits: Edits) => void;
}

/** The wrong rows of a file, with their mistakes at the cells, which can be corrected. */
export function MendGrid({ kind, sheet, failed, isBusy, onMend }: Props) {
  const edits = useRef(new Map<number, Readonly<Record<string, string>>>());
  const all = importFields(kind);
  const wanted = new Set([...sheet.fields, ...failed.flatMap(({ errors }) => errors.map(({ field }) => field))]);
  // Also what a row lacks, although the file has no column for it.
  const shown = all.filter(({ path }) => wanted.has(path));
  const byLine = new Map(sheet.rows.map((row) => [row.line, row]));
  const rows = failed.flatMap((row) => byLine.get(row.line) ?? []).slice(0, SHOWN);
  const errorsOf = new Map(failed.map(({ line, errors }) => [line, errors]));
  const othersOf = (line: number): Row['errors'] =>
    (errorsOf.get(line) ?? []).filter(({ field }) => !shown.some(({ path }) => path === field));
  const hasOthers = rows.some(({ line }) => othersOf(line).length > 0);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onMend(edits.current);
  };
  return (
    <form onSubmit={submit}>
      <Typography component="h3" variant="subtitle1">
        {importTexts.mend}
      </Typography>
      <Typography variant="body2" color="text.secondary">
        {importTexts.mendHint}
      </Typography>
      <ScrollingTable
        label={importTexts.mend}
        columns={[
          importTexts.line,
          ...shown.map(({ path }) => headingOf(kind, path)),
          ...(hasOthers ? [importTexts.errors] : []),
        ]}
        maxHeight="60vh"
      >
        {rows.map((row) => {
          const errors = errorsOf.get(row.line) ?? [];
          return (
            <TableRow key={row.line} sx={{ verticalAlign: 'top' }}>
              <TableCell>{row.line}</TableCell>
              {shown.map(({ path, input }) => {
                const refusal = errors.find(({ field }) => field === path)?.message;
                const message =
                  refusal === undefined ? undefined : texts.kinds.invalid(spokenField(kind, path), refusal);
                const id = `mend-${row.line}-${path}`;
                return (
                  <TableCell key={path} sx={{ minWidth: '9rem', p: 0.5 }}>
                    <InputBase
                      fullWidth
                      size="small"
                      defaultValue={cellAt(sheet, row, path)}
                      error={message !== undefined}
                      type={input.sort === 'secret' ? 'password' : 'text'}
                      autoComplete={input.sort === 'secret' ? 'new-password' : 'off'}
                      inputProps={{
                        'aria-label': importTexts.cell(headingOf(kind, path), row.line),
                        ...(message !== undefined && { 'aria-describedby': id }),
                      }}
                      onChange={({ target }) =>
                        edits.current.set(row.line, { ...edits.current.get(row.line), [path]: target.value })
                      }
                      sx={{
                        px: 1,
                        border: 1,
                        borderRadius: 1,
                        borderColor: message === undefined ? 'divider' : 'error.main',
                        '&.Mui-focused': { outline: 2, outlineColor: 'primary.main' },
                      }}
                    />
                    {message !== undefined && (
                      <Typography id={id} variant="caption" color="error" component="div">
                        {message}
                      </Typography>
                    )}
                  </TableCell>
                );
              })}
              {hasOthers && (
                <TableCell>
                  {othersOf(row.line).map(({ field, message }) => (
                    <div key={`${String(field)} ${message}`}>{importTexts.error(field, message)}</div>
                  ))}
                </TableCell>
              )}
            </TableRow>
          );
        })}
      </ScrollingTable>
      {rows.length < failed.length && (
        <Typography variant="body2">{importTexts.mendable(rows.length, failed.length)}</Typography>
      )}
      <Button type="submit" variant="contained" disabled={isBusy} sx={{ mt: 1 }}>
        {importTexts.check}
      </Button>
    </form>
  );
}
