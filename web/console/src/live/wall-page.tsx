import { Alert, Box, Chip, Stack, Tab, Tabs } from '@mui/material';
import { Title } from 'react-admin';

import { contactsOf, HEALTH, REGISTRATIONS, RESOURCES, useLiveQuery } from '../graph/live-query';
import { colorOf } from '../parts/progress';
import { TimeChart } from '../samples/time-chart';
import { texts } from '../texts';
import { DeviceList } from './device-list';
import { COUNTS, type Counts, isUp, TRUNK_STATES, type TrunkCount, type TrunkState } from './operations';
import { RefusedSources } from './refused-sources';
import { TrunkList } from './trunk-list';
import { useParameters } from './use-parameters';

const WATCHED = [RESOURCES, REGISTRATIONS, HEALTH, contactsOf()];
// Milliseconds: counting many devices is expensive.
const COUNT_PAUSE = 3000;

/** Trunks and devices, as they are now. */
export function WallPage() {
  const [get, set] = useParameters();
  const { data, isLive } = useLiveQuery<Counts>(COUNTS, {}, () => WATCHED, { pause: COUNT_PAUSE });
  const shown = get('show') === 'devices' ? 'devices' : 'trunks';
  const trunks = data?.trunkCounts.reduce((sum, { count }) => sum + count, 0);
  return (
    <Stack component="section" spacing={2} sx={{ py: 2 }}>
      <Title title={shown === 'devices' ? texts.live.devices : texts.live.registrations} />
      {!isLive && <Alert severity="warning">{texts.live.offline}</Alert>}
      <Tabs
        value={shown}
        onChange={(_event, show: string) =>
          set({ show, state: undefined, q: undefined, domain: undefined, transport: undefined, nat: undefined })
        }
      >
        <Tab
          value="trunks"
          label={texts.live.countOf(texts.live.trunks, trunks)}
          id="tab-trunks"
          aria-controls="panel"
        />
        <Tab
          value="devices"
          label={texts.live.countOf(texts.live.devices, data?.all.totalCount)}
          id="tab-devices"
          aria-controls="panel"
        />
      </Tabs>
      <TimeChart
        key={shown}
        series={shown === 'devices' ? 'DEVICES' : 'TRUNKS_REGISTERED'}
        plus={shown === 'devices' ? undefined : 'TRUNKS_UP'}
        label={shown === 'devices' ? texts.live.devices : texts.live.trunksUp}
      />
      <Box role="tabpanel" id="panel" aria-labelledby={`tab-${shown}`}>
        {shown === 'devices' ? (
          <DeviceList />
        ) : (
          <Stack spacing={2}>
            <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap' }}>
              {TRUNK_STATES.map((state) => (
                <StateChip
                  key={state}
                  state={state}
                  of={data?.trunkCounts.find((each) => each.state === state)}
                  isChosen={get('state') === state}
                  onChoose={() => set({ state: get('state') === state ? undefined : state })}
                />
              ))}
            </Stack>
            <TrunkList />
            <RefusedSources />
          </Stack>
        )}
      </Box>
    </Stack>
  );
}

interface StateChipProps {
  readonly state: TrunkState;
  /** Undefined while they are counted. */
  readonly of: TrunkCount | undefined;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

/** How many trunks are in a state; lists only these while it is chosen. */
function StateChip({ state, of, isChosen, onChoose }: StateChipProps) {
  // What is registered but does not respond takes no calls.
  const silent = of && isUp(state) ? of.silent : 0;
  const progress = isUp(state) && silent < (of?.count ?? 1) ? 'works' : 'broken';
  return (
    <Chip
      label={
        <>
          {texts.live.inState(texts.live.states[state], of?.count)}
          {silent > 0 && (
            <Box component="span" sx={{ color: colorOf('broken') }}>
              {texts.live.ofThemSilent(silent)}
            </Box>
          )}
        </>
      }
      variant={isChosen ? 'filled' : 'outlined'}
      aria-pressed={isChosen}
      onClick={onChoose}
      sx={{ color: colorOf(of?.count === 0 ? 'unreached' : progress), borderColor: 'currentcolor' }}
    />
  );
}
