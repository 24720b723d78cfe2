import { useRouteError } from 'react-router-dom';

import { texts } from '../texts';

/** Shown instead of the console if it cannot start. react-admin shows the errors of its pages. */
export function Failure() {
  const error = useRouteError();
  return (
    <p className="loading" role="alert">
      {texts.layout.failed(
        error instanceof Error ? error.message : String(error),
        <a href="">{texts.layout.reload}</a>,
      )}
    </p>
  );
}
