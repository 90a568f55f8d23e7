import type { ReactNode } from 'react'
import { Checkbox } from '../../ui/controls/Checkbox.tsx'

type Props<Event extends string> = {
  events: readonly Event[]
  chosen: readonly Event[]
  error: string | undefined
  onChange: (chosen: Event[]) => void
  children?: ReactNode
}

/** Chooses what a trigger fires at. */
export function EventChecks<Event extends string>(props: Props<Event>) {
  const { events, chosen, error, onChange, children } = props
  return (
    <fieldset className="object-rows">
      <legend className="label">Events</legend>
      <div className="object-checks">
        {events.map((event) => (
          <Checkbox
            key={event}
            label={event}
            checked={chosen.includes(event)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, event] : chosen.filter((one) => one !== event))
            }
          />
        ))}
      </div>
      {error && (
        <p className="err" role="alert">
          {error}
        </p>
      )}
      {children}
    </fieldset>
  )
}
