import { createTheme, type ThemeOptions } from '@mui/material/styles';
import { defaultDarkTheme, defaultLightTheme } from 'react-admin';

import { texts } from '../texts';
import { darkOptions, lightOptions } from './theme';

/** Names for screen readers that react-admin's own parts lack. */
const components: ThemeOptions['components'] = {
  MuiCircularProgress: { defaultProps: { 'aria-label': texts.layout.reading } },
  MuiCheckbox: {
    defaultProps: {
      // The name of a row's checkbox is on its outer element, where it is not allowed, instead of the input.
      slotProps: { root: { 'aria-label': undefined }, input: (props) => ({ 'aria-label': props['aria-label'] }) },
    },
  },
};

/** The theme of the console's pages on a light background. */
export const adminLight = themeOf(defaultLightTheme, lightOptions);

/** The theme of the console's pages on a dark background. */
export const adminDark = themeOf(defaultDarkTheme, darkOptions);

/** A theme of react-admin with our options. */
function themeOf(base: ThemeOptions, options: ThemeOptions) {
  return createTheme({ ...base, ...options, components: { ...base.components, ...components } });
}
