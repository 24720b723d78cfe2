import { Button, Dialog, DialogActions, DialogContent, DialogContentText, DialogTitle } from '@mui/material';
import { useState, type ReactElement, type ReactNode } from 'react';
import { useDataProvider, useSaveContext } from 'react-admin';

import type { ResourceRecord } from '../data/data-provider';
import { formValues, type Values } from '../data/forms';
import type { InputField } from '../model/fields';
import { type Kind, useModel } from '../model/model';
import { Facts, type Fact } from '../parts/facts';
import { ResourceName } from '../parts/links';
import { texts } from '../texts';
import { plainText } from './value';

const words = texts.kinds.overwrite;

/** What the user decides: to save all the same, to load the current values, or to go on editing. */
type Decision = 'overwrite' | 'reload' | 'edit';

/** A field that somebody else has changed. */
interface Difference {
  readonly path: string;
  readonly input: InputField;
  /** The value in the form. */
  readonly own: unknown;
  /** Whether the user has changed it, too. */
  readonly isOwn: boolean;
  /** The value on the server. */
  readonly theirs: unknown;
}

interface Asking {
  readonly differences: readonly Difference[];
  readonly decide: (decision: Decision) => void;
}

/**
 * Returns a function that saves the form, and the dialog that it opens first if somebody else has changed the resource
 * since `record` was read, with which the form was filled in. `reload` fills the form in anew.
 */
export function useCarefulSave(
  kind: Kind,
  record: ResourceRecord | undefined,
  reload: () => void,
): [save: (values: Values) => Promise<unknown>, dialog: ReactElement | null] {
  const provider = useDataProvider();
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
  const carefully = async (values: Values): Promise<unknown> => {
    const current = record && (await read(kind, record.id));
    const isChanged = current !== undefined && current['modifiedOn'] !== record?.['modifiedOn'];
    const decision = isChanged ? await ask(differencesIn(kind, record ?? current, current, values)) : 'overwrite';
    if (decision === 'reload') reload();
    // Errors of fields, which the form shows.
    return decision === 'overwrite' ? save?.(values) : undefined;
  };
  /** The resource as it is; undefined if it cannot be read: saving tells why. */
  const read = async ({ collection }: Kind, id: string): Promise<ResourceRecord | undefined> => {
    try {
      return (await provider.getOne<ResourceRecord>(collection, { id })).data;
    } catch {
      return undefined;
    }
  };
  return [carefully, asking ? <AskDialog {...asking} /> : null];
}

/** The fields that differ on the server from when the form was filled in; those of groups on their own. */
function differencesIn(kind: Kind, before: Values, now: Values, values: Values): readonly Difference[] {
  const isSame = (one: unknown, other: unknown): boolean => textOf(one) === textOf(other);
  const differing = (
    inputs: readonly InputField[],
    [old, theirs, own]: readonly [Values, Values, Values],
    start = '',
  ): readonly Difference[] =>
    inputs.flatMap((input): readonly Difference[] => {
      const { name, sort, fields } = input;
      const path = start + name;
      if (sort === 'group')
        return differing(fields, [groupOf(old[name]), groupOf(theirs[name]), groupOf(own[name])], `${path}.`);
      if (sort === 'secret' || isSame(old[name], theirs[name])) return [];
      return [{ path, input, theirs: theirs[name], own: own[name], isOwn: !isSame(old[name], own[name]) }];
    });
  return differing(kind.update, [formValues(kind, before), formValues(kind, now), values]);
}

function groupOf(value: unknown): Values {
  return typeof value === 'object' && value !== null ? (value as Values) : {}; // a group of a form
}

/** A form has empty texts for what is null in the graph. */
function textOf(value: unknown): string {
  return value === undefined || value === '' ? 'null' : JSON.stringify(value);
}

function AskDialog({ differences, decide }: Asking) {
  const facts = differences.map(({ path, input, theirs, own, isOwn }): Fact => {
    const now = <Shown input={input} value={theirs} />;
    return [texts.kinds.heading(path), isOwn ? words.both(now, <Shown input={input} value={own} />) : now];
  });
  return (
    <Dialog open onClose={() => decide('edit')} aria-labelledby="overwrite-title" fullWidth maxWidth="sm">
      <DialogTitle id="overwrite-title">{texts.kinds.changedMeanwhile}</DialogTitle>
      <DialogContent>
        <DialogContentText gutterBottom>{facts.length > 0 ? words.about : words.unseen}</DialogContentText>
        <Facts of={facts} stacksOnPhone />
      </DialogContent>
      <DialogActions>
        <Button onClick={() => decide('edit')}>{words.edit}</Button>
        <Button onClick={() => decide('reload')}>{texts.kinds.reload}</Button>
        <Button variant="contained" color="error" onClick={() => decide('overwrite')}>
          {words.overwrite}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** The value of a field of a form; of a link, the name of the resource. */
function Shown({ input: { link }, value }: { readonly input: InputField; readonly value: unknown }): ReactNode {
  const model = useModel();
  if (link?.by === 'ref' && typeof value === 'string') return <ResourceName kind={link.kind} of={value} />;
  const text = plainText(model, value);
  return text === '' ? texts.parts.noValue : text;
}
