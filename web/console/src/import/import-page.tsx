import { Alert, Box, Button, LinearProgress, MenuItem, Paper, TextField, Typography } from '@mui/material';
import { useState } from 'react';
import { Title } from 'react-admin';

import { GraphError } from '../graph/graph-error';
import { RevertDialog } from '../history/revert-dialog';
import { useModel } from '../model/model';
import { shapeOf } from '../model/schema';
import { texts } from '../texts';
import { DropZone } from './drop-zone';
import { ImportRows } from './import-rows';
import { type ImportResult, isCsv, type Progress, runImport, type Source, textIn } from './run-import';

/** A file that was dropped, and what an import of it did or would do. */
interface Dropped {
  readonly name: string;
  readonly source: Source;
  readonly result?: ImportResult;
}

/** Imports a file: first a dry run with the result of each row, and then the import. */
export function ImportPage() {
  const kinds = useNumberKinds();
  const [kind, setKind] = useState('Number');
  const [dropped, setDropped] = useState<Dropped>();
  const [progress, setProgress] = useState<Progress>();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [undoing, setUndoing] = useState<string>();
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    setProgress(undefined);
    try {
      await work();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  const run = (name: string, source: Source, dryRun: boolean): void =>
    void attempt(async () => {
      // The result of another kind does not count.
      if (dryRun) setDropped({ name, source });
      setDropped({ name, source, result: await runImport(source, dryRun, setProgress) });
    });
  const take = (file: File): void =>
    void attempt(async () => {
      const text = textIn(await file.arrayBuffer());
      const source: Source = isCsv(file.name, text) ? { format: 'csv', text, kind } : { format: 'documents', text };
      setDropped(undefined);
      setDropped({ name: file.name, source, result: await runImport(source, true, setProgress) });
    });
  const chooseKind = (chosen: string): void => {
    setKind(chosen);
    if (dropped?.source.format === 'csv') run(dropped.name, { ...dropped.source, kind: chosen }, true);
  };
  const result = dropped?.result;
  return (
    <Paper sx={{ p: 2, mt: 2 }}>
      <Title title={texts.titles.imports} />
      <DropZone isBusy={isBusy} onFile={take} />
      <TextField
        select
        size="small"
        variant="filled"
        label={texts.imports.kind}
        value={kind}
        disabled={isBusy || result?.imported === true}
        onChange={({ target }) => chooseKind(target.value)}
        sx={{ mt: 2, minWidth: '14rem' }}
      >
        {kinds.map((name) => (
          <MenuItem key={name} value={name}>
            {texts.kinds.heading(name)}
          </MenuItem>
        ))}
      </TextField>
      {isBusy && <ImportProgress progress={progress} />}
      {problem !== undefined && (
        <Alert severity="error" sx={{ mt: 2 }}>
          {problem}
        </Alert>
      )}
      {dropped && result && (
        <Box component="section" sx={{ mt: 2 }}>
          <Typography component="h2" variant="h6">
            {dropped.name}
          </Typography>
          <Outcome result={result} />
          {!result.imported && result.counts.FAILED === 0 && result.total > 0 && (
            <Button variant="contained" disabled={isBusy} onClick={() => run(dropped.name, dropped.source, false)}>
              {texts.imports.start(result.total)}
            </Button>
          )}
          {result.imported && result.counts.CREATED + result.counts.UPDATED > 0 && (
            <Button disabled={isBusy} onClick={() => setUndoing(result.request ?? undefined)}>
              {texts.imports.undo}
            </Button>
          )}
          <ImportRows key={`${dropped.name} ${String(result.request)}`} result={result} />
        </Box>
      )}
      {undoing !== undefined && (
        <RevertDialog
          what={{ request: undoing }}
          onClose={(isReverted) => {
            setUndoing(undefined);
            if (isReverted) setDropped(undefined);
          }}
        />
      )}
    </Paper>
  );
}

/** The kinds that CSV can contain, as the graph lists them. */
function useNumberKinds(): readonly string[] {
  const { schema } = useModel();
  const field = schema.get('Mutation')?.fields?.find(({ name }) => name === 'importNumbers');
  const kind = field?.args.find(({ name }) => name === 'kind');
  const named = kind && schema.get(shapeOf(kind.type).name);
  return (named?.enumValues ?? []).map(({ name }) => name);
}

function messageOf(error: unknown): string {
  if (error instanceof GraphError && error.fields.includes('body')) return texts.imports.tooLarge;
  return error instanceof Error ? error.message : String(error);
}

/** How far an import is. */
function ImportProgress({ progress }: { readonly progress: Progress | undefined }) {
  return (
    <Box sx={{ mt: 2 }}>
      <LinearProgress
        aria-label={texts.titles.imports}
        {...(progress ? { variant: 'determinate', value: (100 * progress.done) / progress.total } : {})}
      />
      <Typography variant="body2">{progress && texts.imports.progress(progress.done, progress.total)}</Typography>
    </Box>
  );
}

/** What an import did, or would do. */
function Outcome({ result }: { readonly result: ImportResult }) {
  const [severity, text] = result.imported
    ? (['success', texts.imports.done] as const)
    : result.counts.FAILED > 0
      ? (['error', texts.imports.rejected(result.counts.FAILED)] as const)
      : (['info', texts.imports.dryRun] as const);
  return (
    <Alert severity={severity} role="status" sx={{ my: 1 }}>
      {text}
    </Alert>
  );
}
