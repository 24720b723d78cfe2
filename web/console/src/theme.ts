import { createTheme, type ThemeOptions } from '@mui/material/styles';

/** The colours of a theme. Texts have a contrast of at least 4.5 to 1 on both backgrounds, as axe-core checks. */
type Colours = Readonly<Record<keyof typeof LIGHT, string>>;

const LIGHT = {
  accent: '#3b50ce',
  onAccent: '#ffffff',
  text: '#18181b',
  muted: '#5b5b66',
  // Lines between parts.
  line: '#e6e6ea',
  // Borders of inputs, which WCAG 1.4.11 wants at 3 to 1.
  edge: '#8e8e99',
  page: '#ffffff',
  // The bar, the menu and heads of tables.
  frame: '#f8f8f9',
  hover: '#f1f1f4',
  // The colours of states, which nothing else has.
  works: '#147a3d',
  warns: '#8a5300',
  broken: '#b3261e',
};

const DARK: Colours = {
  accent: '#9aa8ff',
  onAccent: '#111113',
  text: '#ededf0',
  muted: '#a6a6b1',
  line: '#2c2c32',
  edge: '#74747f',
  page: '#131316',
  frame: '#19191d',
  hover: '#232329',
  works: '#5ad48b',
  warns: '#f0b354',
  broken: '#ff958b',
};

const FONTS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif';
/** For references and other texts that are copied. */
export const MONOSPACE = 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, "Liberation Mono", monospace';

// 13, 14, 20 and 28 px, in units that follow the user's font size.
const [SMALL, NORMAL, TITLE, FIGURE] = ['0.8125rem', '0.875rem', '1.25rem', '1.75rem'];
// Milliseconds. console.css removes motion for those who prefer none.
const MOTION = 120;

function optionsOf(mode: 'light' | 'dark', colours: Colours): ThemeOptions {
  const { accent, onAccent, text, muted, line, edge, page, frame, hover, works, warns, broken } = colours;
  const state = (main: string): object => ({ main, light: main, dark: main, contrastText: onAccent });
  const focus = { outline: `2px solid ${accent}`, outlineOffset: 1 };
  const bordered = { border: `1px solid ${line}`, boxShadow: 'none', backgroundImage: 'none' };
  return {
    palette: {
      mode,
      primary: state(accent),
      secondary: { main: frame, contrastText: text },
      success: state(works),
      warning: state(warns),
      error: state(broken),
      info: state(muted),
      background: { default: page, paper: page },
      text: { primary: text, secondary: muted },
      divider: line,
      action: { hover, selected: hover, active: muted },
    },
    shape: { borderRadius: 6 },
    sidebar: { width: 240, closedWidth: 48 },
    // At 200 % on a laptop (700 px), the menu is a drawer.
    breakpoints: { values: { xs: 0, sm: 720, md: 960, lg: 1200, xl: 1536 } },
    transitions: {
      duration: {
        ...{ shortest: MOTION, shorter: MOTION, short: MOTION, standard: MOTION, complex: MOTION },
        ...{ enteringScreen: MOTION, leavingScreen: MOTION },
      },
    },
    typography: {
      fontFamily: FONTS,
      fontSize: 14,
      body1: { fontSize: NORMAL, lineHeight: 1.5 },
      body2: { fontSize: SMALL, lineHeight: 1.5 },
      caption: { fontSize: SMALL, lineHeight: 1.5 },
      button: { fontSize: SMALL, fontWeight: 500, textTransform: 'none' },
      h4: { fontSize: FIGURE, fontWeight: 600, lineHeight: 1.25, letterSpacing: '-0.02em' },
      h5: { fontSize: TITLE, fontWeight: 600, lineHeight: 1.4, letterSpacing: '-0.01em' },
      h6: { fontSize: NORMAL, fontWeight: 600, lineHeight: 1.5 },
      subtitle1: { fontSize: NORMAL, fontWeight: 600 },
      subtitle2: { fontSize: SMALL, fontWeight: 600 },
    },
    components: {
      MuiAlert: { styleOverrides: { root: { border: `1px solid ${line}`, padding: '2px 12px' } } },
      MuiAppBar: {
        styleOverrides: {
          root: { ...bordered, border: 0, borderBottom: `1px solid ${line}`, backgroundColor: frame, color: text },
        },
      },
      MuiButton: {
        defaultProps: { disableElevation: true },
        styleOverrides: { sizeSmall: { fontSize: SMALL }, root: { minWidth: 0, padding: '4px 10px' } },
      },
      MuiButtonBase: {
        defaultProps: { disableRipple: true },
        styleOverrides: { root: { '&:focus-visible, &.Mui-focusVisible, &:has(input:focus-visible)': focus } },
      },
      // Unlike `hidden`, `clip` lets the buttons of a long form stay in the window.
      MuiCard: { styleOverrides: { root: { ...bordered, overflow: 'clip' } } },
      MuiChip: { styleOverrides: { root: { borderRadius: 6, fontSize: SMALL } } },
      MuiCssBaseline: {
        styleOverrides: {
          // Scroll bars and choices of the browser follow the theme, too.
          html: { colorScheme: mode },
          // Where the keyboard is, on every page. The border of an input shows it.
          ':focus-visible:not(.MuiInputBase-input)': focus,
        },
      },
      MuiDialog: { styleOverrides: { paper: bordered } },
      MuiDialogTitle: { styleOverrides: { root: { fontSize: TITLE, fontWeight: 600, paddingBottom: 8 } } },
      MuiFormControl: { defaultProps: { variant: 'outlined', margin: 'dense', size: 'small', fullWidth: true } },
      MuiInputBase: {
        styleOverrides: {
          root: { fontSize: NORMAL },
          // Phones zoom into the page when an input with smaller letters gets the focus.
          input: { '@media (pointer: coarse)': { fontSize: '1rem' } },
        },
      },
      MuiInputLabel: { styleOverrides: { root: { fontSize: NORMAL } } },
      MuiListItemIcon: { styleOverrides: { root: { minWidth: 32 } } },
      MuiListSubheader: { styleOverrides: { root: { fontSize: SMALL, color: muted, backgroundColor: 'transparent' } } },
      MuiMenu: { styleOverrides: { paper: { ...bordered, boxShadow: '0 4px 16px rgb(0 0 0 / 0.12)' } } },
      MuiMenuItem: { styleOverrides: { root: { fontSize: NORMAL, minHeight: 32 } } },
      MuiOutlinedInput: { styleOverrides: { notchedOutline: { borderColor: edge } } },
      MuiPaper: { defaultProps: { elevation: 0 }, styleOverrides: { rounded: bordered } },
      // Above the buttons of a long form: under the pointer, a message would stay in front of them.
      MuiSnackbar: { styleOverrides: { root: { '&&': { bottom: 72 } } } },
      MuiSvgIcon: { styleOverrides: { root: { fontSize: '1.25rem' }, fontSizeSmall: { fontSize: '1.125rem' } } },
      MuiTab: { styleOverrides: { root: { minHeight: 40, padding: '8px 12px', fontSize: NORMAL } } },
      MuiTableCell: {
        styleOverrides: {
          root: {
            ...{ borderColor: line, fontSize: SMALL, lineHeight: '20px', padding: '7px 12px' },
            fontVariantNumeric: 'tabular-nums',
            // In a table, nearly every text is a link.
            '& a:not(:hover)': { textDecoration: 'none' },
          },
          head: { color: muted, fontWeight: 500, whiteSpace: 'nowrap', backgroundColor: frame },
          paddingCheckbox: { padding: '0 4px 0 12px' },
        },
      },
      MuiTabs: { styleOverrides: { root: { minHeight: 40, borderBottom: `1px solid ${line}` } } },
      MuiTextField: { defaultProps: { variant: 'outlined', margin: 'dense', size: 'small', fullWidth: true } },
      MuiTooltip: { styleOverrides: { tooltip: { fontSize: SMALL } } },
      ...adminParts(colours),
    },
  };
}

// Narrower than the breakpoint `sm`.
const PHONE = '@media (max-width:719.95px)';
// What does not fit into a line goes into the next one.
const TOOLBAR = { flexWrap: 'wrap', gap: 8 };

/** The parts of react-admin, whose types are known where it is loaded. */
function adminParts({ line, frame, hover, text, muted }: Colours): object {
  return {
    // The search on the left and the buttons on the right, in one line if there is room. Twice `&`: on some screens,
    // react-admin has others.
    RaListToolbar: {
      styleOverrides: {
        root: { '&&': { ...TOOLBAR, flexDirection: 'row', alignItems: 'center', padding: '4px 0 8px' } },
      },
    },
    RaFilterForm: {
      styleOverrides: {
        root: {
          '&&': { ...TOOLBAR, flex: '1 1 16rem', minHeight: 0, width: 'auto', padding: 0 },
          '& .RaFilterFormInput-spacer, & .RaFilterForm-clearFix': { display: 'none' },
          [PHONE]: { '& .filter-field': { flexGrow: 1 } },
          '& .filter-field .MuiFormControl-root': { margin: 0 },
        },
      },
    },
    RaLayout: {
      styleOverrides: {
        // Wide tables scroll by themselves, not the page (WCAG 1.4.10).
        root: {
          minWidth: 0,
          '& .RaLayout-content': { minWidth: 0, padding: '12px clamp(16px, 2vw, 24px) 24px' },
        },
      },
    },
    RaMenuItemLink: {
      styleOverrides: {
        root: {
          ...{ margin: '0 8px', padding: '4px 8px', borderRadius: 6, minHeight: 32, color: muted },
          '&:hover': { backgroundColor: hover, color: text },
          '&.RaMenuItemLink-active': { backgroundColor: hover, color: text, fontWeight: 600 },
          '& .RaMenuItemLink-icon': { minWidth: 28, color: 'inherit' },
        },
      },
    },
    RaSidebar: {
      styleOverrides: {
        root: {
          '&.MuiDrawer-docked': {
            flexShrink: 0,
            height: 'auto',
            borderRight: `1px solid ${line}`,
            backgroundColor: frame,
          },
          '& .MuiDrawer-paper': { border: 0, borderRadius: 0, backgroundColor: frame },
        },
      },
    },
    RaToolbar: { styleOverrides: { root: { backgroundColor: 'transparent', borderTop: `1px solid ${line}` } } },
    RaTopToolbar: {
      styleOverrides: {
        root: {
          '&&': {
            ...TOOLBAR,
            flex: '0 1 auto',
            minHeight: 40,
            padding: 0,
            alignItems: 'center',
            backgroundColor: 'transparent',
            // Below the search, as wide as the list: a second line begins where the first does.
            [PHONE]: { flex: '1 1 100%', justifyContent: 'flex-start' },
          },
        },
      },
    },
  };
}

/** Colours and type on a light background. */
export const lightOptions: ThemeOptions = optionsOf('light', LIGHT);

/** Colours and type on a dark background. */
export const darkOptions: ThemeOptions = optionsOf('dark', DARK);

/** The theme of the sign-in page on a light background. */
export const light = createTheme(lightOptions);

/** The theme of the sign-in page on a dark background. */
export const dark = createTheme(darkOptions);
