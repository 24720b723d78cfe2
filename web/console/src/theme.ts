import { createTheme, type ThemeOptions } from '@mui/material/styles';

const typography: ThemeOptions['typography'] = {
  fontFamily: 'system-ui, sans-serif',
  button: { textTransform: 'none' },
};

// Contrast of at least 4.5 to 1 for texts, as axe-core checks.
/** Colours and type on a light background. */
export const lightOptions: ThemeOptions = {
  palette: {
    mode: 'light',
    primary: { main: '#0f57bd' },
    secondary: { main: '#1f3557' },
    error: { main: '#b3261e' },
    background: { default: '#f6f8fb' },
    text: { primary: '#1b2433', secondary: '#4a5568' },
  },
  typography,
};

/** Colours and type on a dark background. */
export const darkOptions: ThemeOptions = {
  palette: {
    mode: 'dark',
    primary: { main: '#8cc4fa' },
    secondary: { main: '#1c2838', contrastText: '#e8edf5' },
    error: { main: '#ff9a8f' },
    background: { default: '#141b26', paper: '#1c2533' },
    text: { primary: '#e8edf5', secondary: '#b6c2d4' },
  },
  typography,
};

/** The theme of the sign-in page on a light background. */
export const light = createTheme(lightOptions);

/** The theme of the sign-in page on a dark background. */
export const dark = createTheme(darkOptions);
