import { Chip, Stack, TableCell, TableRow } from '@mui/material';
import { useState } from 'react';

import { useModel } from '../model/model';
import { NamedLink } from '../parts/links';
import { ScrollingTable } from '../parts/scrolling-table';
import { texts } from '../texts';
import { headingOf, importFields } from './columns';
import { importTexts } from './texts';
import { OUTCOMES, type ImportResult, type Outcome, type Row } from './run-import';

/** Rows that are shown at once: as many as the server returns of each outcome. */
const SHOWN = 1000;

/** The result of each row, with the number of each outcome; a click on one shows only its rows. */
export function ImportRows({ result }: { readonly result: ImportResult }) {
  const [only, setOnly] = useState<Outcome | undefined>(result.counts.FAILED > 0 ? 'FAILED' : undefined);
  const { counts, imported } = result;
  const total = only === undefined ? result.total : counts[only];
  const rows = result.rows.filter(({ outcome }) => only === undefined || outcome === only).slice(0, SHOWN);
  const { kinds } = useModel();
  // Fields of documents are shown as the file has them.
  const spoken = (of: string | null, field: string): string => {
    const kind = kinds.find(({ name }) => name === of);
    return kind && importFields(kind).some(({ path }) => path === field) ? headingOf(kind, field) : field;
  };
  const names = imported ? importTexts.outcomes : importTexts.wouldBe;
  return (
    <>
      <Stack direction="row" useFlexGap spacing={1} sx={{ flexWrap: 'wrap', my: 2 }}>
        {OUTCOMES.filter((outcome) => counts[outcome] > 0).map((outcome) => (
          <Chip
            key={outcome}
            label={importTexts.count(counts[outcome], names[outcome])}
            color={outcome === 'FAILED' ? 'error' : 'default'}
            variant={only === outcome ? 'filled' : 'outlined'}
            aria-pressed={only === outcome}
            onClick={() => setOnly(only === outcome ? undefined : outcome)}
          />
        ))}
      </Stack>
      <ScrollingTable label={importTexts.rows} columns={importTexts.headings} maxHeight="60vh">
        {rows.map((row, index) => (
          <TableRow key={index}>
            <TableCell>{row.line}</TableCell>
            <TableCell>{names[row.outcome]}</TableCell>
            <TableCell>
              <Imported row={row} isLink={imported || row.outcome === 'UNCHANGED'} />
            </TableCell>
            <TableCell>
              {row.errors.map(({ field, message }) => (
                <div key={`${String(field)} ${message}`}>
                  {importTexts.error(field === null ? null : spoken(row.kind, field), message)}
                </div>
              ))}
            </TableCell>
          </TableRow>
        ))}
      </ScrollingTable>
      {rows.length < total && <p>{importTexts.shown(rows.length, total)}</p>}
    </>
  );
}

/** The resource of a row. A dry run makes up the references of new ones, so it shows only their kind. */
function Imported({ row: { kind, ref }, isLink }: { readonly row: Row; readonly isLink: boolean }) {
  if (kind === null) return null;
  if (ref === null || !isLink) return texts.kinds.heading(kind);
  return <NamedLink kind={kind} of={ref} />;
}
