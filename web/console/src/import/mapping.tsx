import { Box, TableCell, TableRow } from '@mui/material';

import type { Kind } from '../model/model';
import { Choice } from '../parts/choice';
import { ScrollingTable } from '../parts/scrolling-table';
import { texts } from '../texts';
import { headingOf, importFields } from './columns';
import { withField, type Sheet } from './sheet';
import { importTexts } from './texts';

interface Props {
  readonly kind: Kind;
  readonly sheet: Sheet;
  readonly isBusy: boolean;
  readonly onChange: (sheet: Sheet) => void;
}

/** Shows which field each column of a file sets, and changes it. Open if a column is not imported. */
export function Mapping({ kind, sheet, isBusy, onChange }: Props) {
  const { headings, fields, rows } = sheet;
  const known = fields.filter((path) => path !== '').length;
  const options = importFields(kind).map(({ path }) => [path, headingOf(kind, path)] as const);
  const firstOf = (column: number): string =>
    rows.find(({ cells }) => (cells[column] ?? '') !== '')?.cells[column] ?? '';
  const isSecret = (path: string): boolean =>
    importFields(kind).some((field) => field.path === path && field.input.sort === 'secret');
  return (
    <Box component="details" open={known < headings.length} sx={{ my: 2 }}>
      <Box component="summary" sx={{ cursor: 'pointer', py: 0.5 }}>
        {importTexts.mapping(known, headings.length)}
      </Box>
      <ScrollingTable
        label={texts.kinds.heading(kind.collection)}
        columns={importTexts.mappingColumns}
        maxHeight="50vh"
      >
        {headings.map((heading, column) => (
          <TableRow key={column}>
            <TableCell>{heading}</TableCell>
            <TableCell sx={{ maxWidth: '16rem' }}>
              {isSecret(fields[column] ?? '') ? texts.parts.noValue : shorten(firstOf(column))}
            </TableCell>
            <TableCell>
              <Choice
                size="small"
                variant="standard"
                sx={{ minWidth: '9rem' }}
                value={fields[column]}
                disabled={isBusy}
                onChange={({ target }) => onChange(withField(sheet, column, target.value))}
                slotProps={{ htmlInput: { 'aria-label': importTexts.fieldOf(heading) } }}
                options={[['', importTexts.ignored], ...options]}
              />
            </TableCell>
          </TableRow>
        ))}
      </ScrollingTable>
    </Box>
  );
}

const LONGEST = 80;

function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
