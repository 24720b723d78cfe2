import { Alert, Box, Button, LinearProgress, Paper, Stack, Typography } from '@mui/material';
import { useState } from 'react';
import { Title } from 'react-admin';

import { CallEffects } from '../effects/call-effects';
import { GraphError, messageOf } from '../graph/graph-error';
import { useRefresh } from '../graph/request';
import { useSession } from '../graph/session';
import { RevertDialog } from '../history/revert-dialog';
import { kindOf, useModel, type Kind } from '../model/model';
import { MenuChoice } from '../parts/choice';
import { useLeavingQuestion } from '../parts/leaving';
import { PageLink } from '../parts/links';
import { saveFile } from '../parts/save-file';
import { isComplete, isScheduled, NO_WAIT, type Wait } from '../pending/wait';
import { Scheduled, WaitOptions } from '../pending/wait-options';
import { texts } from '../texts';
import { guessFields, guessKind, sampleOf } from './columns';
import { DropZone } from './drop-zone';
import { ImportRows } from './import-rows';
import { Mapping } from './mapping';
import { MendGrid } from './mend-grid';
import { PasteBox } from './paste-box';
import {
  callsOfImport,
  type ImportResult,
  isCsv,
  MAX_ENTRIES,
  mayWait,
  type Progress,
  runImport,
  type Source,
  textIn,
  type Warning,
} from './run-import';
import { edited, readSheet, type Sheet } from './sheet';
import { importTexts } from './texts';

/** A file that was dropped, and what an import of it did or would do. */
interface Dropped {
  readonly name: string;
  readonly source: Source;
  readonly result?: ImportResult;
}

/** The kind that is chosen first. */
const FIRST = 'Number';

/** Imports a file or pasted rows: first a dry run with the result of each row, and then the import. */
export function ImportPage() {
  const model = useModel();
  const isAdmin = useSession()?.role === 'ADMIN';
  const [chosen, setChosen] = useState<string>();
  const [name, setName] = useState(FIRST);
  const [dropped, setDropped] = useState<Dropped>();
  const [progress, setProgress] = useState<Progress>();
  const [isBusy, setBusy] = useState(false);
  const [isImporting, setImporting] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [undoing, setUndoing] = useState<string>();
  // How often a dry run was started: each has its own calls.
  const [checked, setChecked] = useState(0);
  const [wait, setWait] = useState<Wait>(NO_WAIT);
  const inParts = (dropped?.result?.parts ?? 1) > 1;
  const canWait = mayWait(dropped?.result?.parts ?? 1, dropped?.result?.total ?? 0);
  // Parts are not made later, so what was entered for an earlier file does not count.
  const given = canWait ? { ...wait, at: inParts ? null : wait.at } : NO_WAIT;
  const refreshPending = useRefresh('pendingChanges');
  const kind = kindOf(model, name);
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    setProgress(undefined);
    try {
      await work();
    } catch (error) {
      const isTooLarge = error instanceof GraphError && error.fields.includes('body');
      setProblem(isTooLarge ? importTexts.tooLarge : messageOf(error));
    } finally {
      setBusy(false);
      setImporting(false);
    }
  };
  useLeavingQuestion(isImporting, importTexts.leave);
  const runNow = async (file: string, source: Source, dryRun: boolean): Promise<void> => {
    // The result of another kind, or of other columns, does not count.
    if (dryRun) setDropped({ name: file, source });
    setImporting(!dryRun);
    if (dryRun) setChecked((times) => times + 1);
    const result = await runImport(source, dryRun, setProgress, dryRun ? NO_WAIT : given);
    setDropped({ name: file, source, result });
    if (result.pending) await refreshPending();
  };
  const run = (file: string, source: Source, dryRun: boolean): void =>
    void attempt(async () => runNow(file, source, dryRun));
  const read = async (file: string, text: string): Promise<void> => {
    setDropped(undefined);
    if (!isCsv(file, text)) return runNow(file, { format: 'documents', text }, true);
    const { headings, rows } = readSheet(text, file !== importTexts.pasted);
    const named = model.kinds.find(({ collection }) => file.toLowerCase().startsWith(`${collection.toLowerCase()}.`));
    const given = chosen === undefined ? (named ?? kind) : kindOf(model, chosen);
    const guessed = guessKind(model.kinds, headings, given);
    setName(guessed.name);
    const sheet = { headings, rows, fields: guessFields(guessed, headings) };
    return runNow(file, { format: 'csv', kind: guessed.name, sheet }, true);
  };
  const chooseKind = (other: Kind): void => {
    setChosen(other.name);
    setName(other.name);
    if (dropped?.source.format !== 'csv') return;
    const { sheet } = dropped.source;
    const fields = guessFields(other, sheet.headings);
    run(dropped.name, { format: 'csv', kind: other.name, sheet: { ...sheet, fields } }, true);
  };
  // That of the dry run is not what happens.
  const result = isImporting ? undefined : dropped?.result;
  // What was imported is not changed any more.
  const isDone = result !== undefined && (result.imported || isScheduled(result.pending));
  const sheet = dropped?.source.format === 'csv' && !isDone ? dropped.source.sheet : undefined;
  const checkAgain = (changed: Sheet): void =>
    run(dropped?.name ?? '', { format: 'csv', kind: kind.name, sheet: changed }, true);
  return (
    <Paper sx={{ p: 2, mt: 2 }}>
      <Title title={texts.titles.imports} />
      <DropZone isBusy={isBusy} onFile={(file) => void attempt(async () => read(file.name, await textIn(file)))} />
      <Typography variant="body2" sx={{ mt: 1 }}>
        {importTexts.moving(
          isAdmin ? <PageLink to="/moving">{texts.titles.moving}</PageLink> : <code>{importTexts.movingCommand}</code>,
        )}
      </Typography>
      <PasteBox isBusy={isBusy} onText={(text) => void attempt(async () => read(importTexts.pasted, text))} />
      <Stack direction="row" useFlexGap spacing={2} sx={{ mt: 2, flexWrap: 'wrap', alignItems: 'center' }}>
        <MenuChoice
          size="small"
          label={importTexts.kind}
          value={name}
          disabled={isBusy || isDone}
          onChange={({ target }) => chooseKind(kindOf(model, target.value))}
          sx={{ minWidth: '14rem' }}
          options={model.kinds.map((each) => [each.name, texts.kinds.heading(each.name)] as const)}
        />
        <Button onClick={() => saveFile(new Blob([sampleOf(kind)], { type: 'text/csv' }), `${kind.collection}.csv`)}>
          {importTexts.sample(texts.kinds.heading(kind.collection))}
        </Button>
      </Stack>
      {isBusy && <ImportProgress isImporting={isImporting} progress={progress} />}
      {problem !== undefined && (
        <Alert severity="error" sx={{ mt: 2 }}>
          {problem}
        </Alert>
      )}
      {dropped && (
        <Box component="section" sx={{ mt: 2 }}>
          <Typography component="h2" variant="h6">
            {dropped.name}
          </Typography>
          {sheet && <Mapping kind={kind} sheet={sheet} isBusy={isBusy} onChange={checkAgain} />}
          {result && (
            <>
              {isScheduled(result.pending) ? <Scheduled waiting={result.pending} /> : <Outcome result={result} />}
              <Warnings of={result.warnings} />
              {sheet && result.counts.FAILED > 0 && (
                <MendGrid
                  kind={kind}
                  sheet={sheet}
                  failed={result.rows.filter(({ outcome }) => outcome === 'FAILED')}
                  isBusy={isBusy}
                  onMend={(edits) => checkAgain(edited(sheet, edits))}
                />
              )}
              {!isDone && result.requests.length === 0 && result.counts.FAILED === 0 && result.total > 0 && (
                <>
                  <CallEffects key={checked} load={async (signal) => callsOfImport(dropped.source, signal)} />
                  {canWait ? (
                    <WaitOptions
                      value={given}
                      isBusy={isBusy}
                      {...(inParts && { notLater: importTexts.noLater(result.parts) })}
                      onChange={setWait}
                    />
                  ) : (
                    <Typography variant="body2">{importTexts.noWaiting(MAX_ENTRIES)}</Typography>
                  )}
                  <Button
                    variant="contained"
                    disabled={isBusy || !isComplete(given)}
                    onClick={() => run(dropped.name, dropped.source, false)}
                  >
                    {importTexts.start(result.total)}
                  </Button>
                </>
              )}
              {result.requests.map((request, index) => (
                <Button key={request} disabled={isBusy} onClick={() => setUndoing(request)}>
                  {importTexts.undo(index + 1, result.requests.length)}
                </Button>
              ))}
              <ImportRows key={`${dropped.name} ${result.requests.join(' ')}`} result={result} />
            </>
          )}
        </Box>
      )}
      {undoing !== undefined && (
        <RevertDialog
          what={{ request: undoing }}
          onClose={(isReverted) => {
            setUndoing(undefined);
            if (isReverted) setDropped(withoutRequest(dropped, undoing));
          }}
        />
      )}
    </Paper>
  );
}

/** The file after a part of it was undone; nothing if that was the last one. */
function withoutRequest(dropped: Dropped | undefined, undone: string): Dropped | undefined {
  const requests = dropped?.result?.requests.filter((request) => request !== undone) ?? [];
  if (!dropped?.result || requests.length === 0) return undefined;
  return { ...dropped, result: { ...dropped.result, requests } };
}

/** How far an import is. */
function ImportProgress({
  isImporting,
  progress,
}: {
  readonly isImporting: boolean;
  readonly progress: Progress | undefined;
}) {
  const text = isImporting ? importTexts.importing : importTexts.checking;
  return (
    <Box sx={{ mt: 2 }}>
      <LinearProgress
        aria-label={texts.titles.imports}
        {...(progress ? { variant: 'determinate', value: (100 * progress.done) / progress.total } : {})}
      />
      <Typography variant="body2" role="status">
        {text(progress && importTexts.progress(progress.done, progress.total))}
      </Typography>
    </Box>
  );
}

/** Reasons that are shown. */
const REASONS = 10;

/** Why numbers of a dry run will not ring when they are imported. */
function Warnings({ of: all }: { readonly of: readonly Warning[] }) {
  if (all.length === 0) return null;
  return (
    <Alert severity="warning" sx={{ my: 1 }}>
      {importTexts.ringNot(all.reduce((sum, { count }) => sum + count, 0))}
      <Box component="ul" aria-label={importTexts.reasons} sx={{ m: 0, pl: 2 }}>
        {all.slice(0, REASONS).map(({ count, line, summary }) => (
          <li key={summary}>{importTexts.reason(count, line, summary)}</li>
        ))}
      </Box>
      {all.length > REASONS && importTexts.moreReasons(all.length - REASONS)}
    </Alert>
  );
}

/** What an import did, or would do. */
function Outcome({ result }: { readonly result: ImportResult }) {
  const { imported, requests, counts, parts, pending } = result;
  const [severity, text] = imported
    ? (['success', importTexts.done] as const)
    : counts.FAILED > 0
      ? ([
          'error',
          (requests.length === 0 ? importTexts.rejected : pending ? importTexts.partlyWaiting : importTexts.partly)(
            counts.FAILED,
          ),
        ] as const)
      : (['info', importTexts.dryRun] as const);
  return (
    <>
      <Alert severity={severity} role="status" sx={{ my: 1 }}>
        {text}
      </Alert>
      {!imported && parts > 1 && <Typography variant="body2">{importTexts.parts(parts)}</Typography>}
    </>
  );
}
