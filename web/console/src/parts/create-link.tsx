import Add from '@mui/icons-material/Add';
import { Button } from '@mui/material';
import type { ReactNode } from 'react';
import { useCreatePath } from 'react-admin';
import { Link } from 'react-router-dom';

import type { Kind } from '../model/model';

/** Leads to the form of a new resource. */
export function CreateLink({ kind, children }: { readonly kind: Kind; readonly children: ReactNode }) {
  const createPath = useCreatePath();
  return (
    <Button
      component={Link}
      to={createPath({ resource: kind.collection, type: 'create' })}
      variant="contained"
      startIcon={<Add />}
    >
      {children}
    </Button>
  );
}
