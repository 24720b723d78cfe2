import { lazy, Suspense, type ComponentType, type FunctionComponent, type ReactNode, useState } from 'react';

import type { Load } from './feature';

const RELOADED = 'sipgraph-console-reloaded';
/** Milliseconds between two attempts to load a component. */
const PAUSE = 1000;

/** What `prepare` has loaded. */
const prepared = new Map<unknown, unknown>();

/**
 * Returns a component that loads another when it is shown first, and shows `meanwhile` until then. One that was prepared is
 * shown at once: React shows a component that it has waited for 300 ms later at the earliest, however soon it is loaded.
 */
export function onDemand<Props extends object>(
  load: Load<Props>,
  meanwhile: ReactNode = null,
): FunctionComponent<Props> {
  const Loaded = lazy(async () => ({ default: await load().catch(() => loadAgain(load)) }));
  return function OnDemand(props: Props) {
    // Another component later would lose the state of this one.
    const [{ Shown }] = useState(() => ({
      Shown: (prepared.get(load) as ComponentType<Props> | undefined) ?? Loaded, // set by `prepare` for this function
    }));
    return (
      <Suspense fallback={meanwhile}>
        <Shown {...props} />
      </Suspense>
    );
  };
}

/** Loads a component, so that it is there when it is shown. */
export async function prepare(load: () => Promise<unknown>): Promise<void> {
  // Who shows the component tries again, and shows the error.
  const component = await load().catch(() => undefined);
  if (component !== undefined) prepared.set(load, component);
}

/** Tries again until the server responds: it may be restarting, and then loading the page anew would lose the page. */
async function loadAgain<Props>(load: Load<Props>): Promise<ComponentType<Props>> {
  const page = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined);
  if (page?.ok === true) return load().catch(reloadOnce);
  await new Promise((resolve) => setTimeout(resolve, PAUSE));
  return load().catch(() => loadAgain(load));
}

/** After an upgrade of the server, the files of the page that is open no longer exist: loads the page anew, once. */
async function reloadOnce(error: unknown): Promise<never> {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
  if (Date.now() - last < 10_000) throw error;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
  // Nothing is shown until the page is loaded.
  return new Promise<never>(() => undefined);
}

/** The address with which the page was opened, to which the links in index.html are relative. */
const OPENED = document.baseURI;

/**
 * Loads a module with all that it needs at once: the browser would find out what it imports when it has loaded it. The
 * lists are in index.html.
 */
export function preload(name: 'console' | 'kind-list'): void {
  const list = document.getElementById(`load-${name}`);
  if (!(list instanceof HTMLTemplateElement)) return;
  for (const link of list.content.querySelectorAll('link'))
    link.href = new URL(link.getAttribute('href') ?? '', OPENED).href;
  document.head.append(list.content);
}
