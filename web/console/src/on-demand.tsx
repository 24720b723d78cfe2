import { lazy, Suspense, type ComponentType, type FunctionComponent, type ReactNode } from 'react';

import type { Load } from './feature';

const RELOADED = 'sipgraph-console-reloaded';
/** Milliseconds between two attempts to load a component. */
const PAUSE = 1000;

/** Returns a component that loads another when it is shown first, and shows `meanwhile` until then. */
export function onDemand<Props extends object>(
  load: Load<Props>,
  meanwhile: ReactNode = null,
): FunctionComponent<Props> {
  const Loaded = lazy(async () => ({ default: await load().catch(() => loadAgain(load)) }));
  return function OnDemand(props: Props) {
    return (
      <Suspense fallback={meanwhile}>
        <Loaded {...props} />
      </Suspense>
    );
  };
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

/**
 * Loads a module with all that it imports at once: the browser would find out what it imports when it has loaded it. The
 * lists are in index.html, relative to the address with which the page was opened, so this is only for its start.
 */
export function preload(name: 'console' | 'kind-list'): void {
  const list = document.getElementById(`load-${name}`);
  if (list instanceof HTMLTemplateElement) document.head.append(list.content);
}
