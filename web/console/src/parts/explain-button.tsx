import Help from '@mui/icons-material/HelpOutlineOutlined';
import { Button } from '@mui/material';
import { Link } from 'react-router-dom';

import { texts } from '../texts';
import { questionPath } from './links';

/** Leads from the page of a resource to the explanation of a number or an address of record. */
export function ExplainButton({ question }: { readonly question: string }) {
  return (
    <Button component={Link} to={questionPath(question)} startIcon={<Help />}>
      {texts.kinds.explain}
    </Button>
  );
}
