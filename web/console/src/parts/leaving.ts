import { useEffect } from 'react';
import { useBlocker } from 'react-router-dom';

/** While `isAsking`, whoever leaves the page is asked first: `question` for a page of the console, a text of the browser otherwise. */
export function useLeavingQuestion(isAsking: boolean, question: string): void {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isAsking && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    if (window.confirm(question)) blocker.proceed();
    else blocker.reset();
  }, [blocker, question]);
  useEffect(() => {
    if (!isAsking) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isAsking]);
}
