import { useState } from 'react'
import { Alert } from '../../../ui/Alert.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import {
  inZone,
  readMoment,
  type MomentChoice,
  type Span,
  allZones,
  momentText,
  offsetText,
  wallAt,
  withoutUnderscores,
} from './moment.ts'

type Props = {
  spans: readonly Span[]
  choice: MomentChoice
  onChange: (choice: MomentChoice) => void
}

/** A moment of the archive: day, time and time zone, and how it reads there and in UTC. */
export function MomentFields({ spans, choice, onChange }: Props) {
  // Some four hundred; asked for once.
  const [zones] = useState(() =>
    allZones().map((zone) => ({ value: zone, label: withoutUnderscores(zone) })),
  )
  const { unix, problem, twice } = readMoment(choice, spans)
  const [first, last] = [spans[0], spans.at(-1)]
  const dayAt = (seconds: number | undefined) =>
    seconds === undefined ? undefined : wallAt(seconds * 1000, choice.zone).day
  return (
    <div className="form-stack">
      <div className="moment-fields">
        <TextField
          label="Day"
          type="date"
          required
          min={dayAt(first?.from)}
          max={dayAt(last?.to)}
          value={choice.day}
          onChange={({ target }) => onChange({ ...choice, day: target.value, later: false })}
        />
        <TextField
          label="Time"
          type="time"
          required
          step={1}
          value={choice.time}
          onChange={({ target }) => onChange({ ...choice, time: target.value, later: false })}
        />
        <SelectField
          label="Time zone"
          options={zones}
          value={choice.zone}
          onChange={(zone) => onChange(inZone(choice, zone))}
        />
      </div>
      {twice && (
        <SelectField
          label="Which of the two"
          help="Clocks went back on that day, so this time occurred twice."
          options={twice.map((ms, index) => ({
            value: String(index),
            label: index === 0 ? 'The earlier one' : 'The later one',
            detail: offsetText(ms, choice.zone),
          }))}
          value={choice.later ? '1' : '0'}
          onChange={(which) => onChange({ ...choice, later: which === '1' })}
        />
      )}
      <div aria-live="polite">
        {problem ? (
          <Alert variant="warning" title={problem} />
        ) : (
          unix !== undefined && (
            <dl className="defs">
              <dt>{withoutUnderscores(choice.zone)}</dt>
              <dd>
                {momentText(unix * 1000, choice.zone)} ({offsetText(unix * 1000, choice.zone)})
              </dd>
              {choice.zone !== 'UTC' && (
                <>
                  <dt>UTC</dt>
                  <dd>{momentText(unix * 1000, 'UTC')}</dd>
                </>
              )}
            </dl>
          )
        )}
      </div>
    </div>
  )
}
