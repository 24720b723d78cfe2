import { Alert, Button, LinearProgress, TableCell, TableRow, Typography } from '@mui/material';
import { type ReactNode, useEffect, useState } from 'react';
import { useRefresh } from 'react-admin';

import { createKeys, errorsAt } from '../data/forms';
import { randomId, useRefresh as useRefreshGraph } from '../graph/request';
import { readable } from '../history/entry';
import { RevertDialog } from '../history/revert-dialog';
import { type Kind, linkedKind, spokenField, useModel } from '../model/model';
import { DialogFrame } from '../parts/dialogs';
import { ResourceName, ResourceNames } from '../parts/links';
import { ScrollingTable } from '../parts/scrolling-table';
import { TextWithNumbers } from '../parts/telephone';
import { isComplete, isScheduled, NO_WAIT, type Wait } from '../pending/wait';
import { Scheduled, WaitOptions } from '../pending/wait-options';
import { texts } from '../texts';
import { CallEffects } from '../effects/call-effects';
import {
  type Action,
  change,
  type Chosen,
  type ManyResult,
  preview,
  previewCalls,
  type Previewed,
  type Sample,
} from './many';
import { SetForm } from './set-form';

interface ManyDialogProps {
  readonly kind: Kind;
  /** As it is when the dialog opens. */
  readonly chosen: Chosen;
  readonly type: Action['type'];
  /** Called with true if resources were changed. */
  readonly onClose: (changed: boolean) => void;
}

/** How far the user is: choosing values, looking at the preview, or done. */
type Step =
  | { readonly name: 'form' }
  | { readonly name: 'preview'; readonly action: Action; readonly key: string; readonly result: ManyResult }
  | { readonly name: 'done'; readonly result: ManyResult };

/** Changes or deletes many resources, after a preview. */
export function ManyDialog({ kind, chosen: now, type, onClose }: ManyDialogProps) {
  const model = useModel();
  const refresh = useRefresh();
  // The list behind the dialog may change: what is confirmed is what was previewed.
  const [chosen] = useState(now);
  const [step, setStep] = useState<Step>({ name: 'form' });
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [undoing, setUndoing] = useState<string>();
  const [wait, setWait] = useState<Wait>(NO_WAIT);
  const [keyOf] = useState(createKeys);
  const refreshPending = useRefreshGraph('pendingChanges');
  const attempt = async (work: () => Promise<Step>): Promise<object | undefined> => {
    setBusy(true);
    setProblem(undefined);
    try {
      setStep(await work());
      return undefined;
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      return errorsAt(error);
    } finally {
      setBusy(false);
    }
  };
  const look = async (action: Action): Promise<object | undefined> =>
    attempt(async () => {
      const result = await preview(model, kind, chosen, action);
      return { name: 'preview', action, key: randomId(), result };
    });
  const make = (action: Action, previewed: Previewed): void =>
    void attempt(async () => {
      // Another wait is another request.
      const key = keyOf({ ...previewed, wait });
      const result = await change(model, kind, chosen, action, { ...previewed, key }, wait);
      refresh();
      await refreshPending();
      return { name: 'done', result };
    });
  // A deletion has nothing to choose, so its dialog opens with the preview.
  useEffect(() => {
    if (type === 'delete') void look({ type });
  }, []);
  const isDone = step.name === 'done';
  const close = (): void => {
    if (!isBusy) onClose(isDone);
  };
  if (undoing !== undefined) {
    const leave = (isReverted: boolean): void => (isReverted ? onClose(true) : setUndoing(undefined));
    return <RevertDialog what={{ request: undoing }} onClose={leave} />;
  }
  return (
    <DialogFrame
      title={texts.bulk.heading(
        type,
        texts.kinds.heading(kind.collection),
        'refs' in chosen ? chosen.refs.length : undefined,
      )}
      width="md"
      onClose={close}
      actions={
        <>
          {step.name === 'preview' && type === 'update' && (
            <Button disabled={isBusy} onClick={() => setStep({ name: 'form' })}>
              {texts.bulk.back}
            </Button>
          )}
          {step.name === 'done' && step.result.request !== null && step.result.changed > 0 && (
            <Button onClick={() => setUndoing(step.result.request ?? undefined)}>{texts.bulk.undo}</Button>
          )}
          <Button disabled={isBusy} onClick={close}>
            {isDone ? texts.bulk.close : texts.kinds.cancel}
          </Button>
          {step.name === 'preview' && (
            <Button
              variant="contained"
              color={type === 'delete' ? 'error' : 'primary'}
              disabled={isBusy || step.result.changed === 0 || !isComplete(wait)}
              onClick={() => make(step.action, { count: step.result.count, key: step.key })}
            >
              {texts.bulk.confirm(type, step.result.changed)}
            </Button>
          )}
        </>
      }
    >
      {isBusy && <LinearProgress aria-label={texts.bulk.busy} />}
      {problem !== undefined && <Alert severity="error">{problem}</Alert>}
      {type === 'update' && (
        // Kept while the preview is shown, so that going back keeps what was entered.
        <div hidden={step.name !== 'form'}>
          <SetForm kind={kind} isBusy={isBusy} onPreview={async (set) => look({ type, set })} />
        </div>
      )}
      {step.name !== 'form' && (
        <>
          {isScheduled(step.result.pending) ? (
            <Scheduled waiting={step.result.pending} />
          ) : step.result.isUnseen ? (
            <Alert severity="warning">{texts.bulk.unseen(type, step.result.count)}</Alert>
          ) : (
            <Typography role="status" gutterBottom>
              {texts.bulk.summary(step.name, type, step.result.count, step.result.changed)}
            </Typography>
          )}
          {step.name === 'preview' && step.result.changed > 0 && !step.result.isUnseen && (
            <CallEffects key={step.key} load={async () => previewCalls(model, kind, chosen, step.action)} />
          )}
          {step.name === 'preview' && <Samples kind={kind} sample={step.result.sample} />}
          {step.name === 'preview' && step.result.changed > 0 && (
            <WaitOptions value={wait} isBusy={isBusy} onChange={setWait} />
          )}
        </>
      )}
    </DialogFrame>
  );
}

/** The first resources that are changed, and their fields before and after. */
function Samples({ kind, sample }: { readonly kind: Kind; readonly sample: readonly Sample[] }) {
  if (sample.length === 0) return null;
  return (
    <ScrollingTable label={texts.bulk.sample} columns={texts.bulk.columns} maxHeight="50vh">
      {sample.flatMap(({ ref, changes }) =>
        changes.map(({ field, before, after, isSecret }, index) => (
          <TableRow key={`${ref} ${field}`}>
            <TableCell>{index === 0 && <ResourceName kind={kind.name} of={ref} />}</TableCell>
            <TableCell>{texts.kinds.heading(spokenField(kind, field))}</TableCell>
            <TableCell>{shown(linkedKind(kind, field), before, isSecret)}</TableCell>
            <TableCell>{shown(linkedKind(kind, field), after, isSecret)}</TableCell>
          </TableRow>
        )),
      )}
    </ScrollingTable>
  );
}

function shown(linked: string | undefined, value: string | null, isSecret: boolean): ReactNode {
  if (value === null) return texts.parts.noValue;
  if (linked !== undefined) return <ResourceNames kind={linked} of={value} />;
  return isSecret ? texts.bulk.secret : <TextWithNumbers>{readable(value)}</TextWithNumbers>;
}
