import { Button, DialogContentText, Typography } from '@mui/material';
import { useState, type ReactElement, type ReactNode } from 'react';
import { useSaveContext } from 'react-admin';

import type { ReportedChange } from '../../../shared/request';
import type { ResourceRecord } from '../data/data-provider';
import { changedSinceIn, formValues, valueAt, type Values } from '../data/forms';
import type { ChangedSince } from '../graph/graph-error';
import { readable } from '../history/entry';
import type { InputField } from '../model/fields';
import { type Kind, useModel } from '../model/model';
import { DialogFrame } from '../parts/dialogs';
import { Facts, type Fact } from '../parts/facts';
import { ResourceNames } from '../parts/links';
import { TextWithNumbers } from '../parts/telephone';
import { Time } from '../parts/time';
import { texts } from '../texts';
import type { ShowError } from './form';
import { plainText } from './value';

const words = texts.kinds.overwrite;

/** What the user decides: to save all the same, to load the current values, or to go on editing. */
type Decision = 'overwrite' | 'reload' | 'edit';

/** A field that somebody else has changed. */
interface Difference {
  readonly change: ReportedChange;
  /** Undefined for what the form does not have. */
  readonly input: InputField | undefined;
  /** The value in the form. */
  readonly own: unknown;
  /** Whether the user has changed it, too. */
  readonly isOwn: boolean;
}

interface Asking {
  readonly differences: readonly Difference[];
  readonly decide: (decision: Decision) => void;
}

/**
 * Returns a function that saves the form if nobody else has changed the resource since `record` was read, with which the
 * form was filled in, and the dialog that asks otherwise. `reload` fills the form in anew.
 */
export function useCarefulSave(
  kind: Kind,
  record: ResourceRecord | undefined,
  showError: ShowError,
  reload: () => void,
): [save: (values: Values) => Promise<unknown>, dialog: ReactElement | null] {
  const { save } = useSaveContext();
  const [asking, setAsking] = useState<Asking>();
  const ask = async (differences: readonly Difference[]): Promise<Decision> =>
    new Promise((resolve) => {
      const decide = (decision: Decision): void => {
        setAsking(undefined);
        resolve(decision);
      };
      setAsking({ differences, decide });
    });
  /** `seen`: the time of the last change that the user knows of. Returns errors of fields, which the form shows. */
  const saveAs = async (values: Values, seen: unknown): Promise<unknown> => {
    const refusals: ChangedSince[] = [];
    const onError = (error: unknown): void => {
      const refusal = changedSinceIn(error);
      if (refusal) refusals.push(refusal);
      else showError(error, values);
    };
    const errors: unknown = await save?.({ ...values, modifiedOn: seen }, { onError });
    const [changed] = refusals;
    if (!changed) return errors;
    const decision = await ask(changed.changes.map((change) => differenceOf(kind, change, record ?? {}, values)));
    if (decision === 'reload') reload();
    // It may have been changed again while the user decided.
    return decision === 'overwrite' ? saveAs(values, changed.modifiedOn) : undefined;
  };
  const carefully = async (values: Values): Promise<unknown> => saveAs(values, record?.['modifiedOn']);
  return [carefully, asking ? <AskDialog {...asking} /> : null];
}

function differenceOf(kind: Kind, change: ReportedChange, record: Values, values: Values): Difference {
  const own = valueAt(values, change.field);
  const isOwn = textOf(own) !== textOf(valueAt(formValues(kind, record), change.field));
  return { change, input: inputAt(change.field.split('.'), kind.update), own, isOwn };
}

/** The input of a field; of one in a group, that of `geoInfo.city`. */
function inputAt([name, ...rest]: readonly string[], inputs: readonly InputField[]): InputField | undefined {
  const input = inputs.find((each) => each.name === name);
  return rest.length > 0 && input ? inputAt(rest, input.fields) : input;
}

/** A form has empty texts for what is null in the graph. */
function textOf(value: unknown): string {
  return value === undefined || value === '' ? 'null' : JSON.stringify(value);
}

function AskDialog({ differences, decide }: Asking) {
  const facts = differences.map((difference): Fact => {
    const { field, by, at } = difference.change;
    return [
      texts.kinds.heading(difference.input?.link?.by === 'ref' ? difference.input.link.field : field),
      <>
        <Theirs {...difference} />
        <Typography variant="caption" component="div" color="text.secondary">
          {words.by(by, <Time isBrief value={at} />)}
        </Typography>
      </>,
    ];
  });
  return (
    <DialogFrame
      title={texts.kinds.changedMeanwhile}
      width="sm"
      onClose={() => decide('edit')}
      close={words.edit}
      actions={
        <>
          <Button onClick={() => decide('reload')}>{texts.kinds.reload}</Button>
          <Button variant="contained" color="error" onClick={() => decide('overwrite')}>
            {words.overwrite}
          </Button>
        </>
      }
    >
      <DialogContentText gutterBottom>{facts.length > 0 ? words.about : words.unseen}</DialogContentText>
      <Facts of={facts} stacksOnPhone />
    </DialogFrame>
  );
}

/** What somebody else has set, and what the user has entered. */
function Theirs({ change: { now, isSecret, field }, input, own, isOwn }: Difference): ReactNode {
  const model = useModel();
  // Only REST knows the members of `extra`.
  if (isSecret || field === 'extra') return words.changed;
  // The server tells lists of entries as JSON.
  const ownText = input?.sort === 'group' ? JSON.stringify(own) : plainText(model, own);
  const theirText = readable(now ?? '');
  const theirs = <Shown input={input} text={theirText} />;
  return isOwn && ownText !== theirText ? words.both(theirs, <Shown input={input} text={ownText} />) : theirs;
}

/** The value of a field as a text; of a link, the name of the resource. */
function Shown({ input, text }: { readonly input: InputField | undefined; readonly text: string }): ReactNode {
  if (text === '') return texts.parts.noValue;
  const { link, isList } = input ?? {};
  if (link?.by === 'ref')
    return <ResourceNames kind={link.kind} of={isList ? JSON.stringify(text.split(texts.parts.comma)) : text} />;
  return <TextWithNumbers>{text}</TextWithNumbers>;
}
