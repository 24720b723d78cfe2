import { Box, Link, Typography } from '@mui/material';
import { Title } from 'react-admin';
import { Link as RouterLink, useLocation } from 'react-router-dom';

import { texts } from '../texts';

/** The page for an address without a page. */
export function NotFound() {
  const { pathname } = useLocation();
  return (
    <Box sx={{ p: 2 }}>
      <Title title={texts.layout.notFound} />
      <Typography gutterBottom>{texts.layout.notFoundAt(<code>{pathname}</code>)}</Typography>
      <Link component={RouterLink} to="/">
        {texts.layout.home}
      </Link>
    </Box>
  );
}
